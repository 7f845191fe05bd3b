package flow

import (
	"context"
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// templateFormat marks a file that holds a workflow.
const templateFormat = "atelier.workflow/1"

// workflowTemplate is a workflow as a file: to keep, to share, to make another one of.
type workflowTemplate struct {
	Format      string     `json:"format"`
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Nodes       []textNode `json:"nodes"`
	Edges       []textEdge `json:"edges"`
}

// ExportTemplate is the workflow as a file. What names something of this account (credentials, workflows) stays behind.
func (c Pages) ExportTemplate(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkflowAlone(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	flow := res.Workflow
	graph := textOf(flow.Nodes, flow.Edges)
	for i, n := range graph.Nodes {
		graph.Nodes[i].Data = withoutOwn(n.Data)
		if n.Type == scheduleNode {
			delete(graph.Nodes[i].Data, "active")
		}
	}
	out := workflowTemplate{Format: templateFormat, Name: flow.Name, Description: flow.Description, Nodes: graph.Nodes, Edges: graph.Edges}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+fileName(flow.Name)+`.json"`)
	_, err = w.Write([]byte(frame.WriteJSON(out) + "\n"))
	return err
}

// scheduleNode is the type of nodes that run on a timetable: from a file they begin paused.
const scheduleNode = "schedule-trigger"

// ownFields name things of one account, which no one else has.
var ownFields = []string{"credentialId", "workflowId", "characterIds", "creatureIds", "objectIds", "locationId", "faceId", "characterId", "presetId", "voiceId"}

func withoutOwn(data map[string]any) map[string]any {
	out := make(map[string]any, len(data))
	for name, value := range data {
		out[name] = value
	}
	for _, name := range ownFields {
		delete(out, name)
	}
	return out
}

// fileName is a name of letters, digits and hyphens.
func fileName(name string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(name) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s[:min(len(s), 60)]
	}
	return "workflow"
}

// templateText is what a person pasted or uploaded: a graph, with or without the name of a template.
type templateText struct {
	Format      string `json:"format"`
	Name        string `json:"name"`
	Description string `json:"description"`
	graphText
}

// readTemplate reads a template or a graph alone. A refusal names the field "graph" and the line.
func readTemplate(ctx context.Context, text string) (templateText, error) {
	var read templateText
	if err := frame.ReadJSON(text, &read); err != nil {
		return read, frame.Invalid("graph", t(ctx, "The graph cannot be read: %s.", frame.WhyNotJSON(ctx, err)))
	}
	if read.Format != "" && read.Format != templateFormat {
		return read, frame.Invalid("graph", t(ctx, "The file says that it is %s; this install reads %s.", read.Format, templateFormat))
	}
	read.graphText = read.whole()
	// A file may come from anyone: the one who wrote it does not get to name a key of the person who reads it, nor to have
	// a timetable begin by itself.
	for _, n := range read.Nodes {
		if n.Data == nil {
			continue
		}
		delete(*n.Data, "credentialId")
		if n.Type == scheduleNode {
			delete(*n.Data, "active")
		}
	}
	return read, nil
}

// nameIfNone takes name and description of a template where none were typed.
func (text templateText) nameIfNone(in *query.CreateWorkflowInput) {
	if in.Name == "" {
		in.Name = text.Name
	}
	if in.Description != nil && *in.Description == "" {
		in.Description = &text.Description
	}
}
