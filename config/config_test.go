package config

import (
	"bytes"
	"encoding/base64"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"atelier/models"
)

func lookupIn(env map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { value, ok := env[name]; return value, ok }
}

func mustLoad(t *testing.T, env map[string]string) Config {
	t.Helper()
	c, err := Load(lookupIn(env))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConfigDefaults(t *testing.T) {
	c := mustLoad(t, map[string]string{"METRICS_ADDR": ""})
	if c.ListenAddr != "127.0.0.1:8080" || c.PublicURL != "http://localhost:8080" || c.DatabaseURL != "" {
		t.Errorf("addresses: %+v", c)
	}
	if !filepath.IsAbs(c.DataDir) || filepath.Base(c.DataDir) != "data" {
		t.Errorf("DataDir = %q", c.DataDir)
	}
	if c.Edition != EditionHosted || !c.Organizations || c.OrgAutoApprove || c.SignUp != SignUpOpen {
		t.Errorf("edition: %+v", c)
	}
	if c.SignupCredits != 100*models.Credit || c.SSOLinkExisting || c.SMTPURL != nil || c.Payments != PaymentsManual {
		t.Errorf("accounts: %+v", c)
	}
	if want := []time.Duration{30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour,
		12 * time.Hour, 24 * time.Hour}; !reflect.DeepEqual(c.DeliveryBackoff, want) {
		t.Errorf("DeliveryBackoff = %v", c.DeliveryBackoff)
	}
	if c.DeliveryRest != [2]time.Duration{time.Minute, time.Hour} || c.LogLevel != slog.LevelInfo || c.LogFormat != "text" {
		t.Errorf("rest and logs: %+v", c)
	}
	if !reflect.DeepEqual(c.SurfaceProfile, SurfaceProfile{Methods: []string{MethodEmail}}) || len(c.Warnings) != 0 {
		t.Errorf("profile %+v, warnings %v", c.SurfaceProfile, c.Warnings)
	}
	ids := []string{}
	for _, pack := range c.CreditPacks {
		ids = append(ids, pack.ID)
	}
	if got := strings.Join(ids, " "); got != "small medium large" {
		t.Errorf("packs %q", got)
	}
}

func TestConfigValues(t *testing.T) {
	key := make([]byte, 32)
	key[0] = 0xfb // writes + or - depending on the alphabet
	c := mustLoad(t, map[string]string{
		"PUBLIC_URL":                 "https://studio.example/",
		"SERVICE_ENCRYPTION_KEY":     base64.RawURLEncoding.EncodeToString(key) + " , " + base64.StdEncoding.EncodeToString(make([]byte, 32)),
		"PLATFORM_OWNER_EMAIL":       "own@example.com",
		"PLATFORM_OPERATOR_EMAILS":   " A@Example.com, b@bücher.example ,",
		"EGRESS_ALLOW_CIDRS":         "127.0.0.1/32, ::1, 10.1.2.3/8",
		"EXTERNAL_SSO_LINK_EXISTING": "TRUE",
		"SMTP_URL":                   "smtp://u:p@mail.example:587",
		"MAIL_FROM":                  "Atelier <hello@example.com>",
		"DELIVERY_BACKOFF":           "100ms,0s",
		"LOG_LEVEL":                  "warn",
		"SIGNUP_CREDITS":             "2.5",
	})
	if c.PublicURL != "https://studio.example" || c.SignupCredits != 2500 || !c.SSOLinkExisting {
		t.Errorf("%+v", c)
	}
	if len(c.EncryptionKeys) != 2 || !bytes.Equal(c.EncryptionKeys[0], key) {
		t.Errorf("keys: %x", c.EncryptionKeys)
	}
	if got := strings.Join(c.OperatorEmails, " "); got != "a@example.com b@xn--bcher-kva.example" {
		t.Errorf("operators %q", got)
	}
	if len(c.EgressAllow) != 3 || c.EgressAllow[1].String() != "::1/128" || c.EgressAllow[2].String() != "10.0.0.0/8" {
		t.Errorf("egress %v", c.EgressAllow)
	}
	if c.SMTPURL.Host != "mail.example:587" || c.LogLevel != slog.LevelWarn || len(c.DeliveryBackoff) != 2 {
		t.Errorf("%+v", c)
	}
	owner := mustLoad(t, map[string]string{"PLATFORM_OWNER_EMAIL": "own@example.com"})
	if len(owner.OperatorEmails) != 1 || owner.OperatorEmails[0] != "own@example.com" {
		t.Errorf("owner: %v", owner.OperatorEmails)
	}
}

// Browsers write an origin in one way, whatever the variable says.
func TestPublicURLIsAnOrigin(t *testing.T) {
	for sent, want := range map[string]string{
		"https://studio.example//": "https://studio.example", "HTTPS://Studio.Example:443": "https://studio.example", "http://localhost:80/": "http://localhost",
		"https://studio.example:8443": "https://studio.example:8443", "https://schüler.example": "https://xn--schler-5ya.example",
		"http://[::1]:8080": "http://[::1]:8080", "http://[FD00::1]": "http://[fd00::1]", "http://127.0.0.1:8080": "http://127.0.0.1:8080",
		"http://my_host:8080": "http://my_host:8080",
	} {
		if c := mustLoad(t, map[string]string{"PUBLIC_URL": sent}); c.PublicURL != want {
			t.Errorf("%s is %s, want %s", sent, c.PublicURL, want)
		}
	}
}

// The text of a generated key file is the key that the file holds.
func TestSessionKeyForms(t *testing.T) {
	made := withKeys(t, t.TempDir())
	text, err := os.ReadFile(made.DataPath("session.key"))
	if err != nil {
		t.Fatal(err)
	}
	if c := mustLoad(t, map[string]string{"SESSION_KEY": string(text)}); !bytes.Equal(c.SessionKey, made.SessionKey) {
		t.Error("the text of the key file is another key")
	}
	if again := withKeys(t, made.DataDir); !bytes.Equal(again.SessionKey, made.SessionKey) {
		t.Error("read again it is another key")
	}
	const phrase = "a text that is no key file"
	if c := mustLoad(t, map[string]string{"SESSION_KEY": phrase}); string(c.SessionKey) != phrase {
		t.Errorf("the text became %q", c.SessionKey)
	}
}

func withKeys(t *testing.T, dir string, env ...string) Config {
	t.Helper()
	set := map[string]string{"DATA_DIR": dir}
	for i := 0; i < len(env); i += 2 {
		set[env[i]] = env[i+1]
	}
	c := mustLoad(t, set)
	if err := c.LoadKeys(); err != nil {
		t.Fatal(err)
	}
	return c
}

// The operators' code is made once, for its owner's eyes.
func TestOperatorCodeFile(t *testing.T) {
	made := withKeys(t, t.TempDir())
	if len(made.OperatorCode) < 20 {
		t.Fatalf("made %q", made.OperatorCode)
	}
	if again := withKeys(t, made.DataDir); again.OperatorCode != made.OperatorCode {
		t.Errorf("then %q", again.OperatorCode)
	}
	path := made.DataPath("operator.code")
	file, err := os.Stat(path)
	if err != nil || file.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", file.Mode(), err)
	}
	if err := os.WriteFile(path, []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := mustLoad(t, map[string]string{"DATA_DIR": made.DataDir})
	if err := c.LoadKeys(); err == nil {
		t.Error("a code that anybody guesses is taken from the file")
	}
}

// Keys of another install are kept where they are read, whatever their form, and never over others.
func TestKeysOfAnotherInstall(t *testing.T) {
	phrase := "a text that is no key file"
	old, current := newKey(), newKey()
	from := withKeys(t, t.TempDir(), "SESSION_KEY", phrase, "SERVICE_ENCRYPTION_KEY", current+","+old)
	into := mustLoad(t, map[string]string{"DATA_DIR": t.TempDir()})
	if err := into.ReadKeys(); err == nil || !strings.Contains(err.Error(), "SESSION_KEY") {
		t.Errorf("keys that are nowhere: %v", err)
	}
	if err := into.KeepKeys(from.SessionKey, from.EncryptionKeys, from.OperatorCode); err != nil {
		t.Fatal(err)
	}
	if err := into.ReadKeys(); err != nil {
		t.Fatal(err)
	}
	if string(into.SessionKey) != phrase || len(into.EncryptionKeys) != 2 || !bytes.Equal(into.EncryptionKeys[0], from.EncryptionKeys[0]) || into.OperatorCode != from.OperatorCode {
		t.Errorf("kept are %q, %d keys, %q", into.SessionKey, len(into.EncryptionKeys), into.OperatorCode)
	}
	for _, other := range []Config{
		withKeys(t, t.TempDir()),
		mustLoad(t, map[string]string{"DATA_DIR": t.TempDir(), "SESSION_KEY": "a text that is another key"}),
		mustLoad(t, map[string]string{"DATA_DIR": t.TempDir(), "SERVICE_ENCRYPTION_KEY": newKey()}),
		mustLoad(t, map[string]string{"DATA_DIR": t.TempDir(), "EDITION": EditionSelfHosted}),
	} {
		before, _ := os.ReadDir(other.DataDir)
		if err := other.KeepKeys(from.SessionKey, from.EncryptionKeys, from.OperatorCode); err == nil {
			t.Error("keys were kept beside others")
		}
		if after, _ := os.ReadDir(other.DataDir); len(after) != len(before) {
			t.Error("a refusal changed something")
		}
	}
	more := mustLoad(t, map[string]string{"DATA_DIR": t.TempDir(), "SERVICE_ENCRYPTION_KEY": newKey() + "," + current + "," + old})
	if err := more.KeepKeys(from.SessionKey, from.EncryptionKeys, from.OperatorCode); err != nil {
		t.Error(err)
	}
}

func TestProviderModels(t *testing.T) {
	c := mustLoad(t, map[string]string{
		"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://127.0.0.1:8000/v1/",
		"PROVIDER_MODELS": `[{"provider":"openai","type":"generate-text","model":"llama","credits":0.25,"creditsPer1000Tokens":0.5}]`,
	})
	p := c.Providers()
	if p.Replicate != nil || p.OpenAI == nil || p.OpenAI.BaseURL != "http://127.0.0.1:8000/v1" || p.OpenAI.Key != "k" {
		t.Errorf("providers %+v", p)
	}
	var names []string
	for _, m := range p.Models {
		if m.Provider == "openai" {
			names = append(names, m.NodeType+" "+m.ID+" "+m.Cost.String()+" "+m.PerThousandTokens.String())
		}
	}
	if len(names) != 1 || names[0] != "generate-text llama 0.25 0.5" || len(p.Models) < 3 {
		t.Errorf("models %v of %d", names, len(p.Models))
	}
}

func TestQuotasOfConfig(t *testing.T) {
	c := mustLoad(t, map[string]string{"QUOTA_FILES_ACCOUNT": "3 MiB", "QUOTA_GRAPHS_WORKSPACE": "unlimited", "QUOTA_WORKFLOWS_ACCOUNT": "0"})
	if *c.AccountQuota.Files != 3<<20 || c.WorkspaceQuota.Graphs != nil || *c.AccountQuota.Workflows != 0 || *c.WorkspaceQuota.Files != 20<<30 {
		t.Errorf("%+v %+v", c.AccountQuota, c.WorkspaceQuota)
	}
}

func TestConfigRefusals(t *testing.T) {
	cases := []struct{ name, value, want string }{
		{"LISTEN_ADDR", "8080", "must be host:port"},
		{"LISTEN_ADDR", ":http", "must end in a port"},
		{"PUBLIC_URL", "studio.example", "must be a URL"},
		{"PUBLIC_URL", "https://u:secret@x", "must not hold a user"},
		{"PUBLIC_URL", "https://school.example/atelier", `must have no path, but has "/atelier"`},
		{"PUBLIC_URL", "https://school.example/atelier/", "must have no path"},
		{"PUBLIC_URL", "http://localhost:8080/%2F", "must have no path"},
		{"PUBLIC_URL", "http://localhost:99999", "is not a port"},
		{"PUBLIC_URL", "https://school.example/?x=1", "must not have a query"},
		{"DATABASE_URL", "postgres://u:secret@host:notaport/x", "must be a PostgreSQL URL"},
		{"EDITION", "cloud", `"cloud" is not one of hosted, self_hosted`},
		{"ORGANIZATIONS", "true", "is not one of on, off"},
		{"ORG_AUTO_APPROVE", "yes", "is not one of true, false"},
		{"SIGN_UP", "maybe", "is not one of open, invited, closed"},
		{"SIGNUP_CREDITS", "1.2345", "at most three decimals"},
		{"SIGNUP_CREDITS", "-1", "must not be negative"},
		{"SERVICE_ENCRYPTION_KEY", "***", "must be base64"},
		{"SERVICE_ENCRYPTION_KEY", "c2VjcmV0", "must hold 32 bytes, has 6"},
		{"SESSION_KEY", "secret", "at least 16 characters"},
		{"SESSION_KEY", "sixteen characters\nand more", "must be one line"},
		{"OPERATOR_CODE", "elevenchars", "at least 12 characters"},
		{"OPERATOR_CODE", "twelve\tcharacters", "must be one line"},
		{"PLATFORM_OPERATOR_EMAILS", "a@example.com,nobody", `"nobody" is not an e-mail address`},
		{"PLATFORM_OPERATOR_EMAILS", "op@straße.example", `"op@straße.example" is not an e-mail address`},
		{"PLATFORM_OWNER_EMAIL", "Op <op@example.com>", "is not an e-mail address"},
		{"BILLING_ACCOUNT_EMAIL", "pay@example", "is not an e-mail address"},
		{"EGRESS_ALLOW_CIDRS", "10.0.0.0/33", "is not a CIDR"},
		{"DELIVERY_BACKOFF", "30", "is not a duration"},
		{"DELIVERY_REST", "1m", "must be two durations"},
		{"DELIVERY_REST", "2m,1m", "not above the longest"},
		{"SMTP_URL", "mail.example:secret", "must be smtp://"},
		{"SMTP_URL", "smtp://mail.example", "MAIL_FROM: must be set"},
		{"PAYMENTS", "stripe", "STRIPE_SECRET_KEY: must be set"},
		{"STORAGE_URL", "gs://bucket", "must be s3://"},
		{"QUOTA_FILES_ACCOUNT", "5", "must be a whole number with B"},
		{"QUOTA_FILES_ACCOUNT", "-1GiB", "must be a whole number with B"},
		{"QUOTA_OUTPUTS_WORKSPACE", "9999999TiB", "must be a whole number with B"},
		{"QUOTA_WORKFLOWS_ACCOUNT", "1.5", "must be a whole number, or unlimited"},
		{"LOG_LEVEL", "trace", "is not one of debug"},
		{"CREDIT_PACKS", `[{"id":"a","label":"A","credits":0,"price":1.5,"currency":"euro"}]`, "[0].credits: must be above 0"},
		{"CREDIT_PACKS", `[{"id":"a","label":"A","price":1,"currency":"eur"}]`, "[0].credits: is missing"},
		{"OPENAI_BASE_URL", "api.example", "must be a URL"},
		{"OPENAI_API_KEY", "a secret@key", "must be printable ASCII"},
		{"REPLICATE_API_TOKEN", "a\x00secret@key", "must be printable ASCII"},
		{"PROVIDER_MODELS", `[{"provider":"openai","type":"generate-video","model":"m","credits":1}]`, "[0].type: openai cannot do generate-video"},
		{"PROVIDER_MODELS", `[{"provider":"openai","type":"generate-text","model":"m","credits":-1}]`, "[0].credits: must not be negative"},
		{"PROVIDER_MODELS", `[{"provider":"openai","type":"generate-text","model":"m"}]`, "[0].credits: is missing"},
		{"PROVIDER_MODELS", `[{"provider":"replicate","type":"generate-video","model":"../x","credits":1}]`, "[0].model: must be owner/name"},
		{"SURFACE_PROFILE", `{"auth":{"methods":["sms"]}}`, `auth.methods: "sms" is not one of`},
		{"SURFACE_PROFILE", `[]`, "must be a JSON object"},
		{"OIDC_PROVIDERS", `[{"id":"x"}]`, "[0].issuer: is missing"},
	}
	for _, tc := range cases {
		t.Run(tc.name+"="+tc.value, func(t *testing.T) {
			_, err := Load(lookupIn(map[string]string{tc.name: tc.value}))
			var problems Error
			if !errors.As(err, &problems) || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("error %v does not say %q", err, tc.want)
			}
			if strings.Contains(err.Error(), "secret@") || strings.Contains(err.Error(), "c2Vj") {
				t.Errorf("the message repeats a secret: %v", err)
			}
			if !strings.HasPrefix(problems[0], tc.name) && !strings.Contains(tc.want, ": must be set") {
				t.Errorf("%q does not name %s", problems[0], tc.name)
			}
		})
	}
	t.Run("a currency that Stripe counts otherwise", func(t *testing.T) {
		packs := `[{"id":"a","label":"A","credits":5,"price":500,"currency":"isk"}]`
		if _, err := Load(lookupIn(map[string]string{"CREDIT_PACKS": packs})); err != nil {
			t.Errorf("paid by hand: %v", err)
		}
		_, err := Load(lookupIn(map[string]string{"CREDIT_PACKS": packs, "PAYMENTS": "stripe", "STRIPE_SECRET_KEY": "k", "STRIPE_WEBHOOK_SECRET": "s"}))
		if err == nil || !strings.Contains(err.Error(), "CREDIT_PACKS: [0].currency: Stripe counts isk") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("all at once", func(t *testing.T) {
		_, err := Load(lookupIn(map[string]string{"EDITION": "x", "LOG_FORMAT": "y", "DELIVERY_BACKOFF": "a,b"}))
		if problems, ok := err.(Error); !ok || len(problems) != 4 {
			t.Errorf("problems: %v", err)
		}
	})
}

func TestSSOProviders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sso.json")
	text := `[{"id":"portal","label":"School portal","kind":"assertion","secret":"0123456789abcdef","audience":"atelier",
		"claimMap":{"email":"mail"},"initiateUrl":"https://portal.example/start","color":"red",
		"initiateUrlByHost":{"a.example":"https://a.example/start"},"maxLifetimeSeconds":60},
		{"id":"corp","label":"Corp","kind":"oidc","domain":"corp.example","supabaseProvider":"x"}]`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := mustLoad(t, map[string]string{"EXTERNAL_SSO_PROVIDERS": "@" + file})
	want := []SSOProvider{
		{ID: "portal", Label: "School portal", Kind: SSOAssertion, Secret: "0123456789abcdef", Audience: "atelier",
			Claims:      SSOClaims{Email: "mail", EmailVerified: "email_verified", Subject: "sub"},
			InitiateURL: "https://portal.example/start", InitiateURLByHost: map[string]string{"a.example": "https://a.example/start"},
			MaxLifetime: time.Minute},
		{ID: "corp", Label: "Corp", Kind: SSOOIDC},
	}
	if !reflect.DeepEqual(c.SSOProviders, want) {
		t.Errorf("got %+v", c.SSOProviders)
	}
	if len(c.Warnings) != 1 || c.Warnings[0] != "EXTERNAL_SSO_PROVIDERS: [0].color is unknown and ignored" {
		t.Errorf("warnings %q", c.Warnings)
	}
}

func TestSSOProviderRefusals(t *testing.T) {
	const rest = `"label":"L","kind":"assertion","secret":"0123456789abcdef","audience":"a"`
	cases := map[string]string{
		`{`:                           "is not JSON",
		`[] []`:                       "something follows",
		`{}`:                          "must be a JSON array",
		`null`:                        "must be a JSON array",
		`[1]`:                         "[0]: must be a JSON object",
		`[{` + rest + `}]`:            "[0].id: is missing",
		`[{"ID":"a",` + rest + `}]`:   "[0].id: is missing",
		`[{"id":"A",` + rest + `}]`:   "[0].id: must be 1 to 63",
		`[{"id":"a.b",` + rest + `}]`: "[0].id: must be 1 to 63",
		`[{"id":"` + strings.Repeat("a", 64) + `",` + rest + `}]`:                     "[0].id: must be 1 to 63",
		`[{"id":"providers",` + rest + `}]`:                                           "cannot be an id",
		`[{"id":"a",` + rest + `},{"id":"a",` + rest + `}]`:                           "[1].id: \"a\" is used twice",
		`[{"id":"a","label":"L","kind":"ldap"}]`:                                      "must be assertion, oidc or saml",
		`[{"id":"a","label":" ","kind":"saml"}]`:                                      "[0].label: must not be blank",
		`[{"id":"a","label":"L","kind":"assertion","audience":"a","secret":"short"}]`: "[0].secret: must be at least 16",
		`[{"id":"a","label":"L","kind":"assertion","secret":"0123456789abcdef"}]`:     "[0].audience: is missing",
		`[{"id":"a","initiateUrlByHost":{"A.example":"https://x"},` + rest + `}]`:     "bare lower-case host name",
		`[{"id":"a","initiateUrlByHost":{"a.example:80":"https://x"},` + rest + `}]`:  "without a port",
		`[{"id":"a","initiateUrlByHost":{"a.example":"javascript:x"},` + rest + `}]`:  "must be a URL",
		`[{"id":"a","initiateUrl":7,` + rest + `}]`:                                   "[0].initiateUrl: must be a string",
		`[{"id":"a","maxLifetimeSeconds":3601,` + rest + `}]`:                         "from 1 to 3600",
		`[{"id":"a","maxLifetimeSeconds":0,` + rest + `}]`:                            "from 1 to 3600",
		`[{"id":"a","maxLifetimeSeconds":1.5,` + rest + `}]`:                          "must be a whole number",
		`[{"id":"a","claimMap":{"email":3},` + rest + `}]`:                            "[0].claimMap.email: must be a string",
		`[{"id":"a","label":"L","kind":"saml","domain":"a b"}]`:                       "[0].domain: must be a domain name",
		`@/nowhere/sso.json`: "cannot read the file",
	}
	for value, want := range cases {
		t.Run(value, func(t *testing.T) {
			_, err := Load(lookupIn(map[string]string{"EXTERNAL_SSO_PROVIDERS": value}))
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "EXTERNAL_SSO_PROVIDERS: ") {
				t.Errorf("error %v does not say %q", err, want)
			}
		})
	}
}

func TestSurfaceProfile(t *testing.T) {
	cases := []struct {
		value   string
		methods string
		gate    bool
	}{
		{`{}`, "email", false},
		{`{"auth":{"methods":[]}}`, "email", false},
		{`{"auth":{"methods":["sso"]}}`, "email", false},
		{`{"auth":{"methods":["sso"],"ssoLabel":"Portal"}}`, "sso", true},
		{`{"auth":{"methods":["sso","sso"],"ssoLabel":"Portal"}}`, "sso", true},
		{`{"auth":{"methods":["sso","email"],"ssoLabel":"Portal"}}`, "sso email", false},
		{`{"auth":{"methods":["sso","oidc"],"ssoLabel":"Portal"}}`, "sso oidc", false},
		{`{"auth":{"methods":["sso","oidc"]}}`, "oidc", false},
	}
	for _, tc := range cases {
		t.Run(tc.value, func(t *testing.T) {
			p := mustLoad(t, map[string]string{"SURFACE_PROFILE": tc.value}).SurfaceProfile
			if got := strings.Join(p.Methods, " "); got != tc.methods || p.SSOOnly() != tc.gate {
				t.Errorf("methods %q, gate %v", got, p.SSOOnly())
			}
		})
	}
}

func TestConfigHelpListsEveryVariableOnce(t *testing.T) {
	var help bytes.Buffer
	WriteHelp(&help)
	for _, group := range groups {
		for _, v := range group.Variables {
			if n := strings.Count(help.String(), "\n  "+v.Name+"\n"); n != 1 {
				t.Errorf("%s stands %d times in the help", v.Name, n)
			}
		}
	}
}
