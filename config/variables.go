package config

import (
	"fmt"
	"io"
	"net/netip"
	"time"

	"atelier/models"
	"atelier/nodes"
)

// Variable is one environment variable: its default, its line of help, and
// how a value lands in the Config.
type Variable struct {
	Name   string
	Preset string
	Help   string
	set    func(c *Config, value string) error
}

// Group is the variables of one subject.
type Group struct {
	Title     string
	Variables []Variable
}

// Groups are all variables in the order in which they are listed.
func Groups() []Group { return groups }

var groups = []Group{
	{"The service", []Variable{
		{"LISTEN_ADDR", "127.0.0.1:8080", "address to listen on",
			into(func(c *Config) *string { return &c.ListenAddr }, parseHostPort)},
		{"PUBLIC_URL", "http://localhost:8080", "base of every link that is printed or mailed",
			into(func(c *Config) *string { return &c.PublicURL }, parseBaseURL)},
		{"DATABASE_URL", "", "PostgreSQL 15 or later; unset: a PostgreSQL of its own under DATA_DIR",
			into(func(c *Config) *string { return &c.DatabaseURL }, parseDatabaseURL)},
		{"DATA_DIR", "./data", "embedded database, media files and generated keys",
			into(func(c *Config) *string { return &c.DataDir }, parsePath)},
		{"STORAGE_URL", "", "s3://bucket?... or file:///path; unset: media files under DATA_DIR",
			into(func(c *Config) *string { return &c.StorageURL }, parseStorageURL)},
		{"TRUSTED_PROXIES", "", "CIDRs whose X-Forwarded-For is believed",
			into(func(c *Config) *[]netip.Prefix { return &c.TrustedProxies }, parsePrefixes)},
	}},
	{"Edition and accounts", []Variable{
		{"EDITION", EditionHosted, "hosted or self_hosted (no credits, no organizations)",
			into(func(c *Config) *string { return &c.Edition }, oneOf(EditionHosted, EditionSelfHosted))},
		{"ORGANIZATIONS", "on", "on or off",
			into(func(c *Config) *bool { return &c.Organizations }, parseOnOff)},
		{"ORG_AUTO_APPROVE", "false", "true: new organizations start active",
			into(func(c *Config) *bool { return &c.OrgAutoApprove }, parseBool)},
		{"SIGN_UP", SignUpOpen, "open, invited (only with an open invitation) or closed",
			into(func(c *Config) *string { return &c.SignUp }, oneOf(SignUpOpen, SignUpInvited, SignUpClosed))},
		{"SIGNUP_CREDITS", "100", "credits that a new account starts with",
			into(func(c *Config) *models.Credits { return &c.SignupCredits }, parseCredits)},
		{"PLATFORM_OPERATOR_EMAILS", "", "comma-separated addresses of platform operators",
			into(func(c *Config) *[]string { return &c.OperatorEmails }, parseEmails)},
		{"PLATFORM_OWNER_EMAIL", "", "the same, counts only when PLATFORM_OPERATOR_EMAILS is empty",
			into(func(c *Config) *[]string { return &c.ownerEmails }, parseEmails)},
		{"OPERATOR_CODE", "", "12 characters or more, proves an operator's address on an install without mail; unset: made under DATA_DIR. Printed at each start until an operator exists",
			into(func(c *Config) *string { return &c.OperatorCode }, parseOperatorCode)},
		{"BILLING_ACCOUNT_EMAIL", "", "the one account that pays for everybody",
			into(func(c *Config) *string { return &c.BillingAccountEmail }, parseEmail)},
	}},
	{"Keys", []Variable{
		{"SERVICE_ENCRYPTION_KEY", "", "base64 of 32 bytes, encrypts stored secrets; to rotate: new,old. Unset on hosted: generated under DATA_DIR",
			into(func(c *Config) *[][]byte { return &c.EncryptionKeys }, parseKeys)},
		{"SESSION_KEY", "", "text of 16 characters or more, or base64 of 32 bytes as in session.key, signs sessions; unset: generated under DATA_DIR",
			into(func(c *Config) *[]byte { return &c.SessionKey }, parseSessionKey)},
	}},
	{"External sign-in", []Variable{
		{"EXTERNAL_SSO_PROVIDERS", "", "JSON array or @file of identity providers",
			fromJSON(func(c *Config) *[]SSOProvider { return &c.SSOProviders }, readSSOProviders)},
		{"EXTERNAL_SSO_LINK_EXISTING", "off", "true or 1: a verified address links an existing account; anything else is off",
			into(func(c *Config) *bool { return &c.SSOLinkExisting }, parseLenientBool)},
		{"OIDC_PROVIDERS", "", "JSON array or @file: { id, label, issuer, clientId, clientSecret, scopes? }",
			fromJSON(func(c *Config) *[]OIDCProvider { return &c.OIDCProviders }, readOIDCProviders)},
		{"SURFACE_PROFILE", `{"auth":{"methods":["email"]}}`, "JSON or @file: auth.methods from email, sso, oidc; auth.ssoLabel",
			fromJSON(func(c *Config) *SurfaceProfile { return &c.SurfaceProfile }, readSurfaceProfile)},
	}},
	{"Mail", []Variable{
		{"SMTP_URL", "", "smtp://user:pass@host:port (or smtps://); unset: no mail is sent",
			parseSMTPURL},
		{"MAIL_FROM", "", "sender of every mail: an address, or Name <address>",
			into(func(c *Config) *string { return &c.MailFrom }, parseSender)},
	}},
	{"What may be kept", []Variable{
		{"QUOTA_FILES_ACCOUNT", "5GiB", "files of an account, uploads and results of its personal space; a number of bytes with B, KiB, MiB, GiB or TiB, or unlimited",
			into(func(c *Config) **int64 { return &c.AccountQuota.Files }, parseByteQuota)},
		{"QUOTA_FILES_WORKSPACE", "20GiB", "files of a workspace, the results of its runs",
			into(func(c *Config) **int64 { return &c.WorkspaceQuota.Files }, parseByteQuota)},
		{"QUOTA_OUTPUTS_ACCOUNT", "5GiB", "what ended runs of a personal space took in and put out",
			into(func(c *Config) **int64 { return &c.AccountQuota.Outputs }, parseByteQuota)},
		{"QUOTA_OUTPUTS_WORKSPACE", "20GiB", "the same of a workspace",
			into(func(c *Config) **int64 { return &c.WorkspaceQuota.Outputs }, parseByteQuota)},
		{"QUOTA_GRAPHS_ACCOUNT", "1GiB", "workflows of a personal space with their saved versions",
			into(func(c *Config) **int64 { return &c.AccountQuota.Graphs }, parseByteQuota)},
		{"QUOTA_GRAPHS_WORKSPACE", "5GiB", "the same of a workspace",
			into(func(c *Config) **int64 { return &c.WorkspaceQuota.Graphs }, parseByteQuota)},
		{"QUOTA_WORKFLOWS_ACCOUNT", "2000", "how many workflows a personal space holds, or unlimited",
			into(func(c *Config) **int64 { return &c.AccountQuota.Workflows }, parseCountQuota)},
		{"QUOTA_WORKFLOWS_WORKSPACE", "10000", "the same of a workspace",
			into(func(c *Config) **int64 { return &c.WorkspaceQuota.Workflows }, parseCountQuota)},
	}},
	{"Payments", []Variable{
		{"PAYMENTS", PaymentsManual, "manual (a platform operator confirms) or stripe",
			into(func(c *Config) *string { return &c.Payments }, oneOf(PaymentsManual, PaymentsStripe))},
		{"STRIPE_SECRET_KEY", "", "needed with PAYMENTS=stripe",
			into(func(c *Config) *string { return &c.StripeSecretKey }, parseText)},
		{"STRIPE_WEBHOOK_SECRET", "", "needed with PAYMENTS=stripe",
			into(func(c *Config) *string { return &c.StripeWebhookSecret }, parseText)},
		{"STRIPE_API_BASE", "https://api.stripe.com", "another one for a test server",
			into(func(c *Config) *string { return &c.StripeAPIBase }, parseBaseURL)},
		{"CREDIT_PACKS", defaultCreditPacks, "JSON array or @file: { id, label, credits, price, currency }, price in minor units",
			fromJSON(func(c *Config) *[]CreditPack { return &c.CreditPacks }, readCreditPacks)},
	}},
	{"Outbound requests", []Variable{
		{"EGRESS_ALLOW_CIDRS", "", "addresses that outbound requests may reach although they are not public",
			into(func(c *Config) *[]netip.Prefix { return &c.EgressAllow }, parsePrefixes)},
		{"DELIVERY_BACKOFF", "30s,2m,10m,1h,6h,12h,24h", "waits after failed attempts; N waits mean N+1 attempts",
			into(func(c *Config) *[]time.Duration { return &c.DeliveryBackoff }, parseDurations)},
		{"DELIVERY_REST", "1m,1h", "first and longest rest of an endpoint without any HTTP answer",
			into(func(c *Config) *[2]time.Duration { return &c.DeliveryRest }, parseRest)},
	}},
	{"Providers of nodes", []Variable{
		{"OPENAI_BASE_URL", "https://api.openai.com/v1", "any service with OpenAI's API, http and private addresses included",
			into(func(c *Config) *string { return &c.OpenAIBaseURL }, parseBaseURL)},
		{"OPENAI_API_KEY", "", "its key, any text where it needs none; unset: the provider openai is not offered",
			into(func(c *Config) *string { return &c.OpenAIAPIKey }, parseKeyText)},
		{"REPLICATE_BASE_URL", "https://api.replicate.com/v1", "any service with Replicate's API of predictions, http and private addresses included",
			into(func(c *Config) *string { return &c.ReplicateBaseURL }, parseBaseURL)},
		{"REPLICATE_API_TOKEN", "", "its key; unset: the provider replicate is not offered",
			into(func(c *Config) *string { return &c.ReplicateAPIToken }, parseKeyText)},
		{"PROVIDER_MODELS", "", "JSON array or @file: { provider, type, model, credits, creditsPer1000Tokens?, input? }; replaces the built-in models of each provider that it names",
			fromJSON(func(c *Config) *[]nodes.Model { return &c.ProviderModels }, readProviderModels)},
	}},
	{"Logs and figures", []Variable{
		{"LOG_FORMAT", "text", "text or json",
			into(func(c *Config) *string { return &c.LogFormat }, oneOf("text", "json"))},
		{"LOG_LEVEL", "info", "debug, info, warn or error",
			parseLogLevel},
		{"METRICS_ADDR", "", "address that serves /metrics; unset: none",
			into(func(c *Config) *string { return &c.MetricsAddr }, parseHostPort)},
	}},
}

// into makes a setter of a field and the parser of its value.
func into[T any](field func(*Config) *T, parse func(string) (T, error)) func(*Config, string) error {
	return func(c *Config, value string) error {
		parsed, err := parse(value)
		if err == nil {
			*field(c) = parsed
		}
		return err
	}
}

// WriteHelp lists every variable with its default, for `atelier serve --help`.
func WriteHelp(w io.Writer) {
	for _, group := range groups {
		fmt.Fprintf(w, "\n%s\n", group.Title)
		for _, v := range group.Variables {
			preset := "unset"
			if v.Preset != "" {
				preset = v.Preset
			}
			fmt.Fprintf(w, "  %s\n      %s\n      default: %s\n", v.Name, v.Help, preset)
		}
	}
}
