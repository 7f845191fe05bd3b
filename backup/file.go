package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"atelier/models/media"
)

// partial is a file under a temporary name, which nothing else has opened to write.
type partial struct {
	*os.File
	path    string // where it is to be
	floor   int64  // how many bytes of the disk stay free
	unasked int64  // written since the disk was asked
}

// askEvery is after how many bytes the disk is asked for its room.
const askEvery = 16 << 20

// begin makes the temporary file of a path at which nothing may be.
func begin(path string, floor int64) (*partial, error) {
	if err := vacant(path); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path+".partial", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the backup cannot be written: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return nil, fmt.Errorf("another process writes %s", file.Name())
	}
	p := &partial{File: file, path: path, floor: floor}
	if err := errors.Join(file.Chmod(0o600), file.Truncate(0), p.hasRoom(0)); err != nil {
		p.discard()
		return nil, err
	}
	return p, nil
}

func vacant(path string) error {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		return fmt.Errorf("%s is there already: a backup overwrites nothing", path)
	}
	return err
}

// hasRoom tells whether so many bytes fit on the disk and leave the floor free.
func (p *partial) hasRoom(n int64) error {
	disk, err := media.DiskOf(filepath.Dir(p.path))
	if err != nil || disk.Free-p.floor >= n {
		return err
	}
	return fmt.Errorf("the disk of %s has too little room for the backup: %s are free, of which %s stay free", p.path, size(disk.Free), size(p.floor))
}

// Write writes, as long as there is room.
func (p *partial) Write(b []byte) (int, error) {
	if p.unasked += int64(len(b)); p.unasked >= askEvery {
		p.unasked = 0
		if err := p.hasRoom(0); err != nil {
			return 0, err
		}
	}
	n, err := p.File.Write(b)
	if errors.Is(err, syscall.ENOSPC) {
		err = fmt.Errorf("the disk of %s is full", p.path)
	}
	return n, err
}

// publish gives the file its name, once the disk has it; a file that came there meanwhile stays.
func (p *partial) publish() error {
	if err := p.Sync(); err != nil {
		return err
	}
	err := os.Link(p.Name(), p.path)
	switch {
	case errors.Is(err, fs.ErrExist):
		return vacant(p.path)
	case err != nil: // not every file system has links
		if err := vacant(p.path); err != nil {
			return err
		}
		if err := os.Rename(p.Name(), p.path); err != nil {
			return err
		}
	}
	return syncDir(filepath.Dir(p.path))
}

// discard removes the temporary name.
func (p *partial) discard() {
	_ = os.Remove(p.Name())
	_ = p.Close()
}

func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}
