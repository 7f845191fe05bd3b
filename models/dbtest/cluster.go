package dbtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// sharedCluster starts the throwaway cluster, or finds it running, and holds
// it until this process ends.
var sharedCluster = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(temporaryFolder(), fmt.Sprintf("atelier-dbtest-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if _, err := lockFile(filepath.Join(dir, useLock), syscall.LOCK_SH); err != nil {
		return "", err
	}
	server := clusterURL(dir)
	// A keeper is started also when the server answers: when there is one
	// already it leaves at once, and a cluster whose keeper died gets a new one.
	for deadline := time.Now().Add(time.Minute); ; {
		if err := startKeeper(dir); err != nil {
			return "", err
		}
		if err := waitFor(server, 10*time.Second); err == nil {
			return server, nil
		} else if time.Now().After(deadline) {
			log, _ := os.ReadFile(filepath.Join(dir, "log"))
			return "", fmt.Errorf("the test PostgreSQL does not start: %w\n%s", err, log)
		}
	}
})

// temporaryFolder is in memory where there is room for it: databases are made
// and dropped several times faster there.
func temporaryFolder() string {
	const memory, room = "/dev/shm", 2 << 30
	var fs syscall.Statfs_t
	if os.Getenv("TMPDIR") == "" && syscall.Statfs(memory, &fs) == nil && fs.Bavail*uint64(fs.Bsize) >= room {
		return memory
	}
	return os.TempDir()
}

func clusterURL(dir string) string {
	return "postgres://postgres@/postgres?host=" + url.QueryEscape(filepath.Join(dir, "run"))
}

// waitFor waits until the server answers.
func waitFor(server string, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, server)
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// startKeeper runs this same test program as the cluster's keeper, apart from
// the test's process group.
func startKeeper(dir string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	keeper := exec.Command(self)
	keeper.Dir = dir
	keeper.Env = append(os.Environ(), keeperVariable+"="+dir)
	keeper.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	keeper.Stderr = log
	if err := keeper.Start(); err != nil {
		return err
	}
	go keeper.Wait()
	return nil
}

// lockFile takes a lock that lasts until its descriptor is closed, at the
// process's end at the latest. (An os.File would be closed by the garbage collector.)
func lockFile(path string, how int) (descriptor int, err error) {
	descriptor, err = syscall.Open(path, syscall.O_RDWR|syscall.O_CREAT|syscall.O_CLOEXEC, 0o644)
	if err != nil {
		return 0, err
	}
	for {
		if err = syscall.Flock(descriptor, how); err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		syscall.Close(descriptor)
	}
	return descriptor, err
}
