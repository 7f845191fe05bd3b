package notice

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"atelier/models"
	"atelier/models/account"
)

// Service holds the use cases of notifications.
type Service struct {
	DB *models.DB
	// Mail is whether the install can send mail.
	Mail bool

	visible []string
}

// Notification is what a person is told.
type Notification struct {
	ID          models.ID `gorm:"primaryKey"`
	RecipientID models.ID
	Kind        Kind
	Needs       Needs
	// OrganizationID and WorkspaceID are where it happened, SubjectID what it is about.
	OrganizationID *models.ID
	WorkspaceID    *models.ID
	SubjectID      *models.ID
	Facts          Facts `gorm:"serializer:json"`
	// Count is how many times it happened since it was read last.
	Count      int
	HappenedAt time.Time
	ReadAt     *time.Time
}

func (Notification) TableName() string { return "notifications" }

// News is what is to be told.
type News struct {
	Kind           Kind
	Needs          Needs
	OrganizationID *models.ID
	WorkspaceID    *models.ID
	SubjectID      *models.ID
	Facts          Facts
	// Key tells the same news from others of its kind: it is told to one person once.
	Key string
	// Bundles has further news of the same key counted on one that is not read yet.
	Bundles bool
}

// OfWaiting is the news, for operators, of something that waits until one of them decides about it.
func OfWaiting(kind Kind, subject models.ID, facts Facts) News {
	return News{Kind: kind, Needs: Nothing, SubjectID: &subject, Facts: facts, Key: subject.String()}
}

// How much is kept of a text, in characters, and how many are told at once.
const (
	maxInFact = 200
	maxReason = 500
	maxTold   = 100
)

// MaxSpending is how many workspaces, and how many members, are named of those that spent something.
const MaxSpending = 5

// Tell writes the news down for some people, in the transaction of what it tells
// of, and has it mailed to those who want that. What a person was told already is
// not told again.
func (s *Service) Tell(tx *models.Tx, news News, to ...models.ID) error {
	to = slices.Clone(to)
	slices.SortFunc(to, func(a, b models.ID) int { return strings.Compare(a.String(), b.String()) }) // all lock in this order
	to = slices.Compact(to)
	if len(to) > maxTold {
		to = to[:maxTold]
	}
	if len(to) == 0 {
		return nil
	}
	facts, err := json.Marshal(news.Facts.bounded())
	if err != nil {
		return err
	}
	mailed, err := s.mailedTo(tx, news.Kind, to)
	if err != nil {
		return err
	}
	for _, recipient := range to {
		var mailAt *time.Time
		if slices.Contains(mailed, recipient) {
			if mailAt, err = nextLetter(tx, recipient); err != nil {
				return err
			}
		}
		// A bundle that is told by a letter to come tells all of it there.
		told, err := tx.Run(`
			INSERT INTO notifications AS n (id, recipient_id, kind, needs, organization_id, workspace_id, subject_id, facts, bundles, key, happened_at, mail_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
			ON CONFLICT (recipient_id, key) DO UPDATE SET count = n.count + 1, facts = EXCLUDED.facts, happened_at = EXCLUDED.happened_at,
				mail_at = coalesce(n.mail_at, EXCLUDED.mail_at)
				WHERE n.bundles AND n.read_at IS NULL`,
			tx.NewID(), recipient, news.Kind, news.Needs, news.OrganizationID, news.WorkspaceID, news.SubjectID, string(facts),
			news.Bundles, string(news.Kind)+":"+news.Key, tx.Now, mailAt)
		if err != nil {
			return err
		}
		if told > 0 && mailAt != nil {
			if err := enqueue(tx, recipient, *mailAt); err != nil {
				return err
			}
		}
	}
	return nil
}

// bounded cuts what is too long to be told.
func (f Facts) bounded() Facts {
	for _, text := range []*string{&f.Organization, &f.Workspace, &f.Person, &f.Thing, &f.Status} {
		*text = models.Shortened(*text, maxInFact)
	}
	f.Reason = models.Shortened(f.Reason, maxReason)
	f.ByWorkspace, f.ByMember = foremost(f.ByWorkspace), foremost(f.ByMember)
	return f
}

// foremost are the first of those who spent something, with names that can be told.
func foremost(all []Spending) []Spending {
	kept := slices.Clone(all[:min(len(all), MaxSpending)])
	for i := range kept {
		kept[i].Name = models.Shortened(kept[i].Name, maxInFact)
	}
	return kept
}

// Letters of one person are at least letterRest apart: what happens meanwhile
// is told by the next one.
const letterRest = 15 * time.Minute

// Letter is the job that mails a person what is due at one moment.
type Letter struct {
	RecipientID models.ID `json:"recipientId"`
	At          time.Time `json:"at"`
}

func (Letter) Kind() string { return "mail_notifications" }

// nextLetter is when the next letter to a person leaves: at once, unless one has
// left a moment ago.
func nextLetter(tx *models.Tx, recipient models.ID) (*time.Time, error) {
	var last *time.Time
	if err := tx.Raw(`SELECT max(mail_at) FROM notifications WHERE recipient_id = ? AND mail_at IS NOT NULL`, recipient).Row().Scan(&last); err != nil {
		return nil, err
	}
	at := tx.Now.Truncate(time.Microsecond) // as it is kept
	if last != nil {
		switch wait := last.Sub(tx.Now); {
		case wait > time.Minute: // one is to come, and is not being written yet
			at = *last
		case wait > -letterRest:
			at = last.Add(letterRest)
		}
	}
	return &at, nil
}

// enqueue has a letter written at its time, once.
func enqueue(tx *models.Tx, recipient models.ID, at time.Time) error {
	options := account.MailOptions()
	options.UniqueOpts = river.UniqueOpts{ByArgs: true}
	if wait := at.Sub(tx.Now); wait > 0 {
		options.ScheduledAt = time.Now().Add(wait)
	}
	return tx.Enqueue(Letter{RecipientID: recipient, At: at.UTC()}, options)
}
