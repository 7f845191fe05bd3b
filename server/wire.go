package server

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"atelier/config"
	"atelier/graph"
	"atelier/graph/generated"
	"atelier/jobs"
	"atelier/jobs/mail"
	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/egress"
	"atelier/models/event"
	"atelier/models/flow"
	"atelier/models/notice"
	"atelier/models/org"
	"atelier/nodes"
	"atelier/rest"

	"github.com/gorilla/mux"
)

// Server is the rooms put together: the areas, the resolver that all faces
// call, and the work that happens by itself.
type Server struct {
	*install
	Accounts *account.Service
	Notices  *notice.Service
	Orgs     *org.Service
	Credits  *credit.Service
	Events   *event.Service
	Flows    *flow.Service
	Resolver *graph.Resolver
	Jobs     *jobs.Jobs
	// closing makes the service not ready while it drains.
	closing   atomic.Bool
	readiness readiness
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
	return (&install{Config: c, out: io.Discard, DB: db}).build(ctx)
}

// build puts the rooms together, from the lowest to the highest.
func (i *install) build(ctx context.Context) (*Server, error) {
	vault, err := models.NewVault(i.EncryptionKeys...)
	if err != nil {
		return nil, err
	}
	s := &Server{install: i}
	s.Accounts = &account.Service{DB: i.DB, SessionKey: i.SessionKey, SignUpMode: i.SignUp, Mail: i.SMTPURL != nil, Operators: i.OperatorEmails, OperatorCode: i.OperatorCode,
		PublicURL: i.PublicURL, Payer: i.BillingAccountEmail}
	s.Notices = &notice.Service{DB: i.DB, Mail: i.SMTPURL != nil}
	s.Notices.RegisterHooks(s.Accounts)
	s.Notices.ShowWhere(org.SeesNotice, event.SeesNotice, flow.SeesNotice)
	s.Orgs = &org.Service{DB: i.DB, Accounts: s.Accounts, Notices: s.Notices, AutoApprove: i.OrgAutoApprove, Mail: i.SMTPURL != nil, PublicURL: i.PublicURL}
	s.Orgs.RegisterHooks()
	s.Accounts.SetBindingCheck(s.Orgs.CheckBinding)
	s.Accounts.SetInvitedCheck(s.Orgs.IsInvited)
	s.Credits = &credit.Service{DB: i.DB, Orgs: s.Orgs, SignUpCredits: i.SignupCredits}
	s.Credits.RegisterHooks()
	s.Events = &event.Service{
		DB: i.DB, Vault: vault, Egress: egress.New(egress.Config{AllowCIDRs: i.EgressAllow, Keep: egress.Deliveries}),
		AllowCIDRs: i.EgressAllow, Backoff: i.DeliveryBackoff, Rest: i.DeliveryRest,
		Notices: s.Notices,
	}
	s.Events.RegisterHooks(s.Accounts)
	if err := s.buildFlows(ctx, vault); err != nil {
		return nil, err
	}
	s.Resolver = &graph.Resolver{
		Accounts: s.Accounts, Notices: s.Notices, Orgs: s.Orgs, Credits: s.Credits, Events: s.Events, Flows: s.Flows, Install: i.visible(), Health: s.health,
	}
	letters, err := s.mail()
	if err != nil {
		return nil, err
	}
	s.Jobs, err = jobs.New(jobs.Config{
		DB: i.DB, Flows: s.Flows, Events: s.Events, Mail: letters, Sweepers: []jobs.Sweeper{i.DB, s.Accounts, s.Notices, s.Orgs, s.Credits, s.Events, s.Flows},
	})
	return s, err
}

// mail is what mails are made of; nil on installs without a mail server.
func (s *Server) mail() (*jobs.Mail, error) {
	if s.SMTPURL == nil {
		return nil, nil
	}
	sender, err := mail.NewSender(s.SMTPURL, s.MailFrom)
	return &jobs.Mail{Sender: sender, PublicURL: s.PublicURL, Accounts: s.Accounts, Orgs: s.Orgs, Notices: s.Notices}, err
}

// buildFlows makes the area of workflows with its media store.
func (s *Server) buildFlows(ctx context.Context, vault *models.Vault) error {
	bucket, err := flow.OpenBucket(ctx, s.StorageURL, s.DataDir)
	if err != nil {
		return fmt.Errorf("STORAGE_URL: %w", err)
	}
	fetch := s.files(fetchTimeout, fetchBytes)
	s.Flows = &flow.Service{
		DB: s.DB, Accounts: s.Accounts, Orgs: s.Orgs, Credits: s.Credits, Events: s.Events, Vault: vault,
		PublicURL: s.PublicURL, HTTP: s.outbound(), Free: s.Edition != config.EditionHosted, Catalogue: nodes.Offer(s.Providers()),
		Media: &flow.MediaStore{DB: s.DB, Bucket: bucket, PublicURL: s.PublicURL, HTTP: fetch, Imports: s.files(importTimeout, importBytes)},
	}
	s.Flows.Pace = flow.NewPace(s.DB)
	if s.program != "" {
		s.Flows.RunInChild = s.runApart
	}
	s.Flows.RegisterHooks()
	return s.Flows.SetQuotas(ctx, s.AccountQuota, s.WorkspaceQuota)
}

// files is a client for files at addresses that somebody gave.
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
		Organizations: i.withOrganizations(), SignUp: i.SignUp, Mail: i.SMTPURL != nil, PublicURL: i.PublicURL,
	}
}

// WriteSchema writes the GraphQL schema.
func WriteSchema(out io.Writer) error {
	_, err := io.WriteString(out, graph.SDL())
	return err
}

// WriteOpenAPI writes the document of /v1, whose server is wherever it came from.
func WriteOpenAPI(out io.Writer) error {
	api := rest.New(rest.Config{Resolver: &graph.Resolver{}, PublicURL: "/", Organizations: true, Hosted: true, Mail: true}, mux.NewRouter())
	body, err := api.Document()
	if err != nil {
		return err
	}
	_, err = out.Write(append(body, '\n'))
	return err
}
