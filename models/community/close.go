package community

import (
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/account"
)

// removePostsOf removes what an account posted and marked.
func (s *Service) removePostsOf(tx *models.Tx, user *account.User) error {
	var posts []*Post // MaxPosts
	if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("author_id = ?", user.ID).Order("id").Find(&posts).Error; err != nil {
		return err
	}
	for _, p := range posts {
		if err := s.removePost(tx, p); err != nil {
			return err
		}
	}
	return tx.Exec(`
		WITH gone AS (DELETE FROM community_marks WHERE user_id = ? RETURNING post_id, kind, settled),
			counted AS (SELECT post_id, count(*) FILTER (WHERE kind = 'like') AS likes, count(*) FILTER (WHERE kind = 'use') AS uses,
				count(*) FILTER (WHERE kind = 'report' AND NOT settled) AS reports FROM gone GROUP BY post_id)
		UPDATE community_posts p SET likes = p.likes - c.likes, uses = p.uses - c.uses, open_reports = p.open_reports - c.reports
		FROM counted c WHERE c.post_id = p.id`, user.ID).Error
}

// postsRemovedTogether is how many posts of an organization that is gone one transaction removes.
const postsRemovedTogether = 25

// removePostsIn removes some of the posts of an organization that is gone.
func (s *Service) removePostsIn(tx *models.Tx, organizationID models.ID) (left bool, err error) {
	var posts []*Post
	some := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("organization_id = ?", organizationID).Order("id").Limit(postsRemovedTogether)
	if err := some.Find(&posts).Error; err != nil {
		return false, err
	}
	for _, p := range posts {
		if err := s.removePost(tx, p); err != nil {
			return false, err
		}
	}
	return len(posts) > 0, nil
}
