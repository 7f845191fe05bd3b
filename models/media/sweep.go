package media

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"time"

	"gocloud.dev/gcerrors"

	"atelier/models"
)

// orphanAge is how old a content without an address must be to be removed.
const orphanAge = 24 * time.Hour

// Sweep removes contents that no address leads to, such as those of jobs whose
// worker died before the commit, and says how many.
func (m *Store) Sweep(ctx context.Context) (removed int, err error) {
	before := time.Now().Add(-orphanAge)
	list := m.Bucket.List(nil)
	for {
		object, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return removed, nil
		}
		if err != nil {
			return removed, err
		}
		_, name, _ := strings.Cut(object.Key, "/")
		sum, err := hex.DecodeString(name)
		if err != nil || len(sum) != 32 || object.ModTime.After(before) {
			continue
		}
		gone, err := m.removeOrphan(ctx, sum)
		if err != nil {
			return removed, unlessHeld(err)
		}
		if gone {
			removed++
		}
	}
}

// removeOrphan removes a content that no file refers to: errHeld while a backup is being made.
func (m *Store) removeOrphan(ctx context.Context, sum []byte) (gone bool, err error) {
	err = m.DB.Write(ctx, func(tx *models.Tx) error {
		if err := mayRemove(tx); err != nil {
			return err
		}
		if err := lockContent(tx, sum); err != nil {
			return err
		}
		if err := tx.Exec(`DELETE FROM content_removals WHERE sha256 = ?`, sum).Error; err != nil {
			return err
		}
		var used bool
		if err := tx.Raw(`SELECT EXISTS (SELECT FROM media_files WHERE sha256 = ?)`, sum).Scan(&used).Error; err != nil || used {
			return err
		}
		gone = true
		err := m.Bucket.Delete(ctx, BlobName(sum))
		if gcerrors.Code(err) == gcerrors.NotFound {
			return nil
		}
		return err
	})
	return gone, err
}
