package models

import (
	"context"
	"slices"
	"time"
)

// ActorKind tells by what right a person acts.
type ActorKind string

const (
	Anonymous   ActorKind = "anonymous"
	BySession   ActorKind = "session"    // a signed-in person: session JWT or console cookie
	ByToken     ActorKind = "token"      // a personal API token (svc_)
	ByOAuth     ActorKind = "oauth"      // a connected app's access token (svc_app_)
	SystemActor ActorKind = "system"     // work that happens by itself
	Automation  ActorKind = "automation" // a trigger or schedule, bound to its creator
)

// Scope is what a connected app may do for a person (contract 1, "Authentication" 6).
type Scope string

const (
	ScopeExecute         Scope = "workflows:execute"
	ScopeJobsRead        Scope = "jobs:read"
	ScopeWorkspacesRead  Scope = "workspaces:read"
	ScopeWorkspacesWrite Scope = "workspaces:write"

	// Unscoped stands for what every connected app may do, whatever it was granted.
	Unscoped Scope = ""
)

// Scopes are all scopes that can be granted.
var Scopes = []Scope{ScopeExecute, ScopeJobsRead, ScopeWorkspacesRead, ScopeWorkspacesWrite}

// Actor is who makes a request, and from where. It is resolved once per
// request; nothing below the faces reads a header or a cookie.
type Actor struct {
	Kind        ActorKind
	UserID      ID
	DisplayName string
	// Email is the normalized address; rules about addresses need EmailVerified too.
	Email         string
	EmailVerified bool
	// Language is the one that the account chose, such as de; empty without a choice.
	Language string
	// PageLanguage is the one of the page on which an anonymous request is made; empty for programs that ask for none.
	PageLanguage string
	// Operator marks a platform operator.
	Operator bool
	// Refusal is why a person whose credentials are known is no one here; nil for
	// everyone else.
	Refusal error

	SessionID ID // of a session
	// ConfirmedAt is when the person of a session proved last that it is them.
	ConfirmedAt time.Time
	// Guarded tells whether the account has a second factor, or signs in through
	// an identity provider, which sees to that.
	Guarded     bool
	TokenID     ID // of a personal token or an OAuth grant
	ClientAppID ID // of a connected app
	Scopes      []Scope
	// WorkflowIDs restricts a personal token to some workflows; empty means all.
	// Of all else it is forbidden, see RequireUser.
	WorkflowIDs []ID
	// RunsPerMinute is a personal token's budget on the run and list routes.
	RunsPerMinute int

	// WorkspaceID is the selected workspace: the header's or the bound token's,
	// already checked; nil is the personal space.
	WorkspaceID *ID
	// OrganizationID is the selected workspace's organization.
	OrganizationID *ID

	Client    string // X-Service-Client, when it has one of the three forms
	IP        string
	UserAgent string // what the client calls itself, cut to what is kept of it
	RequestID string
}

// System is the named actor of work that happens by itself.
func System(name string) Actor { return Actor{Kind: SystemActor, DisplayName: name} }

// SignedIn tells whether the actor is an account, however it proved it.
func (a Actor) SignedIn() bool { return a.UserID != ID{} }

// HasScope tells whether the actor may use what the scope guards; only
// connected apps are limited by scopes.
func (a Actor) HasScope(s Scope) bool {
	return a.Kind != ByOAuth || s == Unscoped || slices.Contains(a.Scopes, s)
}

// Restricted tells whether the actor is a token that may use some workflows alone.
func (a Actor) Restricted() bool { return len(a.WorkflowIDs) > 0 }

// MayUseWorkflow tells whether a token restricted to some workflows covers id.
func (a Actor) MayUseWorkflow(id ID) bool {
	return !a.Restricted() || slices.Contains(a.WorkflowIDs, id)
}

// RequireUser refuses anonymous and system actors: unauthorized; and tokens
// that are restricted to some workflows: forbidden. What those may do asks
// RequireAccount instead, and then which workflow it is about. Connected apps
// need the scopes, see RequireAccount.
func (a Actor) RequireUser(scopes ...Scope) error {
	if err := a.RequireAccount(scopes...); err != nil {
		return err
	}
	if a.Restricted() {
		return Err(CodeForbidden, "The token is restricted to some workflows: it may run and read those, and nothing else")
	}
	return nil
}

// RequireAccount is RequireUser for what restricted tokens may do too: run and
// read their workflows with their runs, executions and jobs, and upload.
// Connected apps may do only what names the scopes that it needs: without one it
// is forbidden, with one that was not granted insufficient_scope.
func (a Actor) RequireAccount(scopes ...Scope) error {
	if !a.SignedIn() && a.Refusal != nil {
		return a.Refusal
	}
	if !a.SignedIn() {
		return Err(CodeUnauthorized, "Sign in, or send a bearer token")
	}
	if a.Kind == ByOAuth && len(scopes) == 0 {
		return Err(CodeForbidden, "No connected app may do this, whatever it was granted: it takes the person's own session or token")
	}
	for _, scope := range scopes {
		if err := a.RequireScope(scope); err != nil {
			return err
		}
	}
	return nil
}

// OfApp is the connected app that acts, nil for everyone else. Apps see and
// change only what they started or registered themselves (contract 2, "Event
// endpoints" 7).
func (a Actor) OfApp() *ID {
	if a.Kind != ByOAuth {
		return nil
	}
	return &a.ClientAppID
}

// RequireSession refuses every token: forbidden (contract 1, "Authentication" 5).
func (a Actor) RequireSession() error {
	if err := a.RequireUser(); err != nil {
		return err
	}
	if a.Kind != BySession {
		return Err(CodeForbidden, "This needs a signed-in session, not a token")
	}
	return nil
}

// ConfirmationLasts is how long a session may do what needs a confirmed one.
const ConfirmationLasts = time.Hour

// RequireConfirmed refuses sessions that began, or were confirmed, more than an
// hour ago: reauthentication_required. Tokens pass: they are a secret of their own.
func (a Actor) RequireConfirmed(now time.Time) error {
	if a.Kind != BySession || now.Sub(a.ConfirmedAt) <= ConfirmationLasts {
		return nil
	}
	return Err(CodeReauthentication, "Confirm that it is you: you signed in more than an hour ago")
}

// RequireScope refuses a connected app whose grant lacks the scope: insufficient_scope.
func (a Actor) RequireScope(s Scope) error {
	if a.HasScope(s) {
		return nil
	}
	e := Err(CodeInsufficientScope, "The app was not granted %s", s)
	e.Extra = map[string]any{"missingScope": string(s)}
	return e
}

// RequireOperator refuses everyone but platform operators: insufficient_role.
func (a Actor) RequireOperator() error {
	if err := a.RequireUser(); err != nil {
		return err
	}
	if !a.Operator || a.Kind != BySession {
		return InsufficientRole("Only a platform operator may do this")
	}
	return nil
}

type actorKey struct{}

// WithActor puts the actor into the context.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// ActorFrom is the actor of the context; without one it is anonymous.
func ActorFrom(ctx context.Context) Actor {
	if a, ok := ctx.Value(actorKey{}).(Actor); ok {
		return a
	}
	return Actor{Kind: Anonymous}
}
