package frame

import (
	"net/url"
	"strings"
	"testing"
)

func FuzzSafePath(f *testing.F) {
	for _, seed := range []string{"/", "/orgs?x=1#y", "//evil", `/\evil`, "/\tevil", "/\nevil", "/%2f/evil", "/a//b", "https://evil", "javascript:alert(1)", "", "/é", "/./\x00", "/..//evil", "/%5cevil", "/?next=//evil", "/\x7f", "/:80@evil", "/ /evil"} {
		f.Add(seed)
	}
	base, _ := url.Parse("https://atelier.example/login")
	f.Fuzz(func(t *testing.T, p string) {
		safe := SafePath(p)
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
