package tests

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// oidcProvider is npm's certified oidc-provider on loopback, which signs
// everyone in at once as the person whom the test chose.
type oidcProvider struct {
	t      testing.TB
	id     string
	issuer string
	stop   func()
}

const oidcSecret = "a client's secret: with %odd+ characters"

// startOIDC starts a provider; settings are those of testdata/oidc/provider.mjs.
func startOIDC(t testing.TB, id string, settings object) *oidcProvider {
	t.Helper()
	all := object{"clientId": "atelier " + id, "clientSecret": oidcSecret, "person": object{"sub": "nobody"}}
	for name, value := range settings {
		all[name] = value
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "--no-warnings", "testdata/oidc/provider.mjs")
	cmd.Env = append(os.Environ(), "PROVIDER="+string(text))
	cmd.Stderr = new(bytes.Buffer)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatalf("node does not start, scripts/setup test installs it: %v", err)
	}
	p := &oidcProvider{t: t, id: id}
	ended := make(chan struct{})
	p.stop = func() {
		_ = in.Close()
		_ = cmd.Process.Kill()
		<-ended
	}
	said := bufio.NewScanner(out)
	issuer := make(chan string, 1)
	go func() {
		defer close(ended)
		for said.Scan() {
			if address, ok := strings.CutPrefix(said.Text(), "issuer "); ok {
				issuer <- address
			}
		}
		_ = cmd.Wait()
	}()
	t.Cleanup(p.stop)
	select {
	case p.issuer = <-issuer:
	case <-ended:
		t.Fatalf("the provider ended: %s", cmd.Stderr)
	case <-time.After(2 * time.Minute):
		t.Fatalf("the provider does not start: %s", cmd.Stderr)
	}
	return p
}

// tell changes what the provider does.
func (p *oidcProvider) tell(what object) {
	p.t.Helper()
	base := p.issuer
	if at := strings.Index(base[len("http://"):], "/"); at >= 0 {
		base = base[:len("http://")+at]
	}
	body, _ := json.Marshal(what)
	response, err := http.Post(base+"/test", "application/json", bytes.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 200 {
		p.t.Fatalf("the provider answers %s", response.Status)
	}
}

// is says who is signed in at the provider next.
func (p *oidcProvider) is(sub, email string, verified any) {
	p.t.Helper()
	person := object{"sub": sub, "name": "Ada " + sub}
	if email != "" {
		person["email"] = email
	}
	if verified != nil {
		person["email_verified"] = verified
	}
	p.tell(object{"person": person})
}

// oidcSettings is OIDC_PROVIDERS with these providers.
func oidcSettings(providers ...*oidcProvider) string {
	var list []object
	for _, p := range providers {
		list = append(list, object{"id": p.id, "label": "Sign in with " + p.id, "issuer": p.issuer, "clientId": "atelier " + p.id, "clientSecret": oidcSecret})
	}
	text, _ := json.Marshal(list)
	return "OIDC_PROVIDERS=" + string(text)
}

// knows tells providers where the service is reached.
func (h *testServer) knows(providers ...*oidcProvider) {
	for _, p := range providers {
		p.tell(object{"redirectUris": []string{fmt.Sprintf("%s/auth/oidc/%s/callback", h.server.URL, p.id)}})
	}
}

// surfer is a browser without a window or scripts: cookies, and redirects one by one.
type surfer struct {
	t    testing.TB
	base string
	http *http.Client
	// accept is what kind of answer it wants.
	accept string
}

func (h *testServer) surfer() *surfer {
	jar, _ := cookiejar.New(nil)
	return &surfer{t: h.b, base: h.server.URL, accept: "application/json", http: &http.Client{
		Jar: jar, Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// get asks for one address, of the service where it is a path.
func (s *surfer) get(address string) *reply {
	s.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = s.base + address
	}
	request, err := http.NewRequest("GET", address, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Accept", s.accept)
	response, err := s.http.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	r := &reply{t: s.t, what: "GET " + address, Status: response.StatusCode, Header: response.Header, Body: readAll(response.Body)}
	_ = json.Unmarshal(r.Body, &r.JSON)
	return r
}

// callback begins a sign-in and goes through the provider: the address that it sends the browser back to.
func (s *surfer) callback(id, next string) string {
	s.t.Helper()
	address := "/auth/oidc/" + id + next
	for range 12 {
		r := s.get(address)
		to := r.Header.Get("Location")
		if to == "" {
			s.t.Fatalf("%s: %d %s", r.what, r.Status, r.Body)
		}
		if strings.HasPrefix(to, "/") && !strings.HasPrefix(address, "/") { // of the provider
			parts := strings.SplitN(address, "/", 4)
			to = strings.Join(parts[:3], "/") + to
		}
		if strings.HasPrefix(to, s.base+"/auth/oidc/"+id+"/callback?") {
			return to
		}
		address = to
	}
	s.t.Fatal("it goes round in circles")
	return ""
}

// account is who is signed in, by their address; empty for no one.
func (s *surfer) account() string {
	s.t.Helper()
	response, err := s.http.Post(s.base+"/graphql", "application/json", strings.NewReader(`{"query":"{ me { email } }"}`))
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct {
		Data struct{ Me *struct{ Email string } }
	}
	_ = json.Unmarshal(readAll(response.Body), &answer)
	if answer.Data.Me == nil {
		return ""
	}
	return answer.Data.Me.Email
}
