package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

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
	"atelier/models/org"
	"atelier/nodes"
	"atelier/rest"

	"github.com/gorilla/mux"
)

// house is the rooms put together: the areas, the resolver that all faces
// call, and the work that happens by itself.
type house struct {
	*install
	accounts *account.Service
	orgs     *org.Service
	credits  *credit.Service
	events   *event.Service
	flows    *flow.Service
	resolver *graph.Resolver
	jobs     *jobs.Jobs
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

// build puts the rooms together, from the lowest to the highest.
func (i *install) build(ctx context.Context) (*house, error) {
	vault, err := models.NewVault(i.EncryptionKeys...)
	if err != nil {
		return nil, err
	}
	h := &house{install: i}
	h.accounts = &account.Service{DB: i.db, SessionKey: i.SessionKey, SignUpMode: i.SignUp, Mail: i.SMTPURL != nil, Operators: i.OperatorEmails, OperatorCode: i.OperatorCode}
	h.orgs = &org.Service{DB: i.db, Accounts: h.accounts, AutoApprove: i.OrgAutoApprove, Mail: i.SMTPURL != nil, PublicURL: i.PublicURL}
	h.accounts.SetBindingCheck(h.orgs.CheckBinding)
	h.accounts.SetInvitedCheck(h.orgs.IsInvited)
	h.credits = &credit.Service{DB: i.db, Orgs: h.orgs, SignUpCredits: i.SignupCredits}
	h.credits.RegisterHooks()
	h.events = &event.Service{
		DB: i.db, Vault: vault, Egress: egress.New(egress.Config{AllowCIDRs: i.EgressAllow}),
		AllowCIDRs: i.EgressAllow, Backoff: i.DeliveryBackoff, Rest: i.DeliveryRest,
	}
	if err := h.buildFlows(ctx, vault); err != nil {
		return nil, err
	}
	h.resolver = &graph.Resolver{
		Accounts: h.accounts, Orgs: h.orgs, Credits: h.credits, Events: h.events, Flows: h.flows, Install: i.visible(),
	}
	letters, err := h.mail()
	if err != nil {
		return nil, err
	}
	h.jobs, err = jobs.New(jobs.Config{
		DB: i.db, Flows: h.flows, Events: h.events, Mail: letters, Sweepers: []jobs.Sweeper{i.db, h.accounts, h.orgs, h.events, h.flows},
	})
	return h, err
}

// mail is what mails are made of; nil on installs without a mail server.
func (h *house) mail() (*jobs.Mail, error) {
	if h.SMTPURL == nil {
		return nil, nil
	}
	sender, err := mail.NewSender(h.SMTPURL, h.MailFrom)
	return &jobs.Mail{Sender: sender, PublicURL: h.PublicURL, Accounts: h.accounts, Orgs: h.orgs, Credits: h.credits}, err
}

// buildFlows makes the area of workflows with its media store.
func (h *house) buildFlows(ctx context.Context, vault *models.Vault) error {
	bucket, err := flow.OpenBucket(ctx, h.StorageURL, h.DataDir)
	if err != nil {
		return fmt.Errorf("STORAGE_URL: %w", err)
	}
	fetch := h.files(fetchTimeout, fetchBytes)
	nodes.Offer(h.providers())
	h.flows = &flow.Service{
		DB: h.db, Accounts: h.accounts, Orgs: h.orgs, Credits: h.credits, Events: h.events, Vault: vault,
		PublicURL: h.PublicURL, HTTP: h.outbound(), Free: h.Edition != EditionHosted,
		Media: &flow.MediaStore{DB: h.db, Bucket: bucket, PublicURL: h.PublicURL, HTTP: fetch, Imports: h.files(importTimeout, importBytes)},
	}
	if ownProgram != "" {
		h.flows.Apart = runApart
	}
	h.flows.RegisterHooks()
	return h.flows.SetQuotas(ctx, h.AccountQuota, h.WorkspaceQuota)
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
func (i *install) withOrganizations() bool { return i.Organizations && i.Edition == EditionHosted }

// visible is what a visitor may know of the install.
func (i *install) visible() generated.Install {
	return generated.Install{
		Organizations: i.withOrganizations(), SignUp: i.SignUp, Mail: i.SMTPURL != nil, PublicURL: i.PublicURL,
	}
}

// printSchema prints the GraphQL schema.
func printSchema(out io.Writer) error {
	_, err := io.WriteString(out, graph.SDL())
	return err
}

// printOpenAPI prints the document of /v1, whose server is wherever it came from.
func printOpenAPI(out io.Writer) error {
	api := rest.New(rest.Config{Resolver: &graph.Resolver{}, PublicURL: "/", Organizations: true, Hosted: true, Mail: true}, mux.NewRouter())
	body, err := api.Document()
	if err != nil {
		return err
	}
	_, err = out.Write(append(body, '\n'))
	return err
}
