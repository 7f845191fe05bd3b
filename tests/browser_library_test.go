//go:build !race

package tests

import (
	"strings"
	"testing"
)

// pictures is the expression for the pictures of a page that have come, by their addresses.
const libraryPictures = `[...document.querySelectorAll("#main .element-pictures img")].filter((i) => { i.loading = "eager"; return i.complete && i.naturalWidth > 0; })`

// makesCharacter describes a person, and waits until they are drawn.
func (v *tab) makesCharacter(shelf, name, description string) (path string) {
	v.t.Helper()
	v.open(shelf + "/library/characters")
	v.sees("A character looks the same in every picture of a story.")
	v.look("characters empty")
	v.follow("Make a character")
	v.fill("What it looks like", description)
	v.look("character new")
	v.fill("Name optional", name)
	v.press("Draw")
	v.sees(name, "@"+strings.ToLower(name))
	v.until("the pictures of "+name, libraryPictures+".length >= 3")
	path = v.path()
	path, _, _ = strings.Cut(path, "?")
	v.open(path)
	v.until("the pictures again", libraryPictures+".length >= 3")
	v.look("character")
	return path
}

// paints makes a picture with a character, and waits for it.
func (v *tab) paints(path, prompt string) {
	v.t.Helper()
	v.open(path)
	v.fill("What the picture shows", prompt)
	v.press("Make the picture")
	v.until("the picture", `[...document.querySelectorAll("#main img.result-media")].some((i) => i.complete && i.naturalWidth > 0)`)
	v.sees("Completed")
}

// TestLibraryInTheBrowser has a teacher and a pupil make a character, pictures that it is in, and hear it spoken.
func TestLibraryInTheBrowser(t *testing.T) {
	t.Parallel()
	p := startService(t)
	s := begin(t, p.URL)
	b := startBrowser(t, "library")
	class := "/workspaces/" + s.class

	teacher := b.visitor("Mara", p.URL)
	teacher.signIn("mara")
	teacher.open(class)
	teacher.sees("Three things to try", "Make a character")
	teacher.look("class with things to try")
	character := teacher.makesCharacter(class, "Ben", "an old man with glasses, a white beard and a red coat")
	teacher.paints(character, "@ben in a forest")
	teacher.paints(character, "@ben at the sea at night")
	teacher.paints(character, "@ben in a classroom")
	teacher.open(character)
	teacher.sees("3 runs", "drawn")

	teacher.open(character + "/edit")
	teacher.look("character edit")
	teacher.choose("Voice", "English")
	teacher.press("Save")
	teacher.sees("Ben is saved.", "Let it speak")
	teacher.fill("What it says", "Good morning.")
	teacher.press("Speak it")
	teacher.until("the sound", `[...document.querySelectorAll("#main audio.result-media")].some((a) => a.src.includes("/media/"))`)

	teacher.open(character)
	teacher.press("Share with Art 9b")
	teacher.sees("Everyone here sees it now")

	pupil := b.visitor("Ada", p.URL)
	pupil.signIn("ada")
	pupil.open(class + "/library/characters")
	pupil.sees("Ben", "@ben", "by Mara")
	pupil.look("characters of a class")
	pupil.paints(character, "@ben on a ship")
	for name, path := range map[string]string{
		"creatures empty": "/library/creatures", "location new": "/library/locations/new", "face new": "/library/faces/new", "consents": "/consents",
		"voices": "/voices?language=en", "voice new": "/voices/new", "presets": "/presets", "preset import": "/presets/import",
		"preset new": "/presets/new?type=generate-image", "prompt helper": "/prompt-helper",
	} {
		pupil.open(class + path)
		pupil.look(name)
	}

	pupil.open(class + "/prompt-helper")
	pupil.fill("Your idea", "a fox reads a book")
	pupil.press("See what it leaves open")
	pupil.sees("The prompt so far", "a fox reads a book", "What it leaves open")
	pupil.look("prompt questions")

	teacher.open(character + "/delete")
	teacher.sees("Erase the results too", "4 runs used it")
	teacher.look("character delete")
	teacher.press("Delete Ben")
	teacher.sees("It is deleted.")
}

// TestPromptHelperBesideAField opens the helper over a form, and takes its prompt.
func TestPromptHelperBesideAField(t *testing.T) {
	p := startService(t)
	s := begin(t, p.URL)
	v := startBrowser(t, "prompt").visitor("Mara", p.URL)
	v.signIn("mara")
	v.open("/workspaces/" + s.class + "/library/characters/new")
	v.fill("What it looks like", "a knight")
	v.click("link", "Help me with the words")
	v.until("the dialog", `document.querySelector("dialog[open] #f-help-idea")?.value === "a knight"`)
	v.click("button", "See what it leaves open")
	v.until("the prompt", `document.querySelector("dialog[open] [data-prompt-text]")?.textContent.startsWith("a knight")`)
	v.click("button", "Use it here")
	v.until("the field", `!document.querySelector("dialog[open]") && document.querySelector("#f-description").value.startsWith("a knight")`)
}
