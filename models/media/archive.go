package media

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"time"

	"atelier/bulk"
	"atelier/models"
)

// CreateEntry begins a file in an archive.
func CreateEntry(archive *zip.Writer, name string, at time.Time, method uint16) (io.Writer, error) {
	return archive.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: at.UTC()})
}

// partOfFile is how much of a file is read in one turn.
const partOfFile = 1 << 20

// WriteEntry adds a file of the install to an archive, part by part, taking turns with whatever else is read in bulk; one that was
// deleted meanwhile is left out.
func (m *Store) WriteEntry(ctx context.Context, archive *zip.Writer, name string, file *File, at time.Time) error {
	content, err := m.Content(ctx, file)
	if models.HasCode(err, models.CodeNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer content.Close()
	entry, err := CreateEntry(archive, name, at, zip.Store)
	if err != nil {
		return err
	}
	part := make([]byte, min(partOfFile, max(file.Size, 1)))
	for {
		n, err := bulk.Part(ctx, func(context.Context) (int, error) {
			n, err := io.ReadFull(content, part)
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = nil
			}
			return n, err
		})
		if err != nil || n == 0 {
			return err
		}
		if _, err := entry.Write(part[:n]); err != nil {
			return err
		}
	}
}
