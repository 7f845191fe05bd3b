package credit

import (
	"atelier/models"

	"gorm.io/gorm/clause"
)

// movement is an entry from one book to another.
func movement(from Book, fromID *models.ID, to Book, toID *models.ID, amount models.Credits) *Entry {
	return &Entry{FromBook: from, FromID: fromID, ToBook: to, ToID: toID, Amount: amount}
}

// record adds an entry to the ledger.
func record(tx *models.Tx, e *Entry) error {
	stamp(tx, e)
	return tx.Create(e).Error
}

// recordOnce adds entries of an execution unless they are there, and returns
// how many were not: entries are unique by execution, node and kind.
func recordOnce(tx *models.Tx, entries ...*Entry) (added int64, err error) {
	for _, e := range entries {
		stamp(tx, e)
	}
	return models.Affected(tx.Clauses(clause.OnConflict{DoNothing: true}).Create(entries))
}

func stamp(tx *models.Tx, e *Entry) {
	e.ID, e.CreatedAt = tx.NewID(), tx.Now
	if tx.Actor.SignedIn() {
		actor := tx.Actor.UserID
		e.ActorID = &actor
	}
}

// entryRows are entries of one execution, by column, for statements that change
// a counter with them: the values of insertEntries and theseEntries.
type entryRows struct {
	of                       *Entry // what they have in common
	ids                      []models.ID
	kinds, froms, tos, nodes []string
	descriptions             []string
	amounts                  []int64
	models, parts            []*string
}

func newEntryRows(tx *models.Tx, entries ...*Entry) entryRows {
	rows := entryRows{of: entries[0]}
	for _, e := range entries {
		if stamp(tx, e); rows.of.FromID == nil {
			rows.of = e // the first was absorbed, and is of no book here
		}
		rows.ids, rows.kinds, rows.nodes = append(rows.ids, e.ID), append(rows.kinds, e.Kind), append(rows.nodes, *e.NodeID)
		rows.froms, rows.tos = append(rows.froms, string(e.FromBook)), append(rows.tos, string(e.ToBook))
		rows.descriptions, rows.amounts = append(rows.descriptions, e.Description), append(rows.amounts, int64(e.Amount))
		rows.models, rows.parts = append(rows.models, e.Model), append(rows.parts, (*string)(nil))
		if e.Parts != nil {
			rows.parts[len(rows.parts)-1] = new(string(*e.Parts))
		}
	}
	return rows
}

// insertEntries adds entries to the ledger; the three columns that it ends
// before, and where the entries are from, follow.
const insertEntries = `INSERT INTO ledger_entries (id, kind, from_book, from_id, to_book, to_id, amount, user_id, execution_id, node_id,
		description, actor_id, created_at, model, parts, workspace_id, organization_id, balance_after)
	SELECT id, kind, from_book, CASE WHEN from_book <> 'issued' THEN $1::uuid END, to_book, CASE WHEN to_book <> 'absorbed' THEN $1::uuid END,
		amount, $2, $3, node_id, description, $4::uuid, $5::timestamptz, model, parts::jsonb, `

// theseEntries are the rows of the statement.
const theseEntries = `unnest($6::uuid[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::bigint[], $13::text[], $14::text[])
	WITH ORDINALITY AS t(id, kind, from_book, to_book, node_id, description, amount, model, parts, place)`

// with are the statement's values, the others from $15 on.
func (rows entryRows) with(others ...any) []any {
	return append([]any{
		rows.of.FromID, rows.of.UserID, rows.of.ExecutionID, rows.of.ActorID, rows.of.CreatedAt,
		rows.ids, rows.kinds, rows.froms, rows.tos, rows.nodes, rows.descriptions, rows.amounts, rows.models, rows.parts,
	}, others...)
}
