package tests

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"atelier/models/dbtest"
)

// TestIdentityOnReplicas is two replicas on one database: what is used or ended
// at one is used or ended at the other, at once and after a restart.
func TestIdentityOnReplicas(t *testing.T) {
	t.Parallel()
	databaseURL, dataDir := dbtest.NewURL(t), t.TempDir()
	replica := func() *program {
		return startOn(t, databaseURL, dataDir, []string{"serve"}, "TRUSTED_PROXIES=127.0.0.1/32", "LOG_LEVEL=error", "SESSION_KEY=one-session-key-of-all-replicas-here",
			"SERVICE_ENCRYPTION_KEY="+strings.Repeat("A", 43), providerOfSecrets)
	}
	one, two := replica(), replica()
	operator := operatorOf(t, one.URL)

	t.Run("an assertion is used once", func(t *testing.T) {
		assertion := madeAssertion(providerSecret, object{"email": "many@example.com"})
		var mu sync.Mutex
		ended := map[int]int{}
		var all sync.WaitGroup
		for i := range 50 {
			all.Go(func() {
				at := []*program{one, two}[i%2].URL
				r := fetchAs(t, "GET", at+"/v1/sso/school?assertion="+assertion)
				mu.Lock()
				defer mu.Unlock()
				ended[r.StatusCode]++
			})
		}
		all.Wait()
		if ended[http.StatusFound] != 1 || ended[http.StatusUnauthorized] != 49 {
			t.Errorf("50 uses of one assertion: %v", ended)
		}
		two.stop()
		two.start()
		if r := fetchAs(t, "GET", two.URL+"/v1/sso/school?assertion="+assertion); r.StatusCode != http.StatusUnauthorized {
			t.Errorf("after a restart: %d", r.StatusCode)
		}
	})

	t.Run("a one-time token is used once", func(t *testing.T) {
		token, _ := ssoToken(t, one.URL, object{"email": "once@example.com"})
		var mu sync.Mutex
		worked := 0
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				at := client{t: t, URL: []*program{one, two}[i%2].URL}.sending("X-Forwarded-For", fmt.Sprint("198.51.100.", i%8+1))
				r := at.post("/auth/sso/exchange", object{"ssoToken": token})
				mu.Lock()
				defer mu.Unlock()
				if r.Status == 200 {
					worked++
				}
			})
		}
		all.Wait()
		if worked != 1 {
			t.Errorf("one token began %d sessions", worked)
		}
	})

	t.Run("the limit of exchanges is shared", func(t *testing.T) {
		limited := 0
		for i := range 24 {
			at := client{t: t, URL: []*program{one, two}[i%2].URL}.sending("X-Forwarded-For", "198.51.100.77")
			if r := at.post("/auth/sso/exchange", object{"ssoToken": "nonsense"}); r.Status == 429 && r.Header.Get("Retry-After") != "" {
				limited++
			}
		}
		if limited != 4 {
			t.Errorf("%d of 24 exchanges were refused, want 4", limited)
		}
	})

	// Each of these ends at one what is then tried at the other.
	for name, end := range map[string]func(t *testing.T, p person){
		"signing out": func(t *testing.T, p person) { p.on(t).post("/auth/sign-out", nil).want(200) },
		"being signed out": func(t *testing.T, p person) {
			operator.graphql(`mutation($id: ID!) { endSessionsOf(id: $id) { id } }`, object{"id": p.id})
		},
		"banning": func(t *testing.T, p person) {
			operator.graphql(`mutation($id: ID!) { banUser(id: $id) { id } }`, object{"id": p.id})
		},
		"deleting": func(t *testing.T, p person) {
			operator.graphql(`mutation($id: ID!) { deleteUser(id: $id) { id } }`, object{"id": p.id})
		},
		"revoking the token": func(t *testing.T, p person) {
			p.on(t).do("DELETE", "/v1/api-tokens/"+p.on(t).get("/v1/api-tokens").text("data.0.id"), nil).want(200)
		},
		"taking the app back": func(t *testing.T, p person) {
			p.on(t).graphql(`mutation($id: ID!) { revokeConnectedApp(id: $id) }`, object{"id": p.on(t).graphql(`{ connectedApps { id } }`, nil).text("data.connectedApps.0.id")})
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPerson(t, one.URL, "Ends")
			there := client{t: t, URL: two.URL}
			credentials := map[string]client{
				"session": there.with(p.token),
				"token":   there.with(p.on(t).post("/v1/api-tokens", object{"name": "one"}).want(201).text("token")),
				"app":     there.with(tokenOfApp(t, p.on(t), "jobs:read")),
			}
			for what, credential := range credentials {
				if r := credential.get("/v1/me"); r.Status != 200 {
					t.Fatalf("the %s before: %d", what, r.Status)
				}
			}
			end(t, p)
			dead := map[string][]string{
				"signing out": {"session"}, "being signed out": {"session"}, "banning": {"session", "token", "app"}, "deleting": {"session", "token", "app"},
				"revoking the token": {"token"}, "taking the app back": {"app"},
			}[name]
			for what, credential := range credentials {
				want := 200
				for _, d := range dead {
					if d == what {
						want = 401
					}
				}
				if r := credential.get("/v1/me"); r.Status != want {
					t.Errorf("the %s afterwards: %d, want %d", what, r.Status, want)
				}
			}
		})
	}
}
