package community

import (
	"context"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"atelier/models"
)

// The kinds of marks at posts.
const (
	markLike   = "like"
	markUse    = "use"
	markReport = "report"
)

var (
	likeLimit   = models.Limit{Name: "community.like", Max: 60, Per: time.Minute}
	reportLimit = models.Limit{Name: "community.report", Max: 10, Per: time.Hour}
)

// ReportReasons are why a person may report a post.
var ReportReasons = []string{"privacy", "bullying", "violence", "sexual", "copyright", "spam", "other"}

// hidesAtOnce are the reasons for which a post is hidden until a moderator decides: a
// false alarm costs an hour, a true one does not.
var hidesAtOnce = []string{"privacy", "bullying", "sexual"}

// mark keeps a mark of the caller at a post, and tells whether it is a new one.
func mark(tx *models.Tx, p *Post, kind string) (bool, error) {
	n, err := tx.Run(`INSERT INTO community_marks (post_id, user_id, kind, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
		p.ID, tx.Actor.UserID, kind, tx.Now)
	return n == 1, err
}

// LikePost likes a post, once an account. UnlikePost takes it back.
func (s *Service) LikePost(ctx context.Context, id models.ID) (*Post, error) {
	return s.changeLike(ctx, id, func(tx *models.Tx, p *Post) error {
		fresh, err := mark(tx, p, markLike)
		if err != nil || !fresh {
			return err
		}
		return tx.Exec(`UPDATE community_posts SET likes = likes + 1 WHERE id = ?`, p.ID).Error
	})
}

// UnlikePost takes a like back.
func (s *Service) UnlikePost(ctx context.Context, id models.ID) (*Post, error) {
	return s.changeLike(ctx, id, func(tx *models.Tx, p *Post) error {
		n, err := tx.Run(`DELETE FROM community_marks WHERE post_id = $1 AND user_id = $2 AND kind = $3`, p.ID, tx.Actor.UserID, markLike)
		if err != nil || n == 0 {
			return err
		}
		return tx.Exec(`UPDATE community_posts SET likes = likes - 1 WHERE id = ?`, p.ID).Error
	})
}

func (s *Service) changeLike(ctx context.Context, id models.ID, change func(*models.Tx, *Post) error) (*Post, error) {
	actor := models.ActorFrom(ctx)
	if err := admit(actor); err != nil {
		return nil, err
	}
	if err := s.DB.CountCall(ctx, likeLimit, actor.UserID.String()); err != nil {
		return nil, err
	}
	if _, err := s.changePost(ctx, id, change); err != nil {
		return nil, err
	}
	return s.FindPost(ctx, id)
}

// ReportPost tells the moderators of a post, once an account; again it changes what was said. Some
// reasons hide it until they decide, when who reports is known well enough (see hidesAlone).
func (s *Service) ReportPost(ctx context.Context, id models.ID, in ReportInput) error {
	actor := models.ActorFrom(ctx)
	if err := admit(actor); err != nil {
		return err
	}
	if err := s.DB.CountCall(ctx, reportLimit, actor.UserID.String()); err != nil {
		return err
	}
	if !slices.Contains(ReportReasons, in.Reason) {
		return models.Invalid("reason", "must be one of %s", strings.Join(ReportReasons, ", "))
	}
	details, err := models.CleanText("details", models.Deref(in.Details), maxPostText)
	if err != nil {
		return err
	}
	_, err = s.changePost(ctx, id, func(tx *models.Tx, p *Post) error { return s.report(tx, p, in.Reason, details) })
	return err
}

func (s *Service) report(tx *models.Tx, p *Post, reason, details string) error {
	// Who was told once that there is nothing wrong does not hide it again.
	var settled []bool
	err := tx.Table("community_marks").Where("post_id = ? AND user_id = ? AND kind = ?", p.ID, tx.Actor.UserID, markReport).Pluck("settled", &settled).Error
	if err != nil {
		return err
	}
	if _, err := mark(tx, p, markReport); err != nil {
		return err
	}
	err = tx.Exec(`UPDATE community_marks SET reason = ?, details = ?, settled = false WHERE post_id = ? AND user_id = ? AND kind = ?`,
		reason, details, p.ID, tx.Actor.UserID, markReport).Error
	if err != nil {
		return err
	}
	err = tx.Exec(`UPDATE community_posts SET open_reports =
		(SELECT count(*) FROM community_marks m WHERE m.post_id = community_posts.id AND m.kind = ? AND NOT m.settled) WHERE id = ?`, markReport, p.ID).Error
	if err != nil {
		return err
	}
	hides := p.Status == Visible && slices.Contains(hidesAtOnce, reason) && !slices.Contains(settled, true)
	if hides {
		if hides, err = s.hidesAlone(tx); err != nil {
			return err
		}
	}
	if hides {
		if err := s.setStatus(tx, p, Hidden); err != nil {
			return err
		}
		p.Undecided = true
		if err := writePost(tx, p); err != nil {
			return err
		}
	}
	if !hides && p.OpenReports > 0 { // they know
		return nil
	}
	return s.tellAwaits(tx, p)
}

// What makes a report hide a post before a moderator looks: an account of some age that made
// something here, and was not wrong too often. Reports of others reach moderators all the same.
const (
	hidesFromAge = 24 * time.Hour
	wrongReports = 3
)

// hidesAlone tells whether a report of the caller hides a post at once.
func (s *Service) hidesAlone(tx *models.Tx) (bool, error) {
	user, err := s.Orgs.Accounts.FindUserByID(tx.Context(), tx.Actor.UserID)
	if err != nil || tx.Now.Sub(user.CreatedAt) < hidesFromAge {
		return false, err
	}
	var wrong int64
	err = tx.Table("community_marks").Where("user_id = ? AND kind = ? AND wrong", user.ID, markReport).Count(&wrong).Error
	if err != nil || wrong >= wrongReports {
		return false, err
	}
	return s.Runs.HasRun(tx.DB, user.ID)
}

// moderations are what moderators do, and what a post is then.
var moderations = map[PostAction]PostStatus{ApprovePost: Visible, RejectPost: Rejected, HidePost: Hidden}

// ModeratePost decides about a post: approve, reject or hide, each after each. Doing one again has
// no effect. The reason is kept for the author. stale_version when in.Version is not the
// current one: what was decided about was another post.
func (s *Service) ModeratePost(ctx context.Context, id models.ID, in ModeratePostInput) (*Post, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	status, known := moderations[in.Action]
	if !known {
		return nil, models.Invalid("action", "must be approve, reject or hide")
	}
	reason, err := models.CleanText("reason", models.Deref(in.Reason), maxPostText)
	if err != nil {
		return nil, err
	}
	_, err = s.changePost(ctx, id, func(tx *models.Tx, p *Post) error {
		if !p.Can.Moderate {
			return models.InsufficientRole("Only an admin of its workspace or organization decides about a post")
		}
		if in.Version != nil && *in.Version != p.Version {
			return models.Err(models.CodeStale, "The post was changed meanwhile: it is at version %d. Look at it again.", p.Version)
		}
		return s.decide(tx, p, status, reason)
	})
	if err != nil {
		return nil, err
	}
	return s.FindPost(ctx, id)
}

func (s *Service) decide(tx *models.Tx, p *Post, status PostStatus, reason string) error {
	err := tx.Exec(`UPDATE community_marks SET settled = true, wrong = wrong OR (NOT settled AND ?) WHERE post_id = ? AND kind = ?`,
		status == Visible, p.ID, markReport).Error
	if err != nil {
		return err
	}
	if err := tx.Exec(`UPDATE community_posts SET open_reports = 0 WHERE id = ?`, p.ID).Error; err != nil {
		return err
	}
	if p.Status == status && p.OpenReports == 0 && !p.Undecided {
		return nil
	}
	news := p.Status != status || p.Undecided
	if p.Status != status {
		if err := s.setStatus(tx, p, status); err != nil {
			return err
		}
	}
	if p.Reason = nil; reason != "" {
		p.Reason = &reason
	}
	p.Undecided, p.OpenReports = false, 0
	p.UpdatedAt = tx.Now
	if err := writePost(tx, p); err != nil {
		return err
	}
	done := map[PostStatus]string{Visible: "post.approved", Rejected: "post.rejected", Hidden: "post.hidden"}[status]
	if err := auditPost(tx, p, done, models.Fields{}); err != nil {
		return err
	}
	if err := s.settleAwaits(tx, p); err != nil || !news {
		return err
	}
	return s.tellDecided(tx, p)
}

// maxReports is how many reports of a post are shown.
const maxReports = 50

// loadReports reads the reports that wait for a decision, newest first, of the posts that the
// caller moderates: a statement for any number.
func loadReports(db *gorm.DB, posts []*Post) error {
	byID := map[models.ID]*Post{}
	var ids []models.ID
	for _, p := range posts {
		if p.Reports = []*Report{}; p.Can.Moderate && p.OpenReports > 0 {
			byID[p.ID], ids = p, append(ids, p.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var reports []*Report
	err := db.Raw(`SELECT post_id, reason, details, created_at FROM (
			SELECT m.*, row_number() OVER (PARTITION BY post_id ORDER BY created_at DESC) AS nth
			FROM community_marks m WHERE post_id IN ? AND kind = ? AND NOT settled) newest
		WHERE nth <= ? ORDER BY created_at DESC`, ids, markReport, maxReports).Scan(&reports).Error
	for _, r := range reports {
		byID[r.PostID].Reports = append(byID[r.PostID].Reports, r)
	}
	return err
}
