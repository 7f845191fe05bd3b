package account

import (
	"context"
	"slices"
	"strings"

	"atelier/web/locale"
	"atelier/web/query"
)

// scopeWords say what a scope lets an app do, and what it does not (contract 1, "Authentication" 6).
type scopeWords struct {
	Scope query.OAuthScope
	Wire  string // as programs write it
	Title string
	Short string // in a list
	May   string
	Not   string
	Costs string
}

// scopesInWords are all scopes, in the order in which they are shown.
var scopesInWords = []scopeWords{
	{
		Scope: query.OAuthScopeWorkflowsExecute, Wire: "workflows:execute", Title: locale.Mark("Run workflows and apps as you"), Short: locale.Mark("runs workflows and apps"),
		May:   locale.Mark("It starts every workflow and app that you may start, uploads files, and makes, changes, shares, publishes and deletes your workflows."),
		Not:   locale.Mark("It does not see what you or others ran, and it moves no credits between budgets."),
		Costs: locale.Mark("What it runs is paid from your credits, or from the budget of the workspace that it runs in."),
	},
	{
		Scope: query.OAuthScopeJobsRead, Wire: "jobs:read", Title: locale.Mark("Follow what it started"), Short: locale.Mark("follows what it started"),
		May: locale.Mark("It sees the state of its own runs and jobs, reads their results, and may have itself told when they end (webhook endpoints)."),
		Not: locale.Mark("It does not see what you or other apps started."),
	},
	{
		Scope: query.OAuthScopeWorkspacesRead, Wire: "workspaces:read", Title: locale.Mark("See your organizations and workspaces"), Short: locale.Mark("sees organizations and workspaces"),
		May: locale.Mark("It reads what you may read there: people with their addresses, settings, budgets, purchases, usage and the audit log."),
		Not: locale.Mark("It changes nothing there, and sees none that you do not belong to."),
	},
	{
		Scope: query.OAuthScopeWorkspacesWrite, Wire: "workspaces:write", Title: locale.Mark("Change your organizations and workspaces"), Short: locale.Mark("changes organizations and workspaces"),
		May: locale.Mark("It does what your own role lets you do there: make and archive workspaces, invite and remove people, give out credits, change rules."),
		Not: locale.Mark("It can do nothing there that you cannot do yourself, and it runs nothing."),
	},
}

// scopeWordsOf are the words of scopes, in the order in which they are shown.
func scopeWordsOf(scopes []query.OAuthScope) (out []scopeWords) {
	for _, s := range scopesInWords {
		if slices.Contains(scopes, s.Scope) {
			out = append(out, s)
		}
	}
	return out
}

// shortly are scopes in one sentence: "Runs workflows and apps, follows what it started".
func shortly(ctx context.Context, scopes []query.OAuthScope) string {
	var out []string
	for _, s := range scopeWordsOf(scopes) {
		out = append(out, t(ctx, s.Short))
	}
	if len(out) == 0 {
		return t(ctx, "Sees who you are, and nothing else")
	}
	text := strings.Join(out, ", ")
	return strings.ToUpper(text[:1]) + text[1:]
}

// scopeText are scopes as programs write them.
func scopeText(scopes []query.OAuthScope) string {
	var out []string
	for _, s := range scopeWordsOf(scopes) {
		out = append(out, s.Wire)
	}
	return strings.Join(out, " ")
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
