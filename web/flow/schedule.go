package flow

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/gorilla/mux"
)

// rulePrefix begins the names of the fields of rules.
const rulePrefix = "rules"

// schedulesView is the page of a workflow's schedules.
type schedulesView struct {
	Flow query.ScheduledWorkflow
	Tabs workflowTabs
	Rows []scheduleLine
	List frame.Listing
	Form frame.Form
	Zone string // the reader's
}

// scheduleLine is a schedule under the name of its node.
type scheduleLine struct {
	query.ScheduleRow
	Name string
}

func (s scheduleLine) href() string { return "/workflows/" + s.WorkflowId + "/schedules/" + s.Id }

func (s scheduleLine) byHand() bool { return s.NodeId == nil }

// title is when it runs, or the name of one that cannot be read.
func (s scheduleLine) title() string { return frame.Or(frame.Value(s.Words), s.Name) }

// scheduleLineOf names a schedule, and says in the reader's language when it runs or why it cannot.
func (c Pages) scheduleLineOf(r *http.Request, row query.ScheduleRow, nodes []query.FlowNode, k nodeform.Kinds) scheduleLine {
	ctx, words := r.Context(), timetableWords(r.Context(), row)
	row.ParkedReason = c.inWords(r, row.ParkedReason)
	if row.Words != nil {
		row.Words = &words
	}
	if row.NodeId == nil {
		return scheduleLine{row, t(ctx, "Made by hand")}
	}
	return scheduleLine{row, frame.Or(nodeform.NodeNames(nodes, k)[*row.NodeId], t(ctx, "A node"))}
}

// Schedules lists the timetables of a workflow.
func (c Pages) Schedules(w http.ResponseWriter, r *http.Request) error {
	id := frame.PathID(r)
	list := frame.ListingOf(r, "/workflows/"+id+"/schedules", 20)
	res, err := query.SchedulesPage(r.Context(), c.Client, id, list.After(), 1)
	if err != nil {
		return err
	}
	flow := res.Workflow
	flow.WhyNotRun = c.inWords(r, flow.WhyNotRun)
	list.Loaded(flow.Schedules.PageInfo, len(flow.Schedules.Nodes), flow.Schedules.TotalCount)
	v := schedulesView{
		Flow: flow, List: list, Form: frame.FormOf(r), Zone: ui.OrUTC(ui.ZoneFrom(r.Context())).String(),
		Tabs: workflowTabs{flow.Id, flow.Name, tabSchedules, res.Me.Memberships != nil, flow.ViewerCan.Publish, flow.ViewerCan.Edit},
	}
	for _, row := range flow.Schedules.Nodes {
		v.Rows = append(v.Rows, c.scheduleLineOf(r, row, flow.Nodes, nodeform.KindsOf(res.NodeTypes)))
	}
	at := frame.Page{Title: t(r.Context(), "Schedules of %s", flow.Name), Section: frame.SectionWorkflows, Workspace: frame.Value(flow.WorkspaceId)}
	return c.Page(w, r, res.Shell, at, schedulesContent(v))
}

// scheduleConfig is the config of a form. A part that was emptied is taken back.
func scheduleConfig(r *http.Request) map[string]any {
	config := map[string]any{"rules": nodeform.RulesIn(rulePrefix, r.PostForm), "timezone": nil, "maxExecutions": nil}
	if zone := frame.Text(r, "timezone"); zone != "" {
		config["timezone"] = zone
	}
	if most := strings.TrimSpace(frame.Text(r, "maxExecutions")); most != "" {
		config["maxExecutions"] = nodeform.NumberOrText(most)
	}
	return config
}

// MakeSchedule makes a schedule that belongs to no node.
func (c Pages) MakeSchedule(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.MakeSchedule(r.Context(), c.Client, frame.PathID(r), scheduleConfig(r)); err != nil {
		return frame.Again(w, r, scheduleRefusal(r.Context(), err, rulePrefix, r.PostForm), c.Schedules)
	}
	return c.Done(w, "/workflows/"+frame.PathID(r)+"/schedules", t(r.Context(), "The schedule is made, and on."))
}

// scheduleView is one schedule with what became of its minutes.
type scheduleView struct {
	Flow     query.WorkflowHead
	Schedule scheduleLine
	Fires    []query.ScheduleFireRow
	List     frame.Listing
	Form     frame.Form
	Zone     *time.Location // of the schedule
}

func scheduleID(r *http.Request) string { return mux.Vars(r)["schedule"] }

// SchedulePage shows one schedule.
func (c Pages) SchedulePage(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, "/workflows/"+frame.PathID(r)+"/schedules/"+scheduleID(r), 20)
	res, err := query.SchedulePage(r.Context(), c.Client, scheduleID(r), frame.PathID(r), list.After(), 5)
	if err != nil {
		return err
	}
	found := res.Trigger
	if found.WorkflowId != res.Workflow.Id {
		return frame.ErrNotFound
	}
	list.Loaded(found.Fires.PageInfo, len(found.Fires.Nodes), found.Fires.TotalCount)
	v := scheduleView{
		Flow: res.Workflow, Schedule: c.scheduleLineOf(r, found.ScheduleRow, res.Workflow.Nodes, nodeform.KindsOf(res.NodeTypes)),
		Fires: found.Fires.Nodes, List: list, Form: frame.FormOf(r), Zone: ui.OrUTC(ui.Zone(frame.Value(found.Timezone))),
	}
	at := frame.Page{Title: t(r.Context(), "A schedule of %s", res.Workflow.Name), Section: frame.SectionWorkflows, Workspace: frame.Value(res.Workflow.WorkspaceId)}
	return c.Page(w, r, res.Shell, at, scheduleContent(v))
}

// ChangeSchedule gives a schedule that was made by hand other rules.
func (c Pages) ChangeSchedule(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.ChangeSchedule(r.Context(), c.Client, scheduleID(r), scheduleConfig(r)); err != nil {
		return frame.Again(w, r, scheduleRefusal(r.Context(), err, rulePrefix, r.PostForm), c.SchedulePage)
	}
	return c.Done(w, "/workflows/"+frame.PathID(r)+"/schedules/"+scheduleID(r), t(r.Context(), "The schedule is changed."))
}

// SwitchSchedule pauses or resumes a schedule.
func (c Pages) SwitchSchedule(w http.ResponseWriter, r *http.Request) error {
	on := frame.Text(r, "active") == "1"
	if _, err := query.SwitchSchedule(r.Context(), c.Client, scheduleID(r), on); err != nil {
		return frame.Again(w, r, err, c.SchedulePage)
	}
	said := t(r.Context(), "It is paused: no minute starts a run until it is resumed.")
	if on {
		said = t(r.Context(), "It is on again, from the next minute that its rules name.")
	}
	return c.Done(w, "/workflows/"+frame.PathID(r)+"/schedules/"+scheduleID(r), said)
}

// DeleteSchedulePage asks before a schedule that was made by hand is deleted.
func (c Pages) DeleteSchedulePage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.SchedulePage(r.Context(), c.Client, scheduleID(r), frame.PathID(r), nil, 0)
	if err != nil {
		return err
	}
	s := c.scheduleLineOf(r, res.Trigger.ScheduleRow, res.Workflow.Nodes, nodeform.KindsOf(res.NodeTypes))
	at := frame.Page{Title: t(r.Context(), "Delete the schedule"), Section: frame.SectionWorkflows, Workspace: frame.Value(res.Workflow.WorkspaceId)}
	return c.Page(w, r, res.Shell, at, deleteScheduleContent(s, frame.FormOf(r)))
}

// RemoveSchedule deletes a schedule that was made by hand.
func (c Pages) RemoveSchedule(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.RemoveSchedule(r.Context(), c.Client, scheduleID(r)); err != nil {
		return frame.Again(w, r, err, c.DeleteSchedulePage)
	}
	return c.Done(w, "/workflows/"+frame.PathID(r)+"/schedules", t(r.Context(), "The schedule is deleted."))
}

// clockWords say what the clocks do on the way to a minute; "" when nothing that matters.
func clockWords(ctx context.Context, m query.NextMinute) string {
	var said []string
	switch {
	case m.ClockShift > 0:
		said = append(said, t(ctx, "Clocks have gone forward by %s before it.", minutesWord(ctx, m.ClockShift)))
	case m.ClockShift < 0:
		said = append(said, t(ctx, "Clocks have gone back by %s before it.", minutesWord(ctx, -m.ClockShift)))
	}
	if m.Skipped > 0 {
		said = append(said, tn(ctx, "%[2]s is not on the clock that day, so it is left out.",
			"%d minutes from %[2]s on are not on the clock, so they are left out.", m.Skipped, localWords(ctx, frame.Value(m.FirstSkipped))))
	}
	if m.Repeated > 0 {
		said = append(said, tn(ctx, "The clock shows one of its minutes twice; it runs at the first.",
			"The clock shows %d of its minutes twice; each runs once.", m.Repeated))
	}
	return strings.Join(said, " ")
}

func minutesWord(ctx context.Context, n int) string {
	if n%60 == 0 {
		return tn(ctx, "%d hour", "%d hours", n/60)
	}
	return tn(ctx, "%d minute", "%d minutes", n)
}

// localWords is a minute as a clock shows it: "Sun 29 Mar 2026, 02:30".
func localWords(ctx context.Context, local string) string {
	at, err := time.Parse("2006-01-02T15:04", local)
	if err != nil {
		return local
	}
	day := locale.Day(locale.WithZone(ctx, nil), at)
	return tc(ctx, "weekday, day, time", "%s %s, %s", locale.ShortWeekday(ctx, at.Weekday()), day, at.Format("15:04"))
}

// zoneWord is a zone as people read it.
func zoneWord(zone *time.Location) string { return strings.ReplaceAll(zone.String(), "_", " ") }

// fireWord says what became of a minute.
func fireWord(ctx context.Context, f query.ScheduleFireRow) string {
	switch f.Outcome {
	case query.ScheduleOutcomeStarted:
		return t(ctx, "It started a run.")
	case query.ScheduleOutcomeSkippedRunning:
		return t(ctx, "Skipped: the run before it was still going.")
	case query.ScheduleOutcomeSkippedPaused:
		return t(ctx, "Skipped: it was paused just then.")
	case query.ScheduleOutcomeFailed:
		if f.Run == nil || f.Run.ErrorMessage == nil {
			return t(ctx, "The run did not start, for a reason on our side.")
		}
		return frame.Brief(failureSaid(ctx, *f.Run.ErrorMessage, nodeform.NameInWords))
	case query.ScheduleOutcomeMissed:
		if f.Minutes >= 1000 {
			return t(ctx, "%d or more of its minutes passed while the service was not there. They are not made up for.", f.Minutes)
		}
		return tn(ctx, "The service was not there at this minute. It is not made up for.",
			"%d of its minutes passed while the service was not there. They are not made up for.", max(1, f.Minutes))
	}
	return t(ctx, "It is about to start.")
}

func fireTag(ctx context.Context, o query.ScheduleOutcome) (ui.Tone, string) {
	switch o {
	case query.ScheduleOutcomeStarted:
		return ui.OK, tc(ctx, "minute of a schedule", "Ran")
	case query.ScheduleOutcomeFailed:
		return ui.Bad, tc(ctx, "minute of a schedule", "Refused")
	case query.ScheduleOutcomeMissed:
		return ui.Warn, tc(ctx, "minute of a schedule", "Missed")
	case query.ScheduleOutcomeDue:
		return ui.Info, tc(ctx, "minute of a schedule", "Due")
	}
	return ui.Warn, tc(ctx, "minute of a schedule", "Skipped")
}

// maxOf is the kept number of runs after which a schedule stops, as text.
func maxOf(config map[string]any) string {
	if n, ok := config["maxExecutions"].(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return ""
}

// What the page of schedules says at its beginning, and while there are none.
var (
	schedulesLead = mark("When this workflow runs by itself. A minute never starts it twice, and one that finds the run before it still going is skipped.")
	noSchedules   = mark("It runs when someone starts it, and at no time by itself. Make a schedule below, or put a schedule node on the canvas.")
)
