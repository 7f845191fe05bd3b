//go:build !race

package tests

import (
	"strings"
	"testing"
)

// gallery is a school and a team whose people post.
type gallery struct {
	*cast
	t *testing.T
	h *testServer
}

// known makes an account one whose report hides a post at once: of some days, and with a run.
func (g *gallery) known(p person) {
	g.t.Helper()
	if _, err := g.h.DB.SQL.Exec(`UPDATE users SET created_at = created_at - interval '2 days' WHERE id = $1`, p.id); err != nil {
		g.t.Fatal(err)
	}
	p.post("/v1/text", object{"text": "hello"}).want(200)
}

func newGallery(t *testing.T, kind string) *gallery {
	h := newTestServer(t)
	return &gallery{newCast(t, h.server.URL, kind, 100), t, h}
}

func (g *gallery) character(c client, name string) string {
	g.t.Helper()
	return c.post("/v1/characters", object{"name": name, "prompt": "a calm hero", "attributes": object{"hair": "red"}}).want(201).text("data.id")
}

// posted posts a new character of a space.
func (g *gallery) posted(c client, name string, more object) *reply {
	g.t.Helper()
	in := object{"kind": "character", "sourceId": g.character(c, name)}
	for field, value := range more {
		in[field] = value
	}
	return c.post("/v1/community/posts", in)
}

// TestWhoMayPostWhere walks through the table of audiences.
func TestWhoMayPostWhere(t *testing.T) {
	t.Parallel()
	school, team := newGallery(t, "school"), newGallery(t, "team")
	for _, at := range []struct {
		name     string
		on       *gallery
		who      client
		audience string
		status   int
		want     string
	}{
		{"a pupil in the class", school, school.pupil.in(school.room), "workspace", 201, "pending_review"},
		{"a pupil in the school", school, school.pupil.in(school.room), "organization", 201, "pending_review"},
		{"a pupil to everyone", school, school.pupil.in(school.room), "everyone", 403, "insufficient_role"},
		{"a teacher in the class", school, school.head.in(school.room), "workspace", 201, "visible"},
		{"a teacher in the school", school, school.head.in(school.room), "organization", 201, "visible"},
		{"a teacher to everyone", school, school.head.in(school.room), "everyone", 403, "insufficient_role"},
		{"who runs the school to everyone", school, school.admin.in(school.room), "everyone", 201, "visible"},
		{"a pupil at home", school, school.pupil.client, "everyone", 403, "insufficient_role"},
		{"a teacher at home", school, school.head.client, "everyone", 201, "visible"},
		{"nobody's class at home", school, school.head.client, "workspace", 400, "validation_error"},
		{"no organization at home", school, school.head.client, "organization", 400, "validation_error"},
		{"a member of a team", team, team.pupil.in(team.room), "workspace", 201, "visible"},
		{"a member of a team to everyone", team, team.pupil.in(team.room), "everyone", 201, "visible"},
	} {
		r := at.on.posted(at.who, "Mira", object{"audience": at.audience})
		if at.status != 201 {
			r.wantError(at.status, at.want)
		} else if got := r.want(201).text("data.status"); got != at.want {
			t.Errorf("%s: %s", at.name, got)
		}
	}
}

// TestCommunity lives through the gallery of a class: a pupil posts, the teacher approves, another
// copies, likes and reports, and the teacher decides.
func TestCommunity(t *testing.T) {
	t.Parallel()
	g := newGallery(t, "school")
	pupil, head, owner := g.pupil.in(g.room), g.head.in(g.room), g.owner.in(g.room)

	made := g.posted(pupil, "Mira", object{"title": "My hero", "tags": []string{"Story"}, "category": "storytelling"}).want(201)
	made.is(map[string]any{"data.audience": "workspace", "data.license": "cc-by", "data.isOwn": true, "data.publishedAt": nil, "data.author.displayName": "Pupil"})
	post := "/v1/community/posts/" + made.text("data.id")
	owner.get(post).want(200) // a moderator sees what waits
	g.outside.get(post).wantError(404, "not_found")
	g.rival.get(post).wantError(404, "not_found")
	pupil.post(post+"/approve", nil).wantError(403, "insufficient_role")
	if n := len(head.get("/v1/community/posts?status=pending_review").want(200).list("data")); n != 1 {
		t.Errorf("%d posts wait", n)
	}
	if n := len(pupil.get("/v1/community/browse").want(200).list("data")); n != 0 {
		t.Errorf("%d posts are shown before the review", n)
	}
	head.post(post+"/reject", object{"reason": "Whose face is it?"}).want(200).is(map[string]any{"data.status": "rejected"})
	pupil.get(post).want(200).is(map[string]any{"data.reason": "Whose face is it?"})
	pupil.do("PATCH", post, object{"description": "Drawn by me"}).want(200).is(map[string]any{"data.status": "pending_review", "data.version": 2.0})
	pupil.do("PATCH", post, object{"title": "Hers", "version": 1}).wantError(409, "stale_version")
	head.post(post+"/approve", object{"version": 1}).wantError(409, "stale_version")
	head.post(post+"/approve", object{"version": 2}).want(200)
	head.post(post+"/approve", nil).want(200).is(map[string]any{"data.status": "visible"})

	for range 2 {
		owner.post(post+"/like", nil).want(200).is(map[string]any{"data.likes": 1.0, "data.likedByMe": true})
	}
	owner.do("DELETE", post+"/like", nil).want(200).is(map[string]any{"data.likes": 0.0})
	for range 2 {
		copied := owner.post(post+"/use", object{"name": "Copy"}).want(201)
		thing := owner.get("/v1/characters/" + copied.text("data.id")).want(200)
		thing.is(map[string]any{"data.name": "Copy", "data.visibility": "private", "data.source.title": "My hero", "data.source.author": "Pupil"})
	}
	head.get(post).want(200).is(map[string]any{"data.uses": 1.0})
	found := pupil.get("/v1/community/browse?q=hero&kind=character&tag=story&category=storytelling&sort=popular&limit=1").want(200)
	if len(found.list("data")) != 1 {
		t.Error("the gallery does not find it")
	}

	owner.post(post+"/report", object{"reason": "spam", "details": "again"}).want(200)
	const review = `{ postsToReview { nodes { openReports reports { reason details } } } }`
	if told := head.graphql(review, nil); told.text("data.postsToReview.nodes.0.reports.0.details") != "again" {
		t.Errorf("the moderator reads %s", told.Body)
	}
	if n := len(pupil.graphql(review, nil).list("data.postsToReview.nodes")); n != 0 {
		t.Errorf("a pupil is asked about %d posts", n)
	}
	head.get(post).want(200).is(map[string]any{"data.status": "visible"})
	g.demoted.in(g.room).post(post+"/report", object{"reason": "privacy"}).want(200)
	pupil.get(post).want(200).is(map[string]any{"data.status": "visible"}) // of an account that the install does not know
	g.known(g.demoted)
	g.demoted.in(g.room).post(post+"/report", object{"reason": "privacy"}).want(200)
	pupil.get(post).want(200).is(map[string]any{"data.status": "hidden"})
	g.demoted.in(g.room).post(post+"/use", nil).wantError(403, "forbidden") // an admin of the school moderates it
	head.post(post+"/approve", nil).want(200)
	g.demoted.in(g.room).post(post+"/report", object{"reason": "privacy"}).want(200)
	pupil.get(post).want(200).is(map[string]any{"data.status": "visible"}) // the alarm was a false one before
	head.post(post+"/report", object{"reason": "boring"}).wantError(400, "validation_error")

	// What is shared further out does not tell which pupil made it.
	owner.do("PATCH", post, object{"title": "x"}).wantError(403, "insufficient_role")
	wide := g.posted(owner, "Tor", object{"audience": "everyone", "license": "view-only"}).want(201).text("data.id")
	g.rival.get("/v1/community/posts/" + wide).want(200).is(map[string]any{"data.author.userId": nil, "data.viewerCan.use": false})
	g.rival.post("/v1/community/posts/"+wide+"/use", nil).wantError(403, "forbidden")
	g.operator.post("/v1/community/posts/"+wide+"/hide", nil).want(200)
	g.rival.get("/v1/community/posts/"+wide).wantError(404, "not_found")

	head.do("DELETE", post, nil).want(200)
	pupil.get(post).wantError(404, "not_found")
}

// TestPostsAreSnapshots posts a workflow with what belongs to one account in it.
func TestPostsAreSnapshots(t *testing.T) {
	t.Parallel()
	g := newGallery(t, "team")
	author, reader := g.pupil.in(g.room), g.head.in(g.room)
	hero := g.character(author, "Mira")
	workflow := author.post("/v1/workflows", object{"name": "Poster", "nodes": []object{
		{"id": "p", "type": "generate-image", "position": object{"x": 0, "y": 0}, "data": object{"prompt": "a hero", "characterIds": []string{hero}}},
		{"id": "w", "type": "webhook-output", "position": object{"x": 9, "y": 0}, "data": object{"url": "https://example.org/secret"}},
	}, "edges": []object{}}).want(201).text("data.id")
	post := author.post("/v1/community/posts", object{"kind": "workflow", "sourceId": workflow, "license": "cc0"}).want(201)
	at := "/v1/community/posts/" + post.text("data.id")
	if got := post.list("data.content.removed"); len(got) != 2 || got[0] != "nodes.p.data.characterIds" || got[1] != "nodes.w.data.url" {
		t.Errorf("removed: %v", got)
	}
	if post.number("data.estimatedCredits") <= 0 || len(post.list("data.requires")) != 2 {
		t.Errorf("%v", post.path("data.requires"))
	}
	author.do("DELETE", "/v1/workflows/"+workflow, nil).want(200)
	copied := reader.post(at+"/use", nil).want(201).text("data.id")
	reader.get("/v1/workflows/" + copied).want(200).is(map[string]any{"data.name": "Poster", "data.visibility": "private"})
	author.do("PATCH", at, object{"refresh": true}).wantError(400, "validation_error")

	remix := reader.post("/v1/community/posts", object{"kind": "workflow", "sourceId": copied}).want(201)
	remix.is(map[string]any{"data.remixOf": post.text("data.id")})
	reader.post("/v1/community/posts", object{"kind": "face", "sourceId": copied}).wantError(400, "validation_error")
	reader.post("/v1/community/posts", object{"kind": "character", "sourceId": copied}).wantError(404, "not_found")

	preset := author.post("/v1/node-presets", object{"nodeType": "text-card", "name": "Slide", "settings": object{"background": "#000000"}}).want(201).text("data.id")
	presetPost := author.post("/v1/community/posts", object{"kind": "preset", "sourceId": preset}).want(201).text("data.id")
	reader.post("/v1/community/posts/"+presetPost+"/use", nil).want(201)
	factory := author.get("/v1/node-presets/factory").want(200).text("data.0.id")
	author.post("/v1/community/posts", object{"kind": "preset", "sourceId": factory}).wantError(400, "validation_error")
}

// TestPicturesOfPosts follows the picture of an element through a post: public while the post is
// visible, copied with it, and gone with it.
func TestPicturesOfPosts(t *testing.T) {
	t.Parallel()
	g := newGallery(t, "team")
	author, reader := g.pupil.in(g.room), g.head.in(g.room)
	hero := author.post("/v1/characters", object{"name": "Mira", "prompt": "a hero", "imageUrls": []string{author.uploadPicture()}}).want(201).text("data.id")
	post := author.post("/v1/community/posts", object{"kind": "character", "sourceId": hero}).want(201)
	at, shown, kept := "/v1/community/posts/"+post.text("data.id"), pathOf(post.text("data.imageUrl")), pathOf(post.text("data.content.pictures.0.url"))
	author.do("DELETE", "/v1/characters/"+hero, nil).want(200)
	g.visitor.get(shown).want(200)
	g.visitor.get(kept).want(200)
	copied := reader.post(at+"/use", nil).want(201).text("data.id")
	reader.get("/v1/characters/" + copied).want(200).is(map[string]any{"data.images.0.isPrimary": true})
	reader.post(at+"/hide", nil).want(200).is(map[string]any{"data.imageUrl": nil})
	g.visitor.get(shown).wantError(404, "not_found")
	again := pathOf(reader.post(at+"/approve", nil).want(200).text("data.imageUrl"))
	g.visitor.get(again).want(200)
	author.do("DELETE", at, nil).want(200)
	g.visitor.get(again).wantError(404, "not_found")
	g.visitor.get(kept).wantError(404, "not_found")
}

// pathOf is an address without its host.
func pathOf(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	_, path, _ := strings.Cut(rest, "/")
	return "/" + path
}
