package oauth

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestRedirectURIs(t *testing.T) {
	for _, uri := range []string{
		"https://app.example/back", "https://app.example", "https://app.example:8443/back?tenant=1&x=", "https://app.example/back?",
		"https://APP.example/a%2Fb", "https://192.0.2.1/back", "https://[2001:db8::1]:444/back", "https://xn--bcher-kva.example/",
		"http://localhost/back", "http://localhost:3000/", "http://127.0.0.1/back", "http://127.0.0.1:80", "http://[::1]:1/back", "http://127.8.9.1/x",
		"com.example.app:/back", "com.example.app://back", "com.example-app.x:back",
		"cursor://anysphere.cursor-mcp/oauth/callback", "vscode://vscode.microsoft-authentication", "vscode-insiders:/back",
		"https://app.example/" + strings.Repeat("x", maxRedirectURI-len("https://app.example/")),
	} {
		if err := checkRedirectURI(uri); err != nil {
			t.Errorf("%s: %v", uri, err)
		}
	}
	for _, uri := range []string{
		"", "/back", "app.example/back", "//app.example/back", "https:", "https:/back", "https:///back", "https:app.example", "https://:443/",
		"http://app.example/back", "http://localhost.evil.example/", "http://127.0.0.1.evil.example/", "http://0.0.0.0/", "http://10.0.0.1/", "http://[::]/", "http://[fe80::1%25lo]/",
		"http://127.1/", "http://0x7f.0.0.1/", "http://2130706433/",
		"javascript:alert(1)", "javascript.x", "JavaScript:alert(1)", "data:text/html,x", "blob:https://app.example/x", "file:///etc/passwd", "about:blank", "vbscript:x",
		"ftp://app.example/", "ws://app.example/", "mailto:a@b.example", "intent://x", "app:/back", "myapp://back", "Cursor://x", "cursors://x", "vscode-insider:/x", "urn:ietf:wg:oauth:2.0:oob",
		"HTTPS://app.example/", "Http://127.0.0.1/", "Com.Example.App:/back", ".example:/x", "com.:/x", "com..example:/x",
		"https://app.example/back#", "https://app.example/back#x", "https://user@app.example/", "https://user:secret@app.example/", "https://@app.example/",
		"https://*.example/back", "https://app.example/*", "https://app.example\\@evil.example/", "https://app.example/back\n", " https://app.example/", "https://app.example /",
		"https://app.example\t/", "https://äpp.example/", "https://app.example/ä", "https://app.example/\x00", "https://app.example:0/", "https://app.example:65536/", "https://app.example:080/",
		"https://app.example:/", "https://app.example:x/", "https://-app.example/", "https://app-.example/", "https://app..example/", "https://app.example./", "https://%61pp.example/",
		"https://app.example/back?code=x", "https://app.example/back?state", "https://app.example/back?iss=x", "https://app.example/back?error=x", "https://app.example/?a;b", "https://app.example/%zz",
		"https://[::1/", "https://[::1]x/", "https://[127.0.0.1]/", "com.example.app://user@host/", "com.example.app:/back#x",
		"https://app.example/" + strings.Repeat("x", maxRedirectURI),
	} {
		if checkRedirectURI(uri) == nil {
			t.Errorf("%q is accepted", uri)
		}
	}
}

func TestRedirectMatching(t *testing.T) {
	for _, c := range []struct {
		registered, asked string
		want              bool
	}{
		{"https://app.example/back", "https://app.example/back", true},
		{"https://app.example/back", "https://app.example/back/", false},
		{"https://app.example/back", "https://app.example/Back", false},
		{"https://app.example/back", "https://APP.example/back", false},
		{"https://app.example/back", "https://app.example:443/back", false},
		{"https://app.example/back", "https://app.example/back?x=1", false},
		{"https://app.example/back", "https://app.example/back/../other", false},
		{"https://app.example/back", "https://app.example/bac%6b", false},
		{"https://app.example/back", "https://app.example.evil.example/back", false},
		{"http://127.0.0.1/back", "http://127.0.0.1:51234/back", true},
		{"http://127.0.0.1:1/back", "http://127.0.0.1/back", true},
		{"http://127.0.0.1:1/back?a=1", "http://127.0.0.1:2/back?a=1", true},
		{"http://[::1]/back", "http://[::1]:51234/back", true},
		{"http://127.0.0.1/back", "http://127.0.0.1:51234/other", false},
		{"http://127.0.0.1/back", "http://127.0.0.1:51234/back?x=1", false},
		{"http://127.0.0.1/back", "http://[::1]:51234/back", false},
		{"http://127.0.0.1/back", "http://127.0.0.2:51234/back", false},
		{"http://127.0.0.1/back", "http://localhost:51234/back", false},
		{"http://127.0.0.1/back", "https://127.0.0.1:51234/back", false},
		{"http://127.0.0.1/back", "http://127.0.0.1:5@evil.example/back", false},
		{"http://127.0.0.1/back", "http://127.0.0.1:5.evil.example/back", false},
		{"http://127.0.0.1/back", "http://127.0.0.1:/back", false},
		{"http://127.0.0.1/back", "http://127.0.0.1:99999/back", false},
		{"http://localhost:1/back", "http://localhost:2/back", false},
		{"https://127.0.0.1:1/back", "https://127.0.0.1:2/back", false},
		{"com.example.app:/back", "com.example.app:/back", true},
		{"com.example.app:/back", "com.example.app:/other", false},
	} {
		if got := matchRedirect(c.registered, c.asked); got != c.want {
			t.Errorf("%s for %s: %v", c.asked, c.registered, got)
		}
	}
}

// FuzzRedirect looks for a redirect URI that leads elsewhere than it says: what is
// accepted keeps its host when the answer stands behind it, and what matches has
// the registered one's scheme, host and path.
func FuzzRedirect(f *testing.F) {
	for _, uri := range []string{"https://app.example/back?a=1", "http://127.0.0.1:8080/back", "http://[::1]/", "com.example.app:/x", "https://a@b", "http://127.0.0.1:1@x/", "javascript:alert(1)"} {
		f.Add(uri, "http://127.0.0.1:9/back")
		f.Add("http://127.0.0.1/back", uri)
	}
	f.Fuzz(func(t *testing.T, registered, asked string) {
		if checkRedirectURI(registered) != nil {
			return
		}
		before, err := url.Parse(registered)
		if err != nil {
			t.Fatal(err)
		}
		after, err := url.Parse(answer(registered, "code", "a&b#c", "state", "\r\nx", "iss", "https://atelier.example"))
		if err != nil || after.Scheme != before.Scheme || after.Host != before.Host || after.User != nil || after.Fragment != "" {
			t.Fatalf("%q becomes %v (%v)", registered, after, err)
		}
		if before.Opaque == "" && (after.Query().Get("code") != "a&b#c" || after.Query().Get("state") != "\r\nx") {
			t.Fatalf("the answer cannot be read from %s", after)
		}
		switch before.Scheme {
		case "https":
		case "http":
			if !loopback(before.Hostname()) {
				t.Fatalf("%q is http elsewhere", registered)
			}
		default:
			if !strings.Contains(before.Scheme, ".") && !slices.Contains(agentSchemes, before.Scheme) {
				t.Fatalf("%q has the scheme of something else", registered)
			}
		}
		if !matchRedirect(registered, asked) || registered == asked {
			return
		}
		other, err := url.Parse(asked)
		if err != nil || other.Scheme != "http" || other.Hostname() != before.Hostname() || other.RequestURI() != before.RequestURI() || other.User != nil || other.Fragment != "" || !loopback(other.Hostname()) {
			t.Fatalf("%q passes for %q", asked, registered)
		}
	})
}

func TestOrigins(t *testing.T) {
	for text, want := range map[string]string{
		"https://app.example": "https://app.example", "HTTPS://App.Example:443": "https://app.example", "https://app.example:8443": "https://app.example:8443",
		"http://localhost:3000": "http://localhost:3000", "http://127.0.0.1:80": "http://127.0.0.1", "http://[::1]:3000": "http://[::1]:3000", "https://[2001:DB8:0::1]": "https://[2001:db8::1]",
		"null": "", "*": "", "https://*": "", "https://*.app.example": "", "http://app.example": "", "https://app.example/": "", "https://app.example/x": "", "https://app.example?x": "", "https://app.example#": "",
		"https://u@app.example": "", "app.example": "", "https://": "", "https://app.example:0": "", "https://app.example:": "", "ftp://app.example": "", "chrome-extension://abc": "", "https://äpp.example": "", "": "", "https://app.example ": "",
	} {
		if got, ok := cleanOrigin(text); ok != (want != "") || ok && got != want {
			t.Errorf("%q becomes %q (%v), not %q", text, got, ok, want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"Posters", " Poster maker 2 ", "Плакаты", "ポスター", "Café – Über"} {
		if _, err := cleanName("name", name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"", " ", "...", "a\u202eb", "a\u2066b", "a\u200bb", "a\u00adb", "a\nb", "a\x00b", "a\u2028b", "\u3164", "a\u3164", "\ufeffa", "a\u00a0b", "a\ue000", "\U000e0041a", strings.Repeat("x", 101), "a\xff"} {
		if clean, err := cleanName("name", name); err == nil {
			t.Errorf("%q is the name %q", name, clean)
		}
	}
}

// TestScopesInAnyOrder reads lists of scopes as sets.
func TestScopesInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		picked := rapid.SliceOf(rapid.SampledFrom(Scopes)).Draw(t, "picked")
		odd := rapid.SampledFrom([]string{"", "admin", "jobs:READ", "jobs:read,workspaces:read", "*"}).Draw(t, "odd")
		text := strings.Join(append(column(picked), odd), " ")
		scopes, known := readScopes(text)
		if known != (odd == "") {
			t.Fatalf("%q: %v", text, known)
		}
		if !known {
			return
		}
		if !covers(scopes, picked) || !covers(picked, scopes) {
			t.Fatalf("%q becomes %v", text, scopes)
		}
		again, _ := readScopes(JoinScopes(scopes))
		if JoinScopes(again) != JoinScopes(scopes) {
			t.Fatalf("%v becomes %v", scopes, again)
		}
	})
}

// FuzzRegistration registers whatever comes: what is accepted shows itself as it is.
func FuzzRegistration(f *testing.F) {
	f.Add("Posters", "https://app.example/back", "none", "jobs:read")
	f.Add("a\u202eb", "http://127.0.0.1/", "client_secret_post", "")
	f.Fuzz(func(t *testing.T, name, uri, method, scope string) {
		app, accepted, err := readRegistration(Registration{RedirectURIs: []string{uri}, ClientName: &name, TokenEndpointAuthMethod: &method, Scope: &scope})
		if err != nil {
			if _, ok := err.(*Refusal); !ok {
				t.Fatalf("%v is no refusal of the protocol", err)
			}
			return
		}
		if !utf8.ValidString(app.Name) || app.Name == "" || strings.ContainsAny(app.Name, "\u202e\u2066\x00\n") || app.RedirectURIs[0] != uri || slices.Contains(AuthMethods, method) && accepted != method {
			t.Fatalf("registered %+v", app)
		}
	})
}

// TestRegistrationDropsWhatItDoesNotKnow registers a program that offers a method and
// asks for scopes of other services.
func TestRegistrationDropsWhatItDoesNotKnow(t *testing.T) {
	method, scope := "private_key_jwt", "openid jobs:read offline_access"
	app, accepted, err := readRegistration(Registration{
		RedirectURIs: []string{"http://127.0.0.1/back"}, TokenEndpointAuthMethod: &method, Scope: &scope,
		GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code", "code id_token"},
	})
	if err != nil || accepted != authBasic || JoinScopes(scopesOf(app.Scopes)) != "jobs:read" {
		t.Fatalf("registered %+v by %q: %v", app, accepted, err)
	}
}
