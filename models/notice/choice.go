package notice

import (
	"context"
	"slices"

	"atelier/models"
)

// Choice is whether a kind of notifications comes to a person by mail.
type Choice struct {
	Kind Kind
	Mail bool
	// Standard is what holds for anyone who chose nothing.
	Standard bool
}

// Label is what the kind is called, in a language that is named by its tag; nil is English.
func (c *Choice) Label(language *string) string { return c.Kind.Label(language) }

// choiceRow is a stored choice.
type choiceRow struct {
	UserID models.ID
	Kind   Kind
	Mail   bool
}

func (choiceRow) TableName() string { return "notification_choices" }

// Choices are what comes to the caller by mail, kind by kind (session only).
func (s *Service) Choices(ctx context.Context) ([]*Choice, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	var rows []choiceRow
	if err := s.DB.Read(ctx).Where("user_id = ?", actor.UserID).Find(&rows).Error; err != nil {
		return nil, err
	}
	choices := make([]*Choice, len(Kinds))
	for i, kind := range Kinds {
		choices[i] = &Choice{Kind: kind, Mail: descriptions[kind].mail, Standard: descriptions[kind].mail}
		for _, row := range rows {
			if row.Kind == kind {
				choices[i].Mail = row.Mail
			}
		}
	}
	return choices, nil
}

// Choose has the named kinds come to the caller by mail, and no others (session
// only); an unknown kind is a validation_error.
func (s *Service) Choose(ctx context.Context, mailed []Kind) ([]*Choice, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	for _, kind := range mailed {
		if !slices.Contains(Kinds, kind) {
			return nil, models.Invalid("mailed", "must name kinds of notifications")
		}
	}
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		for _, kind := range Kinds {
			err := tx.Exec(`INSERT INTO notification_choices (user_id, kind, mail) VALUES (?, ?, ?)
				ON CONFLICT (user_id, kind) DO UPDATE SET mail = EXCLUDED.mail`, actor.UserID, kind, slices.Contains(mailed, kind)).Error
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.Choices(ctx)
}

// mailedTo are those of some people to whom a kind comes by mail.
func (s *Service) mailedTo(tx *models.Tx, kind Kind, to []models.ID) ([]models.ID, error) {
	if s == nil || !s.Mail {
		return nil, nil
	}
	var rows []choiceRow
	if err := tx.Where("kind = ? AND user_id IN ?", kind, to).Find(&rows).Error; err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(to), func(id models.ID) bool {
		for _, row := range rows {
			if row.UserID == id {
				return !row.Mail
			}
		}
		return !descriptions[kind].mail
	}), nil
}
