package tests

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/mux"

	"atelier/jsontext"
	"atelier/web"
)

// notTaken are bodies that no route takes, and how they are refused.
var notTaken = []struct {
	name, body     string
	header, value  string
	status         int
	code, contains string
}{
	{"Latin1", "{\"name\":\"Wei\xdf\"}", "", "", 400, "validation_error", "must be UTF-8"},
	{"HalfAPair", `{"name":"\ud800"}`, "", "", 400, "validation_error", "must be UTF-8"},
	{"NUL", `{"name":"a\u0000b"}`, "", "", 400, "validation_error", "U+0000"},
	{"DeclaredLatin1", `{}`, "Content-Type", "application/json; charset=ISO-8859-1", 415, "unsupported_media_type", "UTF-8"},
	{"UTF16", `{}`, "Content-Type", `application/json; charset="utf-16"`, 415, "unsupported_media_type", ""},
	{"Brotli", `{}`, "Content-Encoding", "br", 415, "unsupported_media_type", ""},
	{"PackedTwice", `{}`, "Content-Encoding", "gzip, gzip", 415, "unsupported_media_type", ""},
	{"NotPacked", `{}`, "Content-Encoding", "gzip", 400, "validation_error", "gzip"},
	{"Values", `{"x":[` + strings.Repeat("[],", jsontext.MaxValues/2) + `0]}`, "", "", 400, "validation_error", "values"},
}

// runAPIBytes sends to every route that reads a body what no route takes.
func runAPIBytes(t *testing.T, p *program) {
	who, _ := newcomer(t, p, "Bytes")
	a, err := documented()
	if err != nil {
		t.Fatal(err)
	}
	parameter := regexp.MustCompile(`\{[^}]+\}`)
	tried := 0
	for path, item := range a.paths {
		for method, operation := range item.(map[string]any) {
			body, _ := operation.(map[string]any)["requestBody"].(map[string]any)
			if body == nil || body["content"].(map[string]any)["application/json"] == nil || !strings.HasPrefix(path, "/v1/") || strings.HasPrefix(path, "/v1/oauth/") && path != "/v1/oauth/apps" {
				continue
			}
			for _, c := range notTaken {
				sender := who
				sender.t = t
				if c.header != "" {
					sender = sender.sending(c.header, c.value)
				}
				answer := sender.do(strings.ToUpper(method), parameter.ReplaceAllString(path, unknownID), c.body)
				if answer.Status == 429 || answer.Status == 404 && (strings.HasSuffix(path, "/images") || strings.HasPrefix(path, "/v1/webhooks/")) {
					continue // counted, or asked for, before the body is looked at
				}
				if answer.Status == 413 && c.name == "Values" && path == "/v1/voices" {
					continue // its fields are shorter than so many values
				}
				tried++
				answer.t = t
				if answer.Status != c.status || answer.path("error.code") != c.code || !strings.Contains(answer.text("error.message"), c.contains) {
					t.Errorf("%s %s, %s: %d %.300s", method, path, c.name, answer.Status, answer.Body)
				}
				if c.header == "Content-Encoding" && c.status == 415 && answer.Header.Get("Accept-Encoding") != "gzip" {
					t.Errorf("%s %s, %s: it does not say what it takes", method, path, c.name)
				}
			}
		}
	}
	if tried < 500 {
		t.Errorf("%d requests were judged", tried)
	}
	t.Run("Console", func(t *testing.T) { consoleBytes(t, who) })
	t.Run("Packed", func(t *testing.T) { packedBytes(t, who) })
	t.Run("Addresses", func(t *testing.T) {
		who.t = t
		who.get("/v1/workflows?q=%FC").wantError(400, "validation_error")
		who.get("/v1/workflows?q=%00").wantError(400, "validation_error")
		who.get("/v1/app/%FF").wantError(400, "validation_error")
		who.get("/v1/app/a%00").wantError(400, "validation_error")
		who.get("/media/a%00.png").wantError(400, "validation_error")
	})
}

// consoleBytes sends to every form of the console what none takes.
func consoleBytes(t *testing.T, who client) {
	who.t, who.header = t, map[string]string{"Cookie": web.SessionCookie(false) + "=" + who.token}
	who.token = ""
	part := "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nWei\xdf\r\n--b--\r\n"
	forms := []struct {
		kind, coding, body string
		status             int
	}{
		{formKind, "", "name=Wei%DF", 400}, {formKind, "", "name=a%00", 400}, {formKind + "; charset=iso-8859-1", "", "name=x", 415},
		{formKind + "; charset=utf-16", "", "name=x", 415}, {formKind, "br", "name=x", 415}, {formKind, "gzip", "name=x", 400},
		{"multipart/form-data; boundary=b", "", part, 400},
	}
	tried := 0
	for _, template := range consoleForms(t) {
		if strings.HasPrefix(template, "/workspaces/{space") {
			continue // the pages of a workspace are those of one's own space, behind the membership
		}
		path := addressOf(template)
		for _, form := range forms {
			sender := who.sending("Content-Type", form.kind)
			if form.coding != "" {
				sender = sender.sending("Content-Encoding", form.coding)
			}
			tried++
			answer := sender.do("POST", who.URL+path, form.body)
			if answer.Status == 404 && strings.HasSuffix(template, "/nodes/edit") {
				continue // a graph is looked for before its large form is read
			}
			if answer.Status != form.status {
				t.Errorf("%s, %s %s %q: %d, want %d", template, form.kind, form.coding, form.body, answer.Status, form.status)
			}
		}
	}
	if tried < 500 {
		t.Errorf("%d forms", tried)
	}
}

// consoleForms are the templates of all addresses at which the console takes a form.
func consoleForms(t *testing.T) (templates []string) {
	t.Helper()
	router := mux.NewRouter()
	web.New(web.Config{PublicURL: "http://localhost", Now: time.Now}).Routes(router)
	err := router.Walk(func(route *mux.Route, _ *mux.Router, _ []*mux.Route) error {
		template, err := route.GetPathTemplate()
		if methods, _ := route.GetMethods(); err == nil && slices.Contains(methods, http.MethodPost) {
			templates = append(templates, template)
		}
		return nil
	})
	if err != nil || len(templates) < 100 {
		t.Fatalf("%d addresses, %v", len(templates), err)
	}
	return templates
}

const formKind = "application/x-www-form-urlencoded"

// addressOf fills the parameters of a template.
func addressOf(template string) string {
	for _, parameter := range parameterForm.FindAllString(template, -1) {
		value := unknownID
		if strings.HasPrefix(parameter, "{version") {
			value = "1"
		}
		template = strings.Replace(template, parameter, value, 1)
	}
	return regexp.MustCompile(`\{[^}]+\}`).ReplaceAllString(template, "x")
}

// packedBytes sends what is packed: it is read as it was before, and counts as the same request.
func packedBytes(t *testing.T, who client) {
	who.t = t
	pack := func(text string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write([]byte(text))
		_ = w.Close()
		return b.String()
	}
	packed, body := who.sending("Content-Encoding", "gzip"), `{"name":"Größe"}`
	made := packed.sending("Idempotency-Key", "packed-1").post("/v1/projects", pack(body)).want(201)
	again := who.sending("Idempotency-Key", "packed-1").post("/v1/projects", body).want(201)
	if made.text("data.name") != "Größe" || again.text("data.id") != made.text("data.id") || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("%s and %s", made.Body, again.Body)
	}
	who.post("/v1/projects", "\xef\xbb\xbf"+body).want(201)
	if answer := packed.post("/graphql", pack(`{"query":"{me{id}}"}`)).want(200); answer.text("data.me.id") == "" {
		t.Errorf("%s", answer.Body)
	}
	bomb := pack(`{"name":"` + strings.Repeat("x", 64<<20) + `"}`)
	packed.post("/v1/projects", bomb).wantError(413, "payload_too_large")
	packed.post("/v1/workflows", bomb).wantError(413, "payload_too_large")
	packed.post("/graphql", bomb).want(413)
	text := object{"id": "text", "type": "text", "data": object{"text": strings.Repeat("x", 200)}}
	nodes := slices.Repeat([]string{`{}`}, 100_000)
	who.post("/v1/workflows", fmt.Sprintf(`{"name":"x","nodes":[%s],"edges":[]}`, strings.Join(nodes, ","))).wantError(400, "validation_error")
	who.post("/v1/workflows", object{"name": "x", "nodes": []object{text}, "edges": []object{}}).want(201)
}
