package rest

import (
	"context"
	"net/http"

	"atelier/models"
	"atelier/models/community"
)

// communityRoutes are the gallery, and what is done with posts.
func (a *API) communityRoutes() {
	const tag, all, each = "Community", "/v1/community/posts", "/v1/community/posts/{id}"
	const scope = models.ScopeExecute
	handle(a, route{Method: "GET", Path: "/v1/community/browse", Tag: tag, Summary: "Browse visible posts whose audience the caller is in", Scope: scope}, a.browsePosts)
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "List the caller's own posts, or with status=pending_review those to moderate", Scope: scope}, a.listPosts)
	handle(a, route{Method: "POST", Path: all, Tag: tag, Summary: "Post a snapshot of a thing", Scope: scope, Status: 201}, a.createPost)
	handle(a, route{Method: "GET", Path: each, Tag: tag, Summary: "One post with its content", Scope: scope}, a.getPost)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Change an own post, or take a new snapshot", Scope: scope}, a.updatePost)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Delete a post (author, moderator)", Scope: scope}, a.deletePost)
	handle(a, route{Method: "POST", Path: each + "/use", Tag: tag, Summary: "Copy what was posted into the selected space; of an app, its slug", Scope: scope, Status: 201, Also: 200}, a.usePost)
	handle(a, route{Method: "POST", Path: each + "/like", Tag: tag, Summary: "Like a post", Scope: scope}, a.likePost)
	handle(a, route{Method: "DELETE", Path: each + "/like", Tag: tag, Summary: "Take a like back", Scope: scope}, a.unlikePost)
	handle(a, route{Method: "POST", Path: each + "/report", Tag: tag, Summary: "Report a post to its moderators", Scope: scope}, a.reportPost)
	for _, m := range []struct {
		action community.PostAction
		what   string
	}{{community.ApprovePost, "Show a post"}, {community.RejectPost, "Reject a post"}, {community.HidePost, "Hide a post"}} {
		handle(a, route{Method: "POST", Path: each + "/" + string(m.action), Tag: tag, Summary: m.what + " (moderators)", Scope: scope}, a.moderatePost(m.action))
	}
}

// PostView is a post as lists have it.
type PostView struct {
	ID          models.ID            `json:"id"`
	Kind        community.PostKind   `json:"kind" enum:"workflow,app,preset,character,object,creature,location,voice,pipeline" doc:"Posts of this kind."`
	Title       string               `json:"title"`
	Description string               `json:"description"`
	Category    string               `json:"category"`
	Tags        []string             `json:"tags"`
	ImageURL    *string              `json:"imageUrl"`
	License     string               `json:"license" enum:"cc0,cc-by,cc-by-sa,view-only"`
	Audience    community.Audience   `json:"audience" enum:"workspace,organization,everyone"`
	Status      community.PostStatus `json:"status" enum:"pending_review,visible,rejected,hidden"`
	Reason      *string              `json:"reason,omitempty" doc:"What a moderator gave as one; for the author and for moderators."`
	Author      postAuthorView       `json:"author"`
	WorkspaceID *models.ID           `json:"workspaceId"`
	OrgID       *models.ID           `json:"organizationId"`
	Uses        int                  `json:"uses"`
	Likes       int                  `json:"likes"`
	LikedByMe   bool                 `json:"likedByMe"`
	RemixOf     *models.ID           `json:"remixOf" doc:"The post whose copy was posted."`
	IsOwn       bool                 `json:"isOwn"`
	Can         postPermissionsView  `json:"viewerCan"`
	PublishedAt *timestamp           `json:"publishedAt"`
	CreatedAt   timestamp            `json:"createdAt"`
	UpdatedAt   timestamp            `json:"updatedAt"`
	Version     int                  `json:"version"`
}

type postAuthorView struct {
	UserID      *models.ID `json:"userId" doc:"null for readers outside of the author's school."`
	DisplayName string     `json:"displayName"`
}

type postPermissionsView struct {
	Use      bool `json:"use"`
	Edit     bool `json:"edit"`
	Moderate bool `json:"moderate"`
}

func viewPost(p *community.Post) PostView {
	return PostView{
		ID: p.ID, Kind: p.Kind, Title: p.Title, Description: p.Description, Category: p.Category, Tags: append([]string{}, p.Tags...),
		ImageURL: p.ImageURL, License: p.License, Audience: p.Audience, Status: p.Status, Reason: p.Reason,
		Author: postAuthorView{p.Author.UserID, p.Author.DisplayName}, WorkspaceID: p.WorkspaceID, OrgID: p.OrganizationID,
		Uses: p.Uses, Likes: p.Likes, LikedByMe: p.LikedByMe, RemixOf: p.RemixOf, IsOwn: p.IsOwn,
		Can: postPermissionsView{Use: p.Can.Use, Edit: p.Can.Edit, Moderate: p.Can.Moderate}, PublishedAt: moment(p.PublishedAt),
		CreatedAt: timestamp(p.CreatedAt), UpdatedAt: timestamp(p.UpdatedAt), Version: p.Version,
	}
}

// wholePostView is a post that is read by itself.
type wholePostView struct {
	PostView
	Content          map[string]any    `json:"content" doc:"The snapshot; its fields depend on the kind."`
	Requires         []requirementView `json:"requires" doc:"The node types in it, and whether this install offers them."`
	EstimatedCredits *models.Credits   `json:"estimatedCredits" doc:"Of one run of a workflow or an app."`
}

type requirementView struct {
	NodeType string  `json:"nodeType"`
	Provider *string `json:"provider"`
	Offered  bool    `json:"offered"`
}

// postBack answers with one whole post.
func (a *API) postBack(ctx context.Context, p *community.Post, err error) (*single[wholePostView], error) {
	if err != nil {
		return nil, err
	}
	content, err := a.Resolver.CommunityPost().Content(ctx, p)
	if err != nil {
		return nil, err
	}
	requires := mapAll(p.Requires, func(r *community.Requirement) requirementView {
		return requirementView{r.NodeType, r.Provider, r.Offered}
	})
	return one(wholePostView{PostView: viewPost(p), Content: content, Requires: requires, EstimatedCredits: p.EstimatedCredits}), nil
}

type browseInput struct {
	FieldsQuery
	Limit    queryInt    `query:"limit" minimum:"1" maximum:"50" doc:"Posts of a page; 20 when absent."`
	Cursor   queryString `query:"cursor" doc:"nextCursor of the page before."`
	Kind     queryString `query:"kind" enum:"workflow,app,preset,character,object,creature,location,voice,pipeline" doc:"Posts of this kind."`
	Category queryString `query:"category" enum:"language,science,maths,history,art,music,media,storytelling,marketing,other" doc:"Posts of this category."`
	Tag      queryString `query:"tag" doc:"Posts with this tag."`
	Query    queryString `query:"q" doc:"Words of the title or the description."`
	Author   queryString `query:"author" enum:"me" doc:"me: the caller's own posts."`
	Sort     queryString `query:"sort" enum:"recent,popular" doc:"recent when absent; popular is by uses and likes."`
}

func (a *API) browsePosts(ctx context.Context, in *browseInput) (*many[PostView], error) {
	filter := &community.PostFilter{Kind: (*community.PostKind)(in.Kind.Value), Category: in.Category.Value, Tag: in.Tag.Value, Query: in.Query.Value}
	if in.Author.Value != nil {
		if *in.Author.Value != "me" {
			return nil, models.Invalid("author", "must be me")
		}
		mine := true
		filter.Mine = &mine
	}
	posts, err := a.query().CommunityPosts(ctx, in.Limit.Value, in.Cursor.Value, filter, (*community.PostSort)(in.Sort.Value))
	if err != nil {
		return nil, err
	}
	return page(posts, viewPost), nil
}

type postListInput struct {
	PageQuery
	Status queryString `query:"status" enum:"pending_review,visible,rejected,hidden" doc:"Of own posts; pending_review lists those that the caller moderates."`
}

func (a *API) listPosts(ctx context.Context, in *postListInput) (*many[PostView], error) {
	posts, err := a.query().OwnPosts(ctx, in.first(), in.after(), (*community.PostStatus)(in.Status.Value))
	if err != nil {
		return nil, err
	}
	return page(posts, viewPost), nil
}

type createPostInput struct {
	Body struct {
		Kind        community.PostKind  `json:"kind" enum:"workflow,app,preset,character,object,creature,location,voice,pipeline" doc:"Posts of this kind."`
		SourceID    models.ID           `json:"sourceId"`
		Title       *string             `json:"title,omitempty" doc:"The name of the thing when absent."`
		Description *string             `json:"description,omitempty"`
		Category    *string             `json:"category,omitempty" doc:"language, science, maths, history, art, music, media, storytelling, marketing or other."`
		Tags        []string            `json:"tags,omitempty"`
		License     *string             `json:"license,omitempty" doc:"cc0, cc-by (the standard), cc-by-sa or view-only."`
		Audience    *community.Audience `json:"audience,omitempty" doc:"workspace (the standard there), organization or everyone (the standard of the personal space)."`
	}
}

func (a *API) createPost(ctx context.Context, in *createPostInput) (*single[wholePostView], error) {
	b := in.Body
	p, err := a.mutation().PostToCommunity(ctx, community.PostInput{
		Kind: b.Kind, SourceID: b.SourceID, Title: b.Title, Description: b.Description, Category: b.Category, Tags: b.Tags, License: b.License, Audience: b.Audience,
	})
	return a.postBack(ctx, p, err)
}

func (a *API) getPost(ctx context.Context, in *IDPath) (*single[wholePostView], error) {
	p, err := a.query().CommunityPost(ctx, in.ID)
	return a.postBack(ctx, p, err)
}

type updatePostInput struct {
	IDPath
	Body struct {
		Title       models.Opt[string]             `json:"title,omitzero"`
		Description models.Opt[string]             `json:"description,omitzero"`
		Category    models.Opt[string]             `json:"category,omitzero"`
		Tags        models.Opt[[]string]           `json:"tags,omitzero"`
		License     models.Opt[string]             `json:"license,omitzero"`
		Audience    models.Opt[community.Audience] `json:"audience,omitzero"`
		Refresh     *bool                          `json:"refresh,omitempty" doc:"Takes a new snapshot of the thing."`
		Version     *int                           `json:"version,omitempty" doc:"The version that the change was made on; another current one is refused as stale_version."`
	}
}

func (a *API) updatePost(ctx context.Context, in *updatePostInput) (*single[wholePostView], error) {
	b := in.Body
	p, err := a.mutation().UpdatePost(ctx, in.ID, community.UpdatePostInput{
		Title: b.Title, Description: b.Description, Category: b.Category, Tags: b.Tags, License: b.License, Audience: b.Audience, Refresh: b.Refresh, Version: b.Version,
	})
	return a.postBack(ctx, p, err)
}

func (a *API) deletePost(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().DeletePost(ctx, in.ID)
	return succeeded(err)
}

type usePostInput struct {
	IDPath
	Body *struct {
		Name      *string    `json:"name,omitempty" doc:"The title of the post when absent."`
		ProjectID *models.ID `json:"projectId,omitempty"`
	}
}

type usedPostView struct {
	Kind community.PostKind `json:"kind"`
	ID   *models.ID         `json:"id,omitempty" doc:"Of the copy."`
	Slug *string            `json:"slug,omitempty" doc:"Of an app, which is not copied."`
}

func (a *API) usePost(ctx context.Context, in *usePostInput) (*single[usedPostView], error) {
	wish := community.UsePostInput{}
	if in.Body != nil {
		wish.Name, wish.ProjectID = in.Body.Name, in.Body.ProjectID
	}
	used, err := a.mutation().UsePost(ctx, in.ID, wish)
	if err != nil {
		return nil, err
	}
	reply := one(usedPostView{Kind: used.Kind, ID: used.ID, Slug: used.Slug})
	if used.ID == nil {
		reply.Status = http.StatusOK
	}
	return reply, nil
}

func (a *API) likePost(ctx context.Context, in *IDPath) (*single[wholePostView], error) {
	p, err := a.mutation().LikePost(ctx, in.ID)
	return a.postBack(ctx, p, err)
}

func (a *API) unlikePost(ctx context.Context, in *IDPath) (*single[wholePostView], error) {
	p, err := a.mutation().UnlikePost(ctx, in.ID)
	return a.postBack(ctx, p, err)
}

type reportPostInput struct {
	IDPath
	Body struct {
		Reason  string  `json:"reason" enum:"privacy,bullying,violence,sexual,copyright,spam,other"`
		Details *string `json:"details,omitempty"`
	}
}

func (a *API) reportPost(ctx context.Context, in *reportPostInput) (*success, error) {
	_, err := a.mutation().ReportPost(ctx, in.ID, community.ReportInput{Reason: in.Body.Reason, Details: in.Body.Details})
	return succeeded(err)
}

type moderatePostInput struct {
	IDPath
	Body *struct {
		Reason  *string `json:"reason,omitempty" doc:"Kept for the author."`
		Version *int    `json:"version,omitempty" doc:"The version of the post that was looked at; another current one is refused as stale_version."`
	}
}

func (a *API) moderatePost(action community.PostAction) func(context.Context, *moderatePostInput) (*single[wholePostView], error) {
	return func(ctx context.Context, in *moderatePostInput) (*single[wholePostView], error) {
		decision := community.ModeratePostInput{Action: action}
		if in.Body != nil {
			decision.Reason, decision.Version = in.Body.Reason, in.Body.Version
		}
		p, err := a.mutation().ModeratePost(ctx, in.ID, decision)
		return a.postBack(ctx, p, err)
	}
}
