package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"atelier/config"
	"atelier/graph"
	"atelier/mcp"
	"atelier/models"
	"atelier/models/account"
	installed "atelier/models/install"
	"atelier/models/run"
	"atelier/rest"
	"atelier/web"
	"atelier/web/assets"
)

// How long the header of a request may take to arrive, and a connection stay
// open without one.
const (
	headerTime = 10 * time.Second
	idleTime   = 2 * time.Minute
)

// drain is how long requests and jobs may take to finish after SIGTERM.
const drain = 25 * time.Second

// serve runs HTTP and, with workers, the background work until the context ends.
func (i *install) serve(ctx context.Context, workers bool) error {
	s, err := i.build(ctx)
	if err != nil {
		return err
	}
	if err := s.takeOver(ctx); err != nil {
		return err
	}
	if err := i.checkKeys(ctx); err != nil {
		return err
	}
	removeTemp, err := i.ownTemp()
	if err != nil {
		return err
	}
	defer removeTemp()
	stopTracing, err := i.startTracing()
	if err != nil {
		return err
	}
	defer stopTracing()
	limitMemory()
	listener, err := net.Listen("tcp", i.ListenAddr)
	if err != nil {
		return fmt.Errorf("LISTEN_ADDR: %w", err)
	}
	stopMetrics, err := s.serveMetrics()
	if err != nil {
		return err
	}
	defer stopMetrics()
	background, stopBackground := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBackground()
	go i.DB.Bus.Run(background)
	go i.keepTime(background)
	go i.DB.WatchStandby(background)
	jobsDone := make(chan error, 1)
	jobsContext, stopJobs := context.WithCancel(background)
	defer stopJobs()
	go func() {
		if !workers {
			<-jobsContext.Done()
			jobsDone <- nil
			return
		}
		jobsDone <- s.Jobs.Run(jobsContext)
	}()
	server := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: 64 << 10,
		ReadTimeout: headerTime + bodyGrace, WriteTimeout: headerTime + answerGrace, // moved as bytes pass
		BaseContext: func(net.Listener) context.Context { return background },
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(bounded(listener, i.TrustedProxies)) }()
	i.greet(ctx, s)
	go debug.FreeOSMemory() // starting leaves more behind than what stays
	select {
	case err = <-served:
	case err = <-jobsDone:
		jobsDone <- nil
	case <-ctx.Done():
		slog.InfoContext(ctx, "stopping: requests and jobs get time to finish")
	}
	stopJobs()
	shutdown, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	close(s.closing)
	if err := server.Shutdown(shutdown); err != nil {
		_ = server.Close()
	}
	err = errors.Join(ignoreClosed(err), <-jobsDone)
	if lost := s.Accounts.APITokens().WriteCalls(shutdown); lost != nil {
		slog.WarnContext(ctx, "calls of tokens were not kept", "error", lost)
	}
	s.Events.Egress.Close()
	return err
}

// work runs the background work alone.
func (i *install) work(ctx context.Context) error {
	s, err := i.build(ctx)
	if err != nil {
		return err
	}
	if err := s.takeOver(ctx); err != nil {
		return err
	}
	if err := i.checkKeys(ctx); err != nil {
		return err
	}
	removeTemp, err := i.ownTemp()
	if err != nil {
		return err
	}
	defer removeTemp()
	stopTracing, err := i.startTracing()
	if err != nil {
		return err
	}
	defer stopTracing()
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	go i.DB.Bus.Run(background)
	go i.keepTime(background)
	stopMetrics, err := s.serveMetrics()
	if err != nil {
		return err
	}
	defer stopMetrics()
	defer s.Events.Egress.Close()
	slog.InfoContext(ctx, "worker started")
	return s.Jobs.Run(ctx)
}

// keepTime measures the database's clock again now and then.
func (i *install) keepTime(ctx context.Context) {
	ticker := time.NewTicker(30 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := i.clock.Sync(models.FromReserve(ctx), i.DB.SQL); err != nil && ctx.Err() == nil {
				slog.WarnContext(ctx, "the database's time is not to be had", "error", err)
			}
		}
	}
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// greet says where to open the service, and what to do first on a fresh install.
func (i *install) greet(ctx context.Context, s *Server) {
	fmt.Fprintf(i.out, "\nAtelier is running. Open %s\n", i.PublicURL)
	if anybody, err := s.Accounts.AnyUser(ctx); err == nil && !anybody {
		fmt.Fprintf(i.out, "No one has an account yet: sign up at %s/sign-up.\n", i.PublicURL)
		if len(i.OperatorEmails) == 0 {
			fmt.Fprintln(i.out, "Set PLATFORM_OPERATOR_EMAILS to your address to approve organizations and grant credits.")
		}
	}
	if awaited, err := s.Accounts.AwaitsOperator(ctx); err == nil && awaited {
		fmt.Fprintf(i.out, "No operator yet. %s\n", i.operatorHint())
	}
	fmt.Fprintln(i.out)
}

// operatorHint says how an operator proves their address.
func (i *install) operatorHint() string {
	if i.SMTPURL != nil {
		return "Sign up with an address of PLATFORM_OPERATOR_EMAILS and follow the link in the mail; an older account asks for a new password, or types the operator code on its page: " + i.OperatorCode
	}
	return "Sign up with an address of PLATFORM_OPERATOR_EMAILS and the operator code: " + i.OperatorCode
}

// originOfURL is the origin by which browsers know an address.
func originOfURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Scheme + "://" + u.Host
}

// Handler is every face behind the one chain.
func (s *Server) Handler() http.Handler {
	secure := strings.HasPrefix(s.PublicURL, "https://")
	cookie := web.SessionCookie(secure)
	crossOrigin := http.NewCrossOriginProtection()
	if err := crossOrigin.AddTrustedOrigin(originOfURL(s.PublicURL)); err != nil {
		slog.Warn("PUBLIC_URL names no origin that browsers send", "error", err)
	}
	c := &chain{
		Count:    s.traffic.count,
		Cross:    crossOrigin,
		Resolver: s.Resolver, DB: s.DB, PublicURL: s.PublicURL, TrustedProxies: s.TrustedProxies,
		SessionCookie: cookie, Organizations: s.withOrganizations(),
		Secure: secure, Places: visitorPlaces(), SparePlaces: runtime.GOMAXPROCS(0), Cheap: []string{"/healthz", "/readyz", assets.Prefix, "/favicon.ico", web.DocsPrefix}, Search: web.DocsSearch,
	}
	router := mux.NewRouter().SkipClean(true)
	router.Use(noteRoute, settleEncoding)
	router.HandleFunc("/healthz", s.healthy).Methods("GET", "HEAD")
	router.HandleFunc("/readyz", s.ready).Methods("GET", "HEAD")
	router.Handle("/graphql", c.Select(crossOrigin.Handler(graph.NewHandler(s.Resolver)))).Methods("POST")
	router.Handle("/media/{file}", rest.MediaHandler(s.Media.Store)).Methods("GET", "HEAD")
	router.Handle(account.PicturePath+"{file}", c.Select(rest.PictureHandler(s.Accounts))).Methods("GET", "HEAD")
	router.Handle(installed.LogoPath+"{file}", rest.LogoHandler(s.Settings)).Methods("GET", "HEAD")
	router.PathPrefix(rest.WellKnownPath).Handler(rest.WellKnown(s.PublicURL)).Methods("GET", "HEAD")
	router.Handle(rest.StripeEventsPath, rest.StripeHandler(s.Payments)).Methods("POST")
	executor := graph.NewExecutor(s.Resolver)
	router.Handle(mcp.Path, s.agents(c, executor))
	var api *rest.API
	console := web.New(web.Config{
		Document: func() ([]byte, error) { return api.Document() },
		Executor: executor, PublicURL: s.PublicURL, SecureCookies: secure, Now: s.DB.Clock.Now,
		Upload: s.keepUpload, Arriving: s.arriving, Picture: s.keepPicture, Logo: s.keepLogo, Look: s.look, Confirmed: s.confirmed, Development: s.Development, RunMonths: s.RetentionRuns, MaxUnkept: run.MaxUnkept, Zone: s.TimeZone, Passkeys: s.Accounts.Passkeys().OffersSignIn(),
		SignInBrowser: rest.BrowserCookie(secure), Export: s.export, ExportProduction: s.exportProduction, ExportResults: s.exportResults, Takeout: s.takeout, InWorkspace: s.inWorkspace, Statements: consentStatements(),
	})
	c.Page = func(w http.ResponseWriter, r *http.Request, e *models.Error) {
		console.Refuse(w, r, webError(e))
	}
	v1 := rest.BelowV1(router)
	// Without a matcher of its own: one that matches would take back that a route before it only has another method.
	pages := router.NewRoute().Subrouter()
	pages.Use(compressed)
	pages.Use(c.SelectByAddress)
	console.Routes(pages)
	api = rest.New(rest.Config{
		Resolver: s.Resolver, DB: s.DB, PublicURL: s.PublicURL, Organizations: s.withOrganizations(), Mail: s.SMTPURL != nil,
		Hosted: s.Edition == config.EditionHosted, SessionCookie: cookie, SecureCookies: secure,
		SignInPage: func(w http.ResponseWriter, r *http.Request, e *models.Error) { console.RefuseSignIn(w, r, webError(e)) },
	}, v1, router)
	router.Use(api.RememberApps)
	router.NotFoundHandler = elsewhere(http.HandlerFunc(rest.NotFound), c.SelectByAddress(console.NotFound()))
	router.MethodNotAllowedHandler = api.MethodNotAllowed(router)
	return c.Wrap(api.HeadAsGet(router))
}

// agents is the face for agents.
func (s *Server) agents(c *chain, executor *graph.Executor) http.Handler {
	return mcp.New(mcp.Config{
		Executor: executor, Resolver: s.Resolver, PublicURL: s.PublicURL, MetadataURL: rest.ResourceMetadataURL(s.PublicURL, mcp.Path),
		Organizations: s.withOrganizations(),
		Refusal:       func(ctx context.Context) error { return rest.IdentityFrom(ctx).Refusal },
		Sent:          func(ctx context.Context) (*models.ID, error) { return rest.IdentityFrom(ctx).Wanted() },
		Select: func(ctx context.Context, workspaceID *models.ID, tolerant bool) (context.Context, error) {
			return rest.SelectWorkspace(ctx, s.Resolver, rest.IdentityFrom(ctx), workspaceID, tolerant)
		},
		MayRead: func(r *http.Request) bool {
			origin := originOf(r)
			return origin != "" && (origin == originOfURL(s.PublicURL) || c.mayRead(r, origin))
		},
		Refuse: rest.WriteProblem, Closing: s.closing,
	})
}

// webError is a refusal as the console shows it.
func webError(e *models.Error) *web.Error {
	return &web.Error{Code: string(e.Code), Message: e.Message, Field: e.Field, Status: e.HTTPStatus(), RetryAfter: e.RetryAfter}
}

// visitorPlaces is how many visitors are worked for at once: all processors but
// one, which is left to those who are signed in.
func visitorPlaces() int { return max(1, runtime.GOMAXPROCS(0)-1) }

// elsewhere answers unknown paths in the form of their face.
func elsewhere(api, console http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, prefix := range []string{"/v1", "/auth/", "/graphql", "/oauth/", "/.well-known/", "/payments/"} {
			if strings.HasPrefix(r.URL.Path, prefix) {
				api.ServeHTTP(w, r)
				return
			}
		}
		console.ServeHTTP(w, r)
	})
}

// healthy answers while the process is up.
func (s *Server) healthy(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") }

// memoryGoal is what the collector of garbage keeps the process within, as far as what is in use allows it: without a
// goal garbage may be as large as what is in use, which many large bodies at once double.
const memoryGoal = 640 << 20

// limitMemory sets the goal, unless GOMEMLIMIT has.
func limitMemory() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(memoryGoal)
	}
}
