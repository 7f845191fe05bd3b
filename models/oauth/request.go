package oauth

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"atelier/models"

	"gorm.io/gorm"
)

// How long the parts of a request to act for a person may be.
const (
	maxState     = 4_000
	maxScope     = 500
	maxResources = 10
)

// challengeForm is an S256 challenge (RFC 7636, 4.2).
var challengeForm = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// request is a request to act for a person, once it is known whom it may be answered to.
type request struct {
	app *App
	// redirectURI is where the answer goes, and sent tells whether the request named it.
	redirectURI string
	sent        bool
	state       string
	scopes      []models.Scope
	challenge   string
	prompt      string
	issuer      string
	// refusal is what the answer says at once; nil where the person is asked.
	refusal *Refusal
}

// read judges a request. Who asks and where the answer goes come first: what is
// wrong about those is an error, since it must be told to the person and never
// sent anywhere (RFC 6749, 4.1.2.1). Everything else is for the app: refusal.
func (s *Service) read(db *gorm.DB, in AuthorizationInput) (*request, error) {
	id, ok := parseClientID(in.ClientID)
	if !ok {
		return nil, models.Invalid("clientId", "names no app. Ask the person who sent you here for another link")
	}
	app, err := findUsable(db, id)
	if err != nil {
		return nil, err
	}
	req := &request{app: app, issuer: s.PublicURL, state: value(in.State), challenge: value(in.CodeChallenge), prompt: value(in.Prompt)}
	if req.redirectURI, req.sent, ok = app.resolve(value(in.RedirectURI)); !ok {
		return nil, models.Invalid("redirectUri", "is none that this app registered, so no one is sent there")
	}
	req.refusal = s.judge(req, in)
	return req, nil
}

// resolve is where an answer goes: the URI that was asked for, when the app
// registered it, or the app's only one when none was.
func (a *App) resolve(asked string) (uri string, sent, ok bool) {
	if asked == "" && len(a.RedirectURIs) == 1 {
		return a.RedirectURIs[0], false, true
	}
	known := asked != "" && slices.ContainsFunc(a.RedirectURIs, func(registered string) bool { return matchRedirect(registered, asked) })
	return asked, true, known
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// judge says what is wrong about a request, for the app.
func (s *Service) judge(req *request, in AuthorizationInput) *Refusal {
	if len(req.state) > maxState {
		req.state = ""
		return refuse(invalidRequest, "state is longer than %d characters", maxState)
	}
	switch value(in.ResponseType) {
	case "code":
	case "":
		return refuse(invalidRequest, "response_type is missing; it must be code")
	default:
		return refuse(unsupportedResponse, "The only response_type is code")
	}
	if req.challenge == "" || value(in.CodeChallengeMethod) != "S256" {
		return refuse(invalidRequest, "PKCE is needed: code_challenge with code_challenge_method=S256")
	}
	if !challengeForm.MatchString(req.challenge) {
		return refuse(invalidRequest, "code_challenge must be the 43 characters of an S256 challenge")
	}
	if err := s.checkResources(in.Resource); err != nil {
		return err
	}
	if prompts := strings.Fields(req.prompt); len(prompts) > 1 && slices.Contains(prompts, "none") {
		return refuse(invalidRequest, "prompt=none stands alone")
	}
	return req.takeScopes(value(in.Scope))
}

// takeScopes reads what is asked for. Nothing asked is all that an app that
// registered itself said that it would ask for; of any other app it is refused,
// for nothing is given that no one named. What it said binds it to nothing: the
// person is asked, also for a scope that turned out to be needed later.
func (req *request) takeScopes(text string) *Refusal {
	if strings.TrimSpace(text) == "" {
		text = strings.Join(req.app.Scopes, " ")
	}
	scopes, known := readScopes(text)
	switch {
	case len(text) > maxScope || !known:
		return refuse(invalidScope, "scope holds what is no scope here. There are %s", JoinScopes(Scopes))
	case len(scopes) == 0:
		return refuse(invalidScope, "scope is missing. Name what the app needs of %s", JoinScopes(Scopes))
	}
	req.scopes = scopes
	return nil
}

// checkResources refuses a token for another service (RFC 8707).
func (s *Service) checkResources(resources []string) *Refusal {
	if len(resources) > maxResources {
		return refuse(invalidTarget, "resource is named too often")
	}
	for _, resource := range resources {
		if !slices.Contains(s.resources(), strings.TrimSuffix(resource, "/")) {
			return refuse(invalidTarget, "resource must be %s", s.PublicURL)
		}
	}
	return nil
}

// resources are the names of this service as one that tokens are for.
func (s *Service) resources() []string {
	return []string{s.PublicURL, s.PublicURL + "/v1", s.PublicURL + "/graphql", s.PublicURL + "/mcp"}
}

// deny is the answer that says why there is no code.
func (req *request) deny(r *Refusal) string {
	return answer(req.redirectURI, "error", r.Code, "error_description", r.Description, "state", req.state, "iss", req.issuer)
}

// view is the request as its person sees it.
func (s *Service) view(ctx context.Context, req *request) (*Authorization, error) {
	shown := &Authorization{
		App: &RequestingApp{
			ID: req.app.ID, Name: req.app.Name, Place: placeOf(req.redirectURI), SelfRegistered: req.app.OwnerID == nil, CreatedAt: req.app.CreatedAt,
		},
		Scopes: req.scopes, Granted: []models.Scope{}, RedirectURI: req.redirectURI,
	}
	if shown.Scopes == nil {
		shown.Scopes = []models.Scope{}
	}
	if req.app.OwnerID != nil {
		owner, err := s.Accounts.FindUserByID(ctx, *req.app.OwnerID)
		if err != nil && !models.HasCode(err, models.CodeNotFound) {
			return nil, err
		}
		if owner != nil {
			shown.App.OwnerName = &owner.DisplayName
		}
	}
	return shown, nil
}
