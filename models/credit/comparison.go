package credit

import (
	"context"
	"time"

	"atelier/models"
)

// Comparison is one time that counters were compared with the ledger.
type Comparison struct {
	ID      models.ID `gorm:"primaryKey"`
	Entries int64     // lines of the ledger
	// Differences is how many there were, First the first of them.
	Differences int
	First       string
	CreatedAt   time.Time
}

func (Comparison) TableName() string { return "ledger_comparisons" }

// comparisonsKept is how long it is remembered when what was compared.
const comparisonsKept = 400 * 24 * time.Hour

// NoteComparison keeps what a comparison came to, for all processes.
func (s *Service) NoteComparison(ctx context.Context, entries int64, differences []Difference) error {
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		c := &Comparison{ID: tx.NewID(), Entries: entries, Differences: len(differences), CreatedAt: tx.Now}
		if len(differences) > 0 {
			c.First = differences[0].String()
		}
		return tx.Create(c).Error
	})
}

// LastComparison is the newest comparison; nil when there was none yet.
func (s *Service) LastComparison(ctx context.Context) (*Comparison, error) {
	var c []*Comparison
	err := s.DB.Read(ctx).Order("id DESC").Limit(1).Find(&c).Error
	if err != nil || len(c) == 0 {
		return nil, err
	}
	return c[0], nil
}
