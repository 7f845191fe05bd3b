package egress_test

import (
	"net/netip"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"atelier/models"
	"atelier/models/egress"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("::1/128"), netip.MustParsePrefix("10.0.0.0/8")}

var goodURLs = []string{
	"https://example.com", "https://example.com/", "https://example.com/hook?a=b&c=%20#top", "HTTPS://Example.COM/Hook",
	"https://example.com:8443/x", "https://a.b.c.example.co.uk/", "https://xn--bcher-kva.example/", "https://bücher.example/",
	"https://8.8.8.8/", "https://1.1.1.1:444/", "https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]:8443/x",
	"https://local.example.com/", "https://internal.example.com/", "https://localhost.example.com/", "https://notlocal/",
	"https://under_score.example.com/", "https://123.example.com/", "https://example.com/?url=http://127.0.0.1/",
	"https://example.com/@user", "https://example.com/a\\u0041"[:len("https://example.com/a")], "https://0xabc.example/", "https://0x.example/",
}

var badURLs = []string{
	// not a complete https URL
	"", " ", "example.com", "//example.com/", "http://example.com/", "ftp://example.com/", "https:example.com", "https:/example.com",
	"https://", "https:///path", "javascript:alert(1)", "file:///etc/passwd", "https://exam ple.com/", "https://example.com/a b",
	"\thttps://example.com/", "https://example.com/\n", "https://example.com\\@evil.example/", "https://example.com/\x00", "https://exa\x7fmple.com/",
	"https://%65xample.com/", "https://127%2e0.0.1/", "https://[::1%25lo]/", "https://[fe80::1%25eth0]/", "https://[::1/", "https://::1/",
	"https://example.com:0/", "https://example.com:65536/", "https://example.com:/", "https://example.com:80a/", "https://example.com:-1/",
	// a person's name
	"https://user@example.com/", "https://user:pass@example.com/", "https://@example.com/", "https://:@example.com/", "https://127.0.0.1@example.com/",
	// local names
	"https://localhost/", "https://LOCALHOST/", "https://localhost:8443/", "https://a.localhost/", "https://db.internal/", "https://internal/",
	"https://metadata.google.internal/", "https://printer.local/", "https://local/", "https://a.b.LOCAL/",
	// trailing dots and empty labels
	"https://localhost./", "https://example.com./", "https://127.0.0.1./", "https://db.internal./", "https://example..com/", "https://.example.com/", "https://./",
	// IPv4 that is not public
	"https://127.0.0.1/", "https://127.1.2.3/", "https://0.0.0.0/", "https://10.0.0.1/", "https://10.255.255.255/", "https://100.64.0.1/",
	"https://169.254.169.254/latest/meta-data/", "https://172.16.0.1/", "https://172.31.255.255/", "https://192.168.1.1/", "https://198.18.0.1/",
	"https://192.0.2.1/", "https://203.0.113.9/", "https://224.0.0.1/", "https://240.0.0.1/", "https://255.255.255.255/", "https://168.63.129.16/",
	// IPv4 in odd notations
	"https://2130706433/", "https://0x7f000001/", "https://0x7f.1/", "https://0X7F.1/", "https://017700000001/", "https://0177.0.0.1/", "https://127.1/",
	"https://127.0.1/", "https://0/", "https://1/", "https://127.0.0.01/", "https://8.8.8.08/", "https://8.8.8/", "https://134744072/", "https://1.2.3.4.5/",
	"https://256.256.256.256/", "https://0x8.0x8.0x8.0x8/", "https://127.0.0.0x1/", "https://example.0x1/", "https://example.1/", "https://foo.0x/",
	// IPv6
	"https://[::]/", "https://[::1]/", "https://[0:0:0:0:0:0:0:1]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[::ffff:8.8.8.8]/",
	"https://[::127.0.0.1]/", "https://[64:ff9b::127.0.0.1]/", "https://[64:ff9b::808:808]/", "https://[2002:7f00:1::]/", "https://[2001:0:1::1]/",
	"https://[2001:db8::1]/", "https://[fe80::1]/", "https://[fc00::1]/", "https://[fd12:3456::1]/", "https://[ff02::1]/", "https://[3fff::1]/",
	"https://[100::1]/", "https://[5f00::1]/", "https://[4000::1]/", "https://[::1]:443/", "https://[127.0.0.1]/",
	// characters that turn into others
	"https://１２７.０.０.１/", "https://127。0。0。1/", "https://ⓛocalhost/", "https://ｌｏｃａｌｈｏｓｔ/", "https://local\u200bhost/", "https://loc\u00adalhost/",
	"https://①②⑦.0.0.1/", "https://example.com。/", "https://ｅxample.com/", "https://exampl\uFFFDe.com/", "https://127.0.0.1\uFF0E/",
}

func TestCheckURL(t *testing.T) {
	for _, raw := range goodURLs {
		if err := egress.CheckURL(raw, nil); err != nil {
			t.Errorf("%q: %v", raw, err)
		}
	}
	for _, raw := range badURLs {
		err := egress.CheckURL(raw, nil)
		if refusal, known := models.AsError(err); err == nil || !known || refusal.Code != models.CodeValidation || refusal.Field != "url" {
			t.Errorf("%q: %v, want a validation_error of url", raw, err)
		}
	}
}

func TestCheckURLLength(t *testing.T) {
	base := "https://example.com/"
	if err := egress.CheckURL(base+strings.Repeat("a", 2048-len(base)), nil); err != nil {
		t.Error(err)
	}
	if egress.CheckURL(base+strings.Repeat("a", 2049-len(base)), nil) == nil {
		t.Error("2049 characters pass")
	}
	label := strings.Repeat("a", 64)
	if egress.CheckURL("https://"+label+".com/", nil) == nil {
		t.Error("a label of 64 characters passes")
	}
	if egress.CheckURL("https://"+strings.Repeat(label[:60]+".", 5)+"com/", nil) == nil {
		t.Error("a name of 308 characters passes")
	}
}

func TestAllowedNetworks(t *testing.T) {
	for raw, want := range map[string]bool{
		"https://127.0.0.1/": true, "https://127.0.0.1:8443/x": true, "https://[::1]:8443/": true, "https://10.1.2.3/": true,
		"https://example.com/": true,
		"https://127.0.0.2/":   false, "https://192.168.0.1/": false,
		"https://localhost/": false, "https://a.localhost/": false, "https://x.internal/": false,
		"https://127.1/": false, "https://2130706433/": false, "https://0x7f.1/": false, "https://0177.0.0.1/": false,
		"https://[::ffff:127.0.0.1]/": false, "https://[0:0:0:0:0:0:0:1]/": false, "https://127.0.0.1./": false,
		"https://１２７.0.0.1/": false, "http://127.0.0.1/": false, "https://a@127.0.0.1/": false,
	} {
		if err := egress.CheckURL(raw, loopback); (err == nil) != want {
			t.Errorf("%q: %v", raw, err)
		}
	}
}

func TestNormalizeURL(t *testing.T) {
	for raw, want := range map[string]string{
		"https://example.com":                  "https://example.com",
		"HTTPS://Example.COM/Path?Q=X#F":       "https://example.com/Path?Q=X#F",
		"https://example.com:443/":             "https://example.com/",
		"https://example.com:443":              "https://example.com",
		"https://example.com:8443/:443":        "https://example.com:8443/:443",
		"https://[2606:4700::ABCD]:443/":       "https://[2606:4700::abcd]/",
		"https://example.com?next=HTTPS://A.B": "https://example.com?next=HTTPS://A.B",
		"https://example.com/%7Euser":          "https://example.com/%7Euser",
	} {
		if got := egress.NormalizeURL(raw); got != want {
			t.Errorf("%q becomes %q, want %q", raw, got, want)
		}
	}
}

// Whatever passes names the same host after normalizing, and passes still.
func TestNormalizedURLsPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.StringMatching(`(https|HTTPS|http)://([a-zA-Z0-9.\-:@\[\]%xX]{1,20})(:443|:80)?(/[a-zA-Z:@?#]{0,8})?`).Draw(t, "url")
		if egress.CheckURL(raw, nil) != nil {
			return
		}
		once := egress.NormalizeURL(raw)
		if err := egress.CheckURL(once, nil); err != nil {
			t.Fatalf("%q passes, %q does not: %v", raw, once, err)
		}
		if twice := egress.NormalizeURL(once); twice != once {
			t.Fatalf("%q, then %q", once, twice)
		}
	})
}

// A literal address passes exactly when it is public.
func TestLiteralAddressesPassWhenPublic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		addr := netip.AddrFrom4([4]byte(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "ipv4")))
		if passes := egress.CheckURL("https://"+addr.String()+"/", nil) == nil; passes != egress.Public(addr) {
			t.Fatalf("%v passes: %v", addr, passes)
		}
		addr = netip.AddrFrom16([16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "ipv6")))
		if passes := egress.CheckURL("https://["+addr.String()+"]/", nil) == nil; passes != (egress.Public(addr) && !addr.Is4In6()) {
			t.Fatalf("%v passes: %v", addr, passes)
		}
	})
}
