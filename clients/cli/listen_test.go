package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"atelier/clients/go/webhook"
)

func TestEventsAreMadeAsTheServiceMakesThem(t *testing.T) {
	kind, body, err := eventOf(json.RawMessage(`{"id":"j","status":"failed","completed_at":"2026-01-02T03:04:05.678Z","output_data":{"a":1}}`))
	if err != nil || kind != webhook.JobFailed {
		t.Fatal(kind, err)
	}
	event, err := webhook.Verify(signed(body, "whsec_x", time.Now()), body, "whsec_x")
	if err != nil || event.Job.ID != "j" || !event.CreatedAt.Equal(time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)) || len(event.ID) != 36 {
		t.Errorf("%+v %v", event, err)
	}
	large := strings.Repeat("x", maxEvent)
	_, body, _ = eventOf(json.RawMessage(`{"id":"j","status":"completed","completed_at":"2026-01-02T03:04:05Z","input_data":{"a":"` + large + `"},"output_data":{"a":1}}`))
	if event, err = webhook.Verify(signed(body, "s", time.Now()), body, "s"); err != nil || len(event.Omitted) != 1 || event.Omitted[0] != "input_data" || len(event.Job.OutputData) == 0 {
		t.Errorf("%+v %v", event, err)
	}
	if kind, _, err = eventOf(json.RawMessage(`{"status":"cancelled"}`)); kind != "" || err != nil {
		t.Error(kind, err)
	}
}

func TestReceivedEventsAreCheckedAndHandedOn(t *testing.T) {
	var got []string
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		event, err := webhook.Verify(r.Header, body, "whsec_x")
		if err != nil {
			t.Error(err)
			return
		}
		got = append(got, event.Type+" "+r.Header.Get("Service-Attempt")+r.Header.Get("Cookie"))
		w.WriteHeader(418)
	}))
	defer receiver.Close()
	var told bytes.Buffer
	l := &listener{p: &program{out: &told}, to: receiver.URL, sender: http.DefaultClient}
	_, body, _ := eventOf(json.RawMessage(`{"id":"j","status":"completed","completed_at":"2026-01-02T03:04:05Z"}`))
	for secret, want := range map[string]int{"whsec_x": 418, "whsec_other": 400} {
		r := httptest.NewRequest("POST", "/", bytes.NewReader(body))
		r.Header = signed(body, secret, time.Now())
		r.Header.Set("Service-Attempt", "2")
		r.Header.Set("Cookie", "private")
		w := httptest.NewRecorder()
		l.handler("whsec_x").ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%s is answered with %d", secret, w.Code)
		}
	}
	if len(got) != 1 || got[0] != "job.completed 2" || !strings.Contains(told.String(), "signature_mismatch") {
		t.Errorf("%q, told %s", got, told.String())
	}
}

func TestReceivers(t *testing.T) {
	for given, want := range map[string]string{
		"3000": "http://127.0.0.1:3000/", "3000/a/b": "http://127.0.0.1:3000/a/b", "http://localhost:1/x": "http://localhost:1/x", "https://a.example": "https://a.example",
		"": "", "0": "", "99999": "", "localhost:3000": "", "ftp://a": "",
	} {
		if got, err := receiverAt(given); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q %v", given, got, err)
		}
	}
}

// Only an answer to the very sign-in that was begun, from the very install, ends it.
func TestConsentTakesItsOwnAnswerAlone(t *testing.T) {
	for query, want := range map[string]string{
		"code=c&iss=https://a.example": "c", "code=c&iss=https://b.example": "comes from", "code=c": "comes from",
		"error=access_denied&iss=https://a.example": "did not allow", "error=invalid_scope&error_description=No&iss=https://a.example": "invalid_scope: No",
	} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		told := make(chan string, 10)
		p := &program{err: writer(func(s string) { told <- s })}
		go func() {
			for s := range told {
				page, err := url.Parse(strings.TrimSpace(s))
				if err != nil || page.Query().Get("state") == "" {
					continue
				}
				for _, state := range []string{"", "wrong", page.Query().Get("state")} {
					if r, err := http.Get(page.Query().Get("redirect_uri") + "?state=" + state + "&" + query); err == nil {
						_ = r.Body.Close()
					}
				}
				return
			}
		}()
		page := &url.URL{Scheme: "https", Host: "a.example", Path: "/oauth/authorize"}
		code, verifier, err := p.consent(t.Context(), listener, page, "https://a.example", "client", "http://"+listener.Addr().String()+"/back", "jobs:read", false)
		if got := code + errorText(err); !strings.Contains(got, want) || len(verifier) < 43 {
			t.Errorf("%s: %q", query, got)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := (&program{err: io.Discard}).consent(ctx, listener, &url.URL{}, "", "", "", "", false); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

type writer func(string)

func (w writer) Write(p []byte) (int, error) { w(string(p)); return len(p), nil }

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestPicturesInTerminals(t *testing.T) {
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewRGBA(image.Rect(0, 0, 900, 7))); err != nil {
		t.Fatal(err)
	}
	for way, want := range map[string]string{"kitty": "\x1b_Ga=T,f=100,m=", "iterm2": "\x1b]1337;File=inline=1;size=", "sixel": "\x1bPq\"1;1;640;4#0;2;"} {
		p := &program{env: func(name string) (string, bool) { return way, name == "ATELIERCTL_PICTURES" }}
		var b bytes.Buffer
		if err := p.pictures()(&b, file.Bytes()); err != nil || !strings.HasPrefix(b.String(), want) {
			t.Errorf("%s: %.40q %v", way, b.String(), err)
		}
		if err := p.pictures()(&b, []byte("no picture")); err == nil {
			t.Errorf("%s shows what is no picture", way)
		}
	}
	env := map[string]string{"TERM": "xterm-kitty"}
	p := &program{out: &bytes.Buffer{}, env: func(name string) (string, bool) { value, ok := env[name]; return value, ok }}
	if p.pictures() != nil {
		t.Error("a picture goes into a pipe")
	}
	if got := printable("a\x1b[31mb\u202ec\td\n"); got != "a[31mbc\td\n" {
		t.Errorf("%q", got)
	}
}
