package ui

import (
	"context"

	"atelier/web/locale"
)

// Tone is what a color means. It never stands alone: every component that takes a tone also shows a word.
type Tone string

const (
	Plain Tone = ""
	Info  Tone = "info"
	OK    Tone = "ok"
	Warn  Tone = "warn" // waits, or needs a person
	Bad   Tone = "bad"  // failed, or switched off by a person
)

// MethodTone tells calls of the API that change something from those that read.
func MethodTone(method string) Tone {
	switch method {
	case "GET":
		return Info
	case "DELETE":
		return Bad
	}
	return OK
}

// Status is a state in a word, with its tone; without a word nothing is shown.
type Status struct {
	Text string
	Tone Tone
}

// In is the state in the reader's language: of tables that are made before there is a reader.
func (s Status) In(ctx context.Context) Status {
	s.Text = locale.Pattern(ctx, s.Text)
	return s
}

// Kind is the weight of a button. A page has at most one Primary.
type Kind string

const (
	Ordinary Kind = ""
	Primary  Kind = "primary"
	Danger   Kind = "danger"
	Quiet    Kind = "quiet"
)

// Theme is the value of the theme cookie.
type Theme string

const (
	ThemeAuto  Theme = "auto"
	ThemeLight Theme = "light"
	ThemeDark  Theme = "dark"
)

// ParseTheme reads a cookie value; anything unknown is ThemeAuto.
func ParseTheme(s string) Theme {
	switch t := Theme(s); t {
	case ThemeLight, ThemeDark:
		return t
	}
	return ThemeAuto
}
