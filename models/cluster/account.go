package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is whom the server runs as; PostgreSQL refuses root.
type account struct {
	uid, gid uint32
	drop     bool // this process is root and steps down to the account
}

// chooseAccount is this process's own account, or, for root, the one that owns
// the data directory already, else postgres, else no one.
func (c *Cluster) chooseAccount() (account, error) {
	self := account{uid: uint32(os.Geteuid()), gid: uint32(os.Getegid())}
	uid, gid, err := ownerOf(c.path())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return self, err
	}
	exists := err == nil
	switch {
	case self.uid != 0 && exists && uid != self.uid:
		return self, fmt.Errorf("%s belongs to account %s: start the service as that account or as root",
			c.path(), accountName(uid))
	case self.uid != 0:
		return self, nil
	case exists && uid != 0:
		return account{uid, gid, true}, nil
	}
	account, err := unprivileged()
	if err == nil && exists {
		err = account.chownAll(c.path())
	}
	return account, err
}

func unprivileged() (account, error) {
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(found.Uid, 10, 32)
		if err != nil {
			return account{}, err
		}
		gid, err := strconv.ParseUint(found.Gid, 10, 32)
		return account{uint32(uid), uint32(gid), true}, err
	}
	return account{}, errors.New("PostgreSQL does not run as root, and there is neither an account postgres nor nobody to run it as")
}

// chownAll gives a tree to the account; nothing to do unless root steps down.
func (a account) chownAll(path string) error {
	if !a.drop {
		return nil
	}
	return filepath.WalkDir(path, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, int(a.uid), int(a.gid))
	})
}

// credential for a child process, nil when it runs as this process does.
func (a account) credential() *syscall.Credential {
	if !a.drop {
		return nil
	}
	return &syscall.Credential{Uid: a.uid, Gid: a.gid}
}

// reaches reports whether the account may pass every directory above path. Access
// lists are not looked at; a wrong no only means that another way in is taken.
func (a account) reaches(path string) bool {
	if !a.drop {
		return true
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return false
		}
		stat := info.Sys().(*syscall.Stat_t)
		bit := fs.FileMode(0o001)
		switch {
		case stat.Uid == a.uid:
			bit = 0o100
		case stat.Gid == a.gid:
			bit = 0o010
		}
		if info.Mode()&bit == 0 {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}

func accountName(uid uint32) string {
	id := strconv.FormatUint(uint64(uid), 10)
	if found, err := user.LookupId(id); err == nil {
		return found.Username
	}
	return id
}
