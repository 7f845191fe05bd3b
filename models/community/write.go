package community

import (
	"context"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/library"
	"atelier/models/org"
	"atelier/models/space"
)

// The bounds of posts; see docs/security.md.
const (
	// MaxPosts is how many an account has.
	MaxPosts = 200
	// maxPostText is of descriptions and reasons, in characters.
	maxPostText = 2_000
)

var postLimit = models.Limit{Name: "community.post", Max: 10, Per: time.Hour}

// Post posts a snapshot of a thing. Refusals: validation_error on sourceId for what is never
// posted, and on audience for one that the space has not; insufficient_role for an audience that the
// caller may not address; limit_reached; those of a closed space.
func (s *Service) Post(ctx context.Context, in PostInput) (*Post, error) {
	actor := models.ActorFrom(ctx)
	if err := admit(actor); err != nil {
		return nil, err
	}
	if err := s.DB.CountCall(ctx, postLimit, actor.UserID.String()); err != nil {
		return nil, err
	}
	p, err := newPost(in)
	if err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		t, err := s.takeSnapshot(tx.Context(), p.Kind, p.SourceID)
		if err != nil {
			return err
		}
		if err := t.space.CheckOpen(true); err != nil {
			return err
		}
		if err := space.Hold(tx, t.owned); err != nil {
			return err
		}
		p.place(tx, t)
		status, err := s.statusFor(tx.Context(), t.space, p.Audience)
		if err != nil {
			return err
		}
		if err := postsFit(tx); err != nil {
			return err
		}
		return s.insertPost(tx, p, t, status)
	})
	if err != nil {
		return nil, err
	}
	return s.FindPost(ctx, p.ID)
}

// place puts a new post where its thing lives, under the thing's name unless it has a title.
func (p *Post) place(tx *models.Tx, t *taken) {
	p.ID, p.AuthorID, p.CreatedAt, p.UpdatedAt, p.Version = tx.NewID(), tx.Actor.UserID, tx.Now, tx.Now, 1
	p.WorkspaceID, p.OrganizationID = t.owned.WorkspaceID, t.owned.OrganizationID
	if p.Title == "" {
		p.Title = t.Name
	}
	if p.Audience == "" {
		if p.Audience = ToEveryone; p.WorkspaceID != nil {
			p.Audience = ToWorkspace
		}
	}
}

func (s *Service) insertPost(tx *models.Tx, p *Post, t *taken, status PostStatus) error {
	if err := s.keepSnapshot(tx, p, t); err != nil {
		return err
	}
	if err := s.setStatus(tx, p, status); err != nil {
		return err
	}
	if err := tx.Create(p).Error; err != nil {
		return err
	}
	if err := auditPost(tx, p, "post.created", models.Fields{"audience": {To: p.Audience}, "status": {To: p.Status}}); err != nil || !p.Awaits() {
		return err
	}
	p.Author.DisplayName = tx.Actor.DisplayName
	return s.tellAwaits(tx, p)
}

func newPost(in PostInput) (p *Post, err error) {
	if !slices.Contains(PostKinds, in.Kind) {
		return nil, errPostKind
	}
	p = &Post{Kind: in.Kind, SourceID: in.SourceID, Category: "other", License: standardLicense}
	if in.Title != nil {
		if p.Title, err = models.CleanName("title", *in.Title); err != nil {
			return nil, err
		}
	}
	if in.Description != nil {
		if p.Description, err = models.CleanText("description", *in.Description, maxPostText); err != nil {
			return nil, err
		}
	}
	if in.Category != nil {
		if p.Category, err = cleanCategory(*in.Category); err != nil {
			return nil, err
		}
	}
	if p.Tags, err = library.CleanTags(in.Tags); err != nil {
		return nil, err
	}
	if in.License != nil {
		if p.License, err = cleanLicense(*in.License); err != nil {
			return nil, err
		}
	}
	if in.Audience != nil {
		p.Audience, err = cleanAudience(*in.Audience)
	}
	return p, err
}

func cleanCategory(category string) (string, error) {
	if !slices.Contains(PostCategories, category) {
		return "", models.Invalid("category", "must be one of %s", strings.Join(PostCategories, ", "))
	}
	return category, nil
}

func cleanLicense(license string) (string, error) {
	if !slices.Contains(PostLicenses, license) {
		return "", models.Invalid("license", "must be one of %s", strings.Join(PostLicenses, ", "))
	}
	return license, nil
}

func cleanAudience(audience Audience) (Audience, error) {
	if audience != ToWorkspace && audience != ToOrganization && audience != ToEveryone {
		return "", models.Invalid("audience", "must be workspace, organization or everyone")
	}
	return audience, nil
}

// statusFor is what a post of the caller in a space begins as; an audience that they may
// not address is refused. In schools plain members wait for a teacher, and only who runs the
// school speaks to everyone.
func (s *Service) statusFor(ctx context.Context, viewer *space.Viewer, audience Audience) (PostStatus, error) {
	w := viewer.Workspace
	if w == nil {
		if audience != ToEveryone {
			return "", models.Invalid("audience", "must be everyone in the personal space")
		}
		plain, err := s.Orgs.PlainInActiveSchool(ctx, viewer.UserID)
		if err == nil && plain {
			err = models.InsufficientRole("Members of a school post in its workspaces, not to everyone")
		}
		return Visible, err
	}
	runs := w.OrgRole != nil && (*w.OrgRole == org.Owner || *w.OrgRole == org.Admin)
	switch {
	case w.OrgKind != org.School, runs:
		return Visible, nil
	case audience == ToEveryone:
		return "", models.InsufficientRole("Only the owner and the admins of a school post to everyone")
	case viewer.IsAdmin():
		return Visible, nil
	}
	return PendingReview, nil
}

// postsFit refuses more posts than an account has; anyone who adds some waits for others.
func postsFit(tx *models.Tx) error {
	if err := account.LockUser(tx, tx.Actor.UserID); err != nil {
		return err
	}
	return roomForPost(tx.DB, tx.Actor.UserID)
}

func roomForPost(db *gorm.DB, author models.ID) error {
	var held int64
	if err := db.Model(&Post{}).Where("author_id = ?", author).Count(&held).Error; err != nil {
		return err
	}
	if held >= MaxPosts {
		return models.Err(models.CodeLimitReached, "An account has at most %d posts; delete some first", MaxPosts)
	}
	return nil
}

// UpdatePost changes an own post. What a plain member of a school changes waits for the teacher
// again; what a moderator hid stays hidden.
func (s *Service) UpdatePost(ctx context.Context, id models.ID, in UpdatePostInput) (*Post, error) {
	_, err := s.changePost(ctx, id, func(tx *models.Tx, p *Post) error {
		if !p.IsOwn {
			return models.InsufficientRole("Only who posted this may change it")
		}
		viewer, err := s.Spaces.Of(tx.Context(), p.owned())
		if models.HasCode(err, models.CodeNotFound) {
			return models.InsufficientRole("You no longer belong to the workspace of this post")
		}
		if err != nil {
			return err
		}
		if err := viewer.CheckOpen(false); err != nil {
			return err
		}
		changed, err := s.readPostChange(tx, p, in)
		if err != nil {
			return err
		}
		status, err := s.statusFor(tx.Context(), viewer, p.Audience)
		if err != nil {
			return err
		}
		if in.Version != nil && *in.Version != p.Version {
			return models.Err(models.CodeStale, "The post was changed meanwhile: it is at version %d", p.Version)
		}
		if len(changed) == 0 {
			return nil
		}
		return s.savePost(tx, p, status, changed)
	})
	if err != nil {
		return nil, err
	}
	return s.FindPost(ctx, id)
}

// readPostChange lays an update over a post, its form checked.
func (s *Service) readPostChange(tx *models.Tx, p *Post, in UpdatePostInput) ([]string, error) {
	before := *p
	if title, sent, err := models.Required("title", in.Title); err != nil {
		return nil, err
	} else if sent {
		if p.Title, err = models.CleanName("title", title); err != nil {
			return nil, err
		}
	}
	if text, sent, err := models.Required("description", in.Description); err != nil {
		return nil, err
	} else if sent {
		if p.Description, err = models.CleanText("description", text, maxPostText); err != nil {
			return nil, err
		}
	}
	if category, sent, err := models.Required("category", in.Category); err != nil {
		return nil, err
	} else if sent {
		if p.Category, err = cleanCategory(category); err != nil {
			return nil, err
		}
	}
	if tags, sent, err := models.Required("tags", in.Tags); err != nil {
		return nil, err
	} else if sent {
		if p.Tags, err = library.CleanTags(tags); err != nil {
			return nil, err
		}
	}
	if license, sent, err := models.Required("license", in.License); err != nil {
		return nil, err
	} else if sent {
		if p.License, err = cleanLicense(license); err != nil {
			return nil, err
		}
	}
	if audience, sent, err := models.Required("audience", in.Audience); err != nil {
		return nil, err
	} else if sent {
		if p.Audience, err = cleanAudience(audience); err != nil {
			return nil, err
		}
	}
	changed := library.ChangedFields(
		"title", before.Title, p.Title, "description", before.Description, p.Description, "category", before.Category, p.Category,
		"tags", before.Tags, p.Tags, "license", before.License, p.License, "audience", before.Audience, p.Audience,
	)
	if in.Refresh == nil || !*in.Refresh {
		return changed, nil
	}
	t, err := s.takeSnapshot(tx.Context(), p.Kind, p.SourceID)
	if models.HasCode(err, models.CodeNotFound) {
		return nil, models.Invalid("refresh", "finds nothing: what was posted is deleted")
	}
	if err == nil {
		err = t.space.CheckOpen(false)
	}
	if err != nil {
		return nil, err
	}
	return append(changed, "content"), s.keepSnapshot(tx, p, t)
}

// savePost writes what changed as the next version, in the status that it has now.
func (s *Service) savePost(tx *models.Tx, p *Post, status PostStatus, changed []string) error {
	if p.Status == Hidden || p.Status == Rejected && status == Visible {
		status = p.Status
	}
	begins := status == PendingReview && p.Status != PendingReview
	if err := s.setStatus(tx, p, status); err != nil {
		return err
	}
	p.Version, p.UpdatedAt = p.Version+1, tx.Now
	if err := writePost(tx, p); err != nil {
		return err
	}
	fields := models.Fields{}
	for _, name := range changed {
		fields[name] = models.Change{}
	}
	if err := auditPost(tx, p, "post.updated", fields); err != nil || !begins {
		return err
	}
	return s.tellAwaits(tx, p)
}

// writePost writes a row that was changed; its counters are written where marks are.
func writePost(tx *models.Tx, p *Post) error {
	columns := []string{
		"title", "description", "category", "tags", "license", "audience", "status", "reason", "content", "picture_ids",
		"shown_file_id", "image_url", "remix_of", "version", "published_at", "updated_at", "undecided",
	}
	return tx.Model(p).Select(columns).Updates(p).Error
}

// DeletePost removes a post, with its files: its author's right, and a moderator's.
func (s *Service) DeletePost(ctx context.Context, id models.ID) error {
	_, err := s.changePost(ctx, id, func(tx *models.Tx, p *Post) error {
		if !p.IsOwn && !p.Can.Moderate {
			return models.InsufficientRole("Only who posted this, or a moderator, may delete it")
		}
		if err := s.removePost(tx, p); err != nil {
			return err
		}
		return auditPost(tx, p, "post.deleted", models.Fields{})
	})
	return err
}

func (s *Service) removePost(tx *models.Tx, p *Post) error {
	if err := s.dropFiles(tx, p); err != nil {
		return err
	}
	if err := tx.Delete(p).Error; err != nil {
		return err
	}
	return s.settleAwaits(tx, p)
}

// auditPost writes an audit entry for a post of an organization, without its words.
func auditPost(tx *models.Tx, p *Post, action string, fields models.Fields) error {
	if p.OrganizationID == nil {
		return nil
	}
	return tx.Audit(*p.OrganizationID, action, models.Target{Type: postNoun, ID: p.ID, WorkspaceID: p.WorkspaceID}, fields)
}
