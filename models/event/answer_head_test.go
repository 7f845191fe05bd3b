package event

import (
	"net/http"
	"strings"
	"testing"

	"atelier/models/egress"
)

func TestHeadOfAnAnswer(t *testing.T) {
	header := http.Header{}
	for name, value := range map[string]string{
		"Content-Type": "text/plain", "Retry-After": "30", "Set-Cookie": "session=secret", "Authorization": "secret", "X-Internal": "secret",
		"Server": "a\x00b\xff\u202e\tc", "Date": "", "X-Request-Id": strings.Repeat("é", 400), "Location": "https://example.com/elsewhere",
	} {
		header.Set(name, value)
	}
	got := headOf(&egress.Answer{StatusLine: "HTTP/1.1 429 Slow down", Header: header})
	want := "HTTP/1.1 429 Slow down\ncontent-type: text/plain\nretry-after: 30\nserver: a\uFFFDb\uFFFD\uFFFD\uFFFDc\n" +
		"location: https://example.com/elsewhere\nx-request-id: é"
	if !strings.HasPrefix(got, want) || strings.Contains(got, "secret") || strings.Contains(got, "date") {
		t.Errorf("%q", got)
	}
	for _, name := range keptFields {
		header.Set(name, strings.Repeat("\U0001F600", 300))
	}
	got = headOf(&egress.Answer{StatusLine: "HTTP/2.0 200 " + strings.Repeat("x", 5_000), Header: header})
	if len(got) > keptHead || strings.Count(got, "\n") < 2 || !strings.HasPrefix(got, "HTTP/2.0 200 x") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}
