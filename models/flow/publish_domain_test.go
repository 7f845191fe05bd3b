package flow

import "testing"

func TestCleanDomains(t *testing.T) {
	for sent, want := range map[string]string{
		"https://Example.org":             "https://example.org",
		"https://example.org/":            "https://example.org",
		"https://example.org:443":         "https://example.org",
		"https://example.org:8443":        "https://example.org:8443",
		"http://localhost:3000":           "http://localhost:3000",
		"https://bücher.example":          "https://xn--bcher-kva.example",
		"https://[2001:db8::1]:8443":      "https://[2001:db8::1]:8443",
		"example.org":                     "",
		"https://":                        "",
		"https://*.example.org":           "",
		"https://example.org/path":        "",
		"https://example.org?x=1":         "",
		"https://example.org#top":         "",
		"https://user@example.org":        "",
		"https://example.org:99999":       "",
		"https://example.org:":            "",
		"ftp://example.org":               "",
		"javascript:alert(1)":             "",
		"https://a.example; script-src *": "",
		"https://a.example 'self'":        "",
		"https://a.example,b.example":     "",
	} {
		got, err := cleanDomains([]string{sent})
		switch {
		case want == "":
			if err == nil {
				t.Errorf("%q was accepted as %v", sent, got)
			}
		case err != nil || got[0] != want:
			t.Errorf("%q became %v (%v), want %s", sent, got, err, want)
		}
	}
}
