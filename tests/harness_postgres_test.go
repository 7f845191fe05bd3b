package tests

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// postgres is a PostgreSQL server of one test, reached by TCP.
type postgres struct {
	t       *testing.T
	dir     string
	port    string
	process *exec.Cmd
	// settings are those of the server beside the usual ones.
	settings []string
	// archive is the folder where its log goes, empty where it goes nowhere.
	archive string
}

// postgresFolder is where the programs of the newest PostgreSQL lie, or of the one with Citus that tests are given.
func postgresFolder(t *testing.T) string {
	t.Helper()
	if folder := os.Getenv("CITUS_BIN"); folder != "" {
		return folder
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(found) == 0 {
		t.Fatal("no PostgreSQL is installed below /usr/lib/postgresql")
	}
	return found[len(found)-1]
}

// asPostgres is a command of PostgreSQL, which runs as no root, in a process group of its own.
func asPostgres(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(postgresFolder(t), name), args...)
	cmd.Dir, cmd.Env = "/", []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() == 0 {
		uid, gid := postgresAccount(t)
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uid, Gid: gid}
	}
	return cmd
}

func postgresAccount(t *testing.T) (uid, gid uint32) {
	t.Helper()
	account, err := user.Lookup("postgres")
	if err != nil {
		t.Fatal(err)
	}
	u, _ := strconv.ParseUint(account.Uid, 10, 32)
	g, _ := strconv.ParseUint(account.Gid, 10, 32)
	return uint32(u), uint32(g)
}

// folderOfPostgres is a new folder that belongs to the account that PostgreSQL runs as.
func folderOfPostgres(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "postgres-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if os.Geteuid() == 0 {
		uid, gid := postgresAccount(t)
		if err := os.Chown(dir, int(uid), int(gid)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// newPostgres is a server with a directory that is not filled yet.
func newPostgres(t *testing.T) *postgres {
	t.Helper()
	_, port, err := net.SplitHostPort(freeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	return &postgres{t: t, dir: folderOfPostgres(t), port: port}
}

// newPrimary is a server that runs, with an empty database atelier.
func newPrimary(t *testing.T, settings ...string) *postgres {
	t.Helper()
	p := newPostgres(t)
	p.settings = settings
	p.run("initdb", "-D", p.dir, "--username=atelier", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
	p.start()
	if err := p.ask("postgres", "CREATE DATABASE atelier", nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// newArchived is newPrimary with its log archived.
func newArchived(t *testing.T, settings ...string) *postgres {
	t.Helper()
	archive := folderOfPostgres(t)
	p := newPrimary(t, append(settings, "archive_mode=on", "archive_command=test ! -f "+archive+"/%f && cp %p "+archive+"/%f")...)
	p.archive = archive
	return p
}

// archiveAll waits until what was written is in the archive.
func (p *postgres) archiveAll() {
	p.t.Helper()
	var newest string
	if err := p.ask("atelier", "SELECT pg_walfile_name(pg_switch_wal())", &newest); err != nil {
		p.t.Fatal(err)
	}
	eventually(p.t, func() error { _, err := os.Stat(filepath.Join(p.archive, newest)); return err })
	time.Sleep(100 * time.Millisecond) // cp has begun
}

// startAt starts a server from the base backup in its folder, at a moment of the server that it was copied from: a setting of
// PostgreSQL that names it.
func (p *postgres) startAt(of *postgres, target string) {
	p.t.Helper()
	p.settings = append(p.settings, "restore_command=cp "+of.archive+"/%f %p", target, "recovery_target_action=promote")
	signal := filepath.Join(p.dir, "recovery.signal")
	if err := os.WriteFile(signal, nil, 0o600); err != nil {
		p.t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		uid, gid := postgresAccount(p.t)
		if err := os.Chown(signal, int(uid), int(gid)); err != nil {
			p.t.Fatal(err)
		}
	}
	p.start()
	eventually(p.t, func() error {
		var recovers bool
		if err := p.ask("postgres", "SELECT pg_is_in_recovery()", &recovers); err != nil {
			return err
		}
		return differs(recovers, false)
	})
}

// standby is a server that runs and follows p under a name.
func (p *postgres) standby(name string, settings ...string) *postgres {
	p.t.Helper()
	other := newPostgres(p.t)
	other.settings = settings
	p.copyTo(other.dir, "application_name="+name, "-R")
	other.start()
	return other
}

// copyTo makes a base backup of the server in a folder that is empty; words go into the address, flags to pg_basebackup.
func (p *postgres) copyTo(dir, words string, flags ...string) {
	p.t.Helper()
	p.run("pg_basebackup", append(flags, "-D", dir, "--checkpoint=fast", "--no-sync", "-d", "host=127.0.0.1 port="+p.port+" user=atelier "+words)...)
}

// url is the address of the database atelier there.
func (p *postgres) url() string {
	return "postgres://atelier@127.0.0.1:" + p.port + "/atelier?sslmode=disable"
}

// run runs a command of PostgreSQL to its end.
func (p *postgres) run(name string, args ...string) {
	p.t.Helper()
	if said, err := asPostgres(p.t, name, args...).CombinedOutput(); err != nil {
		p.t.Fatalf("%s: %v: %s", name, err, said)
	}
}

// start starts the server and waits until it answers.
func (p *postgres) start() {
	p.t.Helper()
	args := []string{"-D", p.dir, "-p", p.port}
	for _, setting := range append([]string{
		"listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "max_connections=200", "wal_level=replica", "hot_standby=on",
	}, p.settings...) {
		args = append(args, "-c", setting)
	}
	p.process = asPostgres(p.t, "postgres", args...)
	var log bytes.Buffer
	p.process.Stderr = &log
	if err := p.process.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(p.kill)
	eventually(p.t, func() error { return p.ask("postgres", "SELECT 1", nil) })
}

// kill ends the server with all its processes, as a power cut would.
func (p *postgres) kill() {
	_ = syscall.Kill(-p.process.Process.Pid, syscall.SIGKILL)
	_ = p.process.Wait()
}

// ask makes one statement on a connection of its own.
func (p *postgres) ask(database, sql string, into any) error {
	conn, err := pgx.Connect(context.Background(), fmt.Sprintf("postgres://atelier@127.0.0.1:%s/%s?connect_timeout=5", p.port, database))
	if err != nil {
		return err
	}
	defer conn.Close(context.Background())
	if into == nil {
		_, err = conn.Exec(context.Background(), sql)
		return err
	}
	return conn.QueryRow(context.Background(), sql).Scan(into)
}

func differs[T comparable](got, want T) error {
	if got == want {
		return nil
	}
	return fmt.Errorf("%v, want %v", got, want)
}
