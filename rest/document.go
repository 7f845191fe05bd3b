package rest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// tagOfRoutes is a group of routes.
type tagOfRoutes = huma.Tag

// tags say what the groups of routes are about, in the order in which the
// document shows them.
var tags = []*tagOfRoutes{
	{Name: "Signing in", Description: "Accounts and sessions. The session JWT is a bearer token like any other."},
	{Name: "Profile", Description: "The caller's own account, with the organizations and workspaces that it belongs to."},
	{Name: "API tokens", Description: "Personal tokens for programs. They are managed with a session alone, and may be bound to one workspace."},
	{Name: "OAuth apps", Description: "Programs that act for the people who allow them, as their developers register them. They are managed with a session alone."},
	{Name: "OAuth", Description: "How such a program gets a token: forms and refusals are those of RFC 6749. /.well-known/oauth-authorization-server says where everything is."},
	{Name: "Organizations", Description: "Schools and teams: one owner, admins, members, and one pool of credits."},
	{Name: "Members", Description: "Who belongs to an organization, in which role, and whether they are suspended."},
	{Name: "Workspaces", Description: "Classes and teams within an organization, where work happens and who pays for it. The header X-Service-Workspace selects one."},
	{Name: "Invitations", Description: "Links that admit one address each to an organization or a workspace."},
	{Name: "Join codes", Description: "Eight characters that admit plain members to one workspace."},
	{Name: "Audit", Description: "What changed in an organization, by whom, newest first."},
	{Name: "Credits", Description: "The pool of an organization, the budgets of its workspaces, and the balance of the personal space."},
	{Name: "Usage", Description: "What the runs of an organization or of one workspace cost, by workspace, member, model and day."},
	{Name: "Projects", Description: "Folders of workflows."},
	{Name: "Workflows", Description: "Graphs of nodes: saved, run, and published."},
	{Name: "Sharing", Description: "Whom one workflow is shared with, and what the caller may do with it."},
	{Name: "Workflows (legacy)", Description: "Earlier routes, which answer without envelope."},
	{Name: "Apps", Description: "Workflows published under a slug, with a form of the fields that they expose."},
	{Name: "App runs", Description: "Runs of published apps, which the caller polls."},
	{Name: "Executions", Description: "Runs of workflows and what each node yielded."},
	{Name: "Jobs", Description: "The work of single nodes."},
	{Name: "Nodes", Description: "The catalogue of node types and models, public."},
	{Name: "Single nodes", Description: "One node run by itself, without a workflow."},
	{Name: "Library", Description: "What is kept for runs: elements under a @handle, presets of node types and voices; and help with prompts."},
	{Name: "Community", Description: "A gallery of snapshots of workflows, apps, presets, elements and voices, for a class, an organization or everyone; with review by teachers."},
	{Name: "Studio", Description: "Scripts that become films: productions with their shots, pipelines that say what makes a shot, and renders, which redo only what changed."},
	{Name: "Files", Description: "Uploads, whose addresses nodes take as input."},
	{Name: "Triggers", Description: "What starts a workflow by itself: an address that anyone who has it may call, or a schedule."},
	{Name: "Credentials", Description: "Keys that workflows send along to other services, managed with a session alone; a key is never shown again."},
	{Name: "Event endpoints", Description: "Addresses that are told when jobs end, signed, and what became of each delivery."},
}

// describe adds the descriptions of the groups that this install has.
func (a *API) describe() {
	used := map[string]bool{}
	for _, item := range a.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Patch, item.Put, item.Delete} {
			if op != nil {
				used[op.Tags[0]] = true
			}
		}
	}
	for _, tag := range tags {
		if used[tag.Name] {
			a.OpenAPI().Tags = append(a.OpenAPI().Tags, tag)
		}
	}
}

// madeDocument is the OpenAPI document as it is sent.
type madeDocument struct {
	plain, zipped []byte
	hash          string
}

// makeDocument writes the document; the API keeps it from the first call on.
func (a *API) makeDocument() (*madeDocument, error) {
	if err := a.illustrate(); err != nil {
		return nil, err
	}
	plain, err := json.MarshalIndent(a.huma.OpenAPI(), "", "  ")
	if err != nil {
		return nil, err
	}
	return pack(plain)
}

// pack makes of a document what is sent.
func pack(plain []byte) (*madeDocument, error) {
	var zipped bytes.Buffer
	writer := gzip.NewWriter(&zipped)
	if _, err := writer.Write(plain); err != nil {
		return nil, err
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	return &madeDocument{plain, zipped.Bytes(), fmt.Sprintf("%x", sha256.Sum256(plain))}, nil
}

// Document is the OpenAPI 3.1 document of the routes as JSON.
func (a *API) Document() ([]byte, error) {
	made, err := a.made()
	if err != nil {
		return nil, err
	}
	return made.plain, nil
}

// serveDocument answers GET /v1/openapi.json, which is public; with tag the document of
// that group alone.
func (a *API) serveDocument(w http.ResponseWriter, r *http.Request) {
	_, err := a.wantedWorkspace(IdentityFrom(r.Context()))
	var made *madeDocument
	if asked := r.URL.Query(); err == nil && asked.Has("tag") {
		made, err = a.documentOf(asked.Get("tag"))
	} else if err == nil {
		made, err = a.made()
	}
	if err != nil {
		WriteProblem(w, r, err)
		return
	}
	header, body, tag := w.Header(), made.plain, made.hash
	header.Set("Content-Type", applicationJSON)
	header.Add("Vary", "Accept-Encoding")
	if r.Header.Get("Accept-Encoding") == "gzip" {
		header.Set("Content-Encoding", "gzip")
		body, tag = made.zipped, tag+"-gz"
	}
	header.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}
