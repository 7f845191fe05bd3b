package main

import (
	"slices"
	"testing"
)

// Every word of the node catalogue that a page shows is there in every language.
func TestCatalogueIsTranslated(t *testing.T) {
	t.Chdir("../..")
	words := catalogue()
	for _, wanted := range []message{
		{context: nodeWord, text: "Crop image"}, {context: fieldWord, text: "The image to cut."}, {context: choiceWord + "aspectRatio", text: "free"},
		{context: fieldWord, text: "Of the provider; empty takes its first."},
	} {
		if !slices.ContainsFunc(words, func(m message) bool { return m.key() == wanted.key() }) {
			t.Errorf("%s: %q is not gathered", wanted.context, wanted.text)
		}
	}
	for _, language := range languages {
		b, err := readBook(language)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range words {
			if forms := b[m.key()]; !m.done(forms) {
				t.Errorf("%s of %s is not translated: %s: %q", language, m.files[0], m.context, m.text)
			} else if problem := m.unfit(forms[0]); problem != "" {
				t.Errorf("%s: %q: %s: %q", language, m.text, problem, forms[0])
			}
		}
	}
}
