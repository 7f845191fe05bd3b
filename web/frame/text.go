package frame

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Or is s, or fallback for an empty one.
func Or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

// Value is *p, or zero.
func Value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// SentenceCase begins a word with a capital.
func SentenceCase(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// Digits is a number for an input, empty for none.
func Digits(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// OnOff is a switch in a word.
func OnOff(ctx context.Context, on bool) string {
	if on {
		return t(ctx, "on")
	}
	return t(ctx, "off")
}

// Named is what a thing is called; the names of what comes with the program are words for programs: "narrated-storyboard"
// is a Narrated storyboard.
func Named(name string, factory bool) string {
	if !factory {
		return name
	}
	return SentenceCase(strings.ReplaceAll(name, "-", " "))
}

// FirstFew returns the first of a list, and how many more there are.
func FirstFew(ctx context.Context, list []string, most int) []string {
	if len(list) <= most {
		return list
	}
	return append(slices.Clone(list[:most]), t(ctx, "%d more", len(list)-most))
}
