package rest

import (
	"encoding/base64"
	"errors"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"atelier/inbound"
	"atelier/models"
	"atelier/models/oauth"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
)

// Where programs speak the protocol of OAuth. None of these looks at a session
// or a cookie: who asks is in the request itself.
const (
	OAuthTokenPath    = "/v1/oauth/token"
	OAuthRevokePath   = "/v1/oauth/revoke"
	OAuthRegisterPath = "/v1/oauth/register"
	// OAuthAuthorizePath is the page where a person is asked.
	OAuthAuthorizePath = "/oauth/authorize"

	serverMetadataPath   = "/.well-known/oauth-authorization-server"
	resourceMetadataPath = "/.well-known/oauth-protected-resource"
)

// AnyOrigin tells whether pages of every site may read what is at a path (CORS):
// how apps connect and what the API is, which is the same for everyone.
func AnyOrigin(path string) bool {
	return path == OpenAPIPath || strings.HasPrefix(path, serverMetadataPath) || strings.HasPrefix(path, resourceMetadataPath)
}

// ofProtocol tells whether refusals at a path have the form of RFC 6749.
func ofProtocol(path string) bool {
	return path == OAuthTokenPath || path == OAuthRevokePath || path == OAuthRegisterPath
}

// maxProtocolBody bounds what a program sends.
const maxProtocolBody = 16 << 10

const formEncoded = "application/x-www-form-urlencoded"

// protocolRoutes are the endpoints whose form RFCs fix: forms or JSON in, and
// errors as RFC 6749 has them.
func (a *API) protocolRoutes() {
	const tag = "OAuth"
	a.protocol(tag, OAuthTokenPath, "Exchange a code for an access token (RFC 6749)", http.StatusOK, tokenParameters{}, tokenAnswer{}, a.exchangeCode)
	a.protocol(tag, OAuthRevokePath, "Revoke an access token (RFC 7009)", http.StatusOK, revokeParameters{}, revokedAnswer{}, a.revokeToken)
	a.protocol(tag, OAuthRegisterPath, "Register a program by itself (RFC 7591)", http.StatusCreated, oauth.Registration{}, registeredView{}, a.registerProgram)
}

// protocolError is a refusal in the form of RFC 6749.
type protocolError struct {
	Error       string `json:"error" doc:"Machine-readable: invalid_grant, invalid_client, …"`
	Description string `json:"error_description" doc:"What went wrong, and what to do."`
}

// protocol registers a route that is answered by itself, and describes it.
func (a *API) protocol(tag, path, summary string, status int, in, out any, fn func(w http.ResponseWriter, r *http.Request) error) {
	schemaOf := func(v any) *huma.Schema {
		t := reflect.TypeOf(v)
		return a.OpenAPI().Components.Schemas.Schema(t, true, t.Name())
	}
	body := map[string]*huma.MediaType{applicationJSON: {Schema: schemaOf(in)}}
	if path != OAuthRegisterPath {
		body[formEncoded] = &huma.MediaType{Schema: schemaOf(in)}
	}
	answers := map[string]*huma.Response{strconv.Itoa(status): a.answerOf(reflect.TypeOf(out), http.StatusText(status))}
	for _, refused := range []int{400, 401, 404, 413, 415, 429, 500} {
		answers[strconv.Itoa(refused)] = a.answerOf(reflect.TypeFor[protocolError](), http.StatusText(refused))
	}
	if path == OAuthRegisterPath {
		answers["429"] = a.answerOf(reflect.TypeFor[Problem](), http.StatusText(http.StatusTooManyRequests))
	}
	op := huma.Operation{
		Method: http.MethodPost, Path: path, Summary: summary, Tags: []string{tag}, OperationID: operationID(http.MethodPost, path),
		Description: summary + ". The body is a form, or JSON; a refusal is { error, error_description }, as RFC 6749 and RFC 7591 have it.",
		RequestBody: &huma.RequestBody{Required: true, Content: body}, Responses: answers, Security: []map[string][]string{},
	}
	a.OpenAPI().AddOperation(&op)
	a.huma.Adapter().Handle(&op, func(ctx huma.Context) {
		r, w := humamux.Unwrap(ctx)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Pragma", "no-cache")
		if err := fn(w, r); err != nil {
			refuseProtocol(w, r, err)
		}
	})
}

// refuseProtocol answers a refusal in the protocol's form. Anyone who showed
// themselves by Basic is told so.
func refuseProtocol(w http.ResponseWriter, r *http.Request, err error) {
	var refusal *oauth.Refusal
	if !errors.As(err, &refusal) {
		known := problem(r.Context(), err)
		maps.Copy(w.Header(), known.GetHeaders())
		refusal = oauth.FromRefusal(known.Err)
	}
	if refusal.HTTPStatus() == http.StatusUnauthorized && r.Header.Get("Authorization") != "" {
		w.Header().Set("WWW-Authenticate", `Basic realm="oauth"`)
	}
	writeJSON(w, refusal.HTTPStatus(), protocolError{refusal.Code, refusal.Description})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", applicationJSON)
	w.WriteHeader(status)
	_ = jsonFormat.Marshal(w, body)
}

// revokedAnswer is empty, whether there was such a token or not.
type revokedAnswer struct{}

type tokenParameters struct {
	GrantType    string `json:"grant_type" doc:"authorization_code."`
	Code         string `json:"code"`
	RedirectURI  string `json:"redirect_uri,omitempty" doc:"As at the authorization, when it was sent there."`
	CodeVerifier string `json:"code_verifier" doc:"What the S256 challenge was made of."`
	ClientID     string `json:"client_id,omitempty" doc:"Unless it is in Authorization: Basic."`
	ClientSecret string `json:"client_secret,omitempty" doc:"Of an app that keeps one, unless it is in Authorization: Basic."`
}

type tokenAnswer struct {
	AccessToken string `json:"access_token" doc:"Shown once."`
	TokenType   string `json:"token_type" enum:"Bearer"`
	ExpiresIn   int    `json:"expires_in" doc:"In seconds."`
	Scope       string `json:"scope" doc:"Divided by spaces."`
}

func (a *API) exchangeCode(w http.ResponseWriter, r *http.Request) error {
	sent, client, err := readParameters(r)
	if err != nil {
		return err
	}
	issued, err := a.Resolver.OAuth.Exchange(r.Context(), oauth.TokenRequest{
		Client: client, GrantType: sent.Get("grant_type"), Code: sent.Get("code"), RedirectURI: sent.Get("redirect_uri"),
		CodeVerifier: sent.Get("code_verifier"), Resource: sent["resource"],
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, tokenAnswer{issued.Token, "Bearer", int(issued.ExpiresIn.Seconds()), oauth.JoinScopes(issued.Scopes)})
	return nil
}

type revokeParameters struct {
	Token         string `json:"token"`
	TokenTypeHint string `json:"token_type_hint,omitempty" doc:"Ignored: there is one type."`
	ClientID      string `json:"client_id,omitempty" doc:"Unless it is in Authorization: Basic."`
	ClientSecret  string `json:"client_secret,omitempty" doc:"Of an app that keeps one, unless it is in Authorization: Basic."`
}

func (a *API) revokeToken(w http.ResponseWriter, r *http.Request) error {
	sent, client, err := readParameters(r)
	if err != nil {
		return err
	}
	if err := a.Resolver.OAuth.Revoke(r.Context(), client, sent.Get("token")); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, struct{}{})
	return nil
}

type registeredView struct {
	ClientID                string   `json:"client_id"`
	ClientIDIssuedAt        int64    `json:"client_id_issued_at" doc:"Seconds since 1970."`
	ClientSecret            *string  `json:"client_secret,omitempty" doc:"Shown once."`
	ClientSecretExpiresAt   *int     `json:"client_secret_expires_at,omitempty" doc:"0: never."`
	ClientName              string   `json:"client_name"`
	RedirectURIs            []string `json:"redirect_uris"`
	GrantTypes              []string `json:"grant_types"`
	ResponseTypes           []string `json:"response_types"`
	TokenEndpointAuthMethod string   `json:"token_endpoint_auth_method"`
	Scope                   string   `json:"scope"`
}

func (a *API) registerProgram(w http.ResponseWriter, r *http.Request) error {
	if err := a.Resolver.OAuth.AdmitRegistration(r.Context()); err != nil {
		WriteProblem(w, r, err) // as every limit is answered (contract 1, "Errors")
		return nil
	}
	text, kind, err := readProtocol(r)
	if err != nil {
		return err
	}
	if kind != applicationJSON {
		return oauth.InvalidMetadata("Send application/json")
	}
	var in oauth.Registration
	if err := models.ReadJSON(text, &in); err != nil {
		return oauth.InvalidMetadata("The body is no JSON object of the form of RFC 7591")
	}
	made, err := a.Resolver.OAuth.Register(r.Context(), in)
	if models.HasCode(err, models.CodeRateLimitExceeded) {
		WriteProblem(w, r, err)
		return nil
	}
	if err != nil {
		return err
	}
	view := registeredView{
		ClientID: made.App.ID.String(), ClientIDIssuedAt: made.App.CreatedAt.Unix(), ClientSecret: made.ClientSecret, ClientName: made.App.Name,
		RedirectURIs: made.App.RedirectURIs, GrantTypes: []string{"authorization_code"}, ResponseTypes: []string{"code"},
		TokenEndpointAuthMethod: made.AuthMethod, Scope: oauth.JoinScopes(made.Scopes),
	}
	if made.ClientSecret != nil {
		view.ClientSecretExpiresAt = new(int)
	}
	writeJSON(w, http.StatusCreated, view)
	return nil
}

// readProtocol reads the body of a program and its type. Nothing of such a
// request may stand in the address, which logs and proxies keep.
func readProtocol(r *http.Request) (text []byte, kind string, err error) {
	if r.URL.RawQuery != "" {
		return nil, "", oauth.InvalidRequest("Send the parameters in the body, not in the address")
	}
	if sent := r.Header.Values("Content-Type"); len(sent) == 1 {
		kind, _, err = mime.ParseMediaType(sent[0])
	}
	if err != nil || kind != formEncoded && kind != applicationJSON {
		return nil, "", oauth.InvalidRequest("Send %s or %s", formEncoded, applicationJSON)
	}
	if err := inbound.CheckHeaders(r); err != nil {
		return nil, "", err
	}
	read := inbound.Read
	if kind == applicationJSON {
		read = inbound.ReadJSON
	}
	text, err = read(r, maxProtocolBody)
	return text, kind, err
}

// readParameters reads the parameters of a program and how it shows itself. A
// parameter without a value counts as not sent, a repeated one is refused
// (RFC 6749, 3.2).
func readParameters(r *http.Request) (url.Values, oauth.ClientAuth, error) {
	var client oauth.ClientAuth
	text, kind, err := readProtocol(r)
	if err != nil {
		return nil, client, err
	}
	sent, err := url.Values(nil), error(nil)
	if kind == applicationJSON {
		sent, err = readMembers(text)
	} else {
		sent, err = inbound.ParseForm(text)
	}
	if err != nil {
		return nil, client, err
	}
	for name, values := range sent {
		if len(values) > 1 && name != "resource" {
			return nil, client, oauth.InvalidRequest("A parameter is sent more than once")
		}
		if sent[name] = slices.DeleteFunc(values, func(v string) bool { return v == "" }); len(sent[name]) == 0 {
			delete(sent, name)
		}
	}
	client, err = clientOf(r, sent)
	return sent, client, err
}

// readMembers reads the same parameters from a JSON object of texts.
func readMembers(text []byte) (url.Values, error) {
	var members map[string]any
	if err := models.ReadJSON(text, &members); err != nil || members == nil {
		return nil, oauth.InvalidRequest("The body is no JSON object")
	}
	sent := url.Values{}
	for name, member := range members {
		switch value := member.(type) {
		case string:
			sent.Set(name, value)
		case nil:
		default:
			return nil, oauth.InvalidRequest("The members of the JSON object must be texts")
		}
	}
	return sent, nil
}

// clientOf is how an app shows itself: by Authorization: Basic, or in the body, not both.
func clientOf(r *http.Request, sent url.Values) (oauth.ClientAuth, error) {
	client := oauth.ClientAuth{ID: sent.Get("client_id")}
	if secret := sent.Get("client_secret"); secret != "" {
		client.Secret = &secret
	}
	headers := r.Header.Values("Authorization")
	if len(headers) == 0 {
		return client, nil
	}
	refusal := &oauth.Refusal{Code: "invalid_client", Description: "Authorization must be Basic, with client_id and client_secret", Status: http.StatusUnauthorized}
	scheme, encoded, _ := strings.Cut(headers[0], " ")
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
	id, secret, both := strings.Cut(string(decoded), ":")
	if len(headers) > 1 || !strings.EqualFold(scheme, "Basic") || err != nil || !both {
		return client, refusal
	}
	id, err = url.QueryUnescape(id)
	if err == nil {
		secret, err = url.QueryUnescape(secret)
	}
	if err != nil {
		return client, refusal
	}
	if client.Secret != nil {
		return client, oauth.InvalidRequest("Show the client_secret once: by Authorization or in the body")
	}
	if client.ID != "" && client.ID != id {
		return client, oauth.InvalidRequest("client_id is not the one of Authorization")
	}
	client.ID = id
	if secret != "" {
		client.Secret = &secret
	}
	return client, nil
}

// serverMetadata is RFC 8414: what a program has to know to begin.
func (a *API) serverMetadata() map[string]any {
	return map[string]any{
		"issuer":                                         a.PublicURL,
		"authorization_endpoint":                         a.PublicURL + OAuthAuthorizePath,
		"token_endpoint":                                 a.PublicURL + OAuthTokenPath,
		"revocation_endpoint":                            a.PublicURL + OAuthRevokePath,
		"registration_endpoint":                          a.PublicURL + OAuthRegisterPath,
		"scopes_supported":                               oauth.Scopes,
		"response_types_supported":                       []string{"code"},
		"response_modes_supported":                       []string{"query"},
		"grant_types_supported":                          []string{"authorization_code"}, // there are no refresh tokens
		"code_challenge_methods_supported":               []string{"S256"},
		"token_endpoint_auth_methods_supported":          oauth.AuthMethods,
		"revocation_endpoint_auth_methods_supported":     oauth.AuthMethods,
		"authorization_response_iss_parameter_supported": true,
		"prompt_values_supported":                        []string{"none", "consent"},
		"service_documentation":                          a.PublicURL + "/v1/openapi.json",
	}
}

// resourceMetadata is RFC 9728, of the service by one of its names.
func (a *API) resourceMetadata(resource string) map[string]any {
	return map[string]any{
		"resource": resource, "resource_name": "Atelier", "authorization_servers": []string{a.PublicURL},
		"scopes_supported": oauth.Scopes, "bearer_methods_supported": []string{"header"},
		"resource_documentation": a.PublicURL + "/v1/openapi.json",
	}
}

// ResourceMetadataURL is where the document about one face of the service lies.
func ResourceMetadataURL(publicURL, face string) string {
	origin, base := publicURL, ""
	if u, err := url.Parse(publicURL); err == nil {
		base = strings.TrimSuffix(u.Path, "/")
		origin = u.Scheme + "://" + u.Host
	}
	return origin + resourceMetadataPath + base + face
}

// WellKnown answers the addresses at which programs find out how to begin,
// which are public. The path of an issuer or a resource stands behind them
// (RFC 8414, 3.1; RFC 9728, 3.1).
func WellKnown(publicURL string) http.Handler {
	a := &API{Config: Config{PublicURL: publicURL}}
	base := ""
	if u, err := url.Parse(publicURL); err == nil {
		base = strings.TrimSuffix(u.Path, "/")
	}
	documents := map[string]map[string]any{
		serverMetadataPath: a.serverMetadata(), serverMetadataPath + base: a.serverMetadata(),
		resourceMetadataPath: a.resourceMetadata(publicURL), resourceMetadataPath + base: a.resourceMetadata(publicURL),
	}
	for _, face := range []string{"/v1", "/graphql", "/mcp"} {
		documents[resourceMetadataPath+base+face] = a.resourceMetadata(publicURL + face)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		document := documents[strings.TrimSuffix(r.URL.Path, "/")]
		if document == nil {
			NotFound(w, r)
			return
		}
		w.Header().Set("Cache-Control", "public, max-age=300")
		writeJSON(w, http.StatusOK, document)
	})
}

// WellKnownPath is where WellKnown is served, with everything below.
const WellKnownPath = "/.well-known/oauth-"

// Challenge adds to a refusal on a face for tokens where a program gets one
// (RFC 6750, 3; RFC 9728, 5.1). sent tells whether it showed a credential.
func Challenge(h http.Header, path string, status int, publicURL string, sent bool) {
	if ofProtocol(path) || !strings.HasPrefix(path, "/v1/") && path != "/graphql" {
		return
	}
	words := h.Get("WWW-Authenticate")
	switch {
	case status == http.StatusUnauthorized && words == "":
		words = "Bearer"
		if sent {
			words = `Bearer error="invalid_token",`
		}
	case status == http.StatusForbidden && strings.HasPrefix(words, "Bearer "): // see Problem
		words += ","
	default:
		return
	}
	h.Set("WWW-Authenticate", words+` resource_metadata="`+publicURL+resourceMetadataPath+`"`)
}
