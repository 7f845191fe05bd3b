package tests

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/pquerna/otp/totp"
)

// The identity provider of these tests.
const (
	providerSecret    = "what-only-the-provider-and-we-know"
	providerOfSecrets = `EXTERNAL_SSO_PROVIDERS=[{"id":"school","label":"School","kind":"assertion","secret":"` + providerSecret + `","audience":"atelier","initiateUrl":"https://idp.example/start","initiateUrlByHost":{"inside.example":"https://hidden.example/start"}}]`
)

// madeAssertion is an assertion as a provider signs it; claims lie over the usual ones.
func madeAssertion(secret string, claims object) string {
	now := time.Now().Unix()
	all := object{"aud": "atelier", "iat": now, "exp": now + 200, "jti": uuid.NewString(), "sub": uuid.NewString(), "email_verified": true}
	for name, value := range claims {
		all[name] = value
	}
	body, _ := json.Marshal(all)
	signed := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + base64.RawURLEncoding.EncodeToString(body)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(signed))
	return signed + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// fetchAs is a request as a browser or a link scanner makes it, without following redirects.
func fetchAs(t testing.TB, method, address string, cookies ...*http.Cookie) *http.Response {
	t.Helper()
	request, err := http.NewRequest(method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Referer", address)
	for _, cookie := range cookies {
		request.AddCookie(cookie)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	readAll(response.Body)
	response.Body.Close()
	return response
}

// ssoToken is the one-time token of a sign-in that began at the provider.
func ssoToken(t testing.TB, at string, claims object) (token, assertion string) {
	t.Helper()
	assertion = madeAssertion(providerSecret, claims)
	r := fetchAs(t, "GET", at+"/v1/sso/school?assertion="+assertion)
	location, err := url.Parse(r.Header.Get("Location"))
	if err != nil || location.Path != "/sso" || location.Query().Get("sso_token") == "" {
		t.Fatalf("the assertion leads to %q: %d", r.Header.Get("Location"), r.StatusCode)
	}
	return location.Query().Get("sso_token"), assertion
}

// closely fails unless an answer keeps its address from other sites and from caches.
func closely(t *testing.T, r *http.Response) {
	t.Helper()
	if policy := r.Header.Get("Referrer-Policy"); policy != "no-referrer" && policy != "same-origin" {
		t.Errorf("%s tells its address to others: %q", r.Request.URL.Path, policy)
	}
	if !strings.Contains(r.Header.Get("Cache-Control"), "no-store") {
		t.Errorf("%s is kept by caches: %q", r.Request.URL.Path, r.Header.Get("Cache-Control"))
	}
}

// issueSignInSecrets signs in through the provider, with what goes wrong on the way, and makes links.
func issueSignInSecrets(s *stage, keep func(what, secret string) string) {
	t := s.t.(*testing.T)
	t.Helper()
	keep("the provider's secret", providerSecret)
	keep("an address that is shown to nobody", "hidden.example")
	forged := keep("a forged assertion", madeAssertion("another secret of somebody", object{"email": "forged@example.com"}))
	closely(t, fetchAs(t, "GET", s.visitor.URL+"/v1/sso/school?assertion="+forged))
	token, assertion := ssoToken(t, s.visitor.URL, object{"email": "pupil-of-school@example.com"})
	keep("an assertion", assertion)
	keep("a one-time token", token)
	for _, method := range []string{"HEAD", "GET", "GET"} { // scanners of links look first, and use nothing up
		closely(t, fetchAs(t, method, s.visitor.URL+"/sso?sso_token="+token))
	}
	closely(t, fetchAs(t, "GET", s.visitor.URL+"/v1/sso/school?assertion="+assertion)) // replayed
	signedIn := s.visitor.post("/auth/sso/exchange", object{"ssoToken": token}).want(200)
	keep("a session through the provider", signedIn.text("data.token"))
	s.visitor.post("/auth/sso/exchange", object{"ssoToken": token}).wantError(401, "unauthorized")

	made := s.operator.graphql(`mutation($id: ID!) { createResetLink(id: $id) { url } }`, object{"id": s.rival.id}).text("data.createResetLink.url")
	link, err := url.Parse(made)
	if err != nil {
		t.Fatal(err)
	}
	keep("a link for a new password", link.Query().Get("token"))
	closely(t, fetchAs(t, "GET", s.visitor.URL+link.RequestURI()))
	key := keep("a credential's key", "key-of-a-credential-"+uuid.NewString())
	s.owner.sending("Idempotency-Key", "key").post("/v1/credentials", object{"name": "Leaky", "headerName": "X-Key", "key": key, "kind": "plain"}).want(201)
}

// issueAppSecrets takes an app through the whole of OAuth.
func issueAppSecrets(s *stage, keep func(what, secret string) string) {
	t := s.t.(*testing.T)
	t.Helper()
	developer, person := s.owner.client, s.pupil.client
	const back = "https://app.example/back"
	app := developer.sending("Idempotency-Key", "app").post("/v1/oauth/apps", object{"name": "Leaky", "redirectUris": []string{back}}).want(201)
	keep("an app's first secret", app.text("clientSecret"))
	id := app.text("data.id")
	secret := keep("an app's secret", developer.graphql(`mutation($id: ID!) { rotateOAuthAppSecret(id: $id) { clientSecret } }`, object{"id": id}).text("data.rotateOAuthAppSecret.clientSecret"))
	verifier := keep("a verifier", strings.Repeat("v3rifier", 8))
	hashed := sha256.Sum256([]byte(verifier))
	state := keep("a state", "state-of-"+uuid.NewString())
	asked := object{
		"clientId": id, "redirectUri": back, "responseType": "code", "scope": "jobs:read", "state": state,
		"codeChallenge": base64.RawURLEncoding.EncodeToString(hashed[:]), "codeChallengeMethod": "S256",
	}
	page := url.Values{
		"client_id": {id}, "redirect_uri": {back}, "response_type": {"code"}, "scope": {"jobs:read"}, "state": {state},
		"code_challenge": {asked["codeChallenge"].(string)}, "code_challenge_method": {"S256"},
	}
	closely(t, fetchAs(t, "GET", s.visitor.URL+"/oauth/authorize?"+page.Encode(), &http.Cookie{Name: "atelier_session", Value: person.token}))
	answer, err := url.Parse(person.graphql(`mutation($in: AuthorizationInput!) { approveAuthorization(input: $in) }`, object{"in": asked}).text("data.approveAuthorization"))
	if err != nil {
		t.Fatal(err)
	}
	code := keep("a code", answer.Query().Get("code"))
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {back}, "client_id": {id}, "client_secret": {secret}, "code_verifier": {verifier}}
	exchange := func() *reply {
		return s.visitor.sending("Content-Type", "application/x-www-form-urlencoded").sending("Idempotency-Key", "exchange").post("/v1/oauth/token", form.Encode())
	}
	token := keep("an app's token", exchange().want(200).text("access_token"))
	s.visitor.with(token).get("/v1/me").want(200)
	if again := exchange(); again.Status != 400 || again.text("error") != "invalid_grant" {
		t.Errorf("a code works twice: %d %s", again.Status, again.Body)
	}
	s.visitor.with(token).get("/v1/me").wantError(401, "unauthorized") // its replay ended what it gave
}

// tokenOfApp is an access token that a person gives an app of their own.
func tokenOfApp(t testing.TB, person client, scope string) string {
	t.Helper()
	const back, verifier = "https://app.example/back", "a-verifier-that-is-as-long-as-verifiers-have-to-be"
	app := person.post("/v1/oauth/apps", object{"name": "Own", "redirectUris": []string{back}}).want(201)
	hashed := sha256.Sum256([]byte(verifier))
	asked := object{
		"clientId": app.text("data.id"), "redirectUri": back, "responseType": "code", "scope": scope,
		"codeChallenge": base64.RawURLEncoding.EncodeToString(hashed[:]), "codeChallengeMethod": "S256",
	}
	answer, err := url.Parse(person.graphql(`mutation($in: AuthorizationInput!) { approveAuthorization(input: $in) }`, object{"in": asked}).text("data.approveAuthorization"))
	if err != nil {
		t.Fatal(err)
	}
	visitor := person.with("")
	return visitor.post("/v1/oauth/token", object{
		"grant_type": "authorization_code", "code": answer.Query().Get("code"), "redirect_uri": back,
		"client_id": app.text("data.id"), "client_secret": app.text("clientSecret"), "code_verifier": verifier,
	}).want(200).text("access_token")
}

// issueSecondFactors guards an account, signs in to it in two steps, and tries wrong codes.
func issueSecondFactors(s *stage, keep func(what, secret string) string) {
	t := s.t.(*testing.T)
	t.Helper()
	guarded := newPerson(t, s.visitor.URL, "Guarded")
	secret := guarded.graphql(`mutation { beginTotp { secret uri } }`, nil).text("data.beginTotp.secret")
	keep("the secret of an authenticator app", secret)
	code, err := totp.GenerateCode(secret, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	codes := guarded.graphql(`mutation($code: String!) { confirmTotp(code: $code) }`, object{"code": code}).list("data.confirmTotp")
	if len(codes) < 5 {
		t.Fatalf("%d recovery codes", len(codes))
	}
	for _, recovery := range codes {
		keep("the recovery code "+recovery.(string)[:2], recovery.(string))
	}
	step := func() string {
		return s.visitor.post("/auth/sign-in", object{"email": guarded.email, "password": password}).wantError(401, "second_factor_required").text("error.secondFactorToken")
	}
	waiting := keep("the token of a second step", step())
	s.visitor.post("/auth/second-factor", object{"secondFactorToken": waiting, "code": "wrong-code-of-somebody"})
	used := s.visitor.post("/auth/second-factor", object{"secondFactorToken": waiting, "code": codes[0]}).want(200)
	keep("a session of two steps", used.text("data.token"))
	s.visitor.post("/auth/second-factor", object{"secondFactorToken": waiting, "code": codes[1]}).wantError(401, "unauthorized")
	keep("a second step that waits", step())
}
