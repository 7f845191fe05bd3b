package server

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// tempFolder in DATA_DIR holds what is on its way, a directory for each process.
const tempFolder = "tmp"

// freshTemp is how long a directory without a lock may just have been made.
const freshTemp = time.Minute

// ownTemp makes the directory of this process's temporary files, which lies on the
// disk of DATA_DIR, and clears away those of processes that were killed. It is
// locked as long as the process lives.
func (i *install) ownTemp() (remove func(), err error) {
	parent := filepath.Join(i.DataDir, tempFolder)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, fmt.Errorf("DATA_DIR: %w", err)
	}
	sweepTemp(parent)
	dir, err := os.MkdirTemp(parent, "process-")
	if err != nil {
		return nil, fmt.Errorf("DATA_DIR: %w", err)
	}
	lock, err := lockTemp(dir, os.O_CREATE)
	if err != nil {
		return nil, fmt.Errorf("DATA_DIR: %w", err)
	}
	before, was := os.LookupEnv("TMPDIR")
	if err := os.Setenv("TMPDIR", dir); err != nil {
		return nil, err
	}
	return func() {
		if was {
			_ = os.Setenv("TMPDIR", before)
		} else {
			_ = os.Unsetenv("TMPDIR")
		}
		_ = os.RemoveAll(dir)
		_ = lock.Close()
	}, nil
}

// sweepTemp removes the directories whose processes have ended.
func sweepTemp(parent string) {
	entries, _ := os.ReadDir(parent)
	for _, entry := range entries {
		dir := filepath.Join(parent, entry.Name())
		lock, err := lockTemp(dir, 0)
		if os.IsNotExist(err) {
			if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > freshTemp {
				_ = os.RemoveAll(dir)
			}
			continue
		}
		if err == nil {
			_ = os.RemoveAll(dir)
			_ = lock.Close()
		}
	}
}

// lockTemp locks a directory of temporary files, unless its process is alive.
func lockTemp(dir string, flag int) (*os.File, error) {
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|flag, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		return nil, err
	}
	return lock, nil
}
