package flow

import (
	"crypto/sha256"
	"io"
	"os"
)

// spooled is a file on its way into the bucket.
type spooled struct {
	file *os.File
	sum  []byte
	size int64
}

// spool writes r to a temporary file and hashes it meanwhile.
func spool(r io.Reader, most int64) (*spooled, error) {
	file, err := os.CreateTemp("", "atelier-media-*")
	if err != nil {
		return nil, err
	}
	s := &spooled{file: file}
	hash := sha256.New()
	s.size, err = io.Copy(io.MultiWriter(file, hash), io.LimitReader(r, most+1))
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

func (s *spooled) remove() {
	s.file.Close()
	os.Remove(s.file.Name())
}

// head is the beginning of the file.
func (s *spooled) head(n int64) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(s.file, 0, min(n, s.size)))
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
