package models_test

import (
	"strings"
	"testing"

	"atelier/models"

	"pgregory.net/rapid"
)

func TestParseEmail(t *testing.T) {
	for typed, want := range map[string]string{
		" Mara@Example.COM ":                "mara@example.com",
		"ｍａｒａ@example.com":                  "mara@example.com",
		"ﬁnn@example.com":                   "finn@example.com",
		"\u212Aim@example.com":              "kim@example.com", // the Kelvin sign
		"ﬀ.ß.ς@example.com":                 "ff.ss.σ@example.com",
		"mara@bücher.xn--bcher-kva.example": "mara@xn--bcher-kva.xn--bcher-kva.example",
		"mara@bücher.example":               "mara@xn--bcher-kva.example",
		"mara@BÜCHER.example":               "mara@xn--bcher-kva.example",
		"mara@bu\u0308cher.example":         "mara@xn--bcher-kva.example",
		"mara@xn--bcher-kva.example":        "mara@xn--bcher-kva.example",
		"mara@XN--Bcher-KVA.example":        "mara@xn--bcher-kva.example",
		"mara@xn--strae-oqa.example":        "mara@xn--strae-oqa.example", // another domain than strasse
		"mara@exampıe.com":                  "mara@xn--exampe-t9a.com",
		"mara@еxample.com":                  "mara@xn--xample-2of.com", // a Cyrillic е
		"mara@例え.テスト":                       "mara@xn--r8jz45g.xn--zckzah",
		"mara+tag_x'y@sub.example.com":      "mara+tag_x'y@sub.example.com",
		"straße@x.example":                  "strasse@x.example",
		"root@localhost":                    "root@localhost",
		"mara@STRASSE.example":              "mara@strasse.example",
		"mara@ΣΑΣ.example":                  "mara@xn--mxa9ab.example",
	} {
		got, err := models.ParseEmail(typed)
		if err != nil || got != want {
			t.Errorf("%q is %q (%v), want %q", typed, got, err, want)
		}
		if models.NormalizeEmail(typed) != want {
			t.Errorf("%q is looked for as %q", typed, models.NormalizeEmail(typed))
		}
	}
}

// A domain that only folding makes equal to another one belongs to another person.
func TestDomainsThatFold(t *testing.T) {
	for _, domain := range []string{
		"straße.example", "STRAẞE.example", "σας.example", "ex\u200dample.com", "ex\u200cample.com", "ex\u00adample.com", "exa\u200bmple.com",
		"ｅｘａｍｐｌｅ.com", "oﬃce.example", "ĳ.example", "\u212Aelvin.example", "\u212Bngstrom.example", "exam\u017fle.com", "İstanbul.example",
		"example。com", "example．com", "example｡com", "①.example", "ª.example", "x\ufe0f.example", "ex\u034fample.com",
		"bücher.example.", "example.com.", "example..com", ".example.com", "-a.example", "a-.example", "ab--cd.example", "a_b.example",
		"xn--a.example", "xn--.example", "xn--abc-.example", "xn--strasse-.example", "xn--bcher-2pa.example", "xn--zca-.example", "xn--0000h.example",
		"xn--bücher-kva.example", "[192.0.2.1]", "example", "", "ex ample.com", strings.Repeat("a", 64) + ".example", strings.Repeat("a.", 127) + "example",
		"א1a.example", "💩.example",
	} {
		if got, err := models.ParseEmail("mara@" + domain); err == nil {
			t.Errorf("%q is taken for %q", domain, got)
		}
		if got, err := models.ParseDomain(domain); err == nil {
			t.Errorf("%q is taken for the domain %q", domain, got)
		}
	}
	for _, pair := range [][2]string{{"op@straße.example", "op@strasse.example"}, {"op＠example.com", "op@example.com"}, {"op@oﬃce.example", "op@office.example"}} {
		if models.NormalizeEmail(pair[0]) == pair[1] {
			t.Errorf("%q is looked for as %q", pair[0], pair[1])
		}
	}
}

func TestNoEmail(t *testing.T) {
	for _, typed := range []string{
		"", "mara", "@example.com", "mara@", "Mara <mara@example.com>", "<mara@example.com>", `"a b"@example.com`, "a b@example.com",
		"mara@@example.com", "ma＠ra@example.com", "mara＠example.com", "mara﹫example.com", "mara@example.com@example.com", ".mara@example.com",
		"mara.@example.com", "ma..ra@example.com", "m…a@example.com", "mara@example.com, eve@example.com", "mara@example.com\r\nBcc: eve@example.com",
		"ma\u200bra@example.com", "ma\u202era@example.com", "ma\x00ra@example.com", "mara\u00a0x@example.com", "mara(c)@example.com", "mara@example.com(c)",
		"ma\u3164ra@example.com", "ma\xffra@example.com", strings.Repeat("a", 250) + "@example.com", strings.Repeat("ﷺ", 20) + "@example.com",
	} {
		if got, err := models.ParseEmail(typed); err == nil {
			t.Errorf("%q is taken for %q", typed, got)
		}
	}
}

func TestEmailFormIsFixed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typed := rapid.StringN(0, 12, -1).Draw(t, "local") + rapid.SampledFrom([]string{"@", "＠", ""}).Draw(t, "at") + rapid.StringN(0, 12, -1).Draw(t, "domain") +
			rapid.SampledFrom([]string{".example", ".EXAMPLE", "", "。example"}).Draw(t, "end")
		normal, err := models.ParseEmail(typed)
		looked := models.NormalizeEmail(typed)
		if err != nil {
			if taken, err := models.ParseEmail(looked); err == nil {
				t.Fatalf("%q is no address, but is looked for as %q (%q)", typed, looked, taken)
			}
			return
		}
		again, err := models.ParseEmail(normal)
		if err != nil || again != normal || looked != normal {
			t.Fatalf("%q became %q, then %q (%v), and is looked for as %q", typed, normal, again, err, looked)
		}
	})
}

func FuzzParseEmail(f *testing.F) {
	for _, seed := range []string{"mara@example.com", "op@straße.de", "a@xn--bcher-kva.de", "ｍ@例え.テスト", "a@b.c\r\nx", "\xff@x.y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		normal, err := models.ParseEmail(typed)
		if err != nil {
			return
		}
		_, domain, _ := strings.Cut(normal, "@")
		if strings.ContainsAny(normal, "\r\n\x00 <>,;") || strings.Count(normal, "@") != 1 || strings.ToLower(domain) != domain {
			t.Fatalf("%q became %q", typed, normal)
		}
		for _, r := range domain {
			if r > 0x7f {
				t.Fatalf("%q became %q", typed, normal)
			}
		}
	})
}
