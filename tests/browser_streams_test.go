//go:build !race

package tests

import (
	"testing"

	"github.com/chromedp/cdproto/page"

	"atelier/models/dbtest"
)

// refusedStreams answers the first connections of every page's stream with a refusal, as a service with too much to do does.
const refusedStreams = `{
	const real = window.fetch;
	window.refusals = 0;
	window.fetch = (address, ...more) => String(address).includes("/live") && window.refusals++ < 3
		? Promise.resolve(new Response("<p>The service is busy</p>", {status: 503, headers: {"Content-Type": "text/html"}}))
		: real(address, ...more);
}`

// TestRefusedStreams has the stream of a page refused: what the page shows stays, it says that it is behind, and it
// catches up by itself.
func TestRefusedStreams(t *testing.T) {
	t.Parallel()
	p := startOn(t, dbtest.NewURL(t), t.TempDir(), []string{"serve", "--workers=false"}, "LOG_LEVEL=error") // no run ends
	s := &story{t: t, visitor: client{t: t, URL: p.URL}}
	mara := s.signUp("Mara")
	workflow := saved(mara, []object{{"id": "t", "type": "text-card", "data": object{"text": "A lighthouse"}}}, nil)
	run := mara.post("/v1/workflows/"+workflow+"/run", nil).want(202).text("executionId")

	v := startBrowser(t, "streams").visitor("Mara", p.URL)
	v.signIn("mara")
	call(v, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: refusedStreams})
	v.open("/runs/" + run)
	v.sees("Waiting", "Updates are interrupted. This page tries again by itself.")
	v.until("what the page showed", `!document.body.innerText.includes("The service is busy")`)
	v.until("the stream", `window.refusals > 3 && !document.querySelector("[data-interrupted]")`)
	mara.graphql(`mutation($id: ID!) { cancelExecution(id: $id) }`, object{"id": run})
	v.sees("Cancelled")
}
