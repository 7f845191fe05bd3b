package community

import (
	"context"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/notice"
)

// told are the notifications that a person has not read yet, as sentences.
func (w *world) told(who models.ID) (out []string) {
	w.t.Helper()
	notices := &notice.Service{DB: w.DB}
	notices.ShowWhere(SeesNotice)
	list, err := notices.List(w.as(who), true, models.Page{})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, n := range list.Nodes {
		out = append(out, n.Sentence(nil))
	}
	return out
}

func (w *world) tells(who models.ID, want ...string) {
	w.t.Helper()
	got := w.told(who)
	if len(got) != len(want) {
		w.t.Fatalf("told %q, not %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			w.t.Errorf("told %q, not %q", got[i], want[i])
		}
	}
}

func (w *world) decides(who models.ID, p *Post, action PostAction, reason string) *Post {
	w.t.Helper()
	w.wait()
	decided, err := w.ModeratePost(w.in(who), p.ID, ModeratePostInput{Action: action, Reason: &reason})
	if err != nil {
		w.t.Fatal(err)
	}
	return decided
}

func TestPostsAreToldOfUntilTheyAreDecided(t *testing.T) {
	w := newWorld(t)
	hat := w.addElement(w.in(w.bob), library.CreateElementInput{Kind: library.Object, Name: "Hat"})
	first := w.addPost(w.in(w.bob), PostInput{Kind: PostObject, SourceID: hat.ID})
	w.tells(w.owner, "Somebody posted “Hat” in Room. It waits for your review.")
	if _, err := w.UpdatePost(w.in(w.bob), first.ID, UpdatePostInput{Title: models.Some("Top hat")}); err != nil {
		t.Fatal(err)
	}
	w.tells(w.owner, "Somebody posted “Hat” in Room. It waits for your review.") // it waited before
	var more []*Post
	for range 3 {
		more = append(more, w.addPost(w.in(w.bob), PostInput{Kind: PostObject, SourceID: hat.ID}))
	}
	w.tells(w.owner, "4 times a post in Room began to wait for your review, “Hat” the latest.")
	w.tells(w.ann)
	if waiting, err := w.CountToReview(w.in(w.owner), []models.ID{w.room.ID}); err != nil || waiting[w.room.ID] != 4 {
		t.Errorf("%v wait, %v", waiting, err)
	}
	if waiting, err := w.CountToReview(w.in(w.ann), []models.ID{w.room.ID}); err != nil || len(waiting) != 0 {
		t.Errorf("a pupil is told of %v, %v", waiting, err)
	}

	w.decides(w.owner, first, ApprovePost, "")
	w.tells(w.bob, "Your post “Top hat” is approved.")
	w.decides(w.owner, first, ApprovePost, "again")
	w.decides(w.owner, first, HidePost, "Whose hat?")
	w.tells(w.bob, "Your post “Top hat” is hidden. The reason given: Whose hat?")
	for _, p := range more[:2] {
		w.decides(w.owner, p, RejectPost, "")
	}
	if len(w.told(w.owner)) != 1 {
		t.Error("the notice ended while a post waits")
	}
	if err := w.DeletePost(w.in(w.bob), more[2].ID); err != nil {
		t.Fatal(err)
	}
	w.tells(w.owner)
	w.wait()
	w.addPost(w.in(w.bob), PostInput{Kind: PostObject, SourceID: hat.ID})
	w.tells(w.owner, "Somebody posted “Hat” in Room. It waits for your review.")
	if err := w.DeletePost(w.in(w.bob), first.ID); err != nil || len(w.told(w.bob)) != 2 {
		t.Errorf("%v, and of what is gone: %q", err, w.told(w.bob))
	}
}

func TestReportsAreToldOf(t *testing.T) {
	w := newWorld(t)
	hat := w.addElement(w.in(w.bob), library.CreateElementInput{Kind: library.Object, Name: "Hat"})
	p := w.decides(w.owner, w.addPost(w.in(w.bob), PostInput{Kind: PostObject, SourceID: hat.ID}), ApprovePost, "")
	w.tells(w.owner)
	w.knows(w.ann)
	report := func(who models.ID, reason string) *Post {
		t.Helper()
		w.wait()
		if err := w.ReportPost(w.in(who), p.ID, ReportInput{Reason: reason}); err != nil {
			t.Fatal(err)
		}
		now, err := w.FindPost(w.in(w.owner), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		return now
	}
	if now := report(w.ann, "spam"); now.Status != Visible || now.Awaits() || now.OpenReports != 1 {
		t.Errorf("%+v", now)
	}
	w.tells(w.owner, "The post “Hat” in Room was reported. It waits for your review.")
	report(w.ann, "other")
	w.tells(w.owner, "The post “Hat” in Room was reported. It waits for your review.")
	if now := report(w.ann, "privacy"); now.Status != Hidden || !now.Awaits() || now.OpenReports != 1 {
		t.Errorf("who thinks again hides nothing: %+v", now)
	}

	// Anyone who reported it goes, and it waits all the same.
	err := w.DB.Write(w.as(w.ann), func(tx *models.Tx) error {
		return tx.Exec(`UPDATE community_posts SET open_reports = 0 WHERE id = ?`, p.ID).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	waiting, err := w.ListPostsToReview(w.in(w.owner), models.Page{})
	if err != nil || len(waiting.Nodes) != 1 {
		t.Fatalf("%+v %v", waiting, err)
	}
	before := w.count(`SELECT count(*) FROM audit_entries WHERE action = 'post.hidden'`)
	if now := w.decides(w.owner, p, HidePost, "Not here"); now.Awaits() || models.Deref(now.Reason) != "Not here" {
		t.Errorf("hiding what a report hid is no decision: %+v", now)
	}
	w.tells(w.bob, "Your post “Hat” is hidden. The reason given: Not here")
	if w.decides(w.owner, p, HidePost, ""); w.count(`SELECT count(*) FROM audit_entries WHERE action = 'post.hidden'`) != before+1 {
		t.Error("a decision is not written down once")
	}
	w.tells(w.owner)
}

func TestPostChoices(t *testing.T) {
	w := newWorld(t)
	hat := w.addElement(w.in(w.bob), library.CreateElementInput{Kind: library.Object, Name: "Hat", Tags: []string{"red"}})
	choices := func(ctx context.Context, kind PostKind, id models.ID) *PostChoices {
		t.Helper()
		c, err := w.PostChoices(ctx, kind, id)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := choices(w.in(w.bob), PostObject, hat.ID)
	if c.Refusal != nil || c.Name != "Hat" || len(c.Tags) != 1 || *c.WorkspaceID != w.room.ID || len(c.Audiences) != 3 {
		t.Fatalf("%+v", c)
	}
	for i, want := range []AudienceChoice{{ToWorkspace, true, nil}, {ToOrganization, true, nil}, {ToEveryone, false, nil}} {
		got := c.Audiences[i]
		if got.Audience != want.Audience || got.Waits != want.Waits || (got.Refusal != nil) != (want.Audience == ToEveryone) {
			t.Errorf("%+v", got)
		}
	}
	for _, audience := range []Audience{ToWorkspace, ToOrganization, ToEveryone} { // what is told is what happens
		p, err := w.Post(w.in(w.bob), PostInput{Kind: PostObject, SourceID: hat.ID, Audience: &audience})
		for _, choice := range c.Audiences {
			if choice.Audience == audience && (choice.Refusal != nil) != (err != nil) || err == nil && p.Status != PendingReview {
				t.Errorf("%s: %+v %v", audience, p, err)
			}
		}
	}
	if c := choices(w.in(w.owner), PostObject, w.addElement(w.in(w.owner), library.CreateElementInput{Kind: library.Object, Name: "Cup"}).ID); c.Audiences[2].Refusal != nil || c.Audiences[0].Waits {
		t.Errorf("%+v", c.Audiences)
	}
	w.exec(`UPDATE elements SET depicts_person = true WHERE id = ?`, hat.ID)
	if c := choices(w.in(w.bob), PostObject, hat.ID); models.Deref(c.Refusal) != "This is what depicts a person, which is never posted" {
		t.Errorf("%+v", c)
	}
	if e, err := w.Library.Elements().Find(w.in(w.bob), hat.ID); err != nil || e.Can.Post {
		t.Errorf("%+v %v", e, err)
	}
	_, err := w.PostChoices(w.as(w.stranger), PostObject, hat.ID)
	w.refused(err, models.CodeNotFound, "")
	at := w.addElement(w.as(w.stranger), library.CreateElementInput{Kind: library.Object, Name: "Cup"})
	if c := choices(w.as(w.stranger), PostObject, at.ID); len(c.Audiences) != 1 || c.Audiences[0].Audience != ToEveryone || c.Audiences[0].Refusal != nil {
		t.Errorf("%+v", c.Audiences)
	}
}

// TestGalleryOfASpace looks at the posts of a workspace, of its organization, and for everyone.
func TestGalleryOfASpace(t *testing.T) {
	w := newWorld(t)
	hat := w.addElement(w.in(w.owner), library.CreateElementInput{Kind: library.Object, Name: "Hat"})
	everyone := ToEveryone
	w.addPost(w.in(w.owner), PostInput{Kind: PostObject, SourceID: hat.ID})
	w.addPost(w.in(w.owner), PostInput{Kind: PostObject, SourceID: hat.ID, Audience: &everyone})
	mine := w.addElement(w.as(w.stranger), library.CreateElementInput{Kind: library.Object, Name: "Cup"})
	w.addPost(w.as(w.stranger), PostInput{Kind: PostObject, SourceID: mine.ID})
	for _, at := range []struct {
		from Audience
		want int
	}{{ToWorkspace, 2}, {ToOrganization, 2}, {ToEveryone, 2}} {
		found, err := w.ListPosts(w.in(w.ann), &PostFilter{From: &at.from}, nil, models.Page{})
		if err != nil || len(found.Nodes) != at.want {
			t.Errorf("%s: %d posts, %v", at.from, len(found.Nodes), err)
		}
	}
	all, err := w.ListPosts(w.in(w.ann), nil, nil, models.Page{})
	if err != nil || len(all.Nodes) != 3 {
		t.Errorf("%d posts, %v", len(all.Nodes), err)
	}
	inside, nowhere := ToWorkspace, Audience("nowhere")
	_, err = w.ListPosts(w.as(w.ann), &PostFilter{From: &inside}, nil, models.Page{})
	w.refused(err, models.CodeValidation, "from")
	_, err = w.ListPosts(w.in(w.ann), &PostFilter{From: &nowhere}, nil, models.Page{})
	w.refused(err, models.CodeValidation, "from")
}

// TestPostsOfPresets leaves out what belongs to one account.
func TestPostsOfPresets(t *testing.T) {
	w := newWorld(t)
	w.makeTeam()
	hat := w.addElement(w.in(w.bob), library.CreateElementInput{Kind: library.Object, Name: "Hat"})
	own := map[string]any{"objectIds": []any{hat.ID.String()}}
	both := map[string]any{"prompt": "{{prompt}}, ink", "objectIds": []any{hat.ID.String()}}
	made := func(settings map[string]any) *library.Preset {
		t.Helper()
		p, err := w.Library.Presets().Create(w.in(w.bob), library.CreatePresetInput{NodeType: "generate-image", Name: "Ink", Settings: settings})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := w.addPost(w.in(w.bob), PostInput{Kind: PostPreset, SourceID: made(both).ID})
	if len(p.Content.Settings) != 1 || len(p.Content.Removed) != 1 || p.Content.Removed[0] != "settings.objectIds" {
		t.Errorf("%+v", p.Content)
	}
	if used, err := w.UsePost(w.in(w.ann), p.ID, UsePostInput{}); err != nil || used.ID == nil {
		t.Error(err)
	}
	_, err := w.Post(w.in(w.bob), PostInput{Kind: PostPreset, SourceID: made(own).ID})
	w.refused(err, models.CodeValidation, "nothing is left")
}

// knows makes an account one that the install knows: of some days, and with a run.
func (w *world) knows(who models.ID) {
	w.t.Helper()
	w.exec(`UPDATE users SET created_at = ? WHERE id = ?`, w.DB.Clock.Now().Add(-48*time.Hour), who)
	if _, err := w.Runs.Nodes().Run(w.as(who), "text", map[string]any{"text": "hello"}); err != nil {
		w.t.Fatal(err)
	}
}

// TestReportsOfStrangersHideNothing: who is new, ran nothing or was wrong three times tells the
// moderators, and hides nothing.
func TestReportsOfStrangersHideNothing(t *testing.T) {
	w := newWorld(t)
	post := func(name string) *Post {
		t.Helper()
		hat := w.addElement(w.in(w.owner), library.CreateElementInput{Kind: library.Object, Name: name})
		return w.addPost(w.in(w.owner), PostInput{Kind: PostObject, SourceID: hat.ID})
	}
	reports := func(p *Post, hides bool) {
		t.Helper()
		w.wait()
		if err := w.ReportPost(w.in(w.ann), p.ID, ReportInput{Reason: "privacy"}); err != nil {
			t.Fatal(err)
		}
		now, err := w.FindPost(w.in(w.owner), p.ID)
		if err != nil || (now.Status == Hidden) != hides || now.OpenReports != 1 || !now.Awaits() && hides {
			t.Errorf("%s, hides %v: %+v %v", p.Title, hides, now, err)
		}
	}
	now := w.DB.Clock.Now()
	w.exec(`UPDATE users SET created_at = ? WHERE id = ?`, now.Add(-23*time.Hour), w.ann)
	reports(post("New"), false)
	w.exec(`UPDATE users SET created_at = ? WHERE id = ?`, now.Add(-25*time.Hour), w.ann)
	reports(post("No run"), false)
	w.knows(w.ann)
	for n := range wrongReports {
		p := post("Alarm " + string(rune('A'+n)))
		reports(p, true)
		w.decides(w.owner, p, ApprovePost, "")
	}
	reports(post("After three false alarms"), false)
}

// TestDecisionsNameTheVersion: a post that was changed since it was looked at is not decided about.
func TestDecisionsNameTheVersion(t *testing.T) {
	w := newWorld(t)
	hat := w.addElement(w.in(w.bob), library.CreateElementInput{Kind: library.Object, Name: "Hat"})
	p := w.addPost(w.in(w.bob), PostInput{Kind: PostObject, SourceID: hat.ID})
	seen, again := p.Version, true
	words := "something else"
	if _, err := w.Library.Elements().Update(w.in(w.bob), hat.ID, library.UpdateElementInput{Description: models.Some(words)}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.UpdatePost(w.in(w.bob), p.ID, UpdatePostInput{Refresh: &again}); err != nil {
		t.Fatal(err)
	}
	for _, action := range []PostAction{ApprovePost, RejectPost, HidePost} {
		_, err := w.ModeratePost(w.in(w.owner), p.ID, ModeratePostInput{Action: action, Version: &seen})
		w.refused(err, models.CodeStale, "")
	}
	now, err := w.FindPost(w.in(w.owner), p.ID)
	if err != nil || now.Status != PendingReview {
		t.Fatalf("%+v %v", now, err)
	}
	if now, err = w.ModeratePost(w.in(w.owner), p.ID, ModeratePostInput{Action: ApprovePost, Version: &now.Version}); err != nil || now.Status != Visible {
		t.Errorf("%+v %v", now, err)
	}
}
