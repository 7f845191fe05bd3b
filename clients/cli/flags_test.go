package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	atelier "atelier/clients/go"

	"github.com/spf13/pflag"
)

func number(n float64) *float64 { return &n }

// form is an app's form with a field of each kind.
var form = []atelier.Field{
	{ID: "topic", Label: "Topic", Control: atelier.ControlArea, MaxLength: 10, Value: "a fox"},
	{ID: "aspectRatio", Label: "Aspect ratio", Control: atelier.ControlSelect, Options: []any{"1:1", "16:9"}},
	{ID: "size", Label: "Size", Control: atelier.ControlSelect, Options: []any{1.0, 2.0}},
	{ID: "picture.seed", Label: "Seed", Control: atelier.ControlNumber, Whole: true, Minimum: number(0), Maximum: number(9)},
	{ID: "strength", Label: "Strength", Control: atelier.ControlSlider},
	{ID: "loop", Label: "Loop", Control: atelier.ControlToggle},
	{ID: "photo", Label: "Photo", Control: atelier.ControlFile, Accept: "image"},
	{ID: "rows", Label: "Rows", Control: atelier.ControlJSON},
	{ID: "cast", Label: "Cast", Control: atelier.ControlThings, Thing: "character"},
	{ID: "json", Label: "A name that is taken", Control: atelier.ControlLine},
	{ID: "JSON", Label: "Another", Control: atelier.ControlLine},
}

func TestFlagsOfForms(t *testing.T) {
	photo := filepath.Join(t.TempDir(), "fox.png")
	if err := os.WriteFile(photo, []byte("png"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args string // divided by |
		want string // the inputs as JSON, or what the refusal names
	}{
		{"--topic|a fox", `{"topic":"a fox"}`},
		{"--topic=", `{"topic":""}`},
		{"--topic|a fox in the snow", "longer than 10"},
		{"--aspect-ratio|16:9|--size|2", `{"aspectRatio":"16:9","size":2}`},
		{"--aspect-ratio|4:3", "not among the choices"},
		{"--picture-seed|7", `{"picture.seed":7}`},
		{"--picture-seed|7.5", "not a whole number"},
		{"--picture-seed|10", "out of its range"},
		{"--picture-seed|x", "not a number"},
		{"--strength|0.25", `{"strength":0.25}`},
		{"--strength|+1", `{"strength":1}`},
		{"--loop", `{"loop":true}`},
		{"--loop=false", `{"loop":false}`},
		{"--loop=maybe", "true or false"},
		{"--photo|https://example.org/a.png", `{"photo":"https://example.org/a.png"}`},
		{"--photo|" + photo, photo},
		{"--photo|nowhere.png", "no such file"},
		{"--rows|[1,{\"a\":12345678901234567890}]", `{"rows":[1,{"a":12345678901234567890}]}`},
		{"--rows|nothing", "not JSON"},
		{"--rows|12 abc", "more than one value"},
		{"--rows|@-", `{"rows":["from the input"]}`},
		{"--cast|a, b", `{"cast":["a","b"]}`},
		{"--input-json|x|--j-s-o-n|y", `{"JSON":"y","json":"x"}`},
		{"--unknown|1", "unknown flag"},
	} {
		flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
		flags.Bool("json", false, "")
		inputs := addForm(flags, form, strings.NewReader(`["from the input"]`))
		got := ""
		if err := flags.Parse(strings.Split(test.args, "|")); err != nil {
			got = err.Error()
		} else {
			values := map[string]any{}
			for _, f := range inputs {
				switch {
				case f.file != "":
					values = map[string]any{"file": f.file}
				case f.set:
					values[f.ID] = f.value
				}
			}
			content, _ := json.Marshal(values)
			got = string(content)
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, want %s", test.args, got, test.want)
		}
	}
}

func TestAppIsFoundAmongFlags(t *testing.T) {
	flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
	flags.StringP("profile", "p", "", "")
	flags.Bool("json", false, "")
	for args, want := range map[string]string{
		"poster --topic fox": "poster", "--json poster": "poster", "-p school poster --topic x": "poster", "--profile=school poster": "poster",
		"--profile school": "", "-- poster": "", "": "",
	} {
		if got, rest := slugIn(flags, strings.Fields(args)); got != want || want != "" && len(rest) != len(strings.Fields(args))-1 {
			t.Errorf("%q: %q and %q", args, got, rest)
		}
	}
}

// call runs the program against no install.
func call(t *testing.T, args ...string) (out string, code int) {
	t.Helper()
	var b bytes.Buffer
	p := &program{in: strings.NewReader(""), out: &b, err: &b, env: func(name string) (string, bool) {
		return map[string]string{"ATELIER_CONFIG": filepath.Join(t.TempDir(), "config.json")}[name], name == "ATELIER_CONFIG"
	}}
	c := p.command()
	c.SetArgs(args)
	if err := c.ExecuteContext(t.Context()); err != nil {
		p.complain(err)
		code = exitCode(err)
	}
	return b.String(), code
}

func TestCommandLines(t *testing.T) {
	for args, want := range map[string]int{
		"": 0, "help": 0, "--version": 0, "run --help": 0, "completion bash": 0, "completion zsh": 0, "completion fish": 0, "completion powershell": 0,
		"bogus": 2, "jobs bogus": 2, "jobs get": 2, "run": 2, "apps --bogus": 2, "apps": 2, "events listen": 2, "events listen -f nowhere": 2,
		"jobs list -n 0": 2, "runs list poster -n 0": 2, "open app": 2, "profiles use x": 2, "whoami -p x": 2, "whoami --url http://127.0.0.1:1": 3,
		"login": 2, "workflows push nowhere.yaml --url http://127.0.0.1:1": 3,
	} {
		if out, code := call(t, strings.Fields(args)...); code != want {
			t.Errorf("atelierctl %s ended with %d, want %d: %s", args, code, want, out)
		}
	}
}

func TestExitCodes(t *testing.T) {
	for status, want := range map[int]int{400: 1, 401: 3, 402: 6, 403: 4, 404: 5, 409: 7, 429: 9, 500: 10, 503: 10} {
		if got := exitCode(&atelier.Error{Status: status}); got != want {
			t.Errorf("%d ends with %d", status, got)
		}
	}
	if exitCode(&atelier.RunError{}) != 8 || exitCode(atelier.ErrUnreachable) != 10 || exitCode(errDiffers) != 1 {
		t.Error("other ends")
	}
}

func TestTokensGoToTheirInstallAlone(t *testing.T) {
	env := map[string]string{"ATELIER_CONFIG": filepath.Join(t.TempDir(), "deep", "config.json")}
	p := &program{err: &bytes.Buffer{}, env: func(name string) (string, bool) { value, ok := env[name]; return value, ok }}
	kept := &config{Current: "school", Profiles: map[string]*profile{"school": {URL: "https://school.example", Token: "svc_secret", Workspace: "w"}}}
	if err := p.writeConfig(kept); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(env["ATELIER_CONFIG"]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	for _, test := range []struct{ url, variable, token, workspace, want string }{
		{want: "https://school.example svc_secret w"},
		{url: "https://school.example/", want: "https://school.example svc_secret w"},
		{url: "https://other.example", want: "https://other.example  "},
		{variable: "https://other.example", token: "svc_other", want: "https://other.example svc_other "},
		{workspace: "none", want: "https://school.example svc_secret "},
		{workspace: "x", want: "https://school.example svc_secret x"},
	} {
		p.url, p.workspace = test.url, test.workspace
		env["ATELIER_URL"], env["ATELIER_TOKEN"] = test.variable, test.token
		acts, err := p.chosen()
		if err != nil || acts.URL+" "+acts.Token+" "+acts.Workspace != test.want {
			t.Errorf("%+v: %+v %v", test, acts, err)
		}
	}
}

func TestLogoutForgetsWhatTheInstallHasForgotten(t *testing.T) {
	for status, code := range map[int]int{401: 0, 403: 4} {
		install := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(`{"error":"invalid_client","error_description":"Unknown."}`))
		}))
		path := filepath.Join(t.TempDir(), "config.json")
		p := &program{out: &bytes.Buffer{}, err: &bytes.Buffer{}, env: func(name string) (string, bool) {
			return map[string]string{"ATELIER_CONFIG": path}[name], name == "ATELIER_CONFIG"
		}}
		if err := p.writeConfig(&config{Profiles: map[string]*profile{"default": {URL: install.URL, Token: "x", ClientID: "y"}}}); err != nil {
			t.Fatal(err)
		}
		c := p.command()
		c.SetArgs([]string{"logout"})
		err := c.ExecuteContext(t.Context())
		if (err != nil) != (code != 0) || err != nil && exitCode(err) != code {
			t.Errorf("%d: %v", status, err)
		}
		if kept, err := p.readConfig(); err != nil || len(kept.Profiles) != 0 {
			t.Errorf("%d: %v is kept: %v", status, kept.names(), err)
		}
		install.Close()
	}
}

func TestResultsGoToPipes(t *testing.T) {
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := saveOutput(t.Context(), nil, atelier.Output{Text: "a fox"}, fmt.Sprintf("/dev/fd/%d", to.Fd()), nil); err != nil {
		t.Fatal(err)
	}
	_ = to.Close()
	if got, err := io.ReadAll(from); string(got) != "a fox" || err != nil {
		t.Errorf("%q %v", got, err)
	}
	file := filepath.Join(t.TempDir(), "fox.txt")
	for _, text := range []string{"a fox", "an owl"} {
		if err := saveOutput(t.Context(), nil, atelier.Output{Text: text}, file, nil); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); string(got) != text || err != nil {
			t.Errorf("%q %v", got, err)
		}
	}
}
