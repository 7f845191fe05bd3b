//go:build !race

package tests

import (
	"fmt"
	"strings"
	"testing"

	"atelier/models/dbtest"
)

// TestDemoBesideAService makes the demo beside a running service with workers, which leave its jobs alone: a try is cut off in
// the middle of its runs, the next one begins again. A finished one stays as it is, and so does what others have.
func TestDemoBesideAService(t *testing.T) {
	t.Parallel()
	databaseURL, dataDir := dbtest.NewURL(t), t.TempDir()
	p := startOn(t, databaseURL, dataDir, []string{"serve"})
	db := openDatabase(t, databaseURL)
	count := func(query string) (n int) {
		t.Helper()
		if err := db.conn.QueryRow(db.ctx, query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	// How far a try came: it is cut off after some runs, since all of it takes a minute.
	begin := func(runs int) *program {
		t.Helper()
		try := startOn(t, databaseURL, dataDir, []string{"demo"})
		eventually(t, func() error {
			select {
			case err := <-try.done:
				try.done <- err
				t.Fatalf("the demo ended: %v\n%s", err, try.log)
			default:
			}
			if n := count(`SELECT count(*) FROM executions WHERE status = 'completed'`); n < runs {
				return fmt.Errorf("%d runs:\n%s", n, try.log)
			}
			return nil
		})
		try.kill()
		return try
	}
	begin(2)
	second := begin(8)
	if !strings.Contains(second.log.String(), "An earlier try of the demo was not finished") {
		t.Errorf("the second try:\n%s", second.log)
	}
	if n := count(`SELECT count(*) FROM executions WHERE completed_at > created_at + interval '1 day'`); n > 0 {
		t.Errorf("%d runs were done at another time than the demo's", n)
	}
	runs := count(`SELECT count(*) FROM executions`)
	settings := []string{"DATABASE_URL=" + databaseURL, "DATA_DIR=" + dataDir, "PUBLIC_URL=" + p.URL}
	db.exec(`UPDATE organizations SET name = 'Riverside Evening School' WHERE name = 'Brightline'`) // as if it had been finished
	printed, err := runCommand(t, []string{"demo"}, settings...)
	if err != nil || !strings.Contains(printed, "The demo is there already") || count(`SELECT count(*) FROM executions`) != runs {
		t.Errorf("once more: %v\n%s", err, printed)
	}
	newPerson(t, p.URL, "Stranger")
	printed, err = runCommand(t, []string{"demo"}, settings...)
	if err == nil || !strings.Contains(printed, "has accounts already") || count(`SELECT count(*) FROM executions`) != runs {
		t.Errorf("beside the account of somebody else: %v\n%s", err, printed)
	}
}
