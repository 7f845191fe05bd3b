package tests

import (
	"strings"
	"testing"

	"atelier/models/dbtest"
)

// TestAppReadByVisitors reads a published app without an account: with one statement once it is remembered, as it is now, and
// not at all where nothing changed.
func TestAppReadByVisitors(t *testing.T) {
	h := newTestServer(t)
	s := h.school()
	s.publish()
	visitor, manager := h.visitor(), s.owner.in(s.class)
	read := func() *reply { t.Helper(); return visitor.get("/v1/app/poster").want(200) }
	first := read()
	tag := first.Header.Get("ETag")
	if tag == "" || first.Header.Get("Cache-Control") != "public, no-cache" || first.text("name") != "Poster" || first.path("slug") != nil {
		t.Fatalf("%v %s", first.Header, first.Body)
	}
	var again *reply
	if made := h.tracer.during(func() { again = read() }); len(made) != 1 || string(again.Body) != string(first.Body) || again.Header.Get("ETag") != tag {
		t.Errorf("the second time: %d statements, %v %s", len(made), again.Header, again.Body)
	}
	if same := visitor.sending("If-None-Match", tag).get("/v1/app/poster").want(304); len(same.Body) > 0 {
		t.Errorf("304 with %s", same.Body)
	}
	id := first.text("id")
	manager.do("PATCH", "/v1/apps/"+id, object{"name": "Placard"}).want(200)
	if changed := visitor.sending("If-None-Match", tag).get("/v1/app/poster").want(200); changed.text("name") != "Placard" || changed.Header.Get("ETag") == tag {
		t.Errorf("changed: %v %s", changed.Header, changed.Body)
	}
	if shown := manager.get("/v1/app/poster").want(200); shown.text("slug") != "poster" || shown.Header.Get("ETag") != "" || shown.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("to its manager: %v %s", shown.Header, shown.Body)
	}
	manager.post("/v1/workflows/"+s.workflow+"/publish", object{"slug": "poster", "name": "Poster"}).want(201)
	if second := read(); second.number("version") != 2 || len(second.list("versions")) != 2 {
		t.Errorf("published again: %s", second.Body)
	}
	manager.do("PATCH", "/v1/apps/"+id, object{"isActive": false}).want(200)
	visitor.get("/v1/app/poster").wantError(404, "not_found")
	manager.do("PATCH", "/v1/apps/"+id, object{"isActive": true}).want(200)
	read()
}

// TestMetricsOfRememberedApps counts a remembered answer with its route, as any other.
func TestMetricsOfRememberedApps(t *testing.T) {
	t.Parallel()
	metrics := freeAddress(t)
	p := startOn(t, dbtest.NewURL(t), t.TempDir(), []string{"serve", "--workers=false"}, "LOG_LEVEL=error", "METRICS_ADDR="+metrics)
	s := begin(t, p.URL)
	s.publish()
	for range 3 {
		s.visitor.get("/v1/app/poster").want(200)
	}
	s.visitor.do("HEAD", "/v1/app/poster", nil).want(200)
	shown := string(client{t: t}.do("GET", "http://"+metrics+"/metrics", nil).Body)
	for _, want := range []string{`{method="GET",route="/v1/app/{slug}",status="200"} 3`, `{method="HEAD",route="/v1/app/{slug}",status="200"} 1`} {
		if !strings.Contains(shown, "\natelier_http_requests_total"+want+"\n") {
			t.Errorf("the figures do not say %s: %s", want, shown)
		}
	}
}
