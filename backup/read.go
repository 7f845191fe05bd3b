package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"

	"filippo.io/age"
)

// Archive is a backup that was read to its end and found whole.
type Archive struct {
	About About
	Keys  Keys
	End   End

	file *os.File
	key  age.Identity
}

// Refusals of a file.
var (
	errNoBackup   = errors.New("the file is no backup of Atelier, or its beginning is damaged")
	errPassphrase = errors.New("BACKUP_PASSPHRASE is not the passphrase of this backup (or the first bytes of the file are damaged)")
)

func damaged(cause error) error {
	var path *fs.PathError
	if errors.As(cause, &path) {
		return cause // the disk, not what is on it
	}
	return fmt.Errorf("the backup is damaged or incomplete: %w", cause)
}

// Open reads a backup from its beginning to its end: a wrong passphrase, a damaged byte and a missing end are refused.
func Open(ctx context.Context, path, passphrase string) (*Archive, error) {
	key, err := identity(passphrase)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	a := &Archive{file: file, key: &once{Identity: key}}
	if err := a.verify(ctx); err != nil {
		file.Close()
		return nil, err
	}
	return a, nil
}

// once remembers the key of a file, which costs a second to derive.
type once struct {
	age.Identity
	key []byte
}

func (o *once) Unwrap(stanzas []*age.Stanza) (key []byte, err error) {
	if o.key == nil {
		if o.key, err = o.Identity.Unwrap(stanzas); err != nil {
			return nil, err
		}
	}
	return bytes.Clone(o.key), nil
}

// Close closes the file.
func (a *Archive) Close() error { return a.file.Close() }

// entries begins to read the archive once more.
func (a *Archive) entries(ctx context.Context) (*tar.Reader, io.Reader, error) {
	if _, err := a.file.Seek(0, io.SeekStart); err != nil {
		return nil, nil, err
	}
	opened, err := age.Decrypt(bufio.NewReaderSize(a.file, 1<<20), a.key)
	if err != nil {
		var other *age.NoIdentityMatchError
		if errors.As(err, &other) {
			return nil, nil, errPassphrase
		}
		return nil, nil, errNoBackup
	}
	opened = &stoppable{ctx, opened}
	return tar.NewReader(opened), opened, nil
}

// stoppable reads until the context ends.
type stoppable struct {
	ctx context.Context
	io.Reader
}

func (s *stoppable) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.Reader.Read(b)
}

// verify reads everything and compares it with what the backup says of itself.
func (a *Archive) verify(ctx context.Context) error {
	r, all, err := a.entries(ctx)
	if err != nil {
		return err
	}
	if err := a.description(r, "backup.json", &a.About); err != nil {
		return err
	}
	if a.About.Format != format {
		return fmt.Errorf("the backup has the format %d, this program reads %d: restore it with the program that made it (%s)",
			a.About.Format, format, a.About.Program)
	}
	if err := a.description(r, "keys.json", &a.Keys); err != nil {
		return err
	}
	found := End{Rows: map[string]int64{}}
	for _, table := range a.About.Tables {
		found.Rows[table.Name] = 0
	}
	for {
		header, err := r.Next()
		if err != nil {
			return damaged(cause(ctx, err, "its end is missing"))
		}
		if header.Name == "end.json" {
			break
		}
		if err := found.add(header, r); err != nil {
			return cmpContext(ctx, damaged(fmt.Errorf("%s: %w", header.Name, err)))
		}
	}
	if err := decode(r, &a.End); err != nil {
		return damaged(err)
	}
	if _, err := r.Next(); err != io.EOF {
		return damaged(cause(ctx, err, "something follows its end"))
	}
	if _, err := io.Copy(io.Discard, all); err != nil { // the last chunk says that it is the last
		return cmpContext(ctx, damaged(err))
	}
	if !found.equals(&a.End) {
		return damaged(errors.New("it does not hold as much as it says"))
	}
	return nil
}

func cause(ctx context.Context, err error, otherwise string) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil || err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New(otherwise)
	}
	return err
}

func cmpContext(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func (a *Archive) description(r *tar.Reader, name string, into any) error {
	header, err := r.Next()
	if err != nil {
		return damaged(err)
	}
	if header.Name != name {
		return errNoBackup
	}
	if err := decode(r, into); err != nil {
		return damaged(fmt.Errorf("%s: %w", name, err))
	}
	return nil
}

func decode(r io.Reader, into any) error {
	text, err := io.ReadAll(io.LimitReader(r, maxDescription+1))
	if err != nil {
		return err
	}
	if len(text) > maxDescription {
		return errors.New("too long")
	}
	return json.Unmarshal(text, into)
}

// add counts an entry, whose content must be what its name says.
func (e *End) add(header *tar.Header, r io.Reader) error {
	if part := partName.FindStringSubmatch(header.Name); part != nil {
		if _, known := e.Rows[part[1]]; !known {
			return errors.New("unknown table")
		}
		zip, err := gzip.NewReader(r)
		if err != nil {
			return err
		}
		lines := &lineCounter{}
		n, err := io.Copy(lines, zip)
		e.Rows[part[1]] += lines.n
		e.RowBytes += n
		return err
	}
	content := contentName.FindStringSubmatch(header.Name)
	if content == nil {
		return errors.New("unknown entry")
	}
	hashed := sha256.New()
	n, err := io.Copy(hashed, r)
	if err != nil {
		return err
	}
	if hex.EncodeToString(hashed.Sum(nil)) != content[1] {
		e.note(&e.Damaged, &e.DamagedCount, content[1])
	}
	e.Files++
	e.FileBytes += n
	return nil
}

// lineCounter counts lines: COPY ends each row with one.
type lineCounter struct{ n int64 }

func (l *lineCounter) Write(b []byte) (int, error) {
	l.n += int64(bytes.Count(b, []byte("\n")))
	return len(b), nil
}

func (e *End) equals(said *End) bool {
	return maps.Equal(e.Rows, said.Rows) && e.RowBytes == said.RowBytes && e.Files == said.Files && e.FileBytes == said.FileBytes &&
		e.DamagedCount == said.DamagedCount && slices.Equal(e.Damaged, said.Damaged)
}
