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
