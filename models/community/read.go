package community

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/org"
	"atelier/models/space"
)

// postsInGallery is how many posts a page of the gallery has, at most and by standard
// (contract 1, "Pagination").
const (
	postsInGallery = 20
	maxInGallery   = 50
)

// ListPosts is the gallery: the visible posts whose audience the caller is in.
func (s *Service) ListPosts(ctx context.Context, filter *PostFilter, sort *PostSort, page models.Page) (*models.Connection[*Post], error) {
	actor := models.ActorFrom(ctx)
	if err := admit(actor); err != nil {
		return nil, err
	}
	f, err := readPostFilter(filter)
	if err != nil {
		return nil, err
	}
	order, err := readPostSort(sort)
	if err != nil {
		return nil, err
	}
	db := s.DB.Read(ctx)
	q := f.narrow(postsAddressed(s.posts(db).Where(postsShown), db, actor.UserID), actor)
	list := models.List[*Post]{Name: "gallery:" + order.name + f.key(), Standard: postsInGallery, Most: maxInGallery}
	if f.from != "" {
		viewer, err := s.Spaces.Selected(ctx)
		if err != nil {
			return nil, err
		}
		if q, err = f.narrowTo(viewer, q); err != nil {
			return nil, err
		}
		list.Name += viewer.Key()
	}
	return s.pageOfPosts(ctx, list, order, page, q)
}

// ListOwnPosts are the caller's own posts in every status, newest first; those of the status
// pending_review are what the caller moderates.
func (s *Service) ListOwnPosts(ctx context.Context, status *PostStatus, page models.Page) (*models.Connection[*Post], error) {
	actor := models.ActorFrom(ctx)
	if err := admit(actor); err != nil {
		return nil, err
	}
	db := s.DB.Read(ctx)
	q, name := s.posts(db), "posts:"
	switch {
	case status == nil:
		q = q.Where("community_posts.author_id = ?", actor.UserID)
	case !slices.Contains([]PostStatus{PendingReview, Visible, Rejected, Hidden}, *status):
		return nil, models.Invalid("status", "must be pending_review, visible, rejected or hidden")
	case *status == PendingReview:
		q, name = postsModerated(q.Where("community_posts.status = ?", PendingReview), db, actor), "posts:moderated"
	default:
		q, name = q.Where("community_posts.author_id = ? AND community_posts.status = ?", actor.UserID, *status), name+string(*status)
	}
	return s.pageOfPosts(ctx, models.List[*Post]{Name: name}, recentPosts, page, q)
}

// ListPostsToReview are the posts that wait for the caller's decision, newest first: new ones of
// pupils, and those that a person reported.
func (s *Service) ListPostsToReview(ctx context.Context, page models.Page) (*models.Connection[*Post], error) {
	actor := models.ActorFrom(ctx)
	if err := admit(actor); err != nil {
		return nil, err
	}
	db := s.DB.Read(ctx)
	q := s.posts(db).Where(postsAwaiting)
	return s.pageOfPosts(ctx, models.List[*Post]{Name: "posts:to-review"}, recentPosts, page, postsModerated(q, db, actor))
}

// CountToReview is how many posts of workspaces wait for a decision, by workspace; those in which the caller may not
// decide are left out.
func (s *Service) CountToReview(ctx context.Context, workspaceIDs []models.ID) (map[models.ID]int, error) {
	db := s.DB.Read(ctx)
	var rows []struct {
		ID      models.ID
		Waiting int
	}
	err := org.Reached(db, models.ActorFrom(ctx).UserID, org.WorkspaceRoleAdmin).Where("reached.id IN ?", workspaceIDs).
		Select("reached.id, (?) AS waiting", s.posts(db).Select("count(*)").Where("community_posts.workspace_id = reached.id AND "+postsAwaiting)).
		Scan(&rows).Error
	waiting := make(map[models.ID]int, len(rows))
	for _, row := range rows {
		waiting[row.ID] = row.Waiting
	}
	return waiting, err
}

// FindPost reads a post with its content and what it takes to use it.
func (s *Service) FindPost(ctx context.Context, id models.ID) (*Post, error) {
	p, err := s.reachPost(ctx, s.DB.Read(ctx), id)
	if err != nil {
		return nil, err
	}
	return p, s.judgePost(ctx, p)
}

type postOrder struct {
	name     string
	order    models.Order
	position func(*Post) string
}

var recentPosts = postOrder{"recent", models.NewestFirst("community_posts.id"), func(p *Post) string { return p.ID.String() }}

var popularPosts = postOrder{"popular", models.MostFirst("community_posts.popularity", "community_posts.id"), func(p *Post) string {
	return strconv.Itoa(p.Popularity) + " " + p.ID.String()
}}

func readPostSort(sort *PostSort) (postOrder, error) {
	switch {
	case sort == nil || *sort == RecentPosts:
		return recentPosts, nil
	case *sort == PopularPosts:
		return popularPosts, nil
	}
	return postOrder{}, models.Invalid("sort", "must be recent or popular")
}

func (s *Service) pageOfPosts(ctx context.Context, list models.List[*Post], order postOrder, page models.Page, q *gorm.DB) (*models.Connection[*Post], error) {
	list.Position = order.position
	found, err := models.ListPage(s.DB, list, page, q.Omit("content"), order.order)
	if err != nil {
		return nil, err
	}
	return found, s.fillPosts(ctx, found.Nodes...)
}

// postFilter is a filter whose form was checked.
type postFilter struct {
	kind                 PostKind
	category, tag, query string
	mine                 bool
	from                 Audience
}

func (f postFilter) key() string {
	return ":" + string(f.kind) + ":" + f.category + ":" + strconv.Quote(f.tag) + ":" + strconv.Quote(f.query) + ":" + strconv.FormatBool(f.mine) + ":" + string(f.from)
}

// narrowTo leaves the posts of the selected workspace, of its organization, or those for everyone.
func (f postFilter) narrowTo(viewer *space.Viewer, q *gorm.DB) (*gorm.DB, error) {
	switch {
	case f.from == ToEveryone:
		return q.Where("community_posts.audience = ?", ToEveryone), nil
	case viewer.Workspace == nil:
		return nil, models.Invalid("from", "must be everyone in the personal space")
	case f.from == ToWorkspace:
		return q.Where("community_posts.workspace_id = ?", viewer.Workspace.ID), nil
	}
	return q.Where("community_posts.organization_id = ?", viewer.Workspace.OrganizationID), nil
}

func (f postFilter) narrow(q *gorm.DB, actor models.Actor) *gorm.DB {
	if f.kind != "" {
		q = q.Where("community_posts.kind = ?", f.kind)
	}
	if f.category != "" {
		q = q.Where("community_posts.category = ?", f.category)
	}
	if f.tag != "" {
		q = q.Where("? = ANY (community_posts.tags)", f.tag)
	}
	if f.query != "" {
		q = q.Where(models.Found("community_posts.search"), f.query)
	}
	if f.mine {
		q = q.Where("community_posts.author_id = ?", actor.UserID)
	}
	return q
}

func readPostFilter(in *PostFilter) (f postFilter, err error) {
	if in == nil {
		return f, nil
	}
	if in.Kind != nil {
		if f.kind = *in.Kind; !slices.Contains(PostKinds, f.kind) {
			return f, errPostKind
		}
	}
	if in.Category != nil {
		if f.category, err = cleanCategory(*in.Category); err != nil {
			return f, err
		}
	}
	if in.Tag != nil && *in.Tag != "" {
		tags, err := library.CleanTags([]string{*in.Tag})
		if err != nil {
			refusal, _ := models.AsError(err)
			return f, models.Invalid("tag", "%s", strings.TrimPrefix(refusal.Message, "tags "))
		}
		f.tag = tags[0]
	}
	if in.Query != nil {
		if f.query, err = models.CleanSearch("q", *in.Query); err != nil {
			return f, err
		}
	}
	f.mine = in.Mine != nil && *in.Mine
	if in.From != nil {
		if f.from, err = cleanAudience(*in.From); err != nil {
			return f, models.Invalid("from", "must be workspace, organization or everyone")
		}
	}
	return f, nil
}

var errPostKind = models.Invalid("kind", "must be one of workflow, app, preset, character, object, creature, location, voice or pipeline")

// PostNames reads the titles of posts out of workspaces that an authorized row names; nil for those that are not there.
func (s *Service) PostNames(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	return org.NamesIn(s.DB.Read(ctx).Table("(SELECT id, title AS name, workspace_id FROM community_posts) t"), ids)
}
