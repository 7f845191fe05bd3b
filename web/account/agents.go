package account

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// agentsPath is where agents find the tools of this install.
const agentsPath = "/mcp"

// Agents shows how an agent is connected, and what is connected.
func (c Pages) Agents(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ConnectedApps(r.Context(), c.Client)
	if err != nil {
		return err
	}
	page := frame.Page{Title: t(r.Context(), "Agents"), Section: frame.SectionConnected}
	return c.Page(w, r, res.Shell, page, agentsContent(c.Config.PublicURL+agentsPath, res.ConnectedApps, c.Now()))
}

// agentGuide says how one agent is connected: by steps, and by what is to be copied.
type agentGuide struct {
	Name  string
	Steps []string
	Label string // of what is to be copied
	Text  string
}

// agentGuides are those of well-known agents.
func agentGuides(ctx context.Context, address string) []agentGuide {
	return []agentGuide{
		{
			Name: t(ctx, "Claude, on the web and on the desktop"),
			Steps: []string{
				t(ctx, "Open Settings, then Connectors, and choose Add custom connector."),
				t(ctx, "Give it the name Atelier and the address above, and choose Connect. Your browser comes here and asks what it may do."),
			},
		},
		{
			Name:  "Claude Code",
			Steps: []string{t(ctx, "Run this once, then type /mcp in a conversation and choose Authenticate.")},
			Label: t(ctx, "Command for Claude Code"), Text: "claude mcp add --transport http atelier " + address,
		},
		{
			Name: "ChatGPT",
			Steps: []string{
				t(ctx, "Open Settings, then Apps & Connectors, and switch on Developer mode under Advanced settings."),
				t(ctx, "Choose Create, give it the name Atelier and the address above, with OAuth as authentication."),
			},
		},
		{
			Name:  "Cursor",
			Steps: []string{t(ctx, "Put this into ~/.cursor/mcp.json, or into .cursor/mcp.json of a project. Then choose Connect in Settings, under MCP.")},
			Label: t(ctx, "Settings for Cursor"), Text: settings(map[string]any{"mcpServers": map[string]any{"atelier": map[string]any{"url": address}}}),
		},
		{
			Name:  "Visual Studio Code",
			Steps: []string{t(ctx, "Put this into .vscode/mcp.json of a project and choose Start above it. Copilot uses it in agent mode.")},
			Label: t(ctx, "Settings for Visual Studio Code"), Text: settings(map[string]any{"servers": map[string]any{"atelier": map[string]any{"type": "http", "url": address}}}),
		},
		{
			Name:  "Codex",
			Steps: []string{t(ctx, "Run these two once; the second opens your browser.")},
			Label: t(ctx, "Commands for Codex"), Text: "codex mcp add atelier --url " + address + "\ncodex mcp login atelier",
		},
		{
			Name:  "Gemini CLI",
			Steps: []string{t(ctx, "Run this once, then type /mcp auth atelier.")},
			Label: t(ctx, "Command for Gemini CLI"), Text: "gemini mcp add --transport http atelier " + address,
		},
		{
			Name: t(ctx, "An agent that starts programs on your machine"),
			Steps: []string{
				t(ctx, "Install atelierctl, the command line, and run this once: %s", "atelierctl login "+strings.TrimSuffix(address, agentsPath)),
				t(ctx, "Then put this into the agent's settings."),
			},
			Label: t(ctx, "Settings for other agents"), Text: settings(map[string]any{"mcpServers": map[string]any{"atelier": map[string]any{"command": "atelierctl", "args": []string{"mcp"}}}}),
		},
		{
			Name:  t(ctx, "A program without a browser"),
			Steps: []string{t(ctx, "Make a token under API tokens, bound to {a workspace} or to some workflows if you like, and let the program send it with each request.")},
			Label: t(ctx, "Header"), Text: "Authorization: Bearer svc_…",
		},
	}
}

// settings are the JSON that a file of settings holds.
func settings(value map[string]any) string {
	text, _ := json.Marshal(value)
	return string(text)
}
