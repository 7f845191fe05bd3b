package models

import (
	"context"
	"slices"
	"strings"
)

// Standing is as what an account stands somewhere: its role in an organization or a workspace.
type Standing struct {
	Place string // organization or workspace
	ID    ID
	Role  string
}

// maxStandings bounds what is kept of one request.
const maxStandings = 20

// NoteStanding keeps with the remembered answer of a request with an Idempotency-Key as what
// its caller stood where: the answer is repeated only to who stands there still. It does
// nothing in other requests, and for another account than the caller's.
func NoteStanding(ctx context.Context, userID ID, place string, id ID, role string) {
	o, ok := ctx.Value(idempotentTxKey{}).(*idempotentTx)
	if !ok || o == nil || o.account != userID {
		return
	}
	text := strings.Join([]string{place, id.String(), role}, " ")
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.standing) < maxStandings && !slices.Contains(o.standing, text) {
		o.standing = append(o.standing, text)
	}
}

// readStandings is what NoteStanding kept.
func readStandings(texts []string) (all []Standing) {
	for _, text := range texts {
		part := strings.SplitN(text, " ", 3)
		if len(part) < 3 {
			continue
		}
		if id, err := ParseID("id", part[1]); err == nil {
			all = append(all, Standing{part[0], id, part[2]})
		}
	}
	return all
}

// keptStandings are those of the request that hold at its end: what it gave up itself, as
// leaving does, is asked for no more.
func (o *idempotentTx) keptStandings(ctx context.Context) Strings {
	kept := Strings{}
	for _, text := range o.standing {
		if o.stillStands(ctx, []string{text}) == nil {
			kept = append(kept, text)
		}
	}
	return kept
}

// stillStands refuses to repeat an answer to who has lost the standing that it was given for.
func (o *idempotentTx) stillStands(ctx context.Context, texts []string) error {
	if len(texts) == 0 || o.db.StillStands == nil {
		return nil
	}
	return o.db.StillStands(ctx, o.account, readStandings(texts))
}
