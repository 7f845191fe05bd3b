package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"atelier/models"
)

// installKey is one of the keys that all processes on a database must share.
type installKey struct {
	variable string
	// fingerprints are those of all its values; the first is the one in use.
	fingerprints []string
	// apart is what does not work while keys differ.
	apart string
}

// sharedKeys are the keys of this process as the database may know them.
func (i *install) sharedKeys() []installKey {
	keys := []installKey{{
		variable: "SESSION_KEY", fingerprints: []string{fingerprint("session", i.SessionKey)},
		apart: "sessions, cursors and remembered answers of other processes are refused here, and those made here are refused there",
	}}
	encryption := installKey{
		variable: "SERVICE_ENCRYPTION_KEY",
		apart:    "stored secrets that other processes sealed cannot be opened here, and those sealed here cannot be opened there",
	}
	for _, key := range i.EncryptionKeys {
		encryption.fingerprints = append(encryption.fingerprints, fingerprint("encryption", key))
	}
	return append(keys, encryption)
}

// fingerprint tells keys apart and gives nothing of them away.
func fingerprint(purpose string, key []byte) string {
	sum := sha256.Sum256(append([]byte("fingerprint:"+purpose+":"), key...))
	return hex.EncodeToString(sum[:8])
}

// checkKeys says at start which keys are not those that the database is used
// with. The first process on a database tells it its own; a list of encryption
// keys that holds the database's moves it on to the first one, and `atelier
// keys accept` confirms keys that were exchanged on purpose.
func (i *install) checkKeys(ctx context.Context) error {
	for _, key := range i.sharedKeys() {
		known, err := models.KeyFingerprint(ctx, i.DB, key.variable)
		if err != nil {
			return err
		}
		switch {
		case slices.Contains(append(slices.Clone(key.fingerprints), ""), known):
			if len(key.fingerprints) == 0 || key.fingerprints[0] == known {
				continue
			}
			if err := models.SetKeyFingerprint(ctx, i.DB, key.variable, key.fingerprints[0], known); err != nil {
				return err
			}
		default:
			slog.WarnContext(ctx, key.variable+" is not the key that this database is used with: "+key.apart+
				". Give every process the same key; if it was exchanged on purpose, run `atelier keys accept` with the new one.",
				"database", known, "here", key.fingerprints)
		}
	}
	return nil
}

// keys lists the fingerprints of the keys here and in the database; accept
// makes those of this process the database's.
func (i *install) keys(ctx context.Context, args []string) error {
	accept := slices.Equal(args, []string{"accept"})
	if len(args) > 0 && !accept {
		return errors.New("keys takes nothing, or accept")
	}
	for _, key := range i.sharedKeys() {
		known, err := models.KeyFingerprint(ctx, i.DB, key.variable)
		if err != nil {
			return err
		}
		if accept && len(key.fingerprints) > 0 && key.fingerprints[0] != known {
			if err := models.SetKeyFingerprint(ctx, i.DB, key.variable, key.fingerprints[0], known); err != nil {
				return err
			}
			known = key.fingerprints[0]
		}
		fmt.Fprintf(i.out, "%-24s here %v, database %s\n", key.variable, key.fingerprints, known)
	}
	return nil
}
