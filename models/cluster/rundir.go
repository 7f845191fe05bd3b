package cluster

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const runPrefix = "atelier-"

// systemTemp is where the system keeps temporary files, whatever the process sets later.
var systemTemp = os.TempDir()

// maxSocketDir leaves room for "/.s.PGSQL.5432.lock" in the 107 bytes of a socket's path.
const maxSocketDir = 107 - len("/.s.PGSQL.5432.lock")

// runLink in DATA_DIR leads to the run directory of the server at work, so that
// a later start clears away what a killed process left, and Running finds it.
const runLink = "postgres.run"

// makeRunDir makes the private directory of the socket and the access rules:
// the account behind this process, as the kernel names it, is the one owner of
// the database; there is no password to keep.
func (c *Cluster) makeRunDir(owner account) error {
	c.clearRunLink()
	parent := systemTemp
	if len(parent)+len("/atelier-0123456789") > maxSocketDir {
		parent = "/tmp"
	}
	var err error
	if c.runDir, err = os.MkdirTemp(parent, runPrefix); err != nil {
		return fmt.Errorf("the socket's directory cannot be made: %w", err)
	}
	if err := os.Symlink(c.runDir, filepath.Join(c.dataDir, runLink)); err != nil {
		return err
	}
	if !owner.reaches(c.runDir) {
		return fmt.Errorf("account %s, which PostgreSQL runs as, may not enter %s: set TMPDIR to a directory that it may",
			accountName(owner.uid), parent)
	}
	name := accountName(uint32(os.Geteuid()))
	files := map[string]string{
		"pg_hba.conf":   "local all all peer map=service\n",
		"pg_ident.conf": fmt.Sprintf("service %q %s\n", name, role),
	}
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(c.runDir, file), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return owner.chownAll(c.runDir)
}

// clearRunLink removes the link and the run directory that it leads to.
func (c *Cluster) clearRunLink() {
	link := filepath.Join(c.dataDir, runLink)
	if dir, err := os.Readlink(link); err == nil && strings.HasPrefix(filepath.Base(dir), runPrefix) {
		os.RemoveAll(dir)
	}
	os.Remove(link)
}

func (c *Cluster) removeRunDir() {
	if c.runDir != "" {
		c.clearRunLink()
	}
}

// Running is the URL of the cluster that another process runs in dataDir, for
// commands that work beside a serving process.
func Running(dataDir string) (databaseURL string, running bool) {
	dir, err := os.Readlink(filepath.Join(dataDir, runLink))
	if err != nil {
		return "", false
	}
	lock, err := lockFile(dataDir, "postgres.lock")
	if err == nil {
		lock.Release()
	}
	return socketURL(dir, database), errors.Is(err, ErrInUse)
}

func (c *Cluster) logPath() string { return filepath.Join(c.dataDir, "postgres.log") }

// maxLog is the size in bytes past which the log of earlier starts is set aside.
const maxLog = 10 << 20

func (c *Cluster) openLog() (*os.File, error) {
	if info, err := os.Stat(c.logPath()); err == nil && info.Size() > maxLog {
		if err := os.Rename(c.logPath(), c.logPath()+".1"); err != nil {
			return nil, err
		}
	}
	return os.OpenFile(c.logPath(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
}

// tail is the end of a file, for error messages.
func tail(path string, size int64) string {
	file, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > size {
		file.Seek(-size, io.SeekEnd)
	}
	text, _ := io.ReadAll(io.LimitReader(file, size))
	return strings.TrimSpace(string(text))
}
