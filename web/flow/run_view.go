package flow

import (
	"context"
	"time"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"
)

// nodeRun is a node of a run: state, progress, time, cost, output, and what went wrong.
type nodeRun struct {
	ID, Name, Kind string
	Job            string // id
	Word           string // of its state, as package ui knows it
	State          string
	Tone           ui.Tone
	Progress       int
	Took           string
	Cost           string // for a table
	Charged        string // with its unit, empty where nothing was
	Reserved       bool   // credits are held for it
	Result         result
	Problem, Hint  string
	FailsAgain     bool // with the same inputs
	Review         bool // held for review
}

// runView is a run, and what of it changes.
type runView struct {
	Run    query.RunDetail
	Nodes  []nodeRun
	Graph  ui.GraphProps
	Live   string // address of the stream
	Cancel string // where cancelling is posted to
	Retry  string // where running it again is posted to
	Over   bool
}

// runViewOf prepares a run for its page at the address base.
func (c Pages) runViewOf(ctx context.Context, base string, e query.RunDetail, k nodeform.Kinds) runView {
	v := runView{Run: e, Live: base + "/live", Cancel: base + "/cancel", Retry: base + "/retry", Over: over(e.Status)}
	v.Run.ErrorMessage = c.runError(ctx, e.ErrorMessage)
	names, states := nodeform.NodeNames(e.Nodes, k), map[string]string{}
	labels := inputLabels(ctx, e, k)
	byNode := make(map[string]query.RunNodeState, len(e.NodeStates))
	for _, s := range e.NodeStates {
		byNode[s.NodeId] = s
		states[s.NodeId] = nodeWord(s)
	}
	for _, n := range e.Nodes {
		if s, ok := byNode[n.Id]; ok {
			ran := c.nodeRunOf(ctx, s, names[n.Id], n.Type, k)
			ran.failure(ctx, s, e.AppId != nil, func(setting string) string {
				setting = topSetting(setting)
				return frame.Or(labels[[2]string{n.Id, setting}], k.FieldLabel(n.Type, setting))
			})
			v.Nodes = append(v.Nodes, ran)
		}
	}
	v.Graph = nodeform.Drawing("run-graph", t(ctx, "The graph as it ran"), e.Nodes, e.Edges, k, states)
	v.Graph.Nodes = withDetails(ctx, v.Graph.Nodes, v.Nodes)
	return v
}

// withDetails adds time and cost to the nodes of a picture.
func withDetails(ctx context.Context, drawn []ui.GraphNode, ran []nodeRun) []ui.GraphNode {
	details := make(map[string]string, len(ran))
	for _, n := range ran {
		details[n.ID] = n.detail(ctx)
	}
	for i := range drawn {
		drawn[i].Detail = details[drawn[i].ID]
	}
	return drawn
}

func (c Pages) nodeRunOf(ctx context.Context, s query.RunNodeState, name, nodeType string, k nodeform.Kinds) nodeRun {
	out := nodeRun{
		ID: s.NodeId, Name: name, Kind: k.Label(nodeType), Job: s.Job.Id, Word: nodeWord(s), State: nodeStateWord(ctx, nodeWord(s)), Tone: nodeTone(s),
		Progress: s.Job.Progress, Took: took(ctx, s.Job.StartedAt, s.Job.CompletedAt, c.Now()), Cost: costOf(ctx, s.Job.CreditStatus, s.Job.CreditsCharged),
		Reserved: frame.Value(s.Job.CreditStatus) == "reserved", Charged: charged(ctx, s.Job.CreditStatus, s.Job.CreditsCharged),
		Review: s.Job.Status == query.JobStatusPendingReview,
	}
	if s.Output != nil {
		out.Result = c.resultOf(ctx, name, k[nodeType], *s.Output, nil)
		out.Result.Brief = true
	}
	return out
}

// thumbKind and thumbSrc are what stands before a step in a list.
func (n nodeRun) thumbKind() string {
	if n.Result.Kind == "data" || n.Result.Kind == "" {
		return "file"
	}
	return n.Result.Kind
}

func (n nodeRun) thumbSrc() string {
	if n.Result.Kind == "image" && n.Result.Embedded {
		return n.Result.Address
	}
	return ""
}

// detail is time and cost in a few words, for the picture of the graph.
func (n nodeRun) detail(ctx context.Context) string {
	switch {
	case n.Word == "running" && n.Progress > 0:
		return t(ctx, "%d %%", n.Progress)
	case n.Charged == "":
		return n.Took
	case n.Took == "":
		return n.Charged
	}
	return n.Took + " · " + n.Charged
}

// nodeWord is the state of a node in a run in a word that package ui has a color for.
func nodeWord(s query.RunNodeState) string {
	switch {
	case s.Job.Status == query.JobStatusPendingReview:
		return "waiting"
	case s.Job.Status == query.JobStatusCancelled:
		return "cancelled"
	}
	return string(s.Status)
}

// nodeStateWords are the states of a node as people read them.
var nodeStateWords = map[string]string{
	"pending": mark("Pending"), "running": mark("Running"), "completed": mark("Completed"), "failed": mark("Failed"), "skipped": mark("Skipped"),
	"waiting": mark("Waiting"), "cancelled": mark("Cancelled"),
}

func nodeStateWord(ctx context.Context, word string) string {
	if known := nodeStateWords[word]; known != "" {
		return t(ctx, known)
	}
	return frame.SentenceCase(word)
}

func nodeTone(s query.RunNodeState) ui.Tone {
	switch nodeWord(s) {
	case "completed":
		return ui.OK
	case "failed":
		return ui.Bad
	case "running":
		return ui.Info
	case "waiting":
		return ui.Warn
	}
	return ui.Plain
}

func runTime(ctx context.Context, v runView, now time.Time) string {
	if v.Run.StartedAt == nil {
		return "—"
	}
	return took(ctx, v.Run.StartedAt, v.Run.CompletedAt, now)
}
