//go:build !race

package tests

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// TestEmbedding frames an app in pages of other origins, with the tag that the
// service generates, as contract 1 ("Embed code rules") says: blocked until an
// origin is listed, and shown on the listed origins alone.
func TestEmbedding(t *testing.T) {
	t.Parallel()
	p := startService(t, "LOG_LEVEL=error")
	_, owner := newcomer(t, p, "Embedder")
	made := posed(owner, "framed", nil)
	tag := fmt.Sprintf(`<!doctype html><html lang="en"><title>A site</title><iframe src="%s/embed/framed" width="100%%" height="600" frameborder="0" allow="clipboard-write" title="App"></iframe>`, p.URL)
	site := func() string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, tag)
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	first, second, third := site(), site(), site()
	v := startBrowser(t, "embed").visitor("Reader", first)
	for _, test := range []struct {
		listed []string
		shown  []bool // on the first, the second, the third site
	}{
		{[]string{}, []bool{false, false, false}},
		{[]string{first}, []bool{true, false, false}},
		{[]string{first, second}, []bool{true, true, false}},
		{[]string{}, []bool{false, false, false}},
	} {
		owner.do("PATCH", "/v1/apps/"+made.text("data.id"), object{"allowedEmbedDomains": test.listed}).want(200)
		for i, address := range []string{first, second, third} {
			v.open(address)
			v.forget() // Chromium reports what it did not frame
			if shown := v.frames(p.URL + "/embed/framed"); shown != test.shown[i] {
				t.Errorf("listed %v: on site %d shown is %t", test.listed, i+1, shown)
			}
		}
	}
	v.forget()
}

// frames tells whether the page's frame shows an address, and not that it was refused.
func (v *tab) frames(address string) bool {
	v.t.Helper()
	tree := call(v, page.GetFrameTree, cdp.Empty{}).FrameTree
	if len(tree.ChildFrames) != 1 {
		v.t.Fatalf("%d frames", len(tree.ChildFrames))
	}
	frame := tree.ChildFrames[0].Frame
	return frame.UnreachableURL == "" && frame.URL == address
}
