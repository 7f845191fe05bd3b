package backup

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"gocloud.dev/blob"
	"gocloud.dev/blob/memblob"

	"atelier/migrations"
	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/media"
)

const passphrase = "correct horse battery staple"

func TestMain(m *testing.M) {
	workFactor = 10
	os.Exit(m.Run())
}

// install is a database with files.
type install struct {
	t      *testing.T
	url    string
	config *pgx.ConnConfig
	conn   *pgx.Conn
	bucket *blob.Bucket
	keys   *Keys // that were restored
}

func newInstall(t *testing.T, url string) *install {
	t.Helper()
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	bucket := memblob.OpenBucket(nil)
	t.Cleanup(func() { conn.Close(context.Background()); bucket.Close() })
	return &install{t: t, url: url, config: config, conn: conn, bucket: bucket}
}

func (i *install) exec(sql string, args ...any) {
	i.t.Helper()
	if _, err := i.conn.Exec(i.t.Context(), sql, args...); err != nil {
		i.t.Fatalf("%s: %v", sql, err)
	}
}

// file keeps a file with a row.
func (i *install) file(content string) (sum []byte) {
	i.t.Helper()
	hashed := sha256.Sum256([]byte(content))
	sum = hashed[:]
	if err := i.bucket.WriteAll(i.t.Context(), media.BlobName(sum), []byte(content), nil); err != nil {
		i.t.Fatal(err)
	}
	i.exec(`INSERT INTO media_files (id, account_id, key, sha256, content_type, size, private, created_at)
		SELECT gen_random_uuid(), id, encode($1, 'hex'), $1, 'text/plain', $2, true, now() FROM users LIMIT 1`, sum, len(content))
	return sum
}

func (i *install) has(sum []byte) bool {
	i.t.Helper()
	there, err := i.bucket.Exists(i.t.Context(), media.BlobName(sum))
	if err != nil {
		i.t.Fatal(err)
	}
	return there
}

// state is a hash of every table's rows, with its partitions.
func (i *install) state() string {
	i.t.Helper()
	var state strings.Builder
	err := pgx.BeginFunc(i.t.Context(), i.conn, func(tx pgx.Tx) error {
		all, err := tables(i.t.Context(), tx)
		if err != nil {
			return err
		}
		parts, err := partitions(i.t.Context(), tx)
		for _, part := range parts {
			all = append(all, Table{Name: part.Name})
		}
		for _, table := range all {
			var hash string
			if err := tx.QueryRow(i.t.Context(), fmt.Sprintf(`SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\n' ORDER BY t::text)), '') FROM %s t`, quoted(table.Name))).Scan(&hash); err != nil {
				return err
			}
			fmt.Fprintln(&state, table.Name, hash)
		}
		return err
	})
	if err != nil {
		i.t.Fatal(err)
	}
	return state.String()
}

// filled has rows in ordinary and partitioned tables, letters and bytes that are easily lost, triggers that count, and files.
func filled(t *testing.T) *install {
	t.Helper()
	i := newInstall(t, dbtest.NewURL(t))
	i.exec(`INSERT INTO users (id, email, address, display_name, created_at, updated_at)
		SELECT first_id(now() + n * interval '1 second'), 'p' || n, 'p' || n || '@example.com', E'Zo\u00eb\t\\N\r\n' || n, now(), now() FROM generate_series(1, 300) n`)
	i.exec(`SELECT ensure_month('executions', '2026-07-01'), ensure_month('jobs', '2026-07-01')`)
	i.exec(`INSERT INTO executions (id, account_id, trigger, status, nodes, edges, total_nodes, completed_nodes, open_nodes, hold, source, created_at, shard)
		SELECT first_id(t), (SELECT id FROM users LIMIT 1), 'api', 'completed', '[]', '[]', 1, 1, 0, 0, 'api', t, 0 FROM (VALUES ('2026-07-31 23:59:59+00'::timestamptz), ('2026-08-01'), ('2031-01-01')) v (t)`)
	i.exec(`INSERT INTO jobs (id, account_id, execution_id, node_id, node_index, job_type, status, input_data, cost, source, created_at, shard)
		SELECT first_id(created_at + interval '1 second'), account_id, id, 'n', 0, 'text', 'completed', jsonb_build_object('text', repeat(md5(random()::text), 200)), 0, 'api', created_at, 0 FROM executions`)
	i.exec(`INSERT INTO key_fingerprints (name, fingerprint, set_at) VALUES ('SESSION_KEY', 'x', now())`)
	return i
}

var someKeys = Keys{Session: []byte("a session key"), Encryption: [][]byte{bytes.Repeat([]byte{7}, 32), bytes.Repeat([]byte{8}, 32)}, OperatorCode: "a code of operators"}

// write makes a backup.
func (i *install) write(change ...func(*Source)) (path string) {
	i.t.Helper()
	path = filepath.Join(i.t.TempDir(), "backup")
	s := Source{Database: i.config, Bucket: i.bucket, Keys: someKeys, Program: "this"}
	for _, c := range change {
		c(&s)
	}
	if _, _, err := Write(i.t.Context(), s, path, passphrase); err != nil {
		i.t.Fatal(err)
	}
	return path
}

func (i *install) restore(path string) error {
	i.t.Helper()
	a, err := Open(i.t.Context(), path, passphrase)
	if err != nil {
		return err
	}
	defer a.Close()
	return a.Restore(i.t.Context(), Target{Database: i.config, DatabaseURL: i.url, Bucket: i.bucket, KeepKeys: func(k Keys) error { i.keys = &k; return nil }})
}

func TestRestoredIsWhatWas(t *testing.T) {
	from := filled(t)
	var sums [][]byte
	for n := range 20 {
		sums = append(sums, from.file(strings.Repeat(fmt.Sprint(n), n*10_000)))
	}
	lost, changed := from.file("lost before"), from.file("changed before")
	if err := from.bucket.Delete(t.Context(), media.BlobName(lost)); err != nil {
		t.Fatal(err)
	}
	if err := from.bucket.WriteAll(t.Context(), media.BlobName(changed), []byte("something else"), nil); err != nil {
		t.Fatal(err)
	}
	before := from.state()
	path := from.write()
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("beside the backup are %v", left)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"a session key", "example.com", "users", "files/"} {
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("the backup says %q to anyone", secret)
		}
	}
	into := newInstall(t, dbtest.NewEmptyURL(t))
	if err := into.restore(path); err != nil {
		t.Fatal(err)
	}
	if after := into.state(); after != before {
		t.Errorf("the database was\n%s\nand is\n%s", before, after)
	}
	for _, sum := range append(sums, changed) {
		if !into.has(sum) {
			t.Errorf("%x is missing", sum)
		}
	}
	if into.has(lost) {
		t.Error("a content that was lost came from nowhere")
	}
	if into.keys == nil || string(into.keys.Session) != string(someKeys.Session) || len(into.keys.Encryption) != 2 || into.keys.OperatorCode != someKeys.OperatorCode {
		t.Errorf("keys %+v", into.keys)
	}
	// The schema works as before: foreign keys hold, triggers count, numbers go on.
	if _, err := into.conn.Exec(t.Context(), `DELETE FROM executions`); err == nil {
		t.Error("jobs without an execution")
	}
	var schemas [2]string
	for n, i := range []*install{from, into} {
		err := i.conn.QueryRow(t.Context(), `SELECT
			(SELECT string_agg(conrelid::regclass || ' ' || pg_get_constraintdef(oid), E'\n' ORDER BY conrelid::regclass::text, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conparentid = 0) || E'\n' ||
			(SELECT string_agg(pg_get_triggerdef(oid) || tgenabled::text, E'\n' ORDER BY pg_get_triggerdef(oid)) FROM pg_trigger WHERE NOT tgisinternal) || E'\n' ||
			(SELECT string_agg(indexdef, E'\n' ORDER BY indexdef) FROM pg_indexes WHERE schemaname = 'public')`).Scan(&schemas[n])
		if err != nil {
			t.Fatal(err)
		}
	}
	if schemas[0] != schemas[1] {
		t.Errorf("the schema was\n%s\nand is\n%s", schemas[0], schemas[1])
	}
	into.file("one more")
	// A second restore changes nothing.
	state := into.state()
	if err := into.restore(path); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("restored over an install: %v", err)
	}
	if into.state() != state {
		t.Error("a refused restore changed something")
	}
}

// What is deleted while a backup is made is in it, and goes when it is done.
func TestContentsAreHeld(t *testing.T) {
	from := filled(t)
	kept, deleted := from.file("kept"), from.file("deleted meanwhile")
	db := dbtest.Open(t, from.url, dbtest.NewClock())
	store := &media.Store{DB: db, Bucket: from.bucket}
	var late []byte
	remove := func() {
		t.Helper()
		var id models.ID
		if err := from.conn.QueryRow(t.Context(), `SELECT id FROM media_files WHERE sha256 = $1`, deleted).Scan(&id); err != nil {
			t.Fatal(err)
		}
		if err := db.Write(t.Context(), func(tx *models.Tx) error { return store.RemovePrivate(tx, id) }); err != nil {
			t.Fatal(err)
		}
		late = from.file("came later")
	}
	path := from.write(func(s *Source) {
		s.snapshotTaken = func() {
			remove()
			for _, chore := range []func() error{func() error { return store.RemoveContents(t.Context()) }, func() error { _, err := store.Sweep(t.Context()); return err }} {
				if err := chore(); err != nil {
					t.Errorf("a chore beside a backup: %v", err)
				}
			}
			if !from.has(deleted) {
				t.Error("a content went while it was held")
			}
			if _, _, err := Write(t.Context(), Source{Database: from.config, Bucket: from.bucket}, filepath.Join(t.TempDir(), "second"), passphrase); err == nil || !strings.Contains(err.Error(), "another backup") {
				t.Errorf("a second backup at once: %v", err)
			}
		}
	})
	if err := store.RemoveContents(t.Context()); err != nil {
		t.Fatal(err)
	}
	if from.has(deleted) || !from.has(kept) {
		t.Error("after the backup the deleted content must go, and no other")
	}
	into := newInstall(t, dbtest.NewEmptyURL(t))
	if err := into.restore(path); err != nil {
		t.Fatal(err)
	}
	if !into.has(kept) || !into.has(deleted) || into.has(late) {
		t.Error("the backup is not of the moment at which it began")
	}
}

func TestDamagedBackups(t *testing.T) {
	from := filled(t)
	for n := range 5 {
		from.file(strings.Repeat("content ", 20_000+n))
	}
	whole, err := os.ReadFile(from.write())
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, text []byte, says ...string) {
		t.Helper()
		path := filepath.Join(t.TempDir(), "damaged")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := Open(t.Context(), path, passphrase)
		if err == nil {
			a.Close()
			t.Errorf("%s was taken", what)
			return
		}
		if !slices.ContainsFunc(says, func(s string) bool { return strings.Contains(err.Error(), s) }) {
			t.Errorf("%s: %v", what, err)
		}
	}
	const broken, foreign, wrong = "damaged or incomplete", "no backup of Atelier", "BACKUP_PASSPHRASE"
	for at := 0; at < len(whole); at += len(whole) / 40 {
		flipped := bytes.Clone(whole)
		flipped[at] ^= 1
		refused(fmt.Sprintf("a flipped bit at %d of %d", at, len(whole)), flipped, broken, foreign, wrong)
		refused(fmt.Sprintf("what is left of %d at %d", len(whole), at), whole[:at], broken, foreign)
	}
	last := bytes.Clone(whole)
	last[len(last)-1] ^= 0x80
	refused("a flipped last bit", last, broken)
	refused("all but the last byte", whole[:len(whole)-1], broken)
	refused("one byte more", append(bytes.Clone(whole), 0), broken)
	refused("twice", append(bytes.Clone(whole), whole...), broken)
	refused("something else", bytes.Repeat([]byte("something else"), 1000), foreign)
	refused("nothing", nil, foreign)
	path := filepath.Join(t.TempDir(), "whole")
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, passphrase+"."); err == nil || !strings.Contains(err.Error(), wrong) {
		t.Errorf("another passphrase: %v", err)
	}
}

// A backup has all or nothing at its path.
func TestNothingIsOverwritten(t *testing.T) {
	from := filled(t)
	path := filepath.Join(t.TempDir(), "backup")
	if err := os.WriteFile(path, []byte("a backup of yesterday"), 0o600); err != nil {
		t.Fatal(err)
	}
	source := Source{Database: from.config, Bucket: from.bucket, Keys: someKeys}
	if _, _, err := Write(t.Context(), source, path, passphrase); err == nil || !strings.Contains(err.Error(), "overwrites nothing") {
		t.Errorf("over a file: %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "a backup of yesterday" {
		t.Error("the file has changed")
	}
	fresh := filepath.Join(t.TempDir(), "backup")
	ended, end := context.WithCancel(t.Context())
	source.snapshotTaken = end
	if _, _, err := Write(ended, source, fresh, passphrase); err == nil {
		t.Error("a backup that was ended in the middle is one")
	}
	source.snapshotTaken, source.Floor = nil, 1<<60
	if _, _, err := Write(t.Context(), source, fresh, passphrase); err == nil || !strings.Contains(err.Error(), "too little room") {
		t.Errorf("without room: %v", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(fresh)); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
	// What a process that was killed left is no hindrance.
	if err := os.WriteFile(fresh+".partial", bytes.Repeat([]byte{1}, 10_000_000), 0o644); err != nil {
		t.Fatal(err)
	}
	source.Floor = 0
	if _, _, err := Write(t.Context(), source, fresh, passphrase); err != nil {
		t.Fatal(err)
	}
	if a, err := Open(t.Context(), fresh, passphrase); err != nil {
		t.Error(err)
	} else {
		a.Close()
	}
}

// A backup of an older schema is brought up; one of a newer program is refused before anything is done.
func TestOtherVersions(t *testing.T) {
	latest, err := migrations.Latest()
	if err != nil {
		t.Fatal(err)
	}
	from := filled(t)
	if err := migrations.Down(t.Context(), from.url); err != nil {
		t.Fatal(err)
	}
	into := newInstall(t, dbtest.NewEmptyURL(t))
	if err := into.restore(from.write()); err != nil {
		t.Fatal(err)
	}
	var now int64
	if err := into.conn.QueryRow(t.Context(), `SELECT max(version_id) FROM goose_db_version`).Scan(&now); err != nil || now != latest.Schema {
		t.Errorf("at version %d of %d, %v", now, latest.Schema, err)
	}
	from.exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, true)`, latest.Schema+1)
	empty := newInstall(t, dbtest.NewEmptyURL(t))
	if err := empty.restore(from.write()); err == nil || !strings.Contains(err.Error(), "schema") {
		t.Errorf("a newer schema: %v", err)
	}
	if got := empty.state(); got != "" {
		t.Errorf("a refused restore made %s", got)
	}
}

// A restore that was ended is not mistaken for an install, and goes on where it is begun again.
func TestRestoreThatWasEnded(t *testing.T) {
	from := filled(t)
	for n := range 5 {
		from.file(strings.Repeat("content ", n+1))
	}
	path, before := from.write(), from.state()
	into := newInstall(t, dbtest.NewEmptyURL(t))
	a, err := Open(t.Context(), path, passphrase)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	ended, end := context.WithCancel(t.Context())
	target := Target{Database: into.config, DatabaseURL: into.url, Bucket: into.bucket, KeepKeys: func(Keys) error { return nil }, Sync: end}
	if err := a.Restore(ended, target); err == nil {
		t.Fatal("it was ended before its last step, and is done")
	}
	if err := migrations.Up(t.Context(), into.url); err == nil || !strings.Contains(err.Error(), "not finished") {
		t.Errorf("a service would start: %v", err)
	}
	var rows int
	if err := into.conn.QueryRow(t.Context(), `SELECT count(*) FROM users`).Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows, %v", rows, err)
	}
	if err := into.restore(path); err != nil {
		t.Fatal(err)
	}
	if into.state() != before {
		t.Error("restored again it is not what was")
	}
	// Nor does one begin where there are files of others.
	other := newInstall(t, dbtest.NewEmptyURL(t))
	if err := other.bucket.WriteAll(t.Context(), "something", []byte("else"), nil); err != nil {
		t.Fatal(err)
	}
	if err := other.restore(path); err == nil || !strings.Contains(err.Error(), "files") {
		t.Errorf("into a folder with files: %v", err)
	}
	if err := a.Restore(t.Context(), Target{Database: other.config, DatabaseURL: other.url, Bucket: other.bucket}); err == nil {
		t.Error("into a folder with files")
	}
}

// Every table is in the archives of persons or organizations, or in none for a reason; no secret is in any.
func TestTakeoutKnowsEveryTable(t *testing.T) {
	i := newInstall(t, dbtest.NewURL(t))
	secret := regexp.MustCompile(`hash|secret|sealed|token|password|^code$|^credential$`)
	harmless := []string{"api_tokens", "sha256"}
	err := pgx.BeginFunc(t.Context(), i.conn, func(tx pgx.Tx) error {
		all, err := tables(t.Context(), tx)
		for _, table := range all {
			if strings.HasPrefix(table.Name, "river") {
				continue
			}
			person, organization := ofPerson[table.Name], ofOrganization[table.Name]
			if has := person != "" || organization != ""; has == (ofNoSubject[table.Name] != "") {
				t.Errorf("%s: say whose rows are in an archive, or why in none", table.Name)
			}
			for _, column := range table.Columns {
				if (person != "" || organization != "") && secret.MatchString(column) && !slices.Contains(leftOut, column) && !slices.Contains(harmless, column) &&
					!strings.HasSuffix(column, "_at") && !strings.HasPrefix(column, "locked") {
					t.Errorf("%s.%s may be a secret", table.Name, column)
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTakeoutOfAPerson(t *testing.T) {
	i := filled(t)
	i.exec(`UPDATE users SET password_hash = 'a hash of a password'`)
	i.file("a text of theirs")
	var id, other models.ID
	if err := i.conn.QueryRow(t.Context(), `SELECT id FROM users LIMIT 1`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	if err := i.conn.QueryRow(t.Context(), `SELECT id FROM users WHERE id <> $1 LIMIT 1`, id).Scan(&other); err != nil {
		t.Fatal(err)
	}
	read := func(of Subject) map[string]string {
		t.Helper()
		path := filepath.Join(t.TempDir(), "archive.zip")
		if _, err := WriteTakeout(t.Context(), i.config, i.bucket, of, path, 0); err != nil {
			t.Fatal(err)
		}
		archive, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer archive.Close()
		has := map[string]string{}
		for _, entry := range archive.File {
			r, err := entry.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			has[entry.Name] = string(text)
			if strings.Contains(string(text), "a hash of a password") {
				t.Errorf("%s has a secret", entry.Name)
			}
			for line := range strings.Lines(string(text)) {
				if strings.HasSuffix(entry.Name, ".jsonl") && !json.Valid([]byte(line)) {
					t.Errorf("%s: %s", entry.Name, line)
				}
			}
		}
		return has
	}
	has := read(Subject{Person: &id})
	if strings.Count(has["data/users.jsonl"], "\n") != 1 || strings.Count(has["data/jobs.jsonl"], "\n") != 3 || !strings.Contains(has["README.txt"], "jobs") {
		t.Errorf("the archive has %v", slices.Sorted(maps.Keys(has)))
	}
	if files := slices.DeleteFunc(slices.Sorted(maps.Keys(has)), func(name string) bool { return !strings.HasPrefix(name, "files/") }); len(files) != 1 || has[files[0]] != "a text of theirs" {
		t.Errorf("files %v", files)
	}
	if has := read(Subject{Person: &other}); has["data/jobs.jsonl"] != "" || strings.Contains(has["data/users.jsonl"], id.String()) {
		t.Error("the archive of another has what is theirs")
	}
	school := models.NewID(time.Now())
	if has := read(Subject{Organization: &school}); len(has) != 1 {
		t.Errorf("an organization that is none has %v", slices.Sorted(maps.Keys(has)))
	}
}
