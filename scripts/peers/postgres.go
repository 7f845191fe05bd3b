package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// postgres is a server that confirms its writes to the disk, in a folder that goes with it.
type postgres struct {
	programs, dir, port string
	account             *syscall.SysProcAttr // nil for one's own
	made                int
}

func startPostgres(ctx context.Context, programs string) (p *postgres, err error) {
	dir, err := os.MkdirTemp("/var/tmp", "peers-postgres-")
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(freeAddress())
	if err != nil {
		return nil, err
	}
	p = &postgres{programs: programs, dir: dir, port: port}
	if os.Geteuid() == 0 { // PostgreSQL does not run as root
		who, err := user.Lookup("postgres")
		if err != nil {
			return nil, err
		}
		uid, _ := strconv.ParseUint(who.Uid, 10, 32)
		gid, _ := strconv.ParseUint(who.Gid, 10, 32)
		p.account = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
		if err := os.Chown(dir, int(uid), int(gid)); err != nil {
			return nil, err
		}
	}
	data := filepath.Join(dir, "data")
	if err := p.run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"); err != nil {
		return nil, err
	}
	options := fmt.Sprintf("-c listen_addresses=127.0.0.1 -c port=%s -c unix_socket_directories='' -c max_connections=200 -c shared_buffers=256MB -c max_wal_size=4GB", port)
	return p, p.run("pg_ctl", "start", "-w", "-D", data, "-l", filepath.Join(dir, "log"), "-o", options)
}

// run runs one of PostgreSQL's programs to its end, as its account where this is root's.
func (p *postgres) run(name string, args ...string) error {
	cmd := exec.Command(filepath.Join(p.programs, name), args...)
	cmd.Dir = p.dir
	cmd.SysProcAttr = p.account
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// fresh is the address of a new database; the one before goes.
func (p *postgres) fresh(ctx context.Context) (url string, err error) {
	conn, err := pgx.Connect(ctx, p.url("postgres"))
	if err != nil {
		return "", err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, fmt.Sprintf("DROP DATABASE IF EXISTS peer_%d WITH (FORCE)", p.made)); err != nil {
		return "", err
	}
	p.made++
	name := fmt.Sprintf("peer_%d", p.made)
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	_, err = conn.Exec(ctx, "CHECKPOINT")
	return p.url(name), err
}

func (p *postgres) url(database string) string {
	return "postgres://postgres@127.0.0.1:" + p.port + "/" + database + "?sslmode=disable"
}

func (p *postgres) stop() {
	_ = p.run("pg_ctl", "stop", "-D", filepath.Join(p.dir, "data"), "-m", "immediate")
	os.RemoveAll(p.dir)
}
