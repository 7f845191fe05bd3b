//go:build !race

package tests

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"atelier/models/credit"
	"atelier/models/dbtest"
)

// hostileBodies are bodies that have ended services elsewhere: deep, wide,
// repeated, cut off, of other types, with numbers that nothing can hold.
var hostileBodies = []string{
	``, `null`, `[]`, `"x"`, `{`, "\xff\xfe", `{"name":null}`, `{"name":"x","name":[]}`,
	strings.Repeat(`[`, 100_000), strings.Repeat(`{"a":`, 90) + `1` + strings.Repeat(`}`, 90),
	`{"inputOverrides":{"a":{"text` + strings.Repeat(`.a`, 50_000) + `":1}},"inputs":{"` + strings.Repeat("k", 10_000) + `":1e999}}`,
	`{"nodes":[{"id":"a","type":"text","data":{"fieldMappings":{"text":{"nodeId":"a","output":"` + strings.Repeat("o.", 500) + `"}}}}],"edges":[]}`,
	`{"name":"\u0000\u202e","kind":"school","acceptTerms":true,"delta":1e308,"creditCap":-0.0001,"limit":99999999999999999999}`,
	`{"pattern":"` + strings.Repeat(`(a?){1000}`, 5) + `","text":"` + strings.Repeat("a", 50_000) + `","query":"def f: f; f","template":"` + strings.Repeat(`{{a}}`, 5_000) + `"}`,
	`{"query":"{` + strings.Repeat(`__typename `, 3_000) + `}"}`,
	`{"query":"query{...f0} ` + spreads(30) + `"}`,
	`{"email":"a@` + strings.Repeat("ß", 60) + `.de","password":"` + strings.Repeat("p", 2_000) + `","displayName":"x"}`,
}

// spreads are fragments each of which is used twice by the one before.
func spreads(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "fragment f%d on Query{...f%d ...f%d} ", i, i+1, i+1)
	}
	return b.String() + fmt.Sprintf("fragment f%d on Query{__typename}", n)
}

// FuzzRequests sends whole requests to a running service, as several people: no
// answer fails on the service's side or keeps anyone waiting, its memory does
// not grow, and the books are right when all is over.
func FuzzRequests(f *testing.F) {
	databaseURL := dbtest.NewURL(f)
	db := dbtest.Open(f, databaseURL, dbtest.NewClock())
	p := startOn(f, databaseURL, f.TempDir(), []string{"serve"}, "TRUSTED_PROXIES=127.0.0.1/32", "LOG_LEVEL=error", "GOGC=")
	s := newStage(f, newCast(f, p.URL, "school", 50))
	routes := slices.DeleteFunc(append(routesOf(f, s.visitor), "POST /graphql"), func(route string) bool {
		return slices.Contains(endings, route) || strings.HasPrefix(route, "DELETE ") // which would leave nothing to ask about
	})
	senders := []client{s.visitor, s.pupil.in(s.room), s.owner.client, s.ownerToken}
	for i := range routes {
		for j, body := range hostileBodies {
			f.Add(uint16(i), byte(i+j), "", "", []byte(body))
		}
		f.Add(uint16(i), byte(1), "cursor=%00&limit=-1", "\x00", []byte(`{}`))
	}
	f.Cleanup(func() {
		if differences, err := credit.Reconcile(context.Background(), db); err != nil || len(differences) > 0 {
			f.Errorf("the books are wrong: %v %v", differences, err)
		}
		if used := residentMemory(f, p.cmd.Process.Pid); used > 2<<30 {
			f.Errorf("the service has grown to %d MiB", used>>20)
		}
	})
	f.Fuzz(func(t *testing.T, route uint16, sender byte, query, key string, body []byte) {
		who := senders[int(sender)%len(senders)]
		asked := routes[int(route)%len(routes)]
		method, path, _ := strings.Cut(asked, " ")
		address := s.address(asked, s.id(path), s.pupil.id)
		request, err := http.NewRequest(method, p.URL+address, strings.NewReader(string(body)))
		if err != nil {
			return
		}
		if query = strings.Map(printable, query); query != "" {
			request.URL.RawQuery = query
		}
		request.Header.Set("Content-Type", "application/json")
		if who.token != "" {
			request.Header.Set("Authorization", "Bearer "+who.token)
		}
		if who.workspace != "" {
			request.Header.Set("X-Service-Workspace", who.workspace)
		}
		if key = strings.Map(printable, key); key != "" {
			request.Header.Set("Idempotency-Key", key)
		}
		patient := http.Client{Timeout: 30 * time.Second}
		response, err := patient.Do(request)
		if err != nil {
			t.Fatalf("%s %s: %v", method, address, err)
		}
		defer response.Body.Close()
		answer := readAll(response.Body)
		if response.StatusCode >= 500 || strings.Contains(string(answer), `"internal_error"`) {
			t.Errorf("%s %s answers %d: %.300s", method, address, response.StatusCode, answer)
		}
	})
}

// printable drops what no address and no header may hold.
func printable(r rune) rune {
	if r <= ' ' || r > '~' || r == '#' {
		return -1
	}
	return r
}

// residentMemory is what a process holds, in bytes.
func residentMemory(t testing.TB, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}
