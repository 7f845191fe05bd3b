package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"atelier/config"
	"atelier/graph"
	"atelier/graph/generated"
	"atelier/inbound"
	"atelier/jobs"
	"atelier/jobs/mail"
	"atelier/models"
	"atelier/models/account"
	"atelier/models/community"
	"atelier/models/credit"
	"atelier/models/egress"
	"atelier/models/event"
	"atelier/models/flow"
	installed "atelier/models/install"
	"atelier/models/library"
	"atelier/models/media"
	"atelier/models/notice"
	"atelier/models/oauth"
	"atelier/models/org"
	"atelier/models/payment"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/models/studio"
	"atelier/models/trigger"
	"atelier/models/usage"
	"atelier/nodes"
	"atelier/rest"
	"atelier/web"
)

// Server is the rooms put together: the areas, the resolver that all faces
// call, and the work that happens by itself.
type Server struct {
	*install
	Accounts  *account.Service
	OAuth     *oauth.Service
	Settings  *installed.Service
	Notices   *notice.Service
	Orgs      *org.Service
	Credits   *credit.Service
	Payments  *payment.Service
	Usage     *usage.Service
	Events    *event.Service
	Spaces    *space.Service
	Media     *media.Service
	Flows     *flow.Service
	Runs      *run.Service
	Triggers  *trigger.Service
	Library   *library.Service
	Studio    *studio.Service
	Community *community.Service
	Resolver  *graph.Resolver
	Jobs      *jobs.Jobs
	// closing is closed when the process begins to stop: the service is not ready while
	// it drains, and agents are not kept waiting.
	closing   chan struct{}
	readiness readiness
	visits    visits
	traffic   *traffic
	done      *done
}

// How outbound requests are bounded: a delivery by the contract, a file that a
// node fetches by what a node may work on.
const (
	fetchTimeout = 60 * time.Second
	fetchBytes   = 200 << 20
	// importTimeout and importBytes are those of a whole video.
	importTimeout = 10 * time.Minute
	importBytes   = 500 << 20
)

// New puts the rooms together on a database that is open and migrated. Each
// job is done by this process.
func New(ctx context.Context, c config.Config, db *models.DB) (*Server, error) {
	s, err := (&install{Config: c, out: io.Discard, DB: db}).build(ctx)
	if err != nil {
		return nil, err
	}
	return s, s.takeOver(ctx)
}

// build puts the rooms together, from the lowest to the highest. It writes nothing, for commands that only look do it too.
func (i *install) build(ctx context.Context) (*Server, error) {
	vault, err := models.NewVault(i.EncryptionKeys...)
	if err != nil {
		return nil, err
	}
	s := &Server{install: i, traffic: newTraffic(), done: newDone(), closing: make(chan struct{})}
	s.Accounts = &account.Service{DB: i.DB, SessionKey: i.SessionKey, SignUpMode: i.SignUp, Mail: i.SMTPURL != nil, Operators: i.OperatorEmails, OperatorCode: i.OperatorCode,
		PublicURL: i.PublicURL, Payer: i.BillingAccountEmail, External: i.external(), Vault: vault,
		Egress: egress.New(egress.Config{Configured: true, Timeout: identityTimeout}).HTTP()}
	s.OAuth = &oauth.Service{DB: i.DB, Accounts: s.Accounts, PublicURL: i.PublicURL}
	s.OAuth.RegisterHooks()
	s.Settings = &installed.Service{DB: i.DB}
	s.Notices = &notice.Service{DB: i.DB, Mail: i.SMTPURL != nil}
	s.Notices.RegisterHooks(s.Accounts)
	s.Notices.ShowWhere(org.SeesNotice, event.SeesNotice, library.SeesNotice, community.SeesNotice)
	s.Orgs = &org.Service{DB: i.DB, Accounts: s.Accounts, Notices: s.Notices, AutoApprove: i.OrgAutoApprove, Mail: i.SMTPURL != nil, PublicURL: i.PublicURL}
	i.DB.StillStands = s.Orgs.StillStands
	s.Orgs.RegisterHooks()
	s.Accounts.SetBindingCheck(s.Orgs.Workspaces().CheckBinding)
	s.Accounts.SetRequirements(s.Orgs.RequiringSecondFactor)
	s.Accounts.SetInvitedCheck(s.Orgs.Invitations().HasOpen)
	s.Credits = &credit.Service{DB: i.DB, Orgs: s.Orgs, SignUpCredits: i.SignupCredits}
	s.Credits.RegisterHooks()
	s.Events = &event.Service{
		DB: i.DB, Vault: vault, Egress: egress.New(egress.Config{AllowCIDRs: i.EgressAllow, Keep: egress.Deliveries}),
		AllowCIDRs: i.EgressAllow, Backoff: i.DeliveryBackoff, Cooldown: i.DeliveryRest,
		Notices: s.Notices, Observe: s.done.attempt,
	}
	s.Events.RegisterHooks(s.Accounts, s.OAuth)
	s.Spaces = &space.Service{DB: i.DB, Accounts: s.Accounts, Orgs: s.Orgs}
	s.Spaces.RegisterHooks()
	if err := s.buildFlows(ctx, vault); err != nil {
		return nil, err
	}
	s.Triggers = &trigger.Service{DB: i.DB, Accounts: s.Accounts, Orgs: s.Orgs, Flows: s.Flows, Runs: s.Runs, Vault: vault, PublicURL: i.PublicURL}
	s.Triggers.RegisterHooks()
	s.Library = &library.Service{DB: i.DB, Accounts: s.Accounts, Orgs: s.Orgs, Notices: s.Notices, Spaces: s.Spaces, Media: s.Media, Flows: s.Flows, Runs: s.Runs}
	s.Library.RegisterHooks()
	s.Studio = &studio.Service{DB: i.DB, Accounts: s.Accounts, Orgs: s.Orgs, Spaces: s.Spaces, Media: s.Media, Flows: s.Flows, Runs: s.Runs, Library: s.Library}
	s.Studio.RegisterHooks()
	s.Community = &community.Service{
		DB: i.DB, Accounts: s.Accounts, Orgs: s.Orgs, Notices: s.Notices, Spaces: s.Spaces, Media: s.Media, Flows: s.Flows, Runs: s.Runs, Library: s.Library, Studio: s.Studio,
	}
	s.Community.RegisterHooks()
	s.Payments = &payment.Service{DB: i.DB, Orgs: s.Orgs, Credits: s.Credits, PublicURL: i.PublicURL, Packs: i.packs(), Stripe: i.stripe()}
	s.Usage = &usage.Service{DB: i.DB, Orgs: s.Orgs, Credits: s.Credits, Runs: s.Runs}
	s.Usage.RegisterHooks()
	s.Resolver = &graph.Resolver{
		Accounts: s.Accounts, OAuth: s.OAuth, Notices: s.Notices, Orgs: s.Orgs, Credits: s.Credits, Events: s.Events, Spaces: s.Spaces, Media: s.Media, Flows: s.Flows, Runs: s.Runs, Triggers: s.Triggers,
		Library: s.Library, Studio: s.Studio, Community: s.Community, Payments: s.Payments, Usage: s.Usage, Settings: s.Settings, Install: i.visible(), Health: s.health, Findings: s.findings,
	}
	letters, err := s.mail()
	if err != nil {
		return nil, err
	}
	s.Jobs, err = jobs.New(jobs.Config{
		DB: i.DB, Spaces: s.Spaces, Runs: s.Runs, Triggers: s.Triggers, Events: s.Events, Library: s.Library, Studio: s.Studio, Usage: s.Usage, Mail: letters, Books: s.books(), KeepRuns: i.RetentionRuns,
		Observe:  s.done.lease,
		Sweepers: []jobs.Sweeper{i.DB, s.Accounts, s.OAuth, s.Notices, s.Orgs, s.Credits, s.Events, s.Runs, s.Triggers, s.Library, s.Studio, s.Payments},
	})
	return s, err
}

// identityTimeout is how long one answer of an identity provider may take.
const identityTimeout = 10 * time.Second

// external is how people sign in through identity providers.
func (i *install) external() account.External {
	x := account.External{
		LinkExisting: i.SSOLinkExisting, Methods: i.SurfaceProfile.Methods, SSOLabel: i.SurfaceProfile.SSOLabel, Only: i.SurfaceProfile.SSOOnly(),
	}
	for _, p := range i.SSOProviders {
		x.Providers = append(x.Providers, account.SSOProvider{
			ID: p.ID, Label: p.Label, Kind: p.Kind, Secret: p.Secret, Audience: p.Audience,
			EmailClaim: p.Claims.Email, VerifiedClaim: p.Claims.EmailVerified, SubjectClaim: p.Claims.Subject,
			InitiateURL: p.InitiateURL, InitiateURLByHost: p.InitiateURLByHost, MaxLifetime: p.MaxLifetime,
		})
	}
	for _, p := range i.OIDCProviders {
		x.OIDC = append(x.OIDC, account.OIDCProvider(p))
	}
	return x
}

// packs are what organizations can buy.
func (i *install) packs() []payment.Pack {
	packs := make([]payment.Pack, len(i.CreditPacks))
	for n, p := range i.CreditPacks {
		packs[n] = payment.Pack{ID: p.ID, Label: p.Label, Credits: p.Credits, Price: int(p.Price), Currency: p.Currency}
	}
	return packs
}

// stripe is the account at Stripe that is paid; nil where operators confirm payments.
func (i *install) stripe() *payment.StripeAccount {
	if i.Payments != config.PaymentsStripe || !i.withOrganizations() {
		return nil
	}
	return payment.NewStripeAccount(payment.StripeConfig{
		SecretKey: i.StripeSecretKey, WebhookSecret: i.StripeWebhookSecret, APIBase: i.StripeAPIBase,
		HTTP: egress.New(egress.Config{Configured: true, Timeout: stripeTimeout}).HTTP(),
	})
}

// stripeTimeout is how long one call of Stripe may take; it is tried twice.
const stripeTimeout = 12 * time.Second

// mail is what mails are made of; nil on installs without a mail server.
func (s *Server) mail() (*jobs.Mail, error) {
	if s.SMTPURL == nil {
		return nil, nil
	}
	sender, err := mail.NewSender(s.SMTPURL, s.MailFrom)
	return &jobs.Mail{Sender: sender, PublicURL: s.PublicURL, Accounts: s.Accounts, Orgs: s.Orgs, Notices: s.Notices}, err
}

// buildFlows makes the areas of workflows and of runs with their media store.
func (s *Server) buildFlows(ctx context.Context, vault *models.Vault) error {
	bucket, err := media.OpenBucket(ctx, s.StorageURL, s.DataDir)
	if err != nil {
		return fmt.Errorf("STORAGE_URL: %w", err)
	}
	fetch := s.files(fetchTimeout, fetchBytes)
	s.Media = &media.Service{
		Store: &media.Store{DB: s.DB, Bucket: bucket, PublicURL: s.PublicURL, HTTP: fetch, Imports: s.files(importTimeout, importBytes), DiskFloor: s.DiskFloor,
			Large: func(ctx context.Context) error { return inbound.From(ctx).Large() }},
		Accounts: s.Accounts, Spaces: s.Spaces,
	}
	s.Flows = &flow.Service{
		DB: s.DB, Accounts: s.Accounts, Orgs: s.Orgs, Spaces: s.Spaces, Events: s.Events, Vault: vault,
		PublicURL: s.PublicURL, Catalogue: nodes.NewCatalogue(s.Providers()),
	}
	s.Flows.RegisterHooks()
	s.Runs = &run.Service{
		DB: s.DB, Accounts: s.Accounts, Orgs: s.Orgs, Spaces: s.Spaces, Credits: s.Credits, Events: s.Events, Flows: s.Flows,
		HTTP: s.outbound(), Media: s.Media, Free: s.Edition != config.EditionHosted,
	}
	s.Runs.Observe = s.done.node
	s.Runs.Pace, s.Runs.FreeRuns = run.NewPace(s.DB), run.FreeRuns
	if s.program != "" {
		s.Runs.RunInChild = s.runApart
	}
	s.Runs.RegisterHooks()
	return nil
}

// takeOver brings what the configuration says of the database into it, as processes that serve or work do when they start.
func (s *Server) takeOver(ctx context.Context) error {
	return s.Spaces.SetQuotas(ctx, s.AccountQuota, s.WorkspaceQuota)
}

// files is a client for files at addresses that a person gave.
func (i *install) files(timeout time.Duration, most int64) *http.Client {
	return egress.New(egress.Config{AllowCIDRs: i.EgressAllow, Timeout: timeout, MaxBytes: most, Redirects: 3}).HTTP()
}

// outbound is the client of nodes that send: what they send, and the key that
// goes along, reaches the address that the author gave and no other, so it
// follows no redirect.
func (i *install) outbound() *http.Client {
	return egress.New(egress.Config{AllowCIDRs: i.EgressAllow, Timeout: fetchTimeout, MaxBytes: fetchBytes}).HTTP()
}

// withOrganizations is whether organizations and credits exist on the install.
func (i *install) withOrganizations() bool {
	return i.Organizations && i.Edition == config.EditionHosted
}

// visible is what a visitor may know of the install.
func (i *install) visible() generated.Install {
	return generated.Install{
		Organizations: i.withOrganizations(), SignUp: i.SignUp, Mail: i.SMTPURL != nil, PublicURL: i.PublicURL, Payments: i.Payments,
		SignIn: i.signInOffer(),
	}
}

// signInOffer is what the sign-in page offers.
func (i *install) signInOffer() *generated.SignInOffer {
	x := i.external()
	offer := &generated.SignInOffer{Methods: x.Methods, Providers: []*generated.SignInProvider{}}
	if x.SSOLabel != "" {
		offer.SsoLabel = &x.SSOLabel
	}
	for _, b := range x.Buttons() {
		offer.Providers = append(offer.Providers, &generated.SignInProvider{ID: b.ID, Label: b.Label, Kind: b.Kind, Path: b.Path})
	}
	return offer
}

// WriteSchema writes the GraphQL schema.
func WriteSchema(out io.Writer) error {
	_, err := io.WriteString(out, graph.SDL())
	return err
}

// WriteOpenAPI writes the document of /v1, whose server is wherever it came from.
func WriteOpenAPI(out io.Writer) error {
	body, err := openAPI()
	if err != nil {
		return err
	}
	_, err = out.Write(append(body, '\n'))
	return err
}

func openAPI() ([]byte, error) {
	router := mux.NewRouter()
	api := rest.New(rest.Config{Resolver: &graph.Resolver{}, PublicURL: "/", Organizations: true, Hosted: true, Mail: true}, router, router)
	return api.Document()
}

// WriteDocs writes the documentation as web pages into the folder that args name.
func WriteDocs(args []string) error {
	if len(args) != 1 {
		return errors.New("atelier docs takes one folder")
	}
	document, err := openAPI()
	if err != nil {
		return err
	}
	return web.WriteDocs(args[0], document)
}
