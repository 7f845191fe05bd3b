package developer

import (
	"cmp"
	"net/http"
	"strings"

	"atelier/web/frame"

	"github.com/a-h/templ"
)

// QuickStart shows the first calls. ?app= names the app that they run.
func (p Pages) QuickStart(w http.ResponseWriter, r *http.Request) error {
	app := cmp.Or(appName(r.URL.Query().Get("app")), frame.SampleApp)
	return p.show(w, r, t(r.Context(), "For developers"), func(signedIn bool) templ.Component {
		return quickStartContent(app, p.Config.PublicURL, signedIn)
	})
}

// appName is what a person typed or pasted as an app: the last part of its address.
func appName(typed string) string {
	typed = strings.TrimSuffix(strings.TrimSpace(typed), "/")
	typed = typed[strings.LastIndex(typed, "/")+1:]
	for _, r := range typed {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
			return ""
		}
	}
	if len(typed) > 100 {
		return ""
	}
	return typed
}

// OAuth says how an app acts for people.
func (p Pages) OAuth(w http.ResponseWriter, r *http.Request) error {
	return p.show(w, r, "OAuth", always(oauthContent(p.Config.PublicURL)))
}

// scopes are what an app can ask for.
var scopes = []struct{ Name, Allows string }{
	{"workflows:execute", mark("Workflows, apps and uploads, and running them.")},
	{"jobs:read", mark("The jobs and runs that the app itself started, and its webhook endpoints.")},
	{"workspaces:read", mark("Seeing organizations and workspaces.")},
	{"workspaces:write", mark("Changing organizations and workspaces, as far as the person may.")},
}

func registerCommand(base string) string {
	return "curl -X POST " + base + "/v1/oauth/register -H 'Content-Type: application/json' \\\n  -d '" +
		`{"client_name": "Poster wall", "redirect_uris": ["http://127.0.0.1/back"], "token_endpoint_auth_method": "none", "scope": "jobs:read"}` + "'"
}

func consentAddress(base string) string {
	return base + "/oauth/authorize?response_type=code&client_id=<client id>\n  &redirect_uri=<one of the registered addresses>" +
		"&scope=workflows:execute%20jobs:read\n  &state=<random>&code_challenge=<BASE64URL(SHA256(verifier))>&code_challenge_method=S256"
}

func exchangeCommand(base string) string {
	return "curl -X POST " + base + "/v1/oauth/token -u \"$CLIENT_ID:$CLIENT_SECRET\" \\\n  -d grant_type=authorization_code -d code=$CODE \\\n" +
		"  -d redirect_uri=<the same address> -d code_verifier=$VERIFIER"
}
