package cluster

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// ErrInUse is in the error of a directory that another process holds.
var ErrInUse = errors.New("already in use")

// DirLock keeps a directory for this process until Release or the process's end.
type DirLock struct{ file *os.File }

// Lock takes DATA_DIR for a serving process, whether or not it also runs the
// cluster in it. A directory that another process holds is an error that names it.
func Lock(dataDir string) (*DirLock, error) {
	dataDir, err := makeDataDir(dataDir)
	if err != nil {
		return nil, err
	}
	return lockFile(dataDir, "atelier.lock")
}

func lockFile(dataDir, name string) (*DirLock, error) {
	path := filepath.Join(dataDir, name)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("DATA_DIR cannot be locked: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer file.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("DATA_DIR cannot be locked: %s: %w", path, err)
		}
		return nil, fmt.Errorf("DATA_DIR %s is %w by process %s", dataDir, ErrInUse, lockHolder(file))
	}
	if err := writePID(file); err != nil {
		file.Close()
		return nil, fmt.Errorf("DATA_DIR cannot be locked: %w", err)
	}
	return &DirLock{file}, nil
}

func writePID(file *os.File) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	return err
}

func lockHolder(file *os.File) string {
	text := make([]byte, 20)
	n, _ := file.ReadAt(text, 0)
	if pid := strings.TrimSpace(string(text[:n])); pid != "" {
		return pid
	}
	return "(unknown)"
}

// Release frees the directory. The file stays: removing it would let two
// processes lock two files of one name.
func (l *DirLock) Release() error { return l.file.Close() }
