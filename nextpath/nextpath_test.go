package nextpath_test

import (
	"encoding/json"
	"net/url"
	"os/exec"
	"strings"
	"testing"

	"atelier/nextpath"
)

var seeds = []string{
	"/", "/orgs?x=1#y", "//evil", `/\evil`, "/\tevil", "/\t/evil", "/\nevil", "/\r\n/evil", "/%2f/evil", "/%2F%2Fevil", "/a//b", "https://evil", "javascript:alert(1)", "", "/é",
	"/./\x00", "/..//evil", "/.//evil", "/%5cevil", "/%5Cevil", "/%09/evil", "/%0d%0aLocation:x", "/?next=//evil", "/#//evil", "/\x7f", "/\x80", "/:80@evil", "/ /evil", "/@evil",
	"/a/../..//evil", "/\u2028/evil", "/\u00a0/evil", "/\ufeff/evil", "/⁄evil", "/／evil", "/%", "/%zz", "/;//evil", "/&//evil", "///evil", "/\u0000", "evil", "./evil", "\\/evil", " /x", "/x ",
	"/projects", "/app/slug?x=%2F%2Fevil", "/" + strings.Repeat("a", 3_999), "/" + strings.Repeat("a", 4_000),
}

func TestSafe(t *testing.T) {
	for p, want := range map[string]bool{
		"/": true, "/projects": true, "/orgs?x=1#y": true, "/a//b": true, "/?next=//evil": true, "/é": true, "/app/slug?x=%2F%2Fevil": true,
		"": false, "//evil": false, `/\evil`: false, "/\tevil": false, "/%2f/evil": false, "/%5cevil": false, "https://evil": false, " /x": false, "/x y": false, "/%zz": false,
		"/" + strings.Repeat("a", 3_999): true, "/" + strings.Repeat("a", 4_000): false,
	} {
		if got := nextpath.Safe(p); want && got != p || !want && got != "" {
			t.Errorf("%.60q became %.60q", p, got)
		}
		if got := nextpath.Or(p, nextpath.Landing); !want && got != "/projects" {
			t.Errorf("%.60q leads to %.60q", p, got)
		}
	}
}

// What is safe stays on the site when a WHATWG parser resolves it.
func TestSafeStaysForBrowsers(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node")
	}
	var safe []string
	parts := []string{"/", "\\", ".", "..", "%2f", "%5c", "@", ":", "evil.example", "?", "#", "%09", "é", ";", "[", "]"}
	for _, a := range parts {
		for _, b := range parts {
			for _, c := range parts {
				for _, d := range parts {
					if p := "/" + a + b + c + d; nextpath.Safe(p) != "" {
						safe = append(safe, p)
					}
				}
			}
		}
	}
	for _, p := range seeds {
		if nextpath.Safe(p) != "" {
			safe = append(safe, p)
		}
	}
	if len(safe) < 10_000 {
		t.Fatalf("only %d paths are safe", len(safe))
	}
	sent, err := json.Marshal(safe)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "-e", `
		const paths = JSON.parse(require("fs").readFileSync(0, "utf8"));
		console.log(JSON.stringify(paths.filter((p) => {
			const u = new URL(p, "https://atelier.example/sso?sso_token=x");
			return u.origin !== "https://atelier.example" || u.username !== "";
		})));`)
	cmd.Stdin = strings.NewReader(string(sent))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(string(out)) != "[]" {
		t.Errorf("leave the site: %s", out)
	}
}

func FuzzSafe(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	base, _ := url.Parse("https://atelier.example/login")
	f.Fuzz(func(t *testing.T, p string) {
		safe := nextpath.Safe(p)
		if safe == "" {
			return
		}
		// What a browser makes of it: tabs and line ends vanish, backslashes are slashes.
		read := strings.NewReplacer("\t", "", "\n", "", "\r", "", `\`, "/").Replace(strings.TrimSpace(safe))
		u, err := base.Parse(read)
		if err != nil || u.Host != base.Host || u.Scheme != base.Scheme || u.User != nil || strings.HasPrefix(read, "//") {
			t.Errorf("%q leads to %v %v", p, u, err)
		}
	})
}
