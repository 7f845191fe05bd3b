package tests

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"atelier/models/dbtest"
)

// TestRevocationClosesStreams opens streams at one service and takes the right
// to them away at another: each is closed at once, although nothing else happens on it.
func TestRevocationClosesStreams(t *testing.T) {
	t.Parallel()
	databaseURL, dataDir := dbtest.NewURL(t), t.TempDir()
	env := []string{"TRUSTED_PROXIES=127.0.0.1/32", "LOG_LEVEL=error"}
	here := startOn(t, databaseURL, dataDir, []string{"serve", "--workers=false"}, env...)
	there := startOn(t, databaseURL, dataDir, []string{"serve", "--workers=false"}, append(env, "PUBLIC_URL="+here.URL)...)
	c := newCast(t, here.URL, "school", 10)
	organization, members := "/v1/orgs/"+c.org+"/members/", "/v1/workspaces/"+c.room+"/members/"
	room := fmt.Sprintf(`subscription { workspaceChanged(id: %q) { memberCount } }`, c.room)
	codeOf(c.owner.client, c.room)
	suspend, demote := object{"status": "suspended"}, object{"role": "member"}
	token := c.pupil.get("/v1/api-tokens").want(200).text("data.0.id")
	projector := "/workspaces/" + c.room + "/join-code/show/joined"
	newcomer := func(name string) person {
		p := newPerson(t, here.URL, name)
		p.post("/v1/workspaces/join", object{"code": codeOf(c.owner.client, c.room)}).want(200)
		return p
	}
	suspended, removed, dismissed, leaving, leaver := newcomer("Suspended"), newcomer("Removed"), newcomer("Dismissed"), newcomer("Leaving"), newcomer("Leaver")
	for _, step := range []struct {
		name   string
		open   func() *stream
		revoke func()
	}{
		{"revoking the token", func() *stream { return openStream(c.roomToken.at(there.URL), room) },
			func() { c.pupil.do("DELETE", "/v1/api-tokens/"+token, nil).want(200) }},
		{"signing out", func() *stream { return openStream(c.pupil.at(there.URL), room) },
			func() { c.pupil.post("/auth/sign-out", nil).want(200) }},
		{"suspension in the organization", func() *stream { return openStream(suspended.at(there.URL), room) },
			func() { c.owner.do("PATCH", organization+suspended.id, suspend).want(200) }},
		{"suspension in the workspace", func() *stream { return openStream(leaving.at(there.URL), room) },
			func() { c.head.do("PATCH", members+leaving.id, suspend).want(200) }},
		{"removal from the workspace", func() *stream { return openStream(removed.at(there.URL), room) },
			func() { c.head.do("DELETE", members+removed.id, nil).want(200) }},
		{"removal from the organization", func() *stream { return openStream(dismissed.at(there.URL), room) },
			func() { c.owner.do("DELETE", organization+dismissed.id, nil).want(200) }},
		{"leaving", func() *stream { return openStream(leaver.at(there.URL), room) },
			func() { leaver.post("/v1/orgs/"+c.org+"/leave", nil).want(200) }},
		{"demotion of an unlisted admin", func() *stream { return openStream(c.admin.at(there.URL), room) },
			func() { c.owner.do("PATCH", organization+c.admin.id, demote).want(200) }},
		{"the projector, when its admin is demoted", func() *stream { return openPage(c.head.at(there.URL), projector) },
			func() { c.owner.do("PATCH", members+c.head.id, demote).want(200) }},
		{"the projector, when its admin signs out", func() *stream { return openPage(c.owner.at(there.URL), projector) },
			func() { c.owner.post("/auth/sign-out", nil).want(200) }},
	} {
		t.Run(step.name, func(t *testing.T) {
			s := step.open()
			defer s.close()
			select {
			case <-s.events:
			case <-time.After(30 * time.Second):
				t.Fatal("the stream sends nothing")
			}
			step.revoke()
			select {
			case <-s.done:
			case <-time.After(10 * time.Second): // well before anything looks by itself
				t.Fatal("the stream stays open")
			}
		})
	}
}

// TestStreamsShowWhatIsNew joins a workspace while a person watches how many belong to it.
func TestStreamsShowWhatIsNew(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	c := newCast(t, url, "team", 0)
	s := openStream(c.head.client, fmt.Sprintf(`subscription { workspaceChanged(id: %q) { memberCount } }`, c.room))
	defer s.close()
	count := func() float64 {
		t.Helper()
		select {
		case event := <-s.events:
			return event.number("data.workspaceChanged.memberCount")
		case <-time.After(30 * time.Second):
			t.Fatal("the stream sends nothing")
		}
		return 0
	}
	before := count()
	c.outside.post("/v1/workspaces/join", object{"code": codeOf(c.owner.client, c.room)}).want(200)
	for deadline := time.Now().Add(time.Minute); count() != before+1; {
		if time.Now().After(deadline) {
			t.Fatalf("the stream still says %v", before)
		}
	}
}

// openPage opens a live part of a page of the console as a browser does.
func openPage(who client, path string) *stream {
	who.t.Helper()
	return openEvents(who, path, func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "atelier_session", Value: who.token}) })
}

// openLive opens a stream of the API.
func openLive(who client, path string) *stream {
	who.t.Helper()
	return openEvents(who, path, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+who.token) })
}

func openEvents(who client, path string, identify func(*http.Request)) *stream {
	who.t.Helper()
	request, err := http.NewRequest("GET", who.URL+path, nil)
	if err != nil {
		who.t.Fatal(err)
	}
	request.Header.Set("Accept", "text/event-stream")
	identify(request)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		who.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		body, _ := io.ReadAll(response.Body)
		who.t.Fatalf("GET %s: %d %s", path, response.StatusCode, body)
	}
	s := &stream{status: response.StatusCode, events: make(chan reply, 1000), done: make(chan struct{}), body: response.Body}
	go func() {
		defer close(s.done)
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				event := reply{t: who.t, what: path, Body: []byte(data)}
				_ = json.Unmarshal(event.Body, &event.JSON)
				s.events <- event
			}
		}
	}()
	return s
}

// next is the next event.
func (s *stream) next(t testing.TB) *reply {
	t.Helper()
	select {
	case event := <-s.events:
		return &event
	case <-time.After(patience):
		t.Fatal("the stream sends nothing")
	}
	return nil
}

// ends fails unless the service ends the stream soon.
func (s *stream) ends(t testing.TB) {
	t.Helper()
	select {
	case <-s.done:
	case <-time.After(patience):
		t.Fatal("the stream stays open")
	}
}

// stream is an open GraphQL subscription.
type stream struct {
	status int
	events chan reply
	done   chan struct{} // closed when the service ends the stream
	body   interface{ Close() error }
}

// openStream begins a subscription over server-sent events.
func openStream(who client, query string) *stream {
	who.t.Helper()
	body, _ := json.Marshal(object{"query": query})
	request, err := http.NewRequest("POST", who.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		who.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	if who.token != "" {
		request.Header.Set("Authorization", "Bearer "+who.token)
	}
	for key, value := range who.header {
		request.Header.Set(key, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		who.t.Fatal(err)
	}
	s := &stream{status: response.StatusCode, events: make(chan reply, 1000), done: make(chan struct{}), body: response.Body}
	go func() {
		defer close(s.done)
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 8<<20)
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				event := reply{t: who.t, what: "event", Body: []byte(data)}
				_ = json.Unmarshal(event.Body, &event.JSON)
				s.events <- event
			}
		}
	}()
	return s
}

func (s *stream) close() { s.body.Close() }
