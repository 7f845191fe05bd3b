package rest

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"atelier/graph"
	"atelier/graph/generated"
	"atelier/models"
	"atelier/models/tracing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
	"github.com/gorilla/mux"
)

// Config is what the face needs.
type Config struct {
	Resolver *graph.Resolver
	DB       *models.DB
	// PublicURL is the base of links in answers.
	PublicURL string
	// Organizations is whether organizations and credits exist on this
	// install; without them their routes do not exist and the workspace header
	// is ignored.
	Organizations bool
	// SessionCookie is the console's cookie, Secure on https installs.
	SessionCookie string
	SecureCookies bool
	// Mail is whether the install sends mail; without it no mailed link leads here.
	Mail bool
	// Hosted is whether the credit routes exist.
	Hosted bool
	// SignInPage shows a browser why an external sign-in did not come about; nil answers as to programs.
	SignInPage func(http.ResponseWriter, *http.Request, *models.Error)
}

// OpenAPIPath is where the document of the routes is.
const OpenAPIPath = "/v1/openapi.json"

// API is the face: the routes and the OpenAPI document generated from them.
type API struct {
	Config
	huma huma.API
	made func() (*madeDocument, error)
	// byTag are the documents of single groups, each made on its first call.
	byTag sync.Map
	// judged are the schemas of bodies by method and path, flat those that were flattened.
	judged map[string]*huma.Schema
	flat   sync.Map
	// acting are the paths whose GET does something or never ends, with the rule when.
	acting map[string]func(*http.Request) bool
	// apps are the answers that RememberApps keeps.
	apps appAnswers
}

// setHuma sets what huma has one of in the process, once: several faces may be made at the same time.
var setHuma = sync.OnceFunc(func() {
	huma.NewErrorWithContext = newHumaError
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return newHumaError(nil, status, message, errs...)
	}
	nameForms()
	huma.DefaultArrayNullable = false // lists that are empty are written as []
})

// v1Prefix begins the paths that clients call; the others are those of browsers, and of protocols that say where they are.
const v1Prefix = "/v1/"

// BelowV1 is where a router has the routes below /v1: their requests pass over what the router has after them, and others
// over these. It is no subrouter: each route of one has the matchers of its parent, and one that matches takes back that a
// route before it only has another method.
func BelowV1(router *mux.Router) *mux.Router {
	v1 := mux.NewRouter()
	router.MatcherFunc(func(r *http.Request, match *mux.RouteMatch) bool {
		return strings.HasPrefix(r.URL.Path, v1Prefix) && v1.Match(r, match)
	})
	return v1
}

// byPath registers the routes below /v1 with one router, and the others with another.
type byPath struct {
	huma.Adapter
	v1 huma.Adapter
}

func (b byPath) Handle(op *huma.Operation, handler func(huma.Context)) {
	if strings.HasPrefix(op.Path, v1Prefix) {
		b.v1.Handle(op, handler)
		return
	}
	b.Adapter.Handle(op, handler)
}

// New makes the face: what is below /v1 on one router, and the other routes on another, which may be the
// same. Unknown paths and methods are answered in the contract's form by the router's own handlers, which
// NotFound and MethodNotAllowed are for.
func New(config Config, v1, router *mux.Router) *API {
	setHuma()
	routes := byPath{Adapter: humamux.NewAdapter(router), v1: humamux.NewAdapter(v1)}
	a := &API{Config: config, huma: huma.NewAPI(humaConfig(config.PublicURL), routes), judged: map[string]*huma.Schema{}, acting: map[string]func(*http.Request) bool{}}
	if !config.Organizations {
		v1.HandleFunc(sharedWithMePath, NotFound) // else it would name a workflow
	}
	a.routes()
	a.oidcRoutes(router)
	a.describe()
	a.explain()
	a.markNullable()
	a.made = sync.OnceValues(a.makeDocument)
	v1.HandleFunc(OpenAPIPath, a.serveDocument).Methods(http.MethodGet, http.MethodHead)
	return a
}

// OpenAPI is the document that describes the routes, to add what huma does not know.
func (a *API) OpenAPI() *huma.OpenAPI { return a.huma.OpenAPI() }

func (a *API) mutation() generated.MutationResolver { return a.Resolver.Mutation() }
func (a *API) query() generated.QueryResolver       { return a.Resolver.Query() }

// route is an operation of /v1 beside its input and output types.
type route struct {
	Method, Path string
	Summary, Tag string
	// Status of success; 200 when 0.
	Status int
	// Also is another status of success, with the same body; none when 0.
	Also int
	// Public needs no credentials.
	Public bool
	// Session refuses tokens with 403 forbidden.
	Session bool
	// Scope that a connected app needs. Without one, and not EveryApp, the route is
	// forbidden to connected apps.
	Scope models.Scope
	// EveryApp opens the route to connected apps whatever they were granted.
	EveryApp bool
	// Covered is whether a token that is restricted to some workflows may use the
	// route: to run and read them, and to upload. All else is forbidden to it.
	Covered bool
	// Guard is a rule of the resource's own on who may call, judged before the
	// form of the input; it may add to the context.
	Guard func(context.Context) (context.Context, error)
	// KeysOf is what an Idempotency-Key counts for on a route without accounts, which
	// Guard found; without it an anonymous request is not remembered.
	KeysOf func(context.Context) (models.ID, bool)
	// Tolerant treats a stale workspace selection as none (contract 3, "Acting in a workspace" 3).
	Tolerant bool
	// MaxBody in bytes; 1 MiB when 0.
	MaxBody int64
	// Streams reads its body by itself, as it arrives.
	Streams bool
	// Forms takes its body as a form and under every name of JSON, too.
	Forms bool
	// Raw answers by itself once the caller is admitted: with redirects and pages.
	// The types of the operation describe it.
	Raw http.HandlerFunc
	// Wait offers ?wait=true: the answer of the finished execution.
	Wait bool
	// Awaited routes start a single node and are answered with its result.
	Awaited bool
	// Stream answers with server-sent events.
	Stream bool
	// Acts tells of a GET that does something by a request, for which HEAD does not stand.
	Acts func(*http.Request) bool
	// Table is the answer of a route that also writes it as a table for spreadsheets.
	Table reflect.Type
	// Budget counts calls against the token's budget (contract 1, "Limits").
	Budget bool
}

// handle registers an operation: authentication, scope and form are checked
// before fn, and the workspace selection right before it.
func handle[I, O any](a *API, r route, fn func(context.Context, *I) (*O, error)) {
	op := huma.Operation{
		Method: r.Method, Path: r.Path, Summary: r.Summary, Description: r.about(reflect.TypeFor[I]()), Tags: []string{r.Tag},
		OperationID: operationID(r.Method, r.Path), DefaultStatus: r.Status,
		MaxBodyBytes:     limitOf(r.MaxBody)*6 + 1, // it has arrived within its limit; forms are longer as JSON
		SkipValidateBody: true,                     // judged as it arrives
		BodyReadTimeout:  -1,                       // server keeps the pace
		Errors:           r.refusals(), Responses: a.otherAnswers(r, reflect.TypeFor[I]()),
		Security: []map[string][]string{},
	}
	if !r.Public {
		op.Security = append(op.Security, map[string][]string{"bearer": {}})
	}
	op.Middlewares = a.middlewares(r)
	if acts := r.acts(); acts != nil {
		a.acting[r.Path] = acts
	}
	fields := rowFields[O]()
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*O, error) {
		ctx, err := a.selectWorkspace(ctx, r.Tolerant)
		if err != nil {
			return nil, problem(ctx, err)
		}
		if ctx, err = choose(ctx, in, fields); err != nil {
			return nil, problem(ctx, err)
		}
		ctx, span := tracing.Start(ctx, tracing.Inside, op.OperationID)
		defer span.End()
		out, err := fn(ctx, in)
		if err != nil {
			refused := problem(ctx, err)
			span.Text("error.type", string(refused.Err.Code))
			return nil, refused
		}
		if reply, ok := any(out).(interface{ defaultStatus(int) }); ok {
			reply.defaultStatus(max(r.Status, http.StatusOK))
		}
		return out, nil
	})
	a.keepSchema(op)
	if r.Forms {
		a.describeForms(op)
	}
	if r.Also != 0 {
		op.Responses[strconv.Itoa(r.Also)] = likewise(op.Responses[strconv.Itoa(r.Status)], r.Also)
	}
}

// keepSchema keeps what the body of an operation is judged by.
func (a *API) keepSchema(op huma.Operation) {
	registered := a.operation(op.Method, op.Path)
	if registered == nil || registered.RequestBody == nil {
		return
	}
	if media := registered.RequestBody.Content[applicationJSON]; media != nil {
		a.judged[op.Method+op.Path] = media.Schema
	}
}

// operation is a registered one, nil when there is none.
func (a *API) operation(method, path string) *huma.Operation {
	item := a.OpenAPI().Paths[path]
	if item == nil {
		return nil
	}
	return map[string]*huma.Operation{
		http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPut: item.Put, http.MethodPatch: item.Patch, http.MethodDelete: item.Delete,
	}[method]
}

// middlewares are what a route checks before its input is read.
func (a *API) middlewares(r route) huma.Middlewares {
	chain := huma.Middlewares{a.authenticate(r)}
	if r.Budget {
		chain = append(chain, a.countCall)
	}
	if r.Guard != nil {
		chain = append(chain, guard(r.Guard))
	}
	chain = append(chain, a.checkForm(r))
	if r.Wait {
		chain = append(chain, a.wait)
	}
	if r.Awaited {
		chain = append(chain, a.awaitNode)
	}
	if r.Raw == nil && !r.Streams {
		chain = append(chain, a.arrive(r))
	}
	if r.Method == http.MethodPost {
		chain = append(chain, a.idempotent(r))
	}
	chain = append(chain, a.checkSchema)
	if r.Raw != nil {
		chain = append(chain, func(ctx huma.Context, _ func(huma.Context)) {
			request, w := humamux.Unwrap(ctx)
			r.Raw(w, request)
		})
	}
	return chain
}

// authenticate refuses callers without credentials (401), tokens that are
// restricted to some workflows where those are not Covered, tokens on session
// routes, and apps without the scope, or where there is none for them (403).
func (a *API) authenticate(r route) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		if err := admit(IdentityFrom(ctx.Context()), r); err != nil {
			request, w := humamux.Unwrap(ctx)
			WriteProblem(w, request, err)
			return
		}
		next(ctx)
	}
}

// guard asks a route's own rule.
func guard(rule func(context.Context) (context.Context, error)) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		request, w := humamux.Unwrap(ctx)
		admitted, err := rule(request.Context())
		if err != nil {
			WriteProblem(w, request, err)
			return
		}
		next(humamux.NewContext(ctx.Operation(), request.WithContext(admitted), w))
	}
}

func admit(identity Identity, r route) error {
	if r.Public {
		return nil
	}
	if identity.Refusal != nil {
		return identity.Refusal
	}
	actor, require := identity.Actor, models.Actor.RequireUser
	if r.Covered {
		require = models.Actor.RequireAccount
	}
	if err := require(actor, r.scopes()...); err != nil {
		return err
	}
	if r.Session {
		return actor.RequireSession()
	}
	return nil
}

// scopes are what a connected app needs; none forbids it the route.
func (r route) scopes() []models.Scope {
	if r.Session || r.Scope == "" && !r.EveryApp {
		return nil
	}
	return []models.Scope{r.Scope}
}

// operationID is a stable name: get-app-slug-runs.
func operationID(method, path string) string {
	words := []string{strings.ToLower(method)}
	for part := range strings.SplitSeq(strings.TrimPrefix(path, "/v1"), "/") {
		if part = strings.Trim(part, "{}"); part != "" {
			words = append(words, strings.ReplaceAll(part, ".", "-"))
		}
	}
	return strings.Join(words, "-")
}

// NotFound answers unknown paths, with or without credentials.
func NotFound(w http.ResponseWriter, r *http.Request) {
	WriteProblem(w, r, models.Err(models.CodeNotFound, "There is nothing at %s", r.URL.Path))
}

// MethodNotAllowed answers known paths of a router with another method, and
// says which ones the path has.
func (a *API) MethodNotAllowed(router *mux.Router) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		methods := a.methodsOf(router, r)
		if slices.Contains(methods, r.Method) { // a page whose form came as something else
			WriteProblem(w, r, models.Err(models.CodeUnsupportedMediaType, "Send a form"))
			return
		}
		w.Header().Set("Allow", strings.Join(methods, ", "))
		WriteProblem(w, r, models.Err(models.CodeMethodNotAllowed, "%s is not a method of %s", r.Method, r.URL.Path))
	})
}

// humaConfig describes the document; huma adds no routes or fields of its own.
func humaConfig(publicURL string) huma.Config {
	config := huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "Atelier", Version: "1",
				Description: "Workflows and media generation for schools and teams.",
				License:     &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"},
			},
			Servers: []*huma.Server{{URL: publicURL}},
			Components: &huma.Components{
				Schemas: huma.NewMapRegistry(schemaRef, huma.DefaultSchemaNamer),
				SecuritySchemes: map[string]*huma.SecurityScheme{"bearer": {
					Type: "http", Scheme: "bearer",
					Description: "A personal API token (svc_), a connected app's token (svc_app_), or a session JWT.",
				}},
			},
		},
		Formats:       map[string]huma.Format{applicationJSON: jsonFormat, "json": jsonFormat},
		DefaultFormat: applicationJSON,
		Transformers:  []huma.Transformer{leaveOut},
	}
	config.AllowAdditionalPropertiesByDefault = true
	registerAliases(config.Components.Schemas)
	return config
}
