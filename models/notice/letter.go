package notice

import (
	"context"

	"atelier/models"
	"atelier/models/account"
)

// maxInLetter is how many notifications one letter tells.
const maxInLetter = 20

// Written is a letter to be sent.
type Written struct {
	Address, Name string
	Reader        account.Reader
	Told          []*Notification
	// More is how many there are beyond those.
	More int
}

// WriteLetter is what a person is to be mailed now; nil when nothing is left to
// tell: it was read, or may not be seen any more.
func (s *Service) WriteLetter(ctx context.Context, letter Letter) (*Written, error) {
	db := s.DB.Read(ctx)
	var due []*Notification
	err := s.own(db, letter.RecipientID).Select("n.*").
		Where("n.mail_at = ? AND n.mailed_at IS NULL AND n.read_at IS NULL", letter.At).
		Order("n.happened_at, n.id").Find(&due).Error
	if err != nil || len(due) == 0 {
		return nil, err
	}
	to, err := account.FindExisting(db, letter.RecipientID)
	if models.HasCode(err, models.CodeNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	told := due[:min(len(due), maxInLetter)]
	return &Written{Address: to.Email, Name: to.DisplayName, Reader: to.Reader(), Told: told, More: len(due) - len(told)}, nil
}

// EndLetter writes down that a letter has left, or never will.
func (s *Service) EndLetter(ctx context.Context, letter Letter) error {
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		return tx.Exec(`UPDATE notifications SET mailed_at = ? WHERE recipient_id = ? AND mail_at = ? AND mailed_at IS NULL`,
			tx.Now, letter.RecipientID, letter.At).Error
	})
}
