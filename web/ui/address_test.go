//go:build !race

package ui

import "testing"

func TestAddressesBreakBehindTheirSigns(t *testing.T) {
	for text, want := range map[string]string{
		"ms.adeyemi@northgate.example": "ms.<wbr>adeyemi@<wbr>northgate.<wbr>example",
		"ada@example":                  "ada@<wbr>example",
		"Art 9b. A class":              "Art 9b. A class",
		"<b>@x.y":                      "&lt;b&gt;@<wbr>x.<wbr>y",
		"a @ b":                        "a @ b",
		"":                             "",
	} {
		if got := render(t, Address(text)); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestWebAddressesBreakBehindTheirSigns(t *testing.T) {
	for address, want := range map[string]string{
		"atelier.example/app/poster-painter": "atelier.example/<wbr>app/<wbr>poster-<wbr>painter",
		"a<b/c":                              "a&lt;b/<wbr>c",
	} {
		if got := render(t, WebAddress(address)); got != want {
			t.Errorf("%q is %q, want %q", address, got, want)
		}
	}
}
