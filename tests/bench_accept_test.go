package tests

import (
	"bytes"
	"database/sql/driver"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"atelier/models"
)

// benchRunAccept is POST /v1/app/{slug}/run, up to its 202, beside pgbench
// with the statements of that very request.
func benchRunAccept(b testing.TB) {
	priced(b, "template-text", models.Credit/10)
	h := newTestServer(b)
	author := h.people(1)[0]
	workflow := author.post("/v1/workflows", threeSteps).want(201).text("data.id")
	author.post("/v1/workflows/"+workflow+"/publish", object{"slug": "three-steps", "name": "Three steps"}).want(201)
	token := author.post("/v1/api-tokens", object{"name": "bench"}).want(201).text("token")

	ours := h.post("/v1/app/three-steps/run", token, object{})
	accept := func() { fetch(b, manyConnections, ours(), http.StatusAccepted) }
	for range times(20) {
		accept()
	}
	var made [2][]statement // of two requests between which the service did nothing else, such as keeping its log of calls
	for tries := 0; tries < 10 && (tries < 2 || len(made[0]) != len(made[1])); tries++ {
		made[0], made[1] = made[1], withoutWakeUps(h.tracer.during(accept))
	}
	script := filepath.Join(b.TempDir(), "accept.sql")
	h.must(os.WriteFile(script, []byte(pgbenchScript(b, made[0], made[1])), 0o600))

	o, r := figure{statements: float64(len(made[0]))}, figure{}
	var latencies []time.Duration
	for turn := range times(3) {
		for range times(200) {
			latencies = append(latencies, took(accept))
		}
		r.p50 += time.Duration(float64(time.Second) / h.pgbench(script, 1, 2*turn) / float64(times(3)))
		o.rate += rate(8, 3*time.Second, func(int) { accept() }) / float64(times(3))
		r.rate += h.pgbench(script, 8, 2*turn+1) / float64(times(3))
	}
	o.p50, o.p99 = quantiles(latencies)
	o.allocs, o.bytes = perCall(h.server.Config.Handler, ours)
	report(b, o.allocs, "allocs/op")
	row(b, "Run accepted (three nodes, credits held), 8 clients", o, r, "pgbench, same statements")
}

func (h *testServer) post(path, token string, body object) func() *http.Request {
	payload, err := json.Marshal(body)
	h.must(err)
	return func() *http.Request {
		request, err := http.NewRequest("POST", h.server.URL+path, bytes.NewReader(payload))
		h.must(err)
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("Content-Type", "application/json")
		return request
	}
}

// withoutWakeUps drops what other goroutines of the service send meanwhile.
func withoutWakeUps(made []statement) []statement {
	return slices.DeleteFunc(made, func(s statement) bool { return strings.Contains(s.sql, "pg_notify") })
}

// pgbench runs the script for three seconds, in a trial a few times, and returns transactions a second.
func (h *testServer) pgbench(script string, clients, turn int) float64 {
	h.b.Helper()
	program, err := exec.LookPath("pgbench")
	if err != nil {
		h.b.Fatal("pgbench is missing: it comes with Debian's package postgresql")
	}
	until := []string{"-T", "3"}
	if trial {
		until = []string{"-t", "2"}
	}
	out, err := exec.Command(program, "-n", "-M", "prepared", until[0], until[1], "-c", strconv.Itoa(clients), "-j", "2",
		"-D", "n=0", "-D", fmt.Sprintf("base=%d", 1_000_000_000_000*(turn+1)), "-f", script, h.DB.Pool.Config().ConnString()).CombinedOutput()
	if err != nil {
		h.b.Fatalf("pgbench: %v\n%s", err, out)
	}
	found := regexp.MustCompile(`tps = ([0-9.]+)`).FindSubmatch(out)
	if found == nil || bytes.Contains(out, []byte("ERROR")) {
		h.b.Fatalf("pgbench: %s", out)
	}
	tps, err := strconv.ParseFloat(string(found[1]), 64)
	h.must(err)
	return tps
}

// pgbenchScript writes the statements of a request with their values. Ids that
// two requests did not share are new ones, and are counted up.
func pgbenchScript(b testing.TB, first, second []statement) string {
	if len(first) != len(second) {
		b.Fatalf("two requests made %d and %d statements", len(first), len(second))
	}
	w := scriptWriter{fresh: map[string]int{}}
	for i := range first {
		for k := range first[i].args {
			a, b := idsIn(first[i].args[k]), idsIn(second[i].args[k])
			for n := range min(len(a), len(b)) {
				if a[n] != b[n] {
					w.learn(a[n])
				}
			}
		}
	}
	script := "\\set n :n + 1\n\\set x :base + :client_id * 10000000000 + :n * 100\n"
	placeholder := regexp.MustCompile(`\$(\d+)`)
	for _, one := range first {
		script += placeholder.ReplaceAllStringFunc(one.sql, func(s string) string {
			n, _ := strconv.Atoi(s[1:])
			return w.literal(one.args[n-1])
		}) + ";\n"
	}
	return script
}

type scriptWriter struct{ fresh map[string]int }

func (w scriptWriter) learn(id string) {
	if _, known := w.fresh[id]; !known {
		w.fresh[id] = len(w.fresh)
	}
}

var anID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// idsIn are the UUIDs of an argument, also those within a text such as JSON, in
// the order in which they stand there.
func idsIn(arg any) (ids []string) {
	switch v := arg.(type) {
	case string:
		return anID.FindAllString(v, -1)
	case uuid.UUID:
		ids = append(ids, v.String())
	case [16]byte:
		ids = append(ids, uuid.UUID(v).String())
	case []uuid.UUID:
		for _, id := range v {
			ids = append(ids, id.String())
		}
	}
	return ids
}

// name keeps pgbench from reading :null within a text as a variable.
var name = regexp.MustCompile(`:([A-Za-z_])`)

func (w scriptWriter) literal(arg any) string {
	if v := reflect.ValueOf(arg); v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return "NULL"
		}
		return w.literal(v.Elem().Interface())
	}
	switch v := arg.(type) {
	case nil:
		return "NULL"
	case uuid.UUID:
		return w.id(v.String())
	case [16]byte:
		return w.id(uuid.UUID(v).String())
	case string:
		return w.text(v)
	case []byte:
		if len(v) == 0 {
			return "NULL"
		}
		if json.Valid(v) {
			return w.literal(string(v))
		}
		return `'\x` + hex.EncodeToString(v) + "'"
	case time.Time:
		return "'" + v.UTC().Format("2006-01-02 15:04:05.999999+00") + "'"
	case []uuid.UUID:
		return list("uuid", v, func(id uuid.UUID) string { return w.id(id.String()) })
	case []time.Time:
		return list("timestamptz", v, func(t time.Time) string { return w.literal(t) })
	case []string:
		return list("text", v, func(s string) string { return w.literal(s) })
	case []int32:
		return list("int", v, func(n int32) string { return fmt.Sprint(n) })
	case []int64:
		return list("bigint", v, func(n int64) string { return fmt.Sprint(n) })
	case []*string: // also those that are NULL
		return list("text", v, func(s *string) string { return w.literal(s) })
	case []*uuid.UUID:
		return list("uuid", v, func(id *uuid.UUID) string { return w.literal(id) })
	case []*int64:
		return list("bigint", v, func(n *int64) string { return w.literal(n) })
	case driver.Valuer:
		value, _ := v.Value()
		return w.literal(value)
	}
	switch v := reflect.ValueOf(arg); v.Kind() {
	case reflect.String:
		return w.literal(v.String())
	case reflect.Int, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Slice, reflect.Map, reflect.Struct:
		text, _ := json.Marshal(arg)
		return w.literal(string(text))
	}
	return fmt.Sprint(arg)
}

// text is a text, with ids of this transaction in the place of the request's.
func (w scriptWriter) text(v string) string {
	if len(v) == 36 && anID.MatchString(v) {
		return w.id(v)
	}
	var parts []string
	from := 0
	for _, at := range anID.FindAllStringIndex(v, -1) {
		if _, fresh := w.fresh[v[at[0]:at[1]]]; fresh {
			parts = append(parts, quoted(v[from:at[0]]), w.id(v[at[0]:at[1]])+"::text")
			from = at[1]
		}
	}
	return "(" + strings.Join(append(parts, quoted(v[from:])), " || ") + ")"
}

func quoted(v string) string {
	return "'" + name.ReplaceAllString(strings.ReplaceAll(v, "'", "''"), ": $1") + "'"
}

func list[T any](kind string, values []T, one func(T) string) string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = one(v)
	}
	return "ARRAY[" + strings.Join(all, ",") + "]::" + kind + "[]"
}

func (w scriptWriter) id(id string) string {
	n, fresh := w.fresh[id]
	if !fresh {
		return "'" + id + "'"
	}
	return fmt.Sprintf("('%s000-8000-' || lpad(to_hex(:x::bigint + %d), 12, '0'))::uuid", id[:15], n)
}
