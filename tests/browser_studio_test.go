//go:build !race

package tests

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// filmScript becomes twelve shots of about two seconds.
const filmScript = `INT. OLD LIBRARY – NIGHT

Ben opens a dusty book. A light shines from it. The shelves begin to move.

BEN
This is where it began.

Dust falls like slow snow. A small door opens behind him.

EXT. HARBOUR – DAWN

Ben steps onto the pier. Boats rock on grey water.

MIA
You are late again, Ben.

Mia throws him a rope. The sail fills with wind. They leave the harbour behind.
`

// shotsThere is the expression for the shots of the page, shotPictures for those with a picture.
const (
	shotsThere   = `document.querySelectorAll("#shots [data-shot]")`
	shotPictures = `[...document.querySelectorAll("#shots .shot-face img")].filter((i) => { i.loading = "eager"; return i.complete && i.naturalWidth > 0; })`
	theFilm      = `document.querySelector("#film video[src*='/media/'] track[kind=captions]")`
)

// begins makes a production of the script in a browser that runs no script, and orders its shots by buttons.
func (v *tab) begins(class string) (path string) {
	v.t.Helper()
	v.open(class + "/studio")
	v.sees("A production is a script that becomes shots")
	v.follow("Start a production")
	v.fill("Name", "The door")
	v.paste("Script", filmScript)
	v.choose("Size", "480p")
	v.press("Create the production")
	v.sees("The door is created.", "No word is lost or added")
	v.fill("About how long a shot is", "2")
	v.press("Break it down")
	v.sees("12 shots created.", "New names in this script", "Make a character", "Not made yet")
	v.until("Ben as the speaker", `[...document.querySelectorAll("#shots .shot-said b")].some((b) => /^BEN:/i.test(b.innerText))`)
	v.until("twelve shots", shotsThere+".length === 12")
	v.press("Down: shot 1")
	v.sees("The order is saved.")
	v.until("the other order", `document.querySelector("#shots [data-shot] .shot-text").innerText.includes("A light shines")`)
	v.press("Up: shot 2")
	v.until("the first order", `document.querySelector("#shots [data-shot] .shot-text").innerText.includes("Ben opens")`)
	path, _, _ = strings.Cut(v.path(), "?")
	return path
}

// figure is what a page of a render says under a name.
func (v *tab) figure(name string) string {
	v.t.Helper()
	text, err := ask[string](v, `[...document.querySelectorAll("#estimate .facts > div")].find((d) => d.querySelector("dt").textContent === `+quote(name)+`)?.querySelector("dd").innerText`)
	if err != nil {
		v.t.Fatal(err)
	}
	return strings.TrimSpace(text)
}

// ordersByKeys moves the second shot up by the keys of its handle, and back.
func (v *tab) ordersByKeys() {
	v.t.Helper()
	first := func(words string) string {
		return `document.querySelector("#shots [data-shot] .shot-text")?.innerText.includes(` + quote(words) + `)`
	}
	for _, move := range []struct{ of, key, then string }{{"2", kb.ArrowUp, "A light shines"}, {"1", kb.ArrowDown, "Ben opens"}} {
		if _, err := ask[bool](v, `(document.querySelector("[data-shot-handle][aria-label^='Move shot `+move.of+`:']").focus(), true)`); err != nil {
			v.t.Fatal(err)
		}
		v.keys(move.key)
		v.leave(func() { v.keys(kb.Enter) })
		v.sees("The order is saved.")
		v.until("the order", first(move.then))
	}
}

// makesFilm renders the pictures, looks at them, and renders the film.
func (v *tab) makesFilm(film string) {
	v.t.Helper()
	v.open(film)
	v.follow("Render")
	v.sees("What it does", "Art 9b has", "Shot by shot")
	v.click("label", "Pictures first")
	v.until("the estimate of the pictures", `document.querySelector("#estimate input[name=stage][value=image]")`)
	v.look("render")
	v.fill("Spend at most", "0.5")
	v.willRefuse(http.StatusBadRequest)
	v.press("Start")
	v.sees("It did not begin.")
	v.look("render refused")
	v.fill("Spend at most", "100")
	v.press("Start")
	v.sees("The render has begun.")
	v.until("the pictures", shotPictures+`.length === 12 && !document.querySelector("progress")`)
	v.follow("Render")
	if made := v.figure("Made now"); made != "12 shots" {
		v.t.Errorf("of the film %s are made", made)
	}
	v.press("Start")
	v.until("the film", theFilm)
	v.open(film)
	v.until("the film", theFilm)
	v.sees("Ready", "Play shot 1")
	v.look("production with its film")
	v.open(strings.Replace(film, "?", "/print?", 1))
	v.look("storyboard")
}

// changesOneLine renders again what one line changes, at the price of its shot and the cut.
func (v *tab) changesOneLine(at client, id, film string) {
	v.t.Helper()
	v.open(film)
	v.follow("Change shot 4")
	v.look("shot")
	v.fill("What is said", "That is where all began.")
	v.press("Save")
	v.sees("The shot is saved.", "Changed since it was made")
	v.follow("Render")
	if made, kept := v.figure("Made now"), v.figure("Taken over as they are"); made != "1 shot" || kept != "11 shots" {
		v.t.Errorf("%s made, %s taken over", made, kept)
	}
	cost := v.figure("Costs")
	estimate := at.post("/v1/studio/productions/"+id+"/estimate", object{}).want(200).number("data.credits")
	if want := fmt.Sprintf("about %g credits", estimate); cost != want {
		v.t.Errorf("it costs %s, not %s", cost, want)
	}
	v.press("Start")
	v.sees("11 shots are taken over as they are.")
	v.until("the new film", `document.querySelector("#film") && !document.querySelector("progress") && !document.body.innerText.includes("Changed since")`)
	v.open(film)
	v.sees(fmt.Sprintf("%g credits, 11 shots as they were", estimate))
}

// showsToVisitor shows a shot to a person without an account, and takes it back.
func (v *tab) showsToVisitor(b *browser, base, film, shot string) {
	v.t.Helper()
	path, in, _ := strings.Cut(film, "?")
	v.open(path + "/shots/" + shot + "/share?" + in)
	v.look("share")
	v.press("Show it")
	v.sees("Everyone who has the link sees it now.", "/shots/"+shot)
	v.look("shared")
	visitor := b.visitor("visitor", base)
	visitor.open("/shots/" + shot)
	visitor.sees("The door", "Shown until", "Northgate School")
	visitor.until("the clip", `document.querySelector("video.public-shot")?.readyState >= 1`)
	visitor.look("public shot")
	v.press("Take it back")
	v.sees("No one sees it from outside any more.")
	visitor.refused("public shot that is over", "/shots/"+shot, http.StatusNotFound)
}

// TestStudioInTheBrowser takes a class from a script to its film, offline.
func TestStudioInTheBrowser(t *testing.T) {
	t.Parallel()
	p := startService(t)
	s := begin(t, p.URL)
	b := startBrowser(t, "studio")
	class := "/workspaces/" + s.class
	at := s.owner.in(s.class)
	at.post("/v1/characters", object{"name": "Ben", "description": "an old man with glasses and a red coat", "visibility": "workspace"}).want(201)

	plain := b.withoutScript("Mara without script", p.URL)
	plain.signIn("mara")
	film := plain.begins(class)
	id := strings.TrimPrefix(film, "/studio/")

	// Shots of a second each, so that the media of this test take little time.
	production := at.get("/v1/studio/productions/" + id).want(200)
	for i := range 12 {
		shot := production.text(fmt.Sprintf("data.shots.%d.id", i))
		body := object{"duration": 1}
		if production.text(fmt.Sprintf("data.shots.%d.dialogue", i)) != "" {
			body = object{"duration": 2}
		}
		at.do("PATCH", "/v1/studio/productions/"+id+"/shots/"+shot, body).want(200)
	}

	teacher := b.visitor("Mara", p.URL)
	teacher.signIn("mara")
	teacher.open(class + "/studio")
	teacher.look("studio")
	teacher.leave(func() { teacher.click("css", "#productions a.made") })
	film = teacher.path()
	teacher.look("production draft")
	teacher.ordersByKeys()
	teacher.makesFilm(film)
	teacher.changesOneLine(at, id, film)
	teacher.showsToVisitor(b, p.URL, film, production.text("data.shots.2.id"))

	for name, page := range map[string]string{"settings": "/settings", "breakdown again": "/breakdown", "shot new": "/shots/new", "production delete": "/delete"} {
		teacher.open(strings.Replace(film, "?", page+"?", 1))
		teacher.look(name)
	}
	teacher.open(class + "/studio/pipelines")
	teacher.press("Copy Narrated storyboard")
	teacher.sees("This copy is yours.", "makes the picture of each shot")
	teacher.look("pipeline")
	teacher.follow("Change")
	teacher.look("pipeline edit")
	teacher.press("Save the pipeline")
	teacher.sees("is saved.")

	teacher.open(film)
	teacher.press("Share with Art 9b")
	pupil := b.visitor("Ada", p.URL)
	pupil.signIn("ada")
	pupil.open(class + "/studio?status=ready")
	pupil.sees("The door", "by Mara", "Ready")
	pupil.leave(func() { pupil.click("css", "#productions a.made") })
	pupil.until("the film", theFilm)
	pupil.look("production as pupil")
	for name, path := range map[string]string{
		"new production": class + "/studio/new", "pipelines": class + "/studio/pipelines", "pipeline new": class + "/studio/pipelines/new",
		"nothing found": class + "/studio?q=nothing",
	} {
		pupil.open(path)
		pupil.look(name)
	}
}
