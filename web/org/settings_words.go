package org

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

const wordPrefix = "word."

// wordPair is a word that an organization can replace, for one and for several.
type wordPair struct {
	One, Many string // keys of vocabulary_overrides
	of        func(frame.Words) string
	manyOf    func(frame.Words) string
}

var wordPairs = []wordPair{
	{"workspace", "workspaces", func(w frame.Words) string { return w.Workspace }, func(w frame.Words) string { return w.Workspaces }},
	{"member", "members", func(w frame.Words) string { return w.Member }, func(w frame.Words) string { return w.Members }},
	{"admin", "admins", func(w frame.Words) string { return w.Admin }, func(w frame.Words) string { return w.Admins }},
}

// ownWords are the replaced words by key; there may be more than these pages show.
func ownWords(rows []query.Setting) map[string]string {
	out := map[string]string{}
	if raw := settingOf(rows, "vocabulary_overrides").Value; raw != nil {
		_ = json.Unmarshal(*raw, &out)
	}
	return out
}

// sentWordMap are the words of a form that are not empty.
func sentWordMap(sent url.Values) map[string]string {
	out := map[string]string{}
	for name := range sent {
		if key, is := strings.CutPrefix(name, wordPrefix); is && strings.TrimSpace(sent.Get(name)) != "" {
			out[key] = strings.TrimSpace(sent.Get(name))
		}
	}
	return out
}

func sentWords(sent url.Values) any { return wordsOrNil(sentWordMap(sent)) }

// wordsOrNil is null where the kind's words serve for all.
func wordsOrNil(words map[string]string) any {
	if len(words) == 0 {
		return nil
	}
	return words
}

// wordRow is a pair as the form shows it.
type wordRow struct {
	wordPair
	KindOne, KindMany string // the kind's words
	OwnOne, OwnMany   string
	SetHere           bool
}

func (v organizationSettingsView) words() []wordRow {
	own := ownWords(v.Rows)
	var out []wordRow
	for _, p := range wordPairs {
		out = append(out, wordRow{
			wordPair: p, KindOne: p.of(v.KindWords), KindMany: p.manyOf(v.KindWords), SetHere: own[p.One] != "" || own[p.Many] != "",
			OwnOne: v.Form.Value(wordPrefix+p.One, own[p.One]), OwnMany: v.Form.Value(wordPrefix+p.Many, own[p.Many]),
		})
	}
	return out
}

// otherWords are replaced words that these pages do not show, which the form carries along.
func (v organizationSettingsView) otherWords() (keys []string, words map[string]string) {
	words = ownWords(v.Rows)
	for _, p := range wordPairs {
		delete(words, p.One)
		delete(words, p.Many)
	}
	return slices.Sorted(maps.Keys(words)), words
}

// wordsNow are the words as the form would have them.
func (v organizationSettingsView) wordsNow() frame.Words {
	word := func(p wordPair, many bool) string {
		key, fallback := p.One, p.of(v.KindWords)
		if many {
			key, fallback = p.Many, p.manyOf(v.KindWords)
		}
		if own := strings.TrimSpace(v.Form.Value(wordPrefix+key, ownWords(v.Rows)[key])); own != "" {
			return own
		}
		return fallback
	}
	space, member, admin := wordPairs[0], wordPairs[1], wordPairs[2]
	return frame.Words{
		Workspace: word(space, false), Workspaces: word(space, true), Member: word(member, false), Members: word(member, true),
		Admin: word(admin, false), Admins: word(admin, true),
	}
}

// wordsLive lets the preview follow the fields.
func wordsLive(ctx context.Context, v organizationSettingsView) templ.Attributes {
	return ui.Live(ctx, "post", partWords.path(v.Org.Id)+"/preview", "trigger", "input from:#"+wordsForm+" delay:300ms",
		"include", "#"+wordsForm, "target", "#words-preview", "swap", "outerHTML")
}
