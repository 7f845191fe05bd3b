//go:build !race

package tests

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"atelier/models/dbtest"
)

// TestBehindAPooler tells the story behind PgBouncer in its transaction mode, without a word about it in the address: nothing
// is prepared, listened for or set that another transaction would miss or find, and a later start waits for no lock.
func TestBehindAPooler(t *testing.T) {
	t.Parallel()
	direct := dbtest.NewURL(t)
	pooled := startPooler(t, direct, "transaction")
	p := startOn(t, pooled, t.TempDir(), []string{"serve"})
	if !strings.Contains(p.log.String(), "behind a pooler of transactions") {
		t.Errorf("the pooler was not noticed:\n%s", p.log)
	}
	s := begin(t, p.URL)
	s.publish()
	for _, topic := range []string{"a heron", "a fox"} {
		s.picture(s.finished(s.ada, s.run(s.ada, object{"topic": topic}), "completed"))
	}
	s.budget(5, 0)
	db := openDatabase(t, direct)
	if held := db.strings(`SELECT DISTINCT objid::text FROM pg_locks JOIN pg_stat_activity USING (pid)
		WHERE locktype = 'advisory' AND datname = current_database() AND state = 'idle'`); len(held) > 0 {
		t.Errorf("locks are left on the pooler's connections: %v", held)
	}
	for range 5 {
		for setting, want := range map[string]string{"enable_seqscan": "on", "statement_timeout": "0", "plan_cache_mode": "auto"} {
			if has := settingThrough(t, pooled, setting); has != want {
				t.Errorf("%s was left on a connection of the pooler as %s", setting, has)
			}
		}
	}
	p.stop()
	p.start() // waits until it is ready
	s.ada.get("/v1/me").want(200)
}

// TestPoolersAreTold starts on poolers of the other modes: by the session all is as without one, by the statement nothing
// works, which is said at once.
func TestPoolersAreTold(t *testing.T) {
	t.Parallel()
	direct := dbtest.NewURL(t)
	p := startOn(t, startPooler(t, direct, "session"), t.TempDir(), []string{"serve"})
	if strings.Contains(p.log.String(), "behind a pooler of transactions") {
		t.Errorf("a pooler of sessions was taken for another:\n%s", p.log)
	}
	p.stop()
	printed, err := runCommand(t, []string{"serve"}, "DATABASE_URL="+startPooler(t, direct, "statement"), "DATA_DIR="+t.TempDir(),
		"LISTEN_ADDR="+freeAddress(t), "PUBLIC_URL=http://localhost")
	if err == nil || !strings.Contains(printed, "pool_mode") {
		t.Errorf("a pooler of statements: %v\n%s", err, printed)
	}
}

func settingThrough(t *testing.T, databaseURL, name string) (value string) {
	t.Helper()
	config, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), "SELECT current_setting($1)", name).Scan(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// startPooler starts PgBouncer before a database, and returns the address of the database there.
func startPooler(t *testing.T, databaseURL, mode string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer" // where only root looks
	}
	to, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "pooler-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	address := freeAddress(t)
	host, port, _ := net.SplitHostPort(address)
	login := "user=" + to.User
	if to.Password != "" {
		login += " password=" + to.Password
	}
	settings := fmt.Sprintf("[databases]\n%s = host=%s port=%d dbname=%s %s\n[pgbouncer]\nlisten_addr = %s\nlisten_port = %s\nunix_socket_dir =\nauth_type = any\n"+
		"pool_mode = %s\ndefault_pool_size = 60\nmax_client_conn = 200\nlogfile = %s\n",
		to.Database, to.Host, to.Port, to.Database, login, host, port, mode, filepath.Join(dir, "pgbouncer.log"))
	file := filepath.Join(dir, "pgbouncer.ini")
	if err := os.WriteFile(file, []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, file)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() == 0 { // which the pooler refuses
		nobody, err := user.Lookup("nobody")
		if err != nil {
			t.Fatal(err)
		}
		uid, _ := strconv.Atoi(nobody.Uid)
		gid, _ := strconv.Atoi(nobody.Gid)
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	log := &logBuffer{}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	eventually(t, func() error {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, log)
		}
		return conn.Close()
	})
	through := url.URL{Scheme: "postgres", User: url.User(to.User), Host: address, Path: "/" + to.Database, RawQuery: "sslmode=disable"}
	return through.String()
}
