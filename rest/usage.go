package rest

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"atelier/csvtext"
	"atelier/models"
	"atelier/models/usage"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
)

// usageRoutes are the reports of what runs cost (contract 3, "Audit, budgets and usage").
func (a *API) usageRoutes() {
	const tag, read = "Usage", models.ScopeWorkspacesRead
	report := reflect.TypeFor[usageBody]()
	handle(a, route{Method: "GET", Path: "/v1/orgs/{id}/usage", Tag: tag, Summary: "What an organization's runs cost", Scope: read, Table: report}, a.getOrganizationUsage)
	handle(a, route{Method: "GET", Path: "/v1/workspaces/{id}/usage", Tag: tag, Summary: "What a workspace's runs cost", Scope: read, Table: report}, a.getWorkspaceUsage)
}

// usageInput is the query of a report.
type usageInput struct {
	IDPath
	From        queryString `query:"from" doc:"The first day, YYYY-MM-DD in the zone; the last 30 days when neither is given. At most 366 days."`
	To          queryString `query:"to" doc:"The last day, inclusive."`
	TZ          queryString `query:"tz" doc:"An IANA time zone; UTC when absent." example:"Europe/Berlin"`
	GroupBy     queryString `query:"groupBy" doc:"workspace (of an organization alone), member, model, day or none, which are single runs; day when absent."`
	WorkspaceID queryString `query:"workspaceId" doc:"Runs of this workspace."`
	UserID      queryString `query:"userId" doc:"Runs of this member."`
	Format      queryString `query:"format" doc:"csv for a table; json when absent."`
	PageQuery

	query usage.Query
}

// Resolve reads the query. A parameter that is there and empty is malformed.
func (in *usageInput) Resolve(ctx huma.Context) []error {
	sent := ctx.URL()
	values := sent.Query()
	for _, name := range []string{"from", "to", "tz", "groupBy", "workspaceId", "userId", "format"} {
		if values.Has(name) && values.Get(name) == "" {
			return []error{problem(ctx.Context(), models.Invalid(name, "must not be empty"))}
		}
	}
	if f := in.Format.Value; f != nil && *f != "csv" && *f != "json" {
		return []error{problem(ctx.Context(), models.Invalid("format", "must be csv or json"))}
	}
	in.query = usage.Query{From: in.From.Value, To: in.To.Value, TZ: in.TZ.Value, GroupBy: (*usage.Group)(in.GroupBy.Value)}
	for _, id := range []struct {
		name string
		sent *string
		into **models.ID
	}{{"workspaceId", in.WorkspaceID.Value, &in.query.WorkspaceID}, {"userId", in.UserID.Value, &in.query.UserID}} {
		if id.sent == nil {
			continue
		}
		parsed, err := models.ParseID(id.name, *id.sent)
		if err != nil {
			return []error{problem(ctx.Context(), err)}
		}
		*id.into = &parsed
	}
	return nil
}

func (in *usageInput) table() bool { return in.Format.Value != nil && *in.Format.Value == "csv" }

// usageReply is a report as JSON or as a table.
type usageReply struct {
	Body func(huma.Context)
}

type usageBody struct {
	Data       usageView `json:"data"`
	NextCursor *string   `json:"nextCursor" doc:"Of single runs; null for groups."`
}

type usageView struct {
	From      string          `json:"from"`
	To        string          `json:"to"`
	TZ        string          `json:"tz"`
	GroupBy   usage.Group     `json:"groupBy"`
	Rows      []usageRowView  `json:"rows"`
	Totals    usageTotalsView `json:"totals" doc:"Of the whole range, however many rows are shown."`
	Truncated bool            `json:"truncated,omitempty" doc:"There are more than 5,000 groups, of which these are the first."`
	Gap       bool            `json:"gap,omitempty" doc:"The run history of deleted members was removed from the range."`
}

// usageRowView is a group, with key and label, or a run.
type usageRowView struct {
	Key             *string            `json:"key,omitempty" doc:"Of a group: the id of a workspace or a member, a model, or a day."`
	Label           *string            `json:"label,omitempty" doc:"Of a group: its name now."`
	RunID           *models.ID         `json:"runId,omitempty" doc:"Of a run: the id of its execution."`
	CreatedAt       *timestamp         `json:"createdAt,omitempty"`
	UserID          *models.ID         `json:"userId,omitempty"`
	WorkspaceID     *models.ID         `json:"workspaceId,omitempty"`
	Model           models.Opt[string] `json:"model,omitzero" nullable:"true" doc:"Of a run: what did most of its work."`
	Credits         models.Credits     `json:"credits" doc:"Settled plus in flight."`
	SettledCredits  models.Credits     `json:"settledCredits"`
	InFlightCredits models.Credits     `json:"inFlightCredits"`
}

type usageTotalsView struct {
	Credits                  models.Credits `json:"credits"`
	SettledCredits           models.Credits `json:"settledCredits"`
	InFlightCredits          models.Credits `json:"inFlightCredits"`
	PlatformAbsorbedCredits  models.Credits `json:"platformAbsorbedCredits" doc:"What metered runs cost beyond the headroom; settled minus it reached the budget."`
	AppMarkupAbsorbedCredits models.Credits `json:"appMarkupAbsorbedCredits" doc:"Markup of approved apps that nothing covered."`
}

func viewUsageRow(row *usage.Row) usageRowView {
	view := usageRowView{Credits: row.Credits, SettledCredits: row.SettledCredits, InFlightCredits: row.InFlightCredits}
	if row.RunID == nil {
		view.Key, view.Label = &row.Key, &row.Label
		return view
	}
	view.RunID, view.CreatedAt, view.UserID, view.WorkspaceID, view.Model = row.RunID, moment(row.CreatedAt), row.UserID, row.WorkspaceID, models.Null[string]()
	if row.Model != nil {
		view.Model = models.Some(*row.Model)
	}
	return view
}

func (a *API) getOrganizationUsage(ctx context.Context, in *usageInput) (*usageReply, error) {
	if in.table() {
		return a.usageFile(ctx, &in.ID, nil, in.query), nil
	}
	report, err := a.query().OrganizationUsage(ctx, in.ID, &in.query, in.first(), in.after())
	return a.showUsage(ctx, report, err)
}

func (a *API) getWorkspaceUsage(ctx context.Context, in *usageInput) (*usageReply, error) {
	if in.table() {
		return a.usageFile(ctx, nil, &in.ID, in.query), nil
	}
	report, err := a.query().WorkspaceUsage(ctx, in.ID, &in.query, in.first(), in.after())
	return a.showUsage(ctx, report, err)
}

func (a *API) showUsage(ctx context.Context, r *usage.Report, err error) (*usageReply, error) {
	if err != nil {
		return nil, err
	}
	t, err := a.Resolver.UsageReport().Totals(ctx, r)
	if err != nil {
		return nil, err
	}
	body := usageBody{NextCursor: r.Rows.Next(), Data: usageView{
		From: r.From, To: r.To, TZ: r.TZ, GroupBy: r.GroupBy, Rows: mapAll(r.Rows.Nodes, viewUsageRow), Truncated: r.Truncated, Gap: r.Gap,
		Totals: usageTotalsView{t.Credits, t.SettledCredits, t.InFlightCredits, t.PlatformAbsorbedCredits, t.AppMarkupAbsorbedCredits},
	}}
	return &usageReply{func(out huma.Context) {
		out.SetHeader("Content-Type", applicationJSON)
		out.SetStatus(http.StatusOK)
		_ = jsonFormat.Marshal(out.BodyWriter(), body)
	}}, nil
}

// The columns of tables are those of the rows in JSON.
var (
	groupColumns = []string{"key", "label", "credits", "settledCredits", "inFlightCredits"}
	runColumns   = []string{"runId", "createdAt", "userId", "workspaceId", "model", "credits", "settledCredits", "inFlightCredits"}
)

func usageRecord(row *usage.Row) []string {
	figures := []string{row.Credits.String(), row.SettledCredits.String(), row.InFlightCredits.String()}
	if row.RunID == nil {
		return append([]string{row.Key, row.Label}, figures...)
	}
	model := ""
	if row.Model != nil {
		model = *row.Model
	}
	return append([]string{row.RunID.String(), timestamp(*row.CreatedAt).String(), row.UserID.String(), row.WorkspaceID.String(), model}, figures...)
}

// usageFile is a report as a table, written page by page. Its first page is read
// before anything leaves, so that a refusal has the contract's form; when a later
// one fails the connection breaks, so that half a file does not pass for a whole.
func (a *API) usageFile(ctx context.Context, organizationID, workspaceID *models.ID, q usage.Query) *usageReply {
	columns := groupColumns
	if q.GroupBy != nil && *q.GroupBy == usage.Runs {
		columns = runColumns
	}
	return &usageReply{func(out huma.Context) {
		r, w := humamux.Unwrap(out)
		control, begun := http.NewResponseController(w), false
		err := a.Resolver.Usage.Export(ctx, organizationID, workspaceID, q, func(rows []*usage.Row) error {
			records := mapAll(rows, usageRecord)
			if !begun {
				begun = true
				_ = control.SetWriteDeadline(time.Time{})
				w.Header().Set("Content-Type", csvtext.Type)
				w.Header().Set("Content-Disposition", `attachment; filename="usage.csv"`)
				records = append([][]string{columns}, records...)
			}
			if err := csvtext.Write(w, records...); err != nil {
				return err
			}
			return control.Flush()
		})
		switch {
		case err != nil && begun:
			panic(http.ErrAbortHandler)
		case err != nil:
			WriteProblem(w, r, err)
		}
	}}
}
