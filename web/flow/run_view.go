package flow

import (
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
	Cost           string
	Result         result
	Problem, Hint  string
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
func (c Pages) runViewOf(base string, e query.RunDetail, k nodeform.Kinds) runView {
	v := runView{Run: e, Live: base + "/live", Cancel: base + "/cancel", Retry: base + "/retry", Over: over(e.Status)}
	names, states := nodeform.NodeNames(e.Nodes, k), map[string]string{}
	byNode := make(map[string]query.RunNodeState, len(e.NodeStates))
	for _, s := range e.NodeStates {
		byNode[s.NodeId] = s
		states[s.NodeId] = nodeWord(s)
	}
	for _, n := range e.Nodes {
		if s, ok := byNode[n.Id]; ok {
			v.Nodes = append(v.Nodes, c.nodeRunOf(s, names[n.Id], n.Type, k))
		}
	}
	v.Graph = nodeform.Drawing("run-graph", "The graph as it ran", e.Nodes, e.Edges, k, states)
	v.Graph.Nodes = withDetails(v.Graph.Nodes, v.Nodes)
	return v
}

// withDetails adds time and cost to the nodes of a picture.
func withDetails(drawn []ui.GraphNode, ran []nodeRun) []ui.GraphNode {
	details := make(map[string]string, len(ran))
	for _, n := range ran {
		details[n.ID] = n.detail()
	}
	for i := range drawn {
		drawn[i].Detail = details[drawn[i].ID]
	}
	return drawn
}

func (c Pages) nodeRunOf(s query.RunNodeState, name, nodeType string, k nodeform.Kinds) nodeRun {
	out := nodeRun{
		ID: s.NodeId, Name: name, Kind: k.Label(nodeType), Job: s.Job.Id, Word: nodeWord(s), State: frame.SentenceCase(nodeWord(s)), Tone: nodeTone(s),
		Progress: s.Job.Progress, Took: took(s.Job.StartedAt, s.Job.CompletedAt, c.Now()), Cost: costOf(s.Job.CreditStatus, s.Job.CreditsCharged),
		Problem: frame.Value(s.Job.ErrorMessage), Hint: frame.Value(s.Job.ErrorHint), Review: s.Job.Status == query.JobStatusPendingReview,
	}
	if s.Output != nil {
		out.Result = c.resultOf(name, k[nodeType].OutputType, *s.Output, nil)
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
func (n nodeRun) detail() string {
	switch {
	case n.Word == "running" && n.Progress > 0:
		return ui.Count(n.Progress) + " %"
	case n.Cost == "" || n.Cost == "0" || n.Cost == "—" || n.Cost == "reserved":
		return n.Took
	case n.Took == "":
		return inCredits(n.Cost)
	}
	return n.Took + " · " + inCredits(n.Cost)
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

func runTime(v runView, now time.Time) string {
	if v.Run.StartedAt == nil {
		return "—"
	}
	return took(v.Run.StartedAt, v.Run.CompletedAt, now)
}
