package community

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
	"atelier/models/flow"
	"atelier/models/library"
	"atelier/models/nodegraph"
)

func (w *world) addPost(ctx context.Context, in PostInput) *Post {
	w.t.Helper()
	p, err := w.Post(ctx, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func TestPostsGo(t *testing.T) {
	w := newWorld(t)
	w.makeTeam()
	cup := w.addElement(w.in(w.bob), library.CreateElementInput{Kind: library.Object, Name: "Cup"})
	w.addPicture(w.in(w.bob), cup.ID, smallPNG(t))
	his := w.addPost(w.in(w.bob), PostInput{Kind: PostObject, SourceID: cup.ID})
	hat := w.addElement(w.in(w.ann), library.CreateElementInput{Kind: library.Object, Name: "Hat"})
	hers := w.addPost(w.in(w.ann), PostInput{Kind: PostObject, SourceID: hat.ID})
	if his.ImageURL == nil || w.count(`SELECT count(*) FROM media_files`) != 3 || w.count(`SELECT count(*) FROM media_files WHERE NOT private`) != 1 {
		t.Fatal("a visible post has no public picture and one of its own")
	}
	w.knows(w.ann)
	if err := w.ReportPost(w.in(w.ann), his.ID, ReportInput{Reason: "bullying"}); err != nil {
		t.Fatal(err)
	}
	if w.count(`SELECT count(*) FROM media_files WHERE NOT private`) != 0 {
		t.Error("the picture of what was hidden is still public")
	}
	for _, do := range []func() error{
		func() error { _, err := w.LikePost(w.in(w.bob), hers.ID); return err },
		func() error { _, err := w.UsePost(w.as(w.bob), hers.ID, UsePostInput{}); return err },
		func() error { return w.ReportPost(w.in(w.bob), hers.ID, ReportInput{Reason: "spam"}) },
		func() error {
			return w.DB.Write(w.as(w.bob), func(tx *models.Tx) error { return w.removePostsOf(tx, &account.User{ID: w.bob}) })
		},
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	if w.count(`SELECT count(*) FROM community_posts WHERE likes + uses + open_reports = 0`) != 1 || w.count(`SELECT count(*) FROM community_marks`) != 0 {
		t.Error("an account went, and something of it stays in the gallery")
	}
	if w.count(`SELECT count(*) FROM media_files`) != 1 {
		t.Error("the files of its posts stay")
	}
	w.exec(`INSERT INTO library_removals (organization_id, created_at) VALUES (?, now())`, w.org.ID)
	_, err := w.FindPost(w.in(w.ann), hers.ID)
	w.refused(err, models.CodeNotFound, "Post")
	if err := w.Library.RemoveGone(context.Background()); err != nil || w.count(`SELECT count(*) FROM community_posts`) != 0 {
		t.Errorf("an organization went: %v", err)
	}
}

// TestMarksAtOnce likes and uses a post from several accounts at once, each twice.
func TestMarksAtOnce(t *testing.T) {
	w := newWorld(t)
	hat := w.addElement(w.in(w.owner), library.CreateElementInput{Kind: library.Object, Name: "Hat"})
	p := w.addPost(w.in(w.owner), PostInput{Kind: PostObject, SourceID: hat.ID})
	var all sync.WaitGroup
	for _, who := range []models.ID{w.owner, w.ann, w.bob, w.ann, w.bob} {
		all.Go(func() {
			_, liked := w.LikePost(w.in(who), p.ID)
			_, used := w.UsePost(w.in(who), p.ID, UsePostInput{})
			if liked != nil || used != nil {
				t.Error(liked, used)
			}
		})
	}
	all.Wait()
	if p, err := w.FindPost(w.in(w.ann), p.ID); err != nil || p.Likes != 3 || p.Uses != 2 {
		t.Errorf("%+v %v", p, err)
	}
}

func TestPostLimits(t *testing.T) {
	w := newWorld(t)
	hat := w.addElement(w.in(w.owner), library.CreateElementInput{Kind: library.Object, Name: "Hat"})
	in := PostInput{Kind: PostObject, SourceID: hat.ID}
	first := w.addPost(w.in(w.owner), in)
	w.exec(`INSERT INTO community_posts (id, author_id, kind, source_id, title, category, license, audience, status, content, created_at, updated_at)
		SELECT gen_random_uuid(), author_id, kind, source_id, title, category, license, 'everyone', status, content, created_at, updated_at
		FROM community_posts, generate_series(2, ?)`, MaxPosts)
	_, err := w.Post(w.in(w.owner), in)
	w.refused(err, models.CodeLimitReached, "200")
	w.exec(`DELETE FROM community_posts WHERE id <> ?`, first.ID)
	for range postLimit.Max - 2 {
		w.addPost(w.in(w.owner), in)
	}
	_, err = w.Post(w.in(w.owner), in)
	w.refused(err, models.CodeRateLimitExceeded, "")
	for range reportLimit.Max {
		if err := w.ReportPost(w.in(w.ann), first.ID, ReportInput{Reason: "spam"}); err != nil {
			t.Fatal(err)
		}
	}
	w.refused(w.ReportPost(w.in(w.ann), first.ID, ReportInput{Reason: "spam"}), models.CodeRateLimitExceeded, "")
	w.DB.Clock.(*dbtest.Clock).Advance(time.Hour)
	w.addPost(w.in(w.owner), in)
}

// A copy of a workflow says what it is a copy of, as every copy does.
func TestCopiesNameTheirSource(t *testing.T) {
	w := newWorld(t)
	w.makeTeam()
	made, err := w.Flows.CreateWorkflow(w.in(w.ann), flow.CreateWorkflowInput{Name: "Poem", Nodes: []*nodegraph.Node{{ID: "a", Type: "text", Data: map[string]any{"text": "hello"}}}})
	if err != nil {
		t.Fatal(err)
	}
	p := w.addPost(w.in(w.ann), PostInput{Kind: PostWorkflow, SourceID: made.ID})
	used, err := w.UsePost(w.in(w.bob), p.ID, UsePostInput{})
	if err != nil {
		t.Fatal(err)
	}
	copied, err := w.Flows.FindWorkflow(w.in(w.bob), *used.ID)
	if err != nil {
		t.Fatal(err)
	}
	var source copiedFrom
	if err := json.Unmarshal(copied.Source, &source); err != nil || source.PostID != p.ID || source.Title != "Poem" || source.Author != p.Author.DisplayName {
		t.Errorf("the copy names %s, %v", copied.Source, err)
	}
	if made, err = w.Flows.FindWorkflow(w.in(w.ann), made.ID); err != nil || made.Source != nil {
		t.Errorf("what is no copy names %s, %v", made.Source, err)
	}
}
