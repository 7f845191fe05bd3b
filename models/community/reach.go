package community

import (
	"context"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/library"
	"atelier/models/org"
)

// Where readers stand to posts, as conditions about community_posts. What a deleted
// organization had is gone for everyone, before RemoveGone removes it.
const (
	postsShown = `community_posts.status = 'visible'`
	// postsAwaiting are those that wait for a moderator's decision, as their index has it.
	postsAwaiting = `(community_posts.status = 'pending_review' OR community_posts.open_reports > 0 OR community_posts.undecided)`
)

var postsKept = library.NotRemoved("community_posts.organization_id")

// postsAddressed narrows a query to posts whose audience a person is in.
func postsAddressed(q, db *gorm.DB, userID models.ID) *gorm.DB {
	return q.Where("(community_posts.audience = ? OR community_posts.audience = ? AND community_posts.workspace_id IN (?)"+
		" OR community_posts.audience = ? AND community_posts.organization_id IN (?))",
		ToEveryone, ToWorkspace, org.Reached(db, userID, org.WorkspaceRoleMember), ToOrganization, org.Permitted(db, userID, org.ReadOrganization))
}

// postsModerated narrows a query to posts that a person moderates: admins those of their
// workspace, owner and admins of an organization all of it, operators what everyone sees.
func postsModerated(q, db *gorm.DB, actor models.Actor) *gorm.DB {
	const inSpace = "community_posts.workspace_id IN (?) OR community_posts.organization_id IN (?)"
	args := []any{org.Reached(db, actor.UserID, org.WorkspaceRoleAdmin), org.Permitted(db, actor.UserID, org.UpdateOrganization)}
	if actor.Operator {
		return q.Where("("+inSpace+" OR community_posts.audience = ?)", append(args, ToEveryone)...)
	}
	return q.Where("("+inSpace+")", args...)
}

// posts are the rows that exist for anyone.
func (s *Service) posts(db *gorm.DB) *gorm.DB { return db.Model(&Post{}).Where(postsKept) }

// reachPost reads a post that the caller may see: a visible one of their audiences, their own,
// or one that they moderate; else not_found.
func (s *Service) reachPost(ctx context.Context, db *gorm.DB, id models.ID) (*Post, error) {
	actor := models.ActorFrom(ctx)
	if err := admit(actor); err != nil {
		return nil, err
	}
	p, err := models.First[Post](s.posts(db).Where("community_posts.id = ?", id), errNoPost)
	if err != nil {
		return nil, err
	}
	if err := s.fillPosts(ctx, p); err != nil {
		return nil, err
	}
	if p.IsOwn || p.Can.Moderate {
		return p, nil
	}
	var seen int64
	err = postsAddressed(s.posts(s.DB.Read(ctx)).Where("community_posts.id = ? AND "+postsShown, id), s.DB.Read(ctx), actor.UserID).Count(&seen).Error
	if err == nil && seen == 0 {
		err = errNoPost
	}
	return p, err
}

// changePost locks a post that the caller may see, and passes it on.
func (s *Service) changePost(ctx context.Context, id models.ID, change func(*models.Tx, *Post) error) (*Post, error) {
	var p *Post
	err := s.DB.Write(ctx, func(tx *models.Tx) (err error) {
		if p, err = s.reachPost(tx.Context(), tx.Clauses(clause.Locking{Strength: "UPDATE"}), id); err != nil {
			return err
		}
		return change(tx, p)
	})
	return p, err
}

// fillPosts adds what posts are to the caller: a few statements for any number.
func (s *Service) fillPosts(ctx context.Context, posts ...*Post) error {
	if len(posts) == 0 {
		return nil
	}
	actor, db := models.ActorFrom(ctx), s.DB.Read(ctx)
	ids := make([]models.ID, len(posts))
	for i, p := range posts {
		ids[i] = p.ID
	}
	var moderated, liked []models.ID
	if err := postsModerated(db.Model(&Post{}).Where("community_posts.id IN ?", ids), db, actor).Pluck("id", &moderated).Error; err != nil {
		return err
	}
	if err := db.Table("community_marks").Where("post_id IN ? AND kind = ? AND user_id = ?", ids, markLike, actor.UserID).Pluck("post_id", &liked).Error; err != nil {
		return err
	}
	authors, err := s.authorsOf(db, ids, actor.UserID)
	if err != nil {
		return err
	}
	for _, p := range posts {
		p.Author = authors[p.ID]
		p.IsOwn, p.LikedByMe = p.AuthorID == actor.UserID, slices.Contains(liked, p.ID)
		p.Can = PostCan{Edit: p.IsOwn, Moderate: slices.Contains(moderated, p.ID), Use: p.mayUse() == nil}
		if !p.IsOwn && !p.Can.Moderate {
			p.Reason = nil
		}
	}
	return loadReports(db, posts)
}

// authorsOf tells who made posts. Readers outside of a school are told of the school alone.
func (s *Service) authorsOf(db *gorm.DB, ids []models.ID, reader models.ID) (map[models.ID]PostAuthor, error) {
	var rows []struct {
		ID          models.ID
		AuthorID    models.ID
		DisplayName string
		School      *string
	}
	err := db.Table("community_posts").Select("community_posts.id, community_posts.author_id, u.display_name, school.name AS school").
		Joins(account.Join("community_posts.author_id")).
		Joins("LEFT JOIN (?) AS school ON (school.workspace_id, school.organization_id) = (community_posts.workspace_id, community_posts.organization_id)"+
			" AND community_posts.author_id <> ?", org.SchoolsWithout(db, reader), reader).
		Where("community_posts.id IN ?", ids).Scan(&rows).Error
	authors := make(map[models.ID]PostAuthor, len(rows))
	for _, row := range rows {
		authors[row.ID] = PostAuthor{UserID: &row.AuthorID, DisplayName: row.DisplayName}
		if row.School != nil {
			authors[row.ID] = PostAuthor{DisplayName: *row.School}
		}
	}
	return authors, err
}
