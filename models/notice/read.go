package notice

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm"

	"atelier/models"
)

// maxUnread is how far unread notifications are counted.
const maxUnread = 10

// ShowWhere adds what must hold of a notification, as n, for its recipient to see
// it still: conditions of the areas that know.
func (s *Service) ShowWhere(conditions ...string) { s.visible = append(s.visible, conditions...) }

// own are the notifications of the caller's account that it may still see.
func (s *Service) own(db *gorm.DB, userID models.ID) *gorm.DB {
	q := db.Table("notifications n").Where("n.recipient_id = ?", userID)
	if len(s.visible) > 0 {
		q = q.Where("(" + strings.Join(s.visible, ") AND (") + ")")
	}
	return q
}

// List lists the caller's notifications, the latest first, the unread alone or
// all (session only).
func (s *Service) List(ctx context.Context, unread bool, page models.Page) (*models.Connection[*Notification], error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	q, name := s.own(s.DB.Read(ctx), actor.UserID).Select("n.*"), "notifications:"+actor.UserID.String()
	if unread {
		q, name = q.Where("n.read_at IS NULL"), name+":unread"
	}
	list := models.List[*Notification]{
		Name: name, Standard: 30, Most: 100, Position: func(n *Notification) string { return models.TimePosition(n.HappenedAt, n.ID) },
	}
	return models.ListPage(s.DB, list, page, q, models.LatestFirst("n.happened_at", "n.id"))
}

// CountUnread is how many notifications the caller has not read, counted up to
// ten; 0 for tokens.
func (s *Service) CountUnread(ctx context.Context) (n int, err error) {
	actor := models.ActorFrom(ctx)
	if s == nil || actor.RequireSession() != nil {
		return 0, nil
	}
	db := s.DB.Read(ctx)
	unread := s.own(db, actor.UserID).Select("1").Where("n.read_at IS NULL").Limit(maxUnread)
	err = db.Raw("SELECT count(*) FROM (?) unread", unread).Scan(&n).Error
	return n, err
}

// read marks notifications as read; a bundle that was read ends: what comes makes another one.
const (
	asRead = `read_at = ?, key = CASE WHEN bundles THEN left(key, 150) || ':' || id ELSE key END`
	read   = `UPDATE notifications SET ` + asRead + ` WHERE recipient_id = ? AND read_at IS NULL`
)

// MarkRead marks some of the caller's notifications as read (session only);
// those of others stay as they are.
func (s *Service) MarkRead(ctx context.Context, ids []models.ID) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return err
	}
	if len(ids) > 100 {
		return models.Invalid("ids", "must name at most 100 notifications")
	}
	if len(ids) == 0 {
		return nil
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		return tx.Exec(read+" AND id IN ?", tx.Now, actor.UserID, ids).Error
	})
}

// MarkAllRead marks all of the caller's notifications as read (session only).
func (s *Service) MarkAllRead(ctx context.Context) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error { return tx.Exec(read, tx.Now, actor.UserID).Error })
}

// Settle marks what was told of a subject as read for everyone, in the
// transaction that settles it: a person acted.
func (s *Service) Settle(tx *models.Tx, kind Kind, subject models.ID) error {
	return tx.Exec(`UPDATE notifications SET `+asRead+` WHERE subject_id = ? AND kind = ? AND read_at IS NULL`, tx.Now, subject, kind).Error
}

// Forget removes what was told of subjects that are gone.
func Forget(tx *models.Tx, kind Kind, subjects []models.ID) error {
	if len(subjects) == 0 {
		return nil
	}
	return tx.Exec(`DELETE FROM notifications WHERE subject_id IN ? AND kind = ?`, subjects, kind).Error
}

// ForgetOf is Forget for all subjects that were made from a time on and before another.
func ForgetOf(ctx context.Context, db *models.DB, kind Kind, from, until time.Time) error {
	return db.InBatches(ctx, `DELETE FROM notifications WHERE id IN (SELECT id FROM notifications WHERE subject_id >= $1 AND subject_id < $2 AND kind = $3 LIMIT $4)`,
		models.FirstID(from), models.FirstID(until), kind)
}

// Follow marks one of the caller's notifications as read and tells where it
// leads; not_found for one that the caller may not see (any more).
func (s *Service) Follow(ctx context.Context, id models.ID) (*Notification, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	n, err := models.First[Notification](s.own(s.DB.Read(ctx), actor.UserID).Select("n.*").Where("n.id = ?", id), models.NotFound("Notification"))
	if err != nil || n.ReadAt != nil {
		return n, err
	}
	if err := s.MarkRead(ctx, []models.ID{id}); err != nil {
		return nil, err
	}
	now := s.DB.Clock.Now()
	n.ReadAt = &now
	return n, nil
}
