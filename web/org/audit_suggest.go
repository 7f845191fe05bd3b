package org

import (
	"context"
	"maps"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/ui"
)

// suggestions are what the search of the log offers to complete: what entries say, the fields that they record, and the
// names of people and workspaces. Each finds what it names.
func (v auditView) suggestions(ctx context.Context) []ui.Option {
	said := map[string]bool{}
	for _, s := range auditSentences {
		said[spoken(ctx, s.Message)] = true
	}
	out := options(ctx, said, "")
	fields := v.fieldNames(ctx)
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		out = append(out, ui.Option{Value: key, Text: fields[key]})
	}
	names, places := map[string]bool{}, map[string]bool{}
	for _, person := range v.People {
		names[person] = true
	}
	for _, l := range v.Lines {
		if l.Actor != nil {
			names[l.Actor.DisplayName] = true
		}
	}
	for _, place := range v.Places {
		places[place] = true
	}
	return append(append(out, options(ctx, names, t(ctx, "Person"))...), options(ctx, places, locale.Term(ctx, v.Org.Vocabulary.Workspace))...)
}

// options are texts in the order of the reader's language; label says what they are.
func options(ctx context.Context, texts map[string]bool, label string) []ui.Option {
	delete(texts, "")
	sorted := slices.Collect(maps.Keys(texts))
	locale.Sort(ctx, sorted, func(s string) string { return s })
	out := make([]ui.Option, len(sorted))
	for i, s := range sorted {
		out[i] = ui.Option{Value: s, Text: label}
	}
	return out
}

// fieldNames are what recorded fields and settings are called, by how the log names them.
func (v auditView) fieldNames(ctx context.Context) map[string]string {
	names := map[string]string{}
	for field, label := range recordedFields {
		if label != "" {
			names[field] = t(ctx, label)
		}
	}
	for _, rule := range ruleList(ctx, v.Org.Vocabulary) {
		names[rule.Key] = rule.Label
	}
	said := frame.Saying(ctx, v.Org.Vocabulary)
	for _, key := range []string{"allowed_email_domains", "vocabulary_overrides", "require_second_factor", "keep_runs_months"} {
		names[key], _ = v.Names.settingWords(said, key)
	}
	return names
}

// spoken is what a message says itself, without its arguments.
func spoken(ctx context.Context, message string) string {
	return strings.Join(strings.Fields(anArgument.ReplaceAllString(locale.Pattern(ctx, message), " ")), " ")
}
