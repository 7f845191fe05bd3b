package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// initialise makes the data directory where there is none. It is made beside
// its place and renamed when complete, so that an interrupted initdb never
// leaves half a cluster; the leftover of one is removed here.
func (c *Cluster) initialise(ctx context.Context, bin binaries, owner account) error {
	if major, err := c.majorOnDisk(); err != nil || major != 0 {
		return err
	}
	draft := filepath.Join(c.dataDir, "postgres.initdb")
	if err := os.RemoveAll(draft); err != nil {
		return err
	}
	if err := os.Mkdir(draft, 0o700); err != nil {
		return err
	}
	if err := owner.chownAll(draft); err != nil {
		return err
	}
	c.log.Info("making the database", "directory", c.path(), "version", bin.major)
	if err := runInitdb(ctx, bin, draft, owner); err != nil {
		return err
	}
	if err := os.Remove(c.path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(draft, c.path()); err != nil {
		return err
	}
	return syncDir(c.dataDir)
}

func runInitdb(ctx context.Context, bin binaries, dir string, owner account) error {
	cmd, handed, err := command(owner, bin.program("initdb"), dir)
	if err != nil {
		return err
	}
	defer handed.Close()
	cmd.Args = append(cmd.Args, "--username="+role, "--auth=peer", "--encoding=UTF8", "--locale=C",
		"--lc-ctype="+unicodeLocale(), "--data-checksums")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		return explain(err, owner)
	}
	cancelled := context.AfterFunc(ctx, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer cancelled()
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("initdb failed (%w): %s", errors.Join(err, ctx.Err()), strings.TrimSpace(output.String()))
	}
	return nil
}

// unicodeLocale lets the database tell letters of every script apart by case;
// sorting stays the plain one by code point, which no system upgrade changes.
func unicodeLocale() string {
	if runtime.GOOS == "linux" {
		return "C.UTF-8"
	}
	return "en_US.UTF-8"
}

func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}
