package tests

import (
	"strings"
	"testing"

	"atelier/models/dbtest"
)

// TestDistributeSaysWhatItNeeds asks for it where it cannot be: each time with a sentence, and nothing begins.
func TestDistributeSaysWhatItNeeds(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]struct{ args, env []string }{
		"needs DATABASE_URL":                     {nil, nil},
		"takes --dry-run and nothing else":       {[]string{"--force"}, nil},
		"has no Citus: shared_preload_libraries": {[]string{"--dry-run"}, []string{"DATABASE_URL=" + dbtest.NewURL(t)}},
	} {
		said, err := runCommand(t, append([]string{"distribute"}, c.args...), append(c.env, "DATA_DIR="+t.TempDir())...)
		if err == nil || !strings.Contains(said, want) {
			t.Errorf("%q: %v, %s", want, err, said)
		}
	}
}
