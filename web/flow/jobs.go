package flow

import (
	"context"
	"net/http"
	"regexp"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"
)

// jobsView lists the work of single nodes.
type jobsView struct {
	Workspace string // its name, empty for the jobs of every space
	Status    string
	Rows      []query.JobRow
	Kinds     nodeform.Kinds
	List      frame.Listing
}

// Jobs lists the account's jobs, newest first.
func (c Pages) Jobs(w http.ResponseWriter, r *http.Request) error {
	var status *query.JobStatus
	for _, s := range query.AllJobStatus {
		if r.URL.Query().Get("status") == string(s) {
			status = &s
		}
	}
	list := frame.ListingOf(r, r.URL.Path, maxRuns)
	var workspace *string
	if id := frame.SpaceOf(r).Workspace; id != "" {
		workspace = &id
	}
	res, err := query.Jobs(r.Context(), c.Client, list.After(), status, workspace)
	if err != nil {
		return err
	}
	list.Loaded(res.Jobs.PageInfo, len(res.Jobs.Nodes), res.Jobs.TotalCount)
	at := frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")
	v := jobsView{Rows: res.Jobs.Nodes, Kinds: nodeform.KindsOf(res.NodeTypes), List: list}
	if status != nil {
		v.Status = string(*status)
	}
	if at.Workspace != nil {
		v.Workspace = at.Workspace.Name
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Jobs"), Section: frame.SectionRuns, List: "/jobs"}, jobsContent(v, c.Now()))
}

// lead says what a job is, and whose are listed.
func (v jobsView) lead(ctx context.Context) string {
	if v.Workspace == "" {
		return t(ctx, "A job is the work of one step of a run. These are yours, in every space.")
	}
	return t(ctx, "A job is the work of one step of a run. These are yours in %s.", v.Workspace)
}

// noneLikeThat is what stands there when the state that was chosen has no job.
func (v jobsView) noneLikeThat(ctx context.Context) ui.EmptyProps {
	empty := ui.EmptyProps{Text: t(ctx, "No job is like that."), Action: ui.ButtonProps{Text: t(ctx, "Show all jobs"), Href: v.List.Path}}
	if v.Status == string(query.JobStatusPendingReview) {
		empty.Text = t(ctx, "Nothing waits for your review. A result that is held until you have looked at it will appear here.")
	}
	return empty
}

func (v jobsView) statuses(ctx context.Context) []ui.Option {
	out := []ui.Option{{Value: "", Text: t(ctx, "In any state")}}
	for _, s := range query.AllJobStatus {
		out = append(out, ui.Option{Value: string(s), Text: jobStatuses[s].In(ctx).Text, Selected: v.Status == string(s)})
	}
	return out
}

// Names of steps that the service makes up: of the stages of a shot behind its id, of the cut of a film, and of a node
// that runs by itself.
var (
	shotStep = regexp.MustCompile(`^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-(image|speech|clip|sound)$`)
	cutStep  = regexp.MustCompile(`^cut(?:-([0-9]{1,3}))?$`)
)

const aloneStep = "node"

// shotStages are the stages of a shot in words.
var shotStages = map[string]string{
	"image": mark("The picture of a shot"), "speech": mark("The speech of a shot"), "clip": mark("The clip of a shot"), "sound": mark("The sound of a shot"),
}

// rawID is an id, or most of one, within a name: nothing that people read.
var rawID = regexp.MustCompile(`[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}|[0-9a-fA-F]{12}`)

// jobStep is the step of a job in words; empty where its name says nothing.
func jobStep(ctx context.Context, j query.JobRow) string {
	if of := shotStep.FindStringSubmatch(j.NodeId); of != nil {
		return t(ctx, shotStages[of[1]])
	}
	if of := cutStep.FindStringSubmatch(j.NodeId); of != nil && j.JobType == "freecut-export" {
		if of[1] == "" {
			return t(ctx, "The cut of a film")
		}
		return t(ctx, "The cut of a film, part %s", of[1])
	}
	if j.NodeId == aloneStep || rawID.MatchString(j.NodeId) {
		return ""
	}
	return frame.Brief(nodeform.NameInWords(j.NodeId))
}
