package models

import (
	"context"
	"database/sql"
	"errors"
)

// KeyFingerprint is the fingerprint of the key that the database is used with;
// empty while no process has told it one.
func KeyFingerprint(ctx context.Context, db *DB, name string) (fingerprint string, err error) {
	err = db.Row(ctx, `SELECT fingerprint FROM key_fingerprints WHERE name = $1`, name).Scan(&fingerprint)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return fingerprint, err
}

// SetKeyFingerprint tells the database the key that it is used with, unless
// another process told it one meanwhile.
func SetKeyFingerprint(ctx context.Context, db *DB, name, fingerprint, before string) error {
	return db.Write(ctx, func(tx *Tx) error {
		_, err := tx.Run(`INSERT INTO key_fingerprints AS k (name, fingerprint, set_at) VALUES ($1, $2, $3)
			ON CONFLICT (name) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, set_at = EXCLUDED.set_at WHERE k.fingerprint = $4`,
			name, fingerprint, tx.Now, before)
		return err
	})
}
