package rest

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// about describes a route for the document beyond its summary: whom it admits and what the frame
// of every route of its kind does. It is written from what the frame itself goes by.
func (r route) about(input reflect.Type) string {
	said := []string{strings.TrimSuffix(r.Summary, ".") + "."}
	say := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	switch {
	case r.Public:
		say("It needs no credentials.")
	case r.Session:
		say("It needs a session: a token is refused with 403 forbidden.")
	case r.EveryApp:
		say("Every connected app may call it.")
	case r.Scope == "":
		say("Connected apps may not call it.")
	default:
		say("A connected app needs the scope %s.", r.Scope)
	}
	switch {
	case r.Public || r.Session:
	case r.Covered:
		say("A token that is restricted to some workflows may call it for those.")
	default:
		say("A token that is restricted to some workflows may not call it.")
	}
	if _, paged := input.FieldByName("Limit"); paged {
		say("The answer is a page: send its nextCursor as cursor for the next one.")
	}
	if r.Method == "POST" && !r.Public {
		say("A repeat with the same Idempotency-Key within 24 hours gets the first answer again.")
	}
	if r.Wait || r.Awaited {
		say("With ?wait=true the answer waits for the end of the run, for up to 600 seconds.")
	}
	if r.Stream {
		say("The answer is a stream of server-sent events.")
	}
	if r.MaxBody > 0 {
		say("The body may have up to %d MiB.", r.MaxBody>>20)
	}
	if r.Budget {
		say("Calls with a token count against its budget of each minute.")
	}
	return strings.Join(said, " ")
}

// ofPath are the parameters of paths that mean the same wherever they stand.
var ofPath = map[string]string{
	"slug": "What the app is called in its address.", "token": "The secret part of the link or address.", "userId": "The id of the account.",
	"imageId": "The id of a picture of this element.", "runId": "The id of a run of this app.", "execId": "The id of the execution.",
	"type": "The node type, such as generate-image.", "wsId": "The id of a workspace of this organization.", "shotId": "The id of a shot of this production.",
	"provider": "The id of the provider in the settings of this install.", "deliveryId": "The id of a delivery of this endpoint.",
}

// idsOf are the things that {id} stands for, by the part of the path before it.
var idsOf = map[string]string{
	"api-tokens": "token", "apps": "app", "characters": "character", "objects": "object", "creatures": "creature", "locations": "location", "faces": "face",
	"posts": "post", "credentials": "credential", "invitations": "invitation", "jobs": "job", "node-presets": "preset", "orgs": "organization",
	"pipelines": "pipeline", "projects": "project", "productions": "production", "shots": "shot", "voices": "voice", "workflows": "workflow",
	"workflow-executions": "execution", "workflow-triggers": "trigger", "workspaces": "workspace", "webhook-endpoints": "endpoint",
}

// parameterAbout describes a parameter of a path; empty for one that is not known.
func parameterAbout(path, name string) string {
	if text, ok := ofPath[name]; ok {
		return text
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if i > 0 && part == "{"+name+"}" && idsOf[parts[i-1]] != "" {
			return "The id of the " + idsOf[parts[i-1]] + "."
		}
	}
	return ""
}

// tokenForm is the form of the token of an invitation, which tells the paths of invitations apart for
// readers of the document: "by-token" has another, and is no UUID. A token of another form is answered as
// one that is not known.
const tokenForm = "^[A-Za-z0-9_-]{20,}$"

// explain describes the operations and parameters of the document that do not describe themselves.
func (a *API) explain() {
	for path, item := range a.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Patch, item.Put, item.Delete, item.Head} {
			if op == nil {
				continue
			}
			if op.Description == "" {
				op.Description = strings.TrimSuffix(op.Summary, ".") + "."
			}
			for _, p := range op.Parameters {
				if p.Description == "" && p.In == "path" {
					p.Description = parameterAbout(path, p.Name)
				}
				if p.Name == "token" && strings.HasPrefix(path, "/v1/invitations/") {
					shown := *p.Schema // the routes themselves go on by the other one
					shown.Pattern = tokenForm
					p.Schema = &shown
				}
			}
		}
	}
}
