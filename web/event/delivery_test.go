package event

import (
	"strings"
	"testing"

	"atelier/web/query"
)

func TestCurl(t *testing.T) {
	body := `{"it's": 1}`
	got := curl(query.Endpoint{Id: "e", Url: "https://a.example/x?y='z"}, query.DeliveryDetail{Id: "d", Event: "ping", RequestBody: &body})
	for _, part := range []string{`'https://a.example/x?y='\''z'`, `'Service-Event: ping'`, `--data-raw '{"it'\''s": 1}'`} {
		if !strings.Contains(got, part) {
			t.Errorf("%s is missing in %s", part, got)
		}
	}
}
