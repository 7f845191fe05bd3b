package media

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"atelier/models"
)

// contentsHold names the lock that removers of contents share and a backup has to itself.
const contentsHold = `hashtextextended('media contents are held', 0)`

// errHeld says that no content is removed now, because a backup is being made.
var errHeld = errors.New("contents are held by a backup")

// HoldContents keeps every content where it is until the transaction ends, after those that are being removed are gone:
// what a snapshot that begins later refers to can be read at leisure.
func HoldContents(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(`+contentsHold+`)`)
	return err
}

// mayRemove is errHeld while contents are held. It waits for no one: what is not removed now is later.
func mayRemove(tx *models.Tx) error {
	var free bool
	if err := tx.Raw(`SELECT pg_try_advisory_xact_lock_shared(` + contentsHold + `)`).Row().Scan(&free); err != nil || free {
		return err
	}
	return errHeld
}

// unlessHeld is no error where contents are held.
func unlessHeld(err error) error {
	if errors.Is(err, errHeld) {
		return nil
	}
	return err
}

// EachContent calls fn for each content that files refer to, in the order of their SHA-256.
func EachContent(ctx context.Context, tx pgx.Tx, fn func(sum []byte, size int64) error) error {
	rows, err := tx.Query(ctx, `SELECT DISTINCT ON (sha256) sha256, size FROM media_files ORDER BY sha256`)
	if err != nil {
		return err
	}
	var sum []byte
	var size int64
	_, err = pgx.ForEachRow(rows, []any{&sum, &size}, func() error { return fn(sum, size) })
	return err
}
