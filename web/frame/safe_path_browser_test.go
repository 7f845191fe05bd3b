//go:build !race

package frame

import (
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// bits are what addresses that leave a site are made of.
var bits = []string{
	"/", "//", `\`, "\t", "\n", "\r", "\x00", "\x0b", " ", "\u00a0", "\u3002", "\uff0f", "\u2028", "\u00ad", "é", "%2f", "%2F", "%5c", "%09", "%0a", "%00", "%", "%zz", ".", "..", "%2e", ":", "@",
	"?", "#", "&", "=", ";", "evil.example", "http:", "https:", "javascript:", "data:", "[", "]", "[::1]", "|", "^", "`", "{", "}", "<", ">", "\"", "'", "a", "orgs",
}

// TestSafePathsInABrowser has Node's URL, which reads addresses as browsers do (the WHATWG's standard), follow whatever
// is taken for a path of this site.
func TestSafePathsInABrowser(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node")
	}
	random := rand.New(rand.NewPCG(1, 2))
	var taken []string
	for range 200_000 {
		p := "/"
		for range random.IntN(6) {
			p += bits[random.IntN(len(bits))]
		}
		if SafePath(p) != "" {
			taken = append(taken, p)
		}
	}
	if len(taken) < 1_000 {
		t.Fatalf("only %d are taken: nothing is tested", len(taken))
	}
	sent, _ := json.Marshal(taken)
	cmd := exec.Command(node, "-e", `
		const here = "https://atelier.example";
		const away = JSON.parse(require("fs").readFileSync(0)).filter((p) => { try { return new URL(p, here + "/login?next=x").origin !== here } catch { return false } });
		console.log(JSON.stringify([away.slice(0, 20), ["//evil", "/\\evil", "/\t/evil"].filter((p) => new URL(p, here).origin === here)]));`)
	cmd.Stdin = strings.NewReader(string(sent))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := strings.TrimSpace(string(out)); got != "[[],[]]" { // the second: what is known to leave does
		t.Errorf("these are taken and leave the site, or do not leave though they should: %s", got)
	}
}
