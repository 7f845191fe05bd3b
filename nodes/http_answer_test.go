//go:build !race

package nodes

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"atelier/nodes/kit"
)

// packed is a text in gzip.
func packed(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

// TestHTTPAnswer reads answers of every kind; none comes out garbled.
func TestHTTPAnswer(t *testing.T) {
	s := newShelf()
	photo := string(s.files[picture(t, s, 4, 2)])
	var kind, packing, body string
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = []string{kind}
		if packing != "" {
			w.Header().Set("Content-Encoding", packing)
		}
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	ask := func() (kit.Output, error) {
		client := *server.Client()
		client.Transport = &http.Transport{TLSClientConfig: client.Transport.(*http.Transport).TLSClientConfig, DisableCompression: true}
		return httpRequestNode.Do(context.Background(), &kit.Call{HTTP: &client, Media: s, Attempt: 1, Input: map[string]any{"url": server.URL}})
	}
	for name, c := range map[string]struct{ kind, packing, body, want string }{
		"JSON":                          {"application/json; charset=utf-8", "", `{"a":"é"}`, `{"contentType":"application/json","data":{"a":"é"},"status":200}`},
		"a problem in JSON":             {"application/problem+json", "", `[1]`, `{"contentType":"application/problem+json","data":[1],"status":200}`},
		"JSON in gzip":                  {"application/json", "gzip", packed(`{"a":1}`), `{"contentType":"application/json","data":{"a":1},"status":200}`},
		"no JSON after all":             {"application/json", "", `{"a":`, `{"contentType":"application/json","data":"{\"a\":","status":200,"text":"{\"a\":"}`},
		"text":                          {"text/plain", "", "für", `{"contentType":"text/plain","data":"für","status":200,"text":"für"}`},
		"text of an old age":            {"text/plain; charset=iso-8859-1", "", "f\xfcr", `{"contentType":"text/plain","data":"für","status":200,"text":"für"}`},
		"undeclared old":                {"", "", "f\xfcr", `{"data":"für","status":200,"text":"für"}`},
		"UTF-16":                        {"text/plain", "", "\xff\xfef\x00\xfc\x00", `{"contentType":"text/plain","data":"fü","status":200,"text":"fü"}`},
		"UTF-16, big end":               {"text/plain", "", "\xfe\xff\x00f\x00\xfc", `{"contentType":"text/plain","data":"fü","status":200,"text":"fü"}`},
		"a byte order mark":             {"text/csv", "", "\ufeffa,b", `{"contentType":"text/csv","data":"a,b","status":200,"text":"a,b"}`},
		"text that begins like a sound": {"text/plain", "", "ID3 tags", `{"contentType":"text/plain","data":"ID3 tags","status":200,"text":"ID3 tags"}`},
		"nothing":                       {"text/plain", "", "", `{"contentType":"text/plain","data":"","status":200,"text":""}`},
		"SVG":                           {"image/svg+xml", "", "<svg/>", `{"contentType":"image/svg+xml","data":"\u003csvg/\u003e","status":200,"text":"\u003csvg/\u003e"}`},
		"an archive": {"application/zip", "", "PK\x03\x04\xff\x00", `{"base64":"UEsDBP8A","contentType":"application/zip",` +
			`"data":{"base64":"UEsDBP8A","contentType":"application/zip","size":6},"size":6,"status":200}`},
		"bytes that call themselves JSON": {"application/json", "", "\x00\x01\xff", `{"base64":"AAH/","contentType":"application/octet-stream",` +
			`"data":{"base64":"AAH/","contentType":"application/octet-stream","size":3},"size":3,"status":200}`},
	} {
		kind, packing, body = c.kind, c.packing, c.body
		out, err := ask()
		if got, _ := json.Marshal(out); err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v, want %s", name, got, err, c.want)
		}
	}
	for name, c := range map[string]struct{ body, kind, key string }{
		"a picture": {photo, "application/octet-stream", "imageUrl"}, "a sound": {"ID3\x04" + strings.Repeat("\xff", 2<<20), "audio/mpeg", "audioUrl"},
	} {
		kind, packing, body = c.kind, "", c.body
		out, err := ask()
		url, _ := out["url"].(string)
		if err != nil || url == "" || out[c.key] != url || out["data"] != url || out["status"] != 200 || string(s.files[url]) != c.body {
			t.Errorf("%s: %.200v, %v", name, out, err)
		}
	}
	kind, body = "text/plain", strings.Repeat("x", 1<<20+1)
	_, err := ask()
	wantFailure(t, err, "larger than 1 MiB")
	packing = "gzip"
	for says, of := range map[string]string{"packed in a way": "no gzip", "cut off": packed("text text")[:20], "larger than 1 MiB": packed(strings.Repeat("x", 64<<20))} {
		body = of
		_, err = ask()
		wantFailure(t, err, says)
	}
	packing, body = "br", "x"
	_, err = ask()
	wantFailure(t, err, "packed in a way")
}
