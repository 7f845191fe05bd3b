//go:build !race

package tests

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models/dbtest"
)

// backupPassphrase is what the tests encrypt backups by.
const backupPassphrase = "BACKUP_PASSPHRASE=a passphrase that only tests use"

// TestBackupUnderLoad backs up an install at which runs and deliveries go on, restores it elsewhere, and goes on working
// there: with the same tokens, secrets, files and books. Either command may be killed in the middle.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	hooks := newReceiver(t, 0)
	databaseURL, dataDir := dbtest.NewURL(t), t.TempDir()
	stamp := filepath.Join(t.TempDir(), "stamp")
	from := startOn(t, databaseURL, dataDir, []string{"serve"}, "SSL_CERT_FILE="+hooks.roots)
	s := begin(t, from.URL)
	s.publish()
	s.operator.graphql(`mutation($in: GrantCreditsInput!) { grantCredits(input: $in) { amount } }`,
		object{"in": object{"organizationId": s.school, "amount": 100_000, "reason": "For as many runs as there is time for"}})
	s.owner.post("/v1/orgs/"+s.school+"/workspaces/"+s.class+"/allocate", object{"delta": 100_000}).want(200)
	s.listen(s.ada, hooks.URL+"/events")
	token := s.ada.post("/v1/api-tokens", object{"name": "script"}).want(201).text("token")
	first := s.finished(s.ada, s.run(s.ada, object{"topic": "a fox"}), "completed")

	var load sync.WaitGroup
	over := make(chan struct{})
	for _, who := range []client{s.ada, s.ben} {
		load.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-over:
					return
				case <-time.After(100 * time.Millisecond):
					s.finished(who, s.run(who, object{"topic": fmt.Sprint("a fox, ", n)}), "completed")
				}
			}
		})
	}
	defer func() { close(over); load.Wait() }()

	// A backup that is killed is none, and no hindrance for the next.
	folder := t.TempDir()
	path := filepath.Join(folder, "monday")
	killed := startOn(t, databaseURL, dataDir, []string{"backup", path}, backupPassphrase)
	eventually(t, func() error {
		_, err := os.Stat(path + ".partial")
		if _, done := os.Stat(path); done == nil {
			return nil
		}
		return err
	})
	killed.kill()
	if _, err := os.Stat(path); err == nil {
		path = filepath.Join(folder, "tuesday") // it was quicker
	}
	settings := []string{"DATABASE_URL=" + databaseURL, "DATA_DIR=" + dataDir, "BACKUP_STAMP=" + stamp, "PUBLIC_URL=" + from.URL}
	if said, err := runCommand(t, []string{"backup", path}, settings...); err == nil || !strings.Contains(said, "BACKUP_PASSPHRASE must be set") {
		t.Errorf("without a passphrase: %v, %s", err, said)
	}
	if said, err := runCommand(t, []string{"backup", path}, append(settings, backupPassphrase, "SESSION_KEY=some other key of someone")...); err == nil || !strings.Contains(said, "SESSION_KEY is not the key") {
		t.Errorf("with another key: %v, %s", err, said)
	}
	if said, err := runCommand(t, []string{"backup", path}, append(settings, backupPassphrase)...); err != nil || !strings.Contains(said, "has the install as of") {
		t.Fatalf("%v: %s", err, said)
	}
	if _, err := os.Stat(stamp); err != nil {
		t.Error(err)
	}
	if said, err := runCommand(t, []string{"restore", path}, append(settings, backupPassphrase)...); err == nil || !strings.Contains(said, "not empty") {
		t.Errorf("over the install itself: %v, %s", err, said)
	}

	// A restore that is killed is no install; begun again it is.
	fresh, freshDir := dbtest.NewEmptyURL(t), t.TempDir()
	into := []string{"DATABASE_URL=" + fresh, "DATA_DIR=" + freshDir, "PUBLIC_URL=" + from.URL, backupPassphrase}
	if said, err := runCommand(t, []string{"restore", path}, append(into, "BACKUP_PASSPHRASE=a guess that is long enough")...); err == nil || !strings.Contains(said, "is not the passphrase") {
		t.Errorf("with another passphrase: %v, %s", err, said)
	}
	if left, _ := os.ReadDir(freshDir); len(left) > 0 {
		t.Errorf("a refused restore made %v", left)
	}
	restoring := startOn(t, fresh, freshDir, []string{"restore", path}, backupPassphrase)
	db := openDatabase(t, fresh)
	begun := func() string { return db.strings(`SELECT coalesce(to_regclass('unfinished_restore')::text, '')`)[0] }
	eventually(t, func() error {
		if begun() == "" {
			return errors.New("not yet in the middle")
		}
		return nil
	})
	restoring.kill()
	if begun() != "" {
		if said, err := runCommand(t, []string{"serve"}, append(into, "LISTEN_ADDR=127.0.0.1:0")...); err == nil || !strings.Contains(said, "not finished") {
			t.Errorf("a service on half an install: %v, %s", err, said)
		}
		if said, err := runCommand(t, []string{"restore", path}, into...); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	if said, err := runCommand(t, []string{"reconcile"}, into...); err != nil {
		t.Errorf("the books: %v, %s", err, said)
	}

	// The restored install goes on where the first one was, beside it.
	there := startOn(t, fresh, freshDir, []string{"serve"}, "SSL_CERT_FILE="+hooks.roots)
	restored := *s
	restored.visitor, restored.owner, restored.ada = s.visitor.at(there.URL), s.owner.at(there.URL), s.ada.at(there.URL)
	script := s.ada.with(token).at(there.URL)
	restored.picture(restored.finished(script, restored.run(script, object{"topic": "a heron"}), "completed"))
	eventually(t, func() error {
		for _, e := range hooks.all() {
			if bytes.Contains(e.body, []byte("a heron in the style")) && e.verified(s.secret) {
				return nil
			}
		}
		return errors.New("no event of the restored install arrived, signed by the secret of before")
	})
	address := strings.Replace(first.text("thumbnailUrl"), from.URL, there.URL, 1)
	if was, is := s.visitor.get(first.text("thumbnailUrl")).want(200), restored.visitor.get(address).want(200); !bytes.Equal(was.Body, is.Body) {
		t.Error("a file is not what it was")
	}
	restored.owner.get("/v1/me").want(200)
	theirs := filepath.Join(folder, "ada.zip")
	if said, err := runCommand(t, []string{"archive", "person", "ada@example.com", theirs}, into...); err != nil || !strings.Contains(said, "records") {
		t.Errorf("what is Ada's: %v, %s", err, said)
	}
	if said, err := runCommand(t, []string{"archive", "person", "no.one@example.com", theirs + "2"}, into...); err == nil || !strings.Contains(said, "no account has the address") {
		t.Errorf("what is no one's: %v, %s", err, said)
	}
	if said, err := runCommand(t, []string{"reconcile"}, into...); err != nil {
		t.Errorf("the books: %v, %s", err, said)
	}
}
