package atelier

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"atelier/clients/go/api"
)

// served is a client of a made-up service that notes how long the client would have waited.
func served(t *testing.T, handler http.HandlerFunc) (*Client, *[]time.Duration) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	c, err := New(server.URL+"/", WithToken("svc_secret"))
	if err != nil {
		t.Fatal(err)
	}
	var waits []time.Duration
	c.sleep = func(ctx context.Context, d time.Duration) error {
		waits = append(waits, d)
		return ctx.Err()
	}
	c.API = api.New(c)
	return c, &waits
}

func refuse(w http.ResponseWriter, status int, code Code, header ...string) {
	for i := 0; i+1 < len(header); i += 2 {
		w.Header().Set(header[i], header[i+1])
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"code": code, "message": "No.", "field": "inputs.topic", "missingScope": "jobs:read"}})
}

func TestCallsAreRepeated(t *testing.T) {
	second := time.Second
	for name, test := range map[string]struct {
		method  string
		answers []int
		code    Code
		after   string
		waits   []time.Duration // at least; a tenth more at most
		ends    int
	}{
		"too many":              {"POST", []int{429, 429, 429, 202}, CodeRateLimited, "", []time.Duration{5 * second, 10 * second, 20 * second}, 202},
		"too many for good":     {"GET", []int{429, 429, 429, 429}, CodeRateLimited, "", []time.Duration{5 * second, 10 * second, 20 * second}, 429},
		"as long as it is told": {"POST", []int{429, 202}, CodeRateLimitExceeded, "42", []time.Duration{42 * second}, 202},
		"not for a day":         {"POST", []int{429, 202}, CodeRateLimitExceeded, "43200", nil, 429},
		"busy":                  {"PATCH", []int{503, 200}, CodeServiceUnavailable, "3", []time.Duration{3 * second}, 200},
		"no key":                {"POST", []int{503, 200}, CodeEncryptionKeyMissing, "", nil, 503},
		"a fault once":          {"POST", []int{500, 500, 202}, CodeInternalError, "", []time.Duration{2 * second}, 500},
		"not a change":          {"PATCH", []int{500, 200}, CodeInternalError, "", nil, 500},
		"at work":               {"POST", []int{409, 202}, CodeIdempotencyInProgress, "", []time.Duration{second}, 202},
		"final":                 {"POST", []int{409, 202}, CodeStaleVersion, "", nil, 409},
	} {
		t.Run(name, func(t *testing.T) {
			var keys, bodies []string
			c, waits := served(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				bodies, keys = append(bodies, string(body)), append(keys, r.Header.Get("Idempotency-Key"))
				status := test.answers[len(bodies)-1]
				if status < 400 {
					w.WriteHeader(status)
					return
				}
				refuse(w, status, test.code, "Retry-After", test.after)
			})
			got := 0
			response, err := c.Call(t.Context(), test.method, "/v1/things", nil, map[string]any{"a": 1})
			if refusal := (*Error)(nil); errors.As(err, &refusal) {
				got = refusal.Status
			} else if err != nil {
				t.Fatal(err)
			} else {
				got = response.StatusCode
				_ = response.Body.Close()
			}
			if got != test.ends || len(*waits) != len(test.waits) {
				t.Fatalf("ended with %d after %v, want %d after %v", got, *waits, test.ends, test.waits)
			}
			for i, wait := range *waits {
				if wait < test.waits[i] || wait > test.waits[i]*11/10+1 {
					t.Errorf("waited %v, want %v", wait, test.waits[i])
				}
			}
			if len(slices.Compact(bodies)) != 1 || bodies[0] != `{"a":1}` || len(slices.Compact(keys)) != 1 || (keys[0] != "") != (test.method == "POST") {
				t.Errorf("sent %q under %q", bodies, keys)
			}
		})
	}
}

func TestLostAnswers(t *testing.T) {
	for method, tries := range map[string]int{"GET": 4, "POST": 4, "PATCH": 1, "DELETE": 1} {
		n := 0
		c, _ := served(t, func(http.ResponseWriter, *http.Request) {
			n++
			panic(http.ErrAbortHandler)
		})
		if _, err := c.Call(t.Context(), method, "/v1/things", nil, nil); err == nil || n != tries {
			t.Errorf("%s was tried %d times: %v", method, n, err)
		}
	}
}

func TestHeaders(t *testing.T) {
	c, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
		h := r.Header
		_ = json.NewEncoder(w).Encode([]string{h.Get("Authorization"), h.Get("X-Service-Workspace"), h.Get("X-Service-Client"), h.Get("Idempotency-Key"), r.URL.RequestURI()})
	})
	var got []string
	ctx := WithIdempotencyKey(t.Context(), "once")
	if err := c.In("class").JSON(ctx, "POST", "/v1/things", nil, nil, &got); err != nil {
		t.Fatal(err)
	}
	if want := []string{"Bearer svc_secret", "class", "sdk/" + Version, "once", "/v1/things"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if c.Workspace() != "" || c.In("class").Workspace() != "class" {
		t.Error("the workspace of a copy is its own")
	}
	for _, bad := range []string{"", "example.org", "ftp://example.org", "https://"} {
		if _, err := New(bad); err == nil {
			t.Errorf("%q is taken for an install", bad)
		}
	}
}

func TestErrors(t *testing.T) {
	c, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/me":
			refuse(w, 403, CodeInsufficientScope, "X-Request-Id", "r1")
		case "/v1/projects":
			w.WriteHeader(404)
			_, _ = w.Write([]byte("<html>a proxy</html>"))
		default:
			w.WriteHeader(400)
			_, _ = w.Write([]byte(`{"error":"invalid_grant","error_description":"The code is used."}`))
		}
	})
	_, err := c.API.GetMe(t.Context(), nil)
	if e := (*Error)(nil); !errors.As(err, &e) || e.Status != 403 || e.Field != "inputs.topic" || e.MissingScope != "jobs:read" || e.RequestID != "r1" ||
		!IsCode(fmt.Errorf("me: %w", err), CodeForbidden, CodeInsufficientScope) || IsCode(err, CodeForbidden) || err.Error() != "No. (insufficient_scope)" {
		t.Errorf("%#v", err)
	}
	if _, err = c.API.GetProjects(t.Context(), nil); CodeOf(err) != "" || err.Error() != "status 404: Not Found" {
		t.Errorf("%v", err)
	}
	if _, err = c.API.PostOauthToken(t.Context(), api.PostOauthTokenJSONRequestBody{}); CodeOf(err) != "invalid_grant" || err.Error() != "The code is used. (invalid_grant)" {
		t.Errorf("%v", err)
	}
}

func TestPages(t *testing.T) {
	asked := []string{}
	c, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.RawQuery)
		switch r.URL.Query().Get("cursor") {
		case "":
			_, _ = w.Write([]byte(`{"data":[{"id":"1"},{"id":"2"}],"next":"a&b"}`))
		case "a&b":
			_, _ = w.Write([]byte(`{"data":[{"id":"3"}],"next":null}`))
		default:
			refuse(w, 400, CodeValidationError)
		}
	})
	var ids []string
	for job, err := range c.API.GetJobsAll(t.Context(), &api.GetJobsParams{Limit: new2(2)}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, job.ID)
	}
	if !slices.Equal(ids, []string{"1", "2", "3"}) || !slices.Equal(asked, []string{"limit=2", "cursor=a%26b&limit=2"}) {
		t.Errorf("%q by %q", ids, asked)
	}
	for range c.API.GetJobsAll(t.Context(), nil) {
		break
	}
	for _, err := range c.API.GetJobsAll(t.Context(), &api.GetJobsParams{Cursor: new2("bad")}) {
		if !IsCode(err, CodeValidationError) {
			t.Errorf("%v", err)
		}
	}
}

func new2[T any](value T) *T { return &value }

const streamOfTwo = "id: a\nevent: execution\ndata: {\"data\":{\"id\":\"x\",\"status\":\"running\",\"completedNodes\":1,\"totalNodes\":2}}\n\n: still here\n\n" +
	"id: b\nevent: execution\ndata: {\"data\":{\"id\":\"x\",\n data: \"status\":\"STATUS\",\"errorCode\":\"cancelled\"}}\n\n"

func TestFollowing(t *testing.T) {
	stream := strings.Replace(streamOfTwo, "\n data: ", "\ndata: ", 1)
	t.Run("by a stream", func(t *testing.T) {
		c, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte(strings.Replace(stream, "STATUS", "completed", 1)))
		})
		var seen []Progress
		execution, err := c.AwaitExecution(t.Context(), "x", OnProgress(func(p Progress) { seen = append(seen, p) }))
		if err != nil || execution.Status != "completed" || len(seen) != 2 || seen[0] != (Progress{"", "x", "running", 1, 0, 2}) {
			t.Errorf("%v %v %v", execution, seen, err)
		}
	})
	t.Run("by the rest of a broken stream", func(t *testing.T) {
		var last []string
		c, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
			last = append(last, r.Header.Get("Last-Event-ID"))
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			first, second, _ := strings.Cut(stream, ": still here\n\n")
			if len(last) == 1 {
				_, _ = w.Write([]byte(first))
				return
			}
			_, _ = w.Write([]byte(strings.Replace(second, "STATUS", "failed", 1)))
		})
		_, err := c.AwaitExecution(t.Context(), "x")
		if e := (*RunError)(nil); !errors.As(err, &e) || e.Code != "cancelled" || !slices.Equal(last, []string{"", "a"}) {
			t.Errorf("%v after %q", err, last)
		}
	})
	t.Run("by polling where no stream comes through", func(t *testing.T) {
		streams, polls := 0, 0
		c, waits := served(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/events") {
				streams++
				_, _ = w.Write([]byte("<html>a proxy</html>"))
				return
			}
			w.Header().Set("ETag", `"1"`)
			if polls++; polls == 2 && r.Header.Get("If-None-Match") == `"1"` {
				w.WriteHeader(304)
				return
			}
			_, _ = fmt.Fprintf(w, `{"id":"r","execution":{"status":%q}}`, []string{"running", "", "completed"}[polls-1])
		})
		run, err := c.AwaitRun(t.Context(), "poster", "r")
		if err != nil || run.ID != "r" || streams != 3 || polls != 3 || (*waits)[4] != betweenPolls {
			t.Errorf("%v, %d streams, %d polls, %v: %v", run, streams, polls, *waits, err)
		}
	})
	t.Run("not what is refused", func(t *testing.T) {
		n := 0
		c, _ := served(t, func(w http.ResponseWriter, r *http.Request) { n++; refuse(w, 404, CodeNotFound) })
		if _, err := c.AwaitRun(t.Context(), "poster", "r"); !IsCode(err, CodeNotFound) || n != 1 {
			t.Errorf("%v after %d", err, n)
		}
	})
	t.Run("as long as it is wanted", func(t *testing.T) {
		c, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte(stream))
		})
		for range c.FollowExecution(t.Context(), "x") {
			break
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.AwaitExecution(ctx, "x"); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}

func TestUpload(t *testing.T) {
	var names, contents, keys []string
	lengths := []int64{}
	c, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
		lengths, keys = append(lengths, r.ContentLength), append(keys, r.Header.Get("Idempotency-Key"))
		file, header, err := r.FormFile("file")
		if err != nil {
			t.Error(err)
			return
		}
		content, _ := io.ReadAll(file)
		names, contents = append(names, header.Filename), append(contents, string(content))
		if len(names) == 1 {
			refuse(w, 503, CodeServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte(`{"data":{"id":"f","url":"https://example.org/f","size":5}}`))
	})
	content := bytes.NewReader([]byte("skip hello"))
	_, _ = content.Seek(5, io.SeekStart)
	var sent int64
	file, err := c.Upload(t.Context(), "a \"b\".txt", content, OnSent(func(n, total int64) {
		if sent = n; total != 5 {
			t.Errorf("of %d", total)
		}
	}))
	if err != nil || file.ID != "f" || sent != 5 || !slices.Equal(contents, []string{"hello", "hello"}) || names[1] != "a \"b\".txt" || keys[0] != keys[1] || lengths[0] < 100 {
		t.Errorf("%v %d %q %q %v: %v", file, sent, names, contents, lengths, err)
	}
	if _, err = c.Upload(t.Context(), "once", io.MultiReader(strings.NewReader("one"), strings.NewReader("two"))); err != nil || contents[2] != "onetwo" || lengths[2] != -1 {
		t.Errorf("%q %v: %v", contents, lengths, err)
	}
}

func TestDownloadSendsNoToken(t *testing.T) {
	c, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("the token went along")
		}
		_, _ = w.Write([]byte("a picture"))
	})
	var b bytes.Buffer
	if n, err := c.Download(t.Context(), "/media/x.png", &b); err != nil || n != 9 || b.String() != "a picture" {
		t.Errorf("%d %q %v", n, b.String(), err)
	}
}

func TestOutputs(t *testing.T) {
	app := &App{SnapshotNodes: []api.ShownNode{{ID: "b"}, {ID: "a"}, {ID: "c"}}}
	run := &Run{Execution: api.RunExecutionView{NodeStates: map[string]NodeState{
		"a": {Output: map[string]any{"text": "words", "audioUrl": "https://example.org/s"}}, "b": {Output: map[string]any{"text": "words"}}, "c": {},
	}}}
	if all := Outputs(app, run); len(all) != 2 || all[0].Text != "words" || all[1].URL != "https://example.org/s" {
		t.Errorf("%v", all)
	}
	if main, ok := MainOutput(app, run); !ok || main.NodeID != "a" {
		t.Errorf("%v", main)
	}
	app.ThumbnailNodeID = new2("b")
	if main, ok := MainOutput(app, run); !ok || main.NodeID != "b" {
		t.Errorf("%v", main)
	}
}

// Forms are made as the console and the other clients make them.
func TestForms(t *testing.T) {
	for _, v := range vectors[struct {
		Name, NodeType, Field string
		InputSchema           any
		Data                  map[string]any
		AllowedValues         []any
		Control               struct {
			Kind                  Control
			Label, Hint, Min, Max string
			Value                 any
			Options               []any
			Whole, Required       bool
			MaxLength             int
		}
	}](t, "controls.json") {
		app := &App{SnapshotNodes: []api.ShownNode{{ID: "n", Type: v.NodeType, Data: v.Data}}}
		app.SnapshotSettings.PresentationSettings.InputItems = []any{map[string]any{"type": "field", "id": "f", "nodeId": "n", "field": v.Field, "allowedValues": v.AllowedValues}}
		types := map[string]*NodeType{}
		if v.InputSchema != nil {
			types[v.NodeType] = &NodeType{Type: v.NodeType, InputSchema: v.InputSchema}
		}
		got, want := FormOf(app, types)[0], v.Control
		if got.Control == ControlSlider && got.Minimum == nil {
			want.Min, want.Max = "", "" // ends that are made up for drawing bound no value
		}
		limit := func(n *float64) string {
			if n == nil {
				return ""
			}
			return strconv.FormatFloat(*n, 'f', -1, 64)
		}
		a := []any{got.Control, got.Label, got.Hint, got.Value, got.Options, limit(got.Minimum), limit(got.Maximum), got.Whole, got.Required, got.MaxLength}
		b := []any{want.Kind, want.Label, want.Hint, want.Value, want.Options, want.Min, want.Max, want.Whole, want.Required, want.MaxLength}
		if fmt.Sprintf("%v", a) != fmt.Sprintf("%v", b) {
			t.Errorf("%s: got %v, want %v", v.Name, a, b)
		}
	}
	type part struct {
		Type, ID, NodeID, Field, Label, Hint string
		Kind                                 Control
		Required                             bool
		Parts                                []part
	}
	for _, v := range vectors[struct {
		Name          string
		SnapshotNodes []api.ShownNode
		InputItems    []any
		NodeTypes     []NodeType
		Parts         []part
	}](t, "forms.json") {
		app := &App{SnapshotNodes: v.SnapshotNodes}
		app.SnapshotSettings.PresentationSettings.InputItems = v.InputItems
		types := map[string]*NodeType{}
		for _, kind := range v.NodeTypes {
			types[kind.Type] = &kind
		}
		var want, got []string
		for _, p := range v.Parts {
			for _, p := range append([]part{p}, p.Parts...) {
				if p.Type == "field" && p.ID != "" { // what a whole node's block has is no input
					want = append(want, fmt.Sprintf("%s %s %s %s %q %q %v", p.ID, p.NodeID, p.Field, p.Kind, p.Label, p.Hint, p.Required))
				}
			}
		}
		for _, f := range FormOf(app, types) {
			got = append(got, fmt.Sprintf("%s %s %s %s %q %q %v", f.ID, f.NodeID, f.Name, f.Control, f.Label, f.Hint, f.Required))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", v.Name, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
}

func TestFormAsksForATypeOnce(t *testing.T) {
	var asked []string
	c, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
		if asked = append(asked, r.URL.Path); strings.HasSuffix(r.URL.Path, "/gone") {
			refuse(w, 404, CodeNotFound)
			return
		}
		_, _ = w.Write([]byte(`{"data":{"type":"text"}}`))
	})
	app := &App{SnapshotNodes: []api.ShownNode{{ID: "a", Type: "gone"}, {ID: "b", Type: "text"}}}
	for _, field := range [][2]string{{"a", "one"}, {"b", "one"}, {"nowhere", "one"}, {"a", "two"}, {"b", "two"}} {
		items := &app.SnapshotSettings.PresentationSettings.InputItems
		*items = append(*items, map[string]any{"type": "field", "nodeId": field[0], "field": field[1]})
	}
	form, err := c.Form(t.Context(), app)
	if err != nil || len(form) != 4 || !slices.Equal(asked, []string{"/v1/nodes/gone", "/v1/nodes/text"}) {
		t.Errorf("%d fields by %q: %v", len(form), asked, err)
	}
}

// vectors are cases that all clients share.
func vectors[T any](t *testing.T, name string) []T {
	t.Helper()
	content, err := os.ReadFile("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	if err := json.Unmarshal(content, &all); err != nil || len(all) == 0 {
		t.Fatalf("%d cases: %v", len(all), err)
	}
	return all
}
