package community

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// reviewForm is the form that the boxes of the queue belong to.
const reviewForm = "bulk-posts"

// maxDecided is how many posts one form decides about: a page of the queue.
const maxDecided = 50

// reviewView is the queue of posts that wait for the person.
type reviewView struct {
	List  frame.Listing
	Rows  []query.PostCard
	Shell query.Shell
	Form  frame.Form
}

// ReviewPosts is what waits for the person's decision: new posts, and reported ones.
func (c Pages) ReviewPosts(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, r.URL.Path, maxDecided)
	res, err := query.PostsToReview(r.Context(), c.Client, list.After())
	if err != nil {
		return err
	}
	list.Loaded(res.PostsToReview.PageInfo, len(res.PostsToReview.Nodes), res.PostsToReview.TotalCount)
	v := reviewView{List: list, Rows: res.PostsToReview.Nodes, Shell: c.Placed(r, res.Shell, "", ""), Form: frame.FormOf(r)}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Posts to review"), Section: frame.SectionCommunity, List: "/community/review"}, reviewContent(v, c.Now()))
}

// DecidePosts does the same to every post that is selected, one after another: a refusal of one stops no other.
func (c Pages) DecidePosts(w http.ResponseWriter, r *http.Request) error {
	posts := slices.Compact(slices.Sorted(slices.Values(r.PostForm["post"])))
	action := query.PostAction(frame.Text(r, "action"))
	switch {
	case len(posts) == 0:
		return frame.Again(w, r, frame.Invalid("post", t(r.Context(), "Select the posts first.")), c.ReviewPosts)
	case len(posts) > maxDecided || !slices.Contains(query.AllPostAction, action):
		return frame.Again(w, r, frame.Invalid("post", t(r.Context(), "Select at most %d posts and one of the buttons.", maxDecided)), c.ReviewPosts)
	}
	in, done, refused := query.ModeratePostInput{Action: action, Reason: frame.TextOrNil(r, "reason")}, 0, ""
	for _, post := range posts {
		id, version, _ := strings.Cut(post, ":")
		in.Version = sentPostVersion(version)
		_, err := query.ModeratePost(r.Context(), c.Client, id, in)
		if e, known := frame.Refused(err); known && e.Code != "unauthorized" {
			if e.Field == "reason" {
				return frame.Again(w, r, err, c.ReviewPosts)
			}
			refused = e.Message
			continue
		} else if err != nil {
			return err
		}
		done++
	}
	out := frame.Outcome{Sentence: decidedMany(r.Context(), action, done)}
	if refused != "" {
		out.Sentence, out.Tone = out.Sentence+" "+refused, ui.Warn
	}
	return c.DoneWith(w, frame.Return(r, r.URL.Path), out)
}

// reviewed names a post of the queue, in the version that the page shows.
func reviewed(p query.PostCard) string { return p.Id + ":" + strconv.Itoa(p.Version) }

func decidedMany(ctx context.Context, action query.PostAction, n int) string {
	if n == 0 {
		return t(ctx, "Nothing was decided.")
	}
	switch action {
	case query.PostActionApprove:
		return tn(ctx, "%d post is approved.", "%d posts are approved.", n)
	case query.PostActionReject:
		return tn(ctx, "%d post is rejected.", "%d posts are rejected.", n)
	}
	return tn(ctx, "%d post is hidden.", "%d posts are hidden.", n)
}
