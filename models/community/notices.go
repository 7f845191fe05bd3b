package community

import (
	"slices"

	"atelier/models"
	"atelier/models/notice"
	"atelier/models/org"
)

// SeesNotice is the condition that the post of which a notification, as n, tells a decision is
// still there.
const SeesNotice = `n.kind <> 'post_decided' OR EXISTS (SELECT FROM community_posts np WHERE np.id = n.subject_id)`

// maxModerators is how many people are told that a post waits.
const maxModerators = 100

// noticeSubject is what notices of waiting posts are about: the workspace, of which one notice tells
// all of them, or a post of no one's workspace.
func (p *Post) noticeSubject() models.ID {
	if p.WorkspaceID != nil {
		return *p.WorkspaceID
	}
	return p.ID
}

// tellAwaits tells those who moderate a post that it began to wait: the admins who are listed in its
// workspace, else who leads the organization; of a personal space the operators. However many
// wait, it is one notice until a person reads it.
func (s *Service) tellAwaits(tx *models.Tx, p *Post) error {
	subject := p.noticeSubject()
	news := notice.News{
		Kind: notice.PostAwaits, Needs: notice.Teacher, SubjectID: &subject, Key: subject.String(), Bundles: true,
		OrganizationID: p.OrganizationID, WorkspaceID: p.WorkspaceID,
		Facts: notice.Facts{Person: p.Author.DisplayName, Thing: p.Title, Status: string(PendingReview)},
	}
	if p.Status != PendingReview {
		news.Facts.Status, news.Facts.Person = "reported", ""
	}
	to, err := s.moderatorsOf(tx, p, &news)
	if err != nil {
		return err
	}
	return s.Notices.Tell(tx, news, slices.DeleteFunc(to, func(id models.ID) bool { return id == tx.Actor.UserID })...)
}

func (s *Service) moderatorsOf(tx *models.Tx, p *Post, news *notice.News) ([]models.ID, error) {
	if p.WorkspaceID == nil || p.OrganizationID == nil {
		news.Needs = notice.Nothing
		return s.Accounts.ListOperators(tx)
	}
	var err error
	if news.Facts.Workspace, err = org.WorkspaceName(tx, *p.WorkspaceID); err != nil {
		return nil, err
	}
	to, err := org.ListedAdmins(tx, &org.Workspace{ID: *p.WorkspaceID}, maxModerators)
	if err == nil && len(to) == 0 {
		_, to, err = org.Leaders(tx, *p.OrganizationID, maxModerators)
	}
	return to, err
}

// settleAwaits ends the notice of waiting posts once none waits any more.
func (s *Service) settleAwaits(tx *models.Tx, p *Post) error {
	if p.WorkspaceID != nil {
		var waits int64
		if err := tx.Model(&Post{}).Where("workspace_id = ? AND "+postsAwaiting, *p.WorkspaceID).Limit(1).Count(&waits).Error; err != nil || waits > 0 {
			return err
		}
	}
	return s.Notices.Settle(tx, notice.PostAwaits, p.noticeSubject())
}

// tellDecided tells the author what a moderator decided.
func (s *Service) tellDecided(tx *models.Tx, p *Post) error {
	if p.AuthorID == tx.Actor.UserID {
		return nil
	}
	return s.Notices.Tell(tx, notice.News{
		Kind: notice.PostDecided, Needs: notice.Nothing, SubjectID: &p.ID, Key: p.ID.String(), Bundles: true,
		Facts: notice.Facts{Thing: p.Title, Status: string(p.Status), Reason: models.Deref(p.Reason)},
	}, p.AuthorID)
}
