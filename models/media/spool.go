package media

import (
	"context"
	"crypto/sha256"
	"io"
	"os"
	"time"

	"atelier/models"
)

// spooled is a file on its way into the bucket.
type spooled struct {
	file *os.File
	sum  []byte
	size int64
}

// spool writes r to a temporary file and hashes it meanwhile. The room of the
// account that sends it is taken as it comes, and so is a place among the large
// bodies of the request's sender.
func (m *Store) spool(ctx context.Context, r io.Reader, most int64) (*spooled, error) {
	if err := m.CheckDisk(); err != nil {
		return nil, err
	}
	file, err := os.CreateTemp("", "atelier-media-*")
	if err != nil {
		return nil, err
	}
	s := &spooled{file: file}
	hash := sha256.New()
	s.size, err = io.Copy(io.MultiWriter(file, hash), &counted{ctx: ctx, media: m, from: io.LimitReader(r, most+1)})
	if err == nil && s.size > most {
		err = tooLarge(most)
	}
	if err != nil {
		s.remove()
		return nil, err
	}
	s.sum = hash.Sum(nil)
	return s, nil
}

// SpoolBody writes what is sent to a temporary file, counted as a file is. The
// caller removes it.
func (m *Store) SpoolBody(ctx context.Context, r io.Reader) (*os.File, int64, error) {
	if err := m.CheckDisk(); err != nil {
		return nil, 0, err
	}
	file, err := os.CreateTemp("", "atelier-body-*")
	if err != nil {
		return nil, 0, err
	}
	size, err := io.Copy(file, &counted{ctx: ctx, media: m, from: r})
	if err != nil {
		file.Close()
		os.Remove(file.Name())
		return nil, 0, err
	}
	return file, size, nil
}

func (s *spooled) remove() {
	s.file.Close()
	os.Remove(s.file.Name())
}

// head is the beginning of the file.
func (s *spooled) head(n int64) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(s.file, 0, min(n, s.size)))
}

// largeFile is the size from which a file counts as large, in bytes.
const largeFile = 1 << 20

// diskEvery is after how many bytes of a file the free disk is looked at again.
const diskEvery = 8 << 20

// counted is what arrives while it is written to the disk.
type counted struct {
	ctx   context.Context
	media *Store
	from  io.Reader
	read  int64
}

// Read ends with a refusal when there is no room left.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	before := c.read
	c.read += int64(n)
	if refused := c.arrived(before, int64(n)); refused != nil {
		return 0, refused
	}
	return n, err
}

func (c *counted) arrived(before, n int64) error {
	if before <= largeFile && before+n > largeFile && c.media != nil && c.media.Large != nil {
		if err := c.media.Large(c.ctx); err != nil {
			return err
		}
	}
	if before/diskEvery != (before+n)/diskEvery {
		if err := c.media.CheckDisk(); err != nil {
			return err
		}
	}
	return roomFrom(c.ctx).take(n)
}

// diskWait is after how long it is worth trying again when the disk is full.
const diskWait = time.Minute

// CheckDisk refuses what would be written to the disk while less of it is free than
// the operator's floor: service_unavailable.
func (m *Store) CheckDisk() error {
	if m == nil || m.DiskFloor <= 0 {
		return nil
	}
	if disk, err := DiskOf(os.TempDir()); err != nil || disk.Free >= m.DiskFloor {
		return nil
	}
	refusal := models.Err(models.CodeServiceUnavailable, "The disk of this install is almost full, and nothing was kept. Tell its operator.")
	refusal.RetryAfter = diskWait
	return refusal
}

// spooledAs is a temporary file that was written already; it goes when it cannot be read.
func spooledAs(file *os.File) (*spooled, error) {
	s := &spooled{file: file}
	hash := sha256.New()
	size, err := io.Copy(hash, io.NewSectionReader(file, 0, 1<<62))
	if err != nil {
		s.remove()
		return nil, err
	}
	s.size, s.sum = size, hash.Sum(nil)
	return s, nil
}
