package dbtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The keeper is a process of its own that starts the cluster and ends it once
// no test process has held it for a while. Test processes hold useLock shared;
// the one keeper holds keeperLock.
const (
	keeperVariable = "ATELIER_DBTEST_KEEPER" // the cluster's folder; set in the keeper alone
	useLock        = "use.lock"
	keeperLock     = "keeper.lock"

	keeperTick  = 15 * time.Second
	unusedTicks = 4 // in a row, before the cluster ends
)

func init() {
	dir := os.Getenv(keeperVariable)
	if dir == "" {
		return
	}
	if err := keep(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// keep runs the cluster until it is unused; with another keeper at work it
// returns at once.
func keep(dir string) error {
	only, err := lockFile(filepath.Join(dir, keeperLock), syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil {
		return nil
	}
	defer syscall.Close(only)
	cluster, err := newCluster(dir)
	if err != nil {
		return err
	}
	if err := cluster.start(); err != nil {
		return err
	}
	for unused := 0; unused < unusedTicks; {
		time.Sleep(keeperTick)
		lock, err := lockFile(filepath.Join(dir, useLock), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != nil {
			unused = 0
			continue
		}
		if unused++; unused < unusedTicks {
			syscall.Close(lock)
		}
	}
	return cluster.stop() // with useLock held: the one who comes now waits, then starts again
}

type cluster struct {
	dir, data, bin string
	owner          *syscall.Credential // nil when not root
}

func newCluster(dir string) (*cluster, error) {
	bin, err := findPrograms()
	if err != nil {
		return nil, err
	}
	c := &cluster{dir: dir, data: filepath.Join(dir, "run", "data"), bin: bin}
	if os.Getuid() != 0 {
		return c, nil
	}
	account, err := user.Lookup("postgres") // PostgreSQL refuses to run as root
	if err != nil {
		return nil, err
	}
	uid, _ := strconv.Atoi(account.Uid)
	gid, _ := strconv.Atoi(account.Gid)
	c.owner = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return c, nil
}

// findPrograms is the folder of pg_ctl and initdb, the newest version first.
func findPrograms() (string, error) {
	if path, err := exec.LookPath("pg_ctl"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), "initdb")); err == nil {
			return filepath.Dir(path), nil
		}
	}
	newest, version := "", -1
	folders, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	for _, folder := range folders {
		if n, err := strconv.Atoi(filepath.Base(filepath.Dir(folder))); err == nil && n > version {
			newest, version = folder, n
		}
	}
	if newest == "" {
		return "", errors.New("no PostgreSQL found: install it, or set TEST_DATABASE_URL")
	}
	return newest, nil
}

// start makes a new cluster and starts it; one that runs already is taken over.
func (c *cluster) start() error {
	if c.run("pg_ctl", "status", "-D", c.data) == nil {
		if waitFor(clusterURL(c.dir), 10*time.Second) == nil {
			return nil
		}
		_ = c.run("pg_ctl", "stop", "-D", c.data, "-m", "immediate")
	}
	run := filepath.Dir(c.data)
	if err := os.RemoveAll(run); err != nil {
		return err
	}
	if err := os.Mkdir(run, 0o755); err != nil {
		return err
	}
	if c.owner != nil {
		if err := os.Chown(run, int(c.owner.Uid), int(c.owner.Gid)); err != nil {
			return err
		}
	}
	err := c.run("initdb", "-D", c.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	if err != nil {
		return err
	}
	options := []string{
		"listen_addresses=''", "unix_socket_directories=" + run, "max_connections=400", "shared_buffers=128MB",
		"fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0",
	}
	return c.run("pg_ctl", "start", "-w", "-D", c.data, "-l", filepath.Join(run, "server.log"),
		"-o", "-c "+strings.Join(options, " -c "))
}

func (c *cluster) stop() error {
	err := c.run("pg_ctl", "stop", "-D", c.data, "-m", "immediate")
	return errors.Join(err, os.RemoveAll(filepath.Dir(c.data)))
}

// run calls a program of PostgreSQL as the cluster's owner.
func (c *cluster) run(program string, args ...string) error {
	cmd := exec.Command(filepath.Join(c.bin, program), args...)
	cmd.Dir = c.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.owner}
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr // the log; no pipe, which the server would hold open
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	return nil
}
