//go:build !race

package tests

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestProtocol drives everything that is served with what no client should send:
// nothing fails on the service's side or keeps anyone waiting, and every refusal
// has the form of its face.
func TestProtocol(t *testing.T) {
	t.Parallel()
	p := startService(t, "TRUSTED_PROXIES=127.0.0.1/32", "LOG_LEVEL=error")
	w := &wire{t: t, stage: newStage(t, newCast(t, p.URL, "school", 50)), http: &http.Client{
		Timeout: 2 * time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 4},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	w.routes = slices.DeleteFunc(routesOf(t, w.visitor), func(route string) bool {
		return slices.Contains(endings, route) || strings.HasPrefix(route, "DELETE ")
	})
	t.Run("HEAD", w.heads)
	t.Run("methods", w.methods)
	t.Run("paths", w.paths)
	t.Run("queries", w.queries)
	t.Run("headers", w.headers)
	t.Run("console", w.console)
	t.Run("scalars", w.scalars)
	t.Run("raw", w.raw)
}

// wire is a running service and who speaks with it.
type wire struct {
	*stage
	t      *testing.T
	http   *http.Client
	routes []string
	sent   int
}

// wireAnswer is what came back.
type wireAnswer struct {
	status int
	header http.Header
	body   []byte
}

// ask sends a request whose target is written as it is; header are names and values.
func (w *wire) ask(t *testing.T, who client, method, target, body string, header ...string) wireAnswer {
	t.Helper()
	request, err := http.NewRequest(method, w.visitor.URL+"/", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	path, query, _ := strings.Cut(target, "?")
	if strings.HasPrefix(path, "//") { // else it would be taken for a host
		path = "//" + request.URL.Host + path
	}
	request.URL.Opaque, request.URL.RawQuery = path, query
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if who.token != "" {
		request.Header.Set("Authorization", "Bearer "+who.token)
	}
	// Limits by address are those of one visitor each.
	w.sent++
	request.Header.Set("X-Forwarded-For", fmt.Sprintf("203.%d.%d.%d", w.sent>>16&255, w.sent>>8&255, w.sent&255))
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := w.http.Do(request)
	if err != nil {
		t.Errorf("%s %.200s: %v", method, target, err)
		return wireAnswer{}
	}
	defer response.Body.Close()
	return wireAnswer{response.StatusCode, response.Header, readAll(response.Body)}
}

// sound fails when an answer is the service's fault, or a refusal of /v1 without the
// contract's form.
func (a wireAnswer) sound(t *testing.T, what string) {
	t.Helper()
	if a.status >= 500 && a.status != 503 || strings.Contains(string(a.body), `"internal_error"`) {
		t.Errorf("%.300s: %d %.300s", what, a.status, a.body)
	}
	page := strings.HasPrefix(a.header.Get("Content-Type"), "text/html") // for browsers, who send forms and ask for pages
	if a.status < 400 || len(a.body) == 0 || page && (strings.Contains(what, "/auth/") || strings.Contains(what, "/v1/sso/")) {
		return
	}
	var problem struct {
		Error struct{ Code, Message string }
	}
	if err := json.Unmarshal(a.body, &problem); err != nil || problem.Error.Code == "" || problem.Error.Message == "" {
		var oauth struct{ Error string } // of RFC 6749
		if json.Unmarshal(a.body, &oauth) != nil || oauth.Error == "" {
			t.Errorf("%.300s: refused with %d %.300s", what, a.status, a.body)
		}
	}
	if a.status == 405 && a.header.Get("Allow") == "" {
		t.Errorf("%.300s: 405 without Allow", what)
	}
}

// heads: HEAD is GET without its body, but where GET does something or never ends.
func (w *wire) heads(t *testing.T) {
	asked := 0
	for _, route := range w.routes {
		method, address, _ := w.request(route)
		if method != "GET" {
			continue
		}
		for _, who := range []client{w.visitor, w.pupil.client} {
			head := w.ask(t, who, "HEAD", address, "")
			if strings.HasSuffix(route, "/events") {
				if head.status != 405 || strings.Contains(head.header.Get("Allow"), "HEAD") || !strings.Contains(head.header.Get("Allow"), "GET") {
					t.Errorf("HEAD %s: %d, allowed is %q", address, head.status, head.header.Get("Allow"))
				}
				continue
			}
			get := w.ask(t, who, "GET", address, "")
			asked++
			if head.status != get.status || len(head.body) != 0 {
				t.Errorf("HEAD %s: %d with %d bytes, GET %d %.200s", address, head.status, len(head.body), get.status, get.body)
			}
			for _, name := range []string{"Content-Type", "Content-Length", "ETag", "Cache-Control", "Location", "RateLimit-Limit", "WWW-Authenticate"} {
				if a, b := head.header.Get(name), get.header.Get(name); a != b && (name != "Content-Length" || b != "") {
					t.Errorf("HEAD %s: %s is %q, of GET %q", address, name, a, b)
				}
			}
		}
	}
	if asked < 100 {
		t.Errorf("only %d answers were compared", asked)
	}
	for target, want := range map[string]int{
		"/v1/sso/school?assertion=x": 405, "/v1/sso/school": 404, "/auth/oidc/school": 405, "/auth/oidc/school/callback?code=x&state=y": 405,
		"/v1/nothing": 404, "/v1/orgs/x/leave": 405, "/graphql": 405, "/v1/openapi.json": 200, "/login": 200, "/healthz": 200, "/favicon.ico": 307,
	} {
		head := w.ask(t, w.visitor, "HEAD", target, "")
		if head.status != want || len(head.body) != 0 || want == 405 && head.header.Get("Allow") == "" {
			t.Errorf("HEAD %s: %d, want %d, allowed is %q", target, head.status, want, head.header.Get("Allow"))
		}
	}
	// It is counted as GET is.
	left := func(method string) string {
		return w.ask(t, w.ownerToken, method, "/v1/app/matrix/runs", "").header.Get("RateLimit-Remaining")
	}
	if a, b := left("HEAD"), left("GET"); a != "" && a == b {
		t.Errorf("HEAD leaves %q, GET then %q", a, b)
	}
}

// methods that a path does not have are 405, and say which ones it has.
func (w *wire) methods(t *testing.T) {
	for _, target := range []string{"/v1/orgs", "/v1/nodes", "/v1/upload", "/graphql", "/login", "/sign-up", "/media/none", "/healthz", "/favicon.ico", "/payments/stripe/events", "/auth/sign-in", "/v1/webhooks/x", "/.well-known/oauth-authorization-server"} {
		for _, method := range []string{"TRACE", "PROPFIND", "OPTIONS", "LOCK", "get", "PATCH", "PUT", "BREW"} {
			if a := w.ask(t, w.visitor, method, target, ""); a.status != 405 || a.header.Get("Allow") == "" || slices.Contains(strings.Split(a.header.Get("Allow"), ", "), method) {
				t.Errorf("%s %s: %d, allowed is %q", method, target, a.status, a.header.Get("Allow"))
			}
		}
	}
	w.ask(t, w.visitor, "TRACE", "/v1/nothing", "").sound(t, "TRACE of nothing")
}

// hostileParts stand for one parameter of a path, written as they go over the wire.
var hostileParts = []string{
	"%00", "%ff", "%c0%af", "%ed%a0%80", "..", "%2e%2e", "%2F", "%5C", strings.Repeat("a", 6_000), "%F0%9F%98%80", nowhere, strings.ToUpper("0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee"),
	"-1", "99999999999999999999", "%25", "%20", "null", "'%22;--", "{x}", "urn:uuid:" + nowhere,
}

// paths puts each hostile part in place of each parameter of each route.
func (w *wire) paths(t *testing.T) {
	for i, route := range w.routes {
		method, path, _ := strings.Cut(route, " ")
		pieces := strings.Split(path, "/")
		for at, piece := range pieces {
			if !strings.HasPrefix(piece, "{") {
				continue
			}
			for n, part := range hostileParts {
				if (i+n)%4 != 0 {
					continue
				}
				changed := slices.Clone(pieces)
				changed[at] = "HOSTILE"
				target := strings.ReplaceAll(w.address(method+" "+strings.Join(changed, "/"), w.id(path), w.pupil.id), "HOSTILE", part)
				body := ""
				if method != "GET" {
					body = "{}"
				}
				a := w.ask(t, []client{w.visitor, w.pupil.client, w.owner.client}[(i+n)%3], method, target, body)
				a.sound(t, method+" "+target)
			}
		}
	}
	for _, target := range []string{"//", "/v1//me", "//v1/me", "/v1/me/", "/v1/./me", "/v1/../v1/me", "/v1/%6de", "/v1%2fme", "/v1/me;a=b", "/v1/" + strings.Repeat("a/", 3_000), "/v1/\u00e4", "/v1/me%00"} {
		if strings.HasPrefix(target, "/v1") {
			w.ask(t, w.pupil.client, "GET", target, "").sound(t, target)
		} else if a := w.ask(t, w.pupil.client, "GET", target, ""); a.status >= 500 || a.status == 0 {
			t.Errorf("%s: %d", target, a.status)
		}
	}
}

// hostileValues stand for one parameter of a query.
var hostileValues = []string{"", "-1", "0", "1e9", "NaN", "99999999999999999999", "%00", "%ff", "%ed%a0%80", "%zz", "[]", "null", "true", strings.Repeat("x", 10_000), "2026-13-40", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", nowhere, "a,b,,c", "%25_%5C"}

// queries puts each hostile value in place of each parameter that a route reads, once and twice.
func (w *wire) queries(t *testing.T) {
	paths := w.visitor.get("/v1/openapi.json").want(200).path("paths").(map[string]any)
	asked := 0
	for i, route := range w.routes {
		method, path, _ := strings.Cut(route, " ")
		item, _ := paths[path].(map[string]any)
		described, _ := item[strings.ToLower(method)].(map[string]any)
		parameters, _ := described["parameters"].([]any)
		if method != "GET" || strings.HasSuffix(path, "/events") {
			continue
		}
		address, _, _ := strings.Cut(w.address(route, w.id(path), w.pupil.id), "?")
		names := []string{"limit", "cursor", "unknown"}
		for _, parameter := range parameters {
			if one := parameter.(map[string]any); one["in"] == "query" && one["name"] != "wait" {
				names = append(names, one["name"].(string))
			}
		}
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			for n, value := range hostileValues {
				if (name == "limit" || name == "cursor" || name == "unknown") && (i+n)%4 != 0 {
					continue // read in one place: each route is asked for some of them
				}
				for _, query := range []string{name + "=" + value, name + "=" + value + "&" + name + "=" + value, name + "[]=" + value}[:1+(i+n)%3] {
					asked++
					w.ask(t, []client{w.pupil.client, w.owner.client}[n%2], "GET", address+"?"+query, "").sound(t, "GET "+address+"?"+query)
				}
			}
		}
		for _, query := range []string{";", "a;b", "%", "&&&", "=", "?" + strings.Repeat("&a=b", 2_000)} {
			if i%8 == 0 {
				w.ask(t, w.pupil.client, "GET", address+"?"+query, "").sound(t, "GET "+address+"?"+query)
			}
		}
	}
	if asked < 1000 {
		t.Errorf("only %d queries were asked", asked)
	}
}

// hostileHeaders are a name and a value each.
var hostileHeaders = [][2]string{
	{"X-Service-Workspace", "nonsense"}, {"X-Service-Workspace", ""}, {"X-Service-Workspace", nowhere}, {"X-Service-Workspace", strings.Repeat("x", 20_000)}, {"X-Service-Workspace", "\xff\xfe"},
	{"Idempotency-Key", ""}, {"Idempotency-Key", "\xff"}, {"Idempotency-Key", strings.Repeat("k", 256)}, {"Idempotency-Key", "a key of its own"},
	{"Accept", "text/html"}, {"Accept", ";;,"}, {"Accept", "application/xml;q=NaN"}, {"Accept-Encoding", "gzip;q=x,\xff"},
	{"Content-Type", ""}, {"Content-Type", "application/json; charset=\""}, {"Content-Type", "multipart/form-data"}, {"Content-Type", "multipart/form-data; boundary=x"}, {"Content-Type", "application/x-www-form-urlencoded"}, {"Content-Type", "\xff"},
	{"If-None-Match", strings.Repeat(`"a",`, 5_000)}, {"If-None-Match", "*"}, {"Range", "bytes=9-1,-0,999999999999999999999-"}, {"If-Modified-Since", "never"}, {"Authorization", "Bearer \xff"}, {"Authorization", "Basic eDp5"},
	{"X-Request-Id", "\xff"}, {"X-Service-Client", strings.Repeat("sdk/", 1_000)}, {"Origin", "null"}, {"Last-Event-ID", strings.Repeat("9", 5_000)}, {"Expect", "a miracle"}, {"Cookie", "atelier_session=\xff; =;;"}, {"User-Agent", "\xff\xc0\x80"},
}

// headers sends each hostile header to some of all routes.
func (w *wire) headers(t *testing.T) {
	for i, route := range w.routes {
		method, address, body := w.request(route)
		if strings.HasSuffix(route, "/events") {
			continue
		}
		text, _ := body.(string)
		for n, header := range hostileHeaders {
			if (i+n)%6 != 0 {
				continue
			}
			if header[0] == "Authorization" {
				w.ask(t, w.visitor, method, address, text, header[:]...).sound(t, route+" "+header[0])
				continue
			}
			a := w.ask(t, w.pupil.client, method, address, text, header[:]...)
			if header[0] == "Expect" && a.status == http.StatusExpectationFailed { // said by net/http
				continue
			}
			a.sound(t, fmt.Sprintf("%s with %s: %.40q", route, header[0], header[1]))
		}
	}
}

// pageQueries are what the console's pages read of an address.
var pageQueries = []string{"after", "q", "page", "next", "prompt", "run", "status", "show", "return", "in", "workspace", "who", "tab", "state", "sheet", "scope", "part", "find", "error", "delivery", "check", "base", "asked", "archived", "again", "from", "to", "kind", "slug", "node"}

// console sends hostile queries to pages: they are answered with a page.
func (w *wire) console(t *testing.T) {
	cookie := "atelier_session=" + w.owner.token
	values := slices.DeleteFunc(slices.Clone(hostileValues), func(value string) bool { return value == "" })
	for i, template := range consolePages(t) {
		if endless(template) {
			continue
		}
		address := w.page(template)
		var query []string
		for n, name := range pageQueries {
			query = append(query, name+"="+values[(i+n)%len(values)])
		}
		targets := []string{address + "?" + strings.Join(query, "&")}
		for n := range values {
			if (i+n)%15 == 0 {
				targets = append(targets, address+"?after="+values[n], address+"?q="+values[n])
			}
		}
		if strings.Contains(template, "{") {
			targets = append(targets, w.pageOf(template, "%00"), w.pageOf(template, "%ff"), w.pageOf(template, strings.Repeat("a", 3_000)))
		}
		for _, target := range targets {
			for _, method := range []string{"GET", "HEAD"}[i%2 : 1+i%2] {
				a := w.ask(t, client{}, method, target, "", "Cookie", cookie, "Accept", "text/html")
				if a.status == 0 || a.status >= 500 || method == "HEAD" && len(a.body) > 0 {
					t.Errorf("%s %.200s: %d %.200s", method, target, a.status, a.body)
				}
			}
		}
	}
}

// page is the address of a page on the stage, pageOf with one text for every parameter.
func (w *wire) page(template string) string {
	plain := parameterForm.ReplaceAllString(template, "$1")
	id := nowhere
	for prefix, one := range map[string]string{"/orgs/": w.org, "/workspaces/": w.room, "/workflows/": w.workflow, "/projects/": w.project} {
		if strings.HasPrefix(plain, prefix) {
			id = one
		}
	}
	return strings.NewReplacer("{org}", w.org, "{workspace}", w.room, "{id}", id, "{slug}", "matrix").Replace(fillRest(plain, id))
}

func (w *wire) pageOf(template, text string) string {
	return fillRest(parameterForm.ReplaceAllString(template, "$1"), text)
}

// fillRest puts a text in place of every parameter.
func fillRest(template, text string) string {
	pieces := strings.Split(template, "/")
	for i, piece := range pieces {
		if open, end := strings.Index(piece, "{"), strings.LastIndex(piece, "}"); open >= 0 && end > open {
			pieces[i] = piece[:open] + text + piece[end+1:]
		}
	}
	return strings.Join(pieces, "/")
}

// scalars sends values of every kind as a variable of every type of input of the schema.
func (w *wire) scalars(t *testing.T) {
	schema := w.owner.post("/graphql", object{"query": `{__schema{types{kind name} mutationType{fields{name args{name type{kind name ofType{kind name ofType{kind name ofType{kind name}}}}}}} queryType{fields{name args{name type{kind name ofType{kind name ofType{kind name ofType{kind name}}}}}}}}}`}).want(200)
	values := []string{`null`, `-1`, `1e9`, `1e400`, `1.5`, `99999999999999999999`, `""`, `"\u0000"`, `"\ud800"`, `"NaN"`, `true`, `[]`, `[null]`, `{}`, `{"a":[{}]}`, `"` + strings.Repeat("x", 10_000) + `"`, `"0000-00-00T00:00:00Z"`, `"9999-12-31T23:59:59Z"`}
	asked := 0
	for i, root := range []string{"query", "mutation"} {
		fields, _ := schema.path("data.__schema." + root + "Type.fields").([]any)
		for f, field := range fields {
			described := field.(map[string]any)
			if name := described["name"].(string); root == "mutation" && (strings.HasPrefix(name, "sign") || strings.HasPrefix(name, "leave")) {
				continue
			}
			arguments, _ := described["args"].([]any)
			for _, argument := range arguments {
				one := argument.(map[string]any)
				kind := strings.TrimSuffix(typeText(one["type"]), "!")
				for n, value := range values {
					if (i+f+n)%3 != 0 {
						continue
					}
					document := fmt.Sprintf("%s($v:%s!){%s(%s:$v){__typename}}", root, kind, described["name"], one["name"])
					if n%2 == 0 {
						document = fmt.Sprintf("%s($v:%s){%s(%s:$v)}", root, kind, described["name"], one["name"])
					}
					asked++
					body := `{"query":` + jsonText(document) + `,"variables":{"v":` + value + `}}`
					a := w.ask(t, w.owner.client, "POST", "/graphql", body)
					if a.status == 0 || a.status >= 500 || strings.Contains(string(a.body), "internal_error") {
						t.Errorf("%s with %.60s: %d %.300s", document, value, a.status, a.body)
					}
				}
			}
		}
	}
	if asked < 500 {
		t.Errorf("only %d documents were asked", asked)
	}
}

// typeText writes a type as a document does.
func typeText(described any) string {
	one, _ := described.(map[string]any)
	switch one["kind"] {
	case "NON_NULL":
		return typeText(one["ofType"]) + "!"
	case "LIST":
		return "[" + typeText(one["ofType"]) + "]"
	}
	name, _ := one["name"].(string)
	return name
}

func jsonText(text string) string {
	written, _ := json.Marshal(text)
	return string(written)
}

// raw writes requests that no library sends.
func (w *wire) raw(t *testing.T) {
	host := strings.TrimPrefix(w.visitor.URL, "http://")
	var all sync.WaitGroup
	for _, c := range []struct{ request, want string }{
		{"GET /v1/%zz HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
		{"GET http://x/v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n", "404"},
		{"GET http://" + host + "/healthz HTTP/1.1\r\nHost: x\r\n\r\n", "200"},
		{"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "200"},
		{"CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", "4"},
		{"GET /v1/me HTTP/1.1\r\n\r\n", "400"},
		{"GET /v1/me HTTP/3.0\r\nHost: x\r\n\r\n", "505"},
		{"GET /v1/me HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "400"},
		{"POST /v1/orgs HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}", "400"},
		{"POST /v1/orgs HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", "400"},
		{"POST /v1/orgs HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n", "501"},
		{"POST /v1/orgs HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "4"},
		{"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 23\r\n\r\n{\"query\":\"{__typename}\"", "100"},
		{"GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("x", 80<<10) + "\r\n\r\n", "431"},
		{"GET /v1/" + strings.Repeat("x", 40<<10) + " HTTP/1.1\r\nHost: x\r\n\r\n", "404"},
		{"GET /v1/me\x00 HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
		{"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", "400"},
		{"GET /media/x HTTP/1.1\r\nHost: x\r\nRange: bytes=0-0," + strings.Repeat("1-2,", 2_000) + "\r\n\r\n", "404"},
		{"GET /v1/me HTTP/1.0\r\n\r\n", "401"},
	} {
		all.Go(func() {
			connection, err := net.DialTimeout("tcp", host, 5*time.Second)
			if err != nil {
				t.Error(err)
				return
			}
			defer connection.Close()
			_ = connection.SetDeadline(time.Now().Add(20 * time.Second))
			_, _ = connection.Write([]byte(c.request))
			line, err := bufio.NewReader(connection).ReadString('\n')
			if _, status, _ := strings.Cut(line, " "); !strings.HasPrefix(status, c.want) {
				t.Errorf("%.80q: %q, %v, want %s", c.request, line, err, c.want)
			}
		})
	}
	all.Wait()
}
