package locale

import (
	"cmp"
	"context"
)

// Labelled is a label and what it labels, with the colon as the reader's language writes it.
func Labelled(ctx context.Context, label, text string) string {
	return label + cmp.Or(readerOf(ctx).language.colon, ": ") + text
}

// T is a message in the reader's language. Arguments stand where the message has %s or %d (or %[2]s, so that a
// translation can change their order); numbers are written as the language writes them. The terms of the organization
// stand in braces, see Terms: "Create the {workspace}".
func T(ctx context.Context, message string, args ...any) string {
	r := readerOf(ctx)
	return r.fill(r.language.lookup("", message), args)
}

// C is T for a message that means several things: the context tells them apart for translators, "verb" and "state" of
// "Open".
func C(ctx context.Context, context, message string, args ...any) string {
	r := readerOf(ctx)
	return r.fill(r.language.lookup(context, message), args)
}

// N is T for a number of things: N(ctx, "one member", "%d members", n). The number is the first argument, those that
// follow are %[2]s and so on.
func N(ctx context.Context, one, many string, n int, args ...any) string {
	r := readerOf(ctx)
	return r.fill(r.language.lookupPlural("", one, many, n), append([]any{n}, args...))
}

// CN is N with a context.
func CN(ctx context.Context, context, one, many string, n int, args ...any) string {
	r := readerOf(ctx)
	return r.fill(r.language.lookupPlural(context, one, many, n), append([]any{n}, args...))
}

// Mark makes a string known as a message where no reader is known yet, as in a table of words; T translates it later.
func Mark(message string) string { return message }

// MarkC is Mark with a context.
func MarkC(_, message string) string { return message }

// Word is a word or a sentence that comes as data, such as the title of a node's field: its translation, itself where
// there is none. No argument and no term stands in it. What a person wrote is never looked up.
func Word(ctx context.Context, context, word string) string {
	return readerOf(ctx).language.lookup(context, word)
}
