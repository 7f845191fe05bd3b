//go:build !race

package tests

import (
	"strings"
	"testing"

	"atelier/models/dbtest"
)

// postsFrom opens the form that posts the thing of a page, and fills it in.
func (v *tab) postsFrom(page, title string) {
	v.t.Helper()
	v.open(page)
	if strings.HasPrefix(page, "/workflows/") {
		v.click("css", ".more-menu summary")
	}
	v.follow("Post to the community")
	v.sees("A post is a copy as it is now.", "Copy, with your name")
	v.fill("Title", title)
	v.fill("What it is, and what one does with it", "A calm hero for any story.")
	v.choose("Subject", "Storytelling")
}

// TestCommunityInTheBrowser follows a character of a pupil through the gallery of a class: it waits for the teacher, is
// approved, copied, liked and reported by another pupil, and waits again.
func TestCommunityInTheBrowser(t *testing.T) {
	t.Parallel()
	address := dbtest.NewURL(t)
	p := startOn(t, address, t.TempDir(), []string{"serve"})
	s := begin(t, p.URL)
	class := "/workspaces/" + s.class
	hero := s.ada.in(s.class).post("/v1/characters", object{
		"name": "Mira", "prompt": "a calm hero", "attributes": object{"hairColor": "red"}, "tags": []string{"story"},
		"imageUrls": []string{s.ada.in(s.class).uploadPicture()},
	}).want(201).text("data.id")
	workflow := s.owner.in(s.class).post("/v1/workflows", lesson).want(201).text("data.id")
	b := startBrowser(t, "community")

	ada := b.visitor("Ada", p.URL)
	ada.signIn("ada")
	ada.open(class + "/community")
	ada.sees("Nothing of Art 9b is posted yet.")
	ada.look("community empty")
	ada.follow("Post something")
	ada.look("community what to post")
	ada.postsFrom("/library/characters/"+hero, "My hero")
	ada.sees("Everyone in the class sees it. It waits for your teacher first.", "Only the owner and the admins of a school post to everyone")
	ada.look("community post form")
	ada.press("Post it")
	ada.sees("My hero is sent in. It waits to be approved.", "It waits for your teacher.", "a calm hero")
	post, _, _ := strings.Cut(ada.path(), "?")
	ada.look("community own post")
	ada.open(class + "/community/mine")
	ada.sees("Waits for your teacher")
	ada.look("community my posts")
	ada.open(class + "/community/review")
	ada.sees("Nothing waits for you.")
	ada.look("community review empty")

	teacher := b.visitor("Mara", p.URL)
	teacher.signIn("mara")
	teacher.open("/notifications")
	teacher.sees("Ada posted “My hero” in Art 9b. It waits for your review.")
	teacher.open(class)
	teacher.sees("1 post to the community waits for your review.")
	teacher.follow("Review")
	teacher.sees("My hero", "New or changed")
	teacher.look("community review")
	teacher.open(post + "?in=" + s.class)
	teacher.sees("Your decision", "It waits for your review.")
	teacher.look("community post to review")
	teacher.press("Approve")
	teacher.sees("It is approved: its audience sees it now.")
	teacher.postsFrom("/workflows/"+workflow, "Poster of a lighthouse")
	teacher.press("Post it")
	teacher.sees("Poster of a lighthouse is posted.", "Graph", "What it needs", "Credits a run")
	teacher.look("community workflow")

	ada.open("/notifications")
	ada.sees("Your post “My hero” is approved.")

	ben := b.visitor("Ben", p.URL)
	ben.signIn("ben")
	ben.open(class + "/community")
	ben.sees("My hero", "Poster of a lighthouse", "by Ada", "CC BY")
	ben.until("the picture", `[...document.querySelectorAll("#main .made-face img")].some((i) => { i.loading = "eager"; return i.complete && i.naturalWidth > 0; })`)
	ben.look("community gallery")
	ben.open(class + "/community?kind=character&category=storytelling&q=hero&sort=popular")
	ben.sees("My hero")
	ben.open(post + "?in=" + s.class)
	ben.look("community post")
	ben.press("I like it")
	ben.sees("1 like", "You like it")
	ben.press("Make a copy")
	ben.sees("This is your copy.", "@my_hero")
	ben.open(post + "?in=" + s.class)
	ben.sees("Used by 1")
	db := openDatabase(t, address) // an account that the install knows: of some days, and with a run
	db.exec(`UPDATE users SET created_at = created_at - interval '2 days' WHERE display_name = 'Ben'`)
	s.ben.post("/v1/text", object{"text": "hello"}).want(200)
	ben.follow("Report…")
	ben.look("community report")
	ben.click("css", `input[name="reason"][value="privacy"]`)
	ben.fill("What they should know", "It looks like my sister.")
	ben.press("Report it")
	ben.sees("Thank you.")
	ben.willRefuse(404)
	ben.open(post + "?in=" + s.class)
	ben.sees("not")

	ada.open(post + "?in=" + s.class)
	ada.sees("It was reported, and is hidden until someone has decided.")
	teacher.open(class + "/community/review")
	teacher.sees("Reported and hidden", "It looks like my sister.")
	teacher.look("community review of a report")
	teacher.keys("j")
	teacher.keys("x")
	teacher.fill("Reason, for the authors", "It is nobody's sister.")
	teacher.press("Approve")
	teacher.sees("1 post is approved.", "Nothing waits for you.")
	ben.open(post + "?in=" + s.class)
	ben.sees("My hero", "You like it")

	ada.open(post + "/edit?in=" + s.class)
	ada.look("community edit")
	ada.fill("Title", "My heroine")
	ada.press("Save the post")
	ada.sees("It waits to be approved again.")
	ada.open(post + "/delete?in=" + s.class)
	ada.look("community delete")
	ada.press("Delete the post")
	ada.sees("The post is deleted.")
}

// TestCommunityWithoutScript posts, decides and copies in a browser that runs no script.
func TestCommunityWithoutScript(t *testing.T) {
	t.Parallel()
	p := startService(t)
	s := begin(t, p.URL)
	class := "/workspaces/" + s.class
	hero := s.ada.in(s.class).post("/v1/characters", object{"name": "Mira", "prompt": "a calm hero"}).want(201).text("data.id")
	b := startBrowser(t, "community-without-script")
	ada, teacher := b.withoutScript("Ada", p.URL), b.withoutScript("Mara", p.URL)
	ada.signIn("ada")
	ada.open("/library/characters/" + hero)
	ada.follow("Post to the community")
	ada.press("Post it")
	ada.sees("Mira is sent in.")
	post := ada.path()
	teacher.signIn("mara")
	teacher.open(class + "/community/review")
	teacher.press("Approve: Mira")
	teacher.sees("1 post is approved.")
	teacher.open(post)
	teacher.press("I like it")
	teacher.sees("1 like")
	teacher.press("Make a copy")
	teacher.sees("This is your copy.")
}
