package docs

// Section is a part of the table of contents.
type Section struct {
	Title string
	Pages []Page
}

// Page is one page of the site.
type Page struct {
	// Path is the address below /docs, without a slash at its beginning; the first page has none.
	Path string
	// Title is what the table of contents calls the page.
	Title string
	// Says is what the page is about, in one sentence.
	Says string
	// Source is the Markdown file in docs/; empty for a page that is made.
	Source string
}

// written is the table of contents as far as people wrote its pages. What is made follows behind "Build on the API": the
// reference of the API, and the error codes.
var written = []Section{
	{"Guides", []Page{
		{"guides/teacher", "For teachers", "From the first sign-in to a class that makes things, with a join code on the projector.", "guides/teacher.md"},
		{"guides/organization", "For organization admins", "Workspaces, people, budgets, event endpoints, the audit log and single sign-on.", "guides/organization.md"},
		{"guides/operator", "For operators", "Install Atelier, approve schools, send mail, back up and upgrade.", "guides/operator.md"},
		{"guides/api", "For API clients", "Run an app from a program: from the first token to signed events.", "guides/api.md"},
		{"guides/interface", "Your own interface", "Put apps into your own product, with your own pages and your own people.", "guides/interface.md"},
	}},
	{"Make things", []Page{
		{"studio", "The studio", "From a script to a film, in which only what changed is made again.", "studio.md"},
		{"library", "The library", "The same people, places, presets and voices in every picture.", "library.md"},
		{"consent", "Faces, voices and consent", "Who may say what about pictures and recordings of people.", "consent.md"},
		{"nodes", "Nodes", "Every node type, with what it yields, costs and needs.", "nodes.md"},
	}},
	{"Build on the API", []Page{
		{"api", "The API", "What is true of every call: tokens, workspaces, who pays, lists, errors, limits.", "api.md"},
		{"webhooks", "Receiving events", "Signed events for finished jobs: verify them, answer, and repeat nothing.", "webhooks.md"},
		{"oauth", "Apps that act for people", "OAuth for programs that act for other people.", "oauth.md"},
		{"mcp", "Agents (MCP)", "Connect an agent by the Model Context Protocol, and what it can do.", "mcp.md"},
		{"sdk-typescript", "JavaScript and TypeScript", "The SDK for Node, Deno, Bun, workers and browsers.", "sdk-typescript.md"},
		{"sdk-python", "Python", "The SDK for programs and notebooks.", "sdk-python.md"},
		{"go-client", "Go", "The client for Go programs.", "go-client.md"},
		{"react", "React", "The form of an app in your own page.", "react.md"},
		{"cli", "Command line", "Run apps and keep workflows as files, from a terminal.", "cli.md"},
		{"pipelines", "GitHub and n8n", "Run an app as a step of a GitHub workflow or of n8n.", "pipelines.md"},
	}},
	{"Run an install", []Page{
		{"deployment", "Deployment", "One machine or several, the proxy, files, backups and upgrades.", "deployment.md"},
		{"configuration", "Configuration", "Every setting with its default.", "configuration.md"},
		{"operations", "Operations", "What to watch, and what to do when something is wrong.", "operations.md"},
		{"sign-in", "Sign-in through a provider", "Google Workspace, Microsoft Entra, Keycloak, Authentik and others.", "sign-in.md"},
		{"sso", "Sign-in by assertion", "Let a portal of your own sign people in.", "sso.md"},
		{"payments", "Payments", "How organizations buy credits: confirmed by hand, or through Stripe.", "payments.md"},
		{"scale", "Scale", "What grows with use, and what is full first.", "scale.md"},
		{"security", "Security", "Who is trusted with what, and every bound.", "security.md"},
	}},
	{"How Atelier is made", []Page{
		{"architecture", "The plan of the house", "Which folder holds what, which may import which, and how a request travels.", "architecture.md"},
		{"words", "Words of the domain", "What the code and the pages call things.", "words.md"},
		{"schema", "Tables", "Every table of the database, what a row is and what ends it.", "schema.md"},
		{"performance", "Performance", "Measured figures.", "performance.md"},
		{"translation", "Languages of the console", "How sentences are wrapped, translated and checked.", "translation.md"},
		{"decisions", "Decisions", "Why some things are as they are.", "decisions/README.md"},
		{"decisions/anonymous-requests", "Anonymous requests", "How many requests without credentials are let in.", "decisions/anonymous-requests.md"},
		{"decisions/console-as-a-client", "The console as a client", "Why the console asks the schema like any other client.", "decisions/console-as-a-client.md"},
		{"decisions/deliveries-in-batches", "Deliveries in batches", "How events are taken and sent.", "decisions/deliveries-in-batches.md"},
		{"decisions/idempotent-requests", "Idempotent requests", "How a repeat gets the first answer.", "decisions/idempotent-requests.md"},
		{"decisions/import-arrows", "Import arrows", "Why imports point one way.", "decisions/import-arrows.md"},
		{"decisions/oauth-server", "The OAuth server", "Why Atelier is its own authorization server.", "decisions/oauth-server.md"},
		{"decisions/one-lane-mechanism", "One lane mechanism", "How all queues are taken.", "decisions/one-lane-mechanism.md"},
		{"decisions/partitions-by-id", "Partitions by id", "How tables that grow without end are cut.", "decisions/partitions-by-id.md"},
		{"decisions/reading-from-a-standby", "Reading from a standby", "Why reports see what was just written.", "decisions/reading-from-a-standby.md"},
		{"decisions/runs-accepted-together", "Runs accepted together", "What a burst of runs shares, and how each gets its own answer.", "decisions/runs-accepted-together.md"},
		{"decisions/runs-done-when-accepted", "Runs done when accepted", "What is done before the answer.", "decisions/runs-done-when-accepted.md"},
		{"decisions/runs-on-several-servers", "Runs on several servers", "What lies on the workers of a Citus cluster, and why money does not.", "decisions/runs-on-several-servers.md"},
		{"decisions/traces", "Traces", "Why the trace of a run has the run's id.", "decisions/traces.md"},
		{"decisions/what-users-wrote", "What users wrote", "How text and programs of users are kept from harm.", "decisions/what-users-wrote.md"},
		{"decisions/workflow-editor", "The workflow editor", "What the editor is built on.", "decisions/workflow-editor.md"},
		{"decisions/workflows-and-runs", "Workflows and runs", "Why they are two areas.", "decisions/workflows-and-runs.md"},
	}},
}

// made is the title of the sections that are made, behind the section of that name.
const (
	behind         = "Build on the API"
	referenceTitle = "API reference"
	errorsTitle    = "Errors"
	insideTitle    = "How Atelier is made"
	guidesTitle    = "Guides"
)
