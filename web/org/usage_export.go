package org

import (
	"io"
	"net/http"
	"strconv"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// ExportOrganizationUsage sends a report as a file. The log knows of it before the first line leaves.
func (c Pages) ExportOrganizationUsage(w http.ResponseWriter, r *http.Request) error {
	id, f := frame.PathID(r), usageFilterOf(r.Context(), r.PostForm, ui.ZoneFrom(r.Context()), c.Now(), "workspace")
	if _, err := query.RecordUsageExport(r.Context(), c.Client, &id, nil, f.Query()); err != nil {
		return c.notExported(w, r, err, "/orgs/"+id+"/usage")
	}
	slug, form := "", sheetOf(r)
	return download(w, r, func() file { return c.exportFile(slug, "usage", "csv") }, func(after *string, out io.Writer) (query.PageEnd, error) {
		res, err := query.OrganizationUsagePart(r.Context(), c.Client, id, f.Query(), after)
		if err != nil {
			return query.PageEnd{}, err
		}
		slug = res.Organization.Slug
		return res.Organization.Usage.Rows.PageInfo, usageRecords(out, form, f, res.Organization.Usage.Rows.Nodes, after == nil)
	})
}

// ExportWorkspaceUsage does so for a workspace.
func (c Pages) ExportWorkspaceUsage(w http.ResponseWriter, r *http.Request) error {
	id, f := frame.PathID(r), usageFilterOf(r.Context(), r.PostForm, ui.ZoneFrom(r.Context()), c.Now(), "day")
	f.Values.Del("workspace") // the address has it
	if _, err := query.RecordUsageExport(r.Context(), c.Client, nil, &id, f.Query()); err != nil {
		return c.notExported(w, r, err, "/workspaces/"+id+"/usage")
	}
	slug, form := "", sheetOf(r)
	return download(w, r, func() file { return c.exportFile(slug, "usage", "csv") }, func(after *string, out io.Writer) (query.PageEnd, error) {
		res, err := query.WorkspaceUsagePart(r.Context(), c.Client, id, f.Query(), after)
		if err != nil {
			return query.PageEnd{}, err
		}
		slug = res.Workspace.Slug
		return res.Workspace.Usage.Rows.PageInfo, usageRecords(out, form, f, res.Workspace.Usage.Rows.Nodes, after == nil)
	})
}

// usageRecords are the columns of the API's rows, in their order.
func usageRecords(out io.Writer, form sheet, f *usageFilter, lines []query.UsageLine, first bool) error {
	var rows [][]string
	runs := f.Group() == "runs"
	if first && runs {
		rows = append(rows, []string{"runId", "createdAt", "userId", "workspaceId", "model", "credits", "settledCredits", "inFlightCredits"})
	} else if first {
		rows = append(rows, []string{"key", "label", "credits", "settledCredits", "inFlightCredits"})
	}
	for _, l := range lines {
		row := []string{frame.Value(l.Key), frame.Value(l.Label)}
		if runs {
			row = []string{frame.Value(l.RunId), frame.Value(l.CreatedAt).UTC().Format("2006-01-02T15:04:05.000Z"), frame.Value(l.UserId),
				frame.Value(l.WorkspaceId), frame.Value(l.Model)}
		}
		rows = append(rows, append(row, form.number(l.Credits), form.number(l.SettledCredits), form.number(l.InFlightCredits)))
	}
	return form.write(out, first, rows...)
}

// exportRefusal is why there is no file, and what to do.
type exportRefusal struct {
	Title, Text string
	Wait        string // until when it is worth trying again
	Form        ui.FormProps
	Back        string
}

// notExported shows why a report was not made into a file. Nothing of it has left.
func (c Pages) notExported(w http.ResponseWriter, r *http.Request, err error, back string) error {
	e, known := frame.Refused(err)
	refusal := exportRefusal{
		Title: t(r.Context(), "The file was not made"), Back: frame.AddressWith(back, r.PostForm),
		Form: ui.FormProps{Action: back + "/export"},
	}
	for _, name := range append([]string{sheetField}, usageFields...) {
		if s := r.PostForm.Get(name); s != "" {
			refusal.Form.Hidden = append(refusal.Form.Hidden, ui.Hidden{Name: name, Value: s})
		}
	}
	switch {
	case known && e.Status == http.StatusTooManyRequests:
		wait := e.RetryAfter.Round(time.Second)
		if wait <= 0 {
			wait = time.Minute
		}
		w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())))
		refusal.Text = tn(r.Context(), "Ten files a minute is the most for one person, and these were ten. Nothing was sent. Wait %d second, then save it once more.",
			"Ten files a minute is the most for one person, and these were ten. Nothing was sent. Wait %d seconds, then save it once more.", int(wait.Seconds()))
	case known && e.Code == "audit_unavailable":
		refusal.Text = t(r.Context(), "Each file that leaves is written into the audit log first, and just now that could not be done. Nothing was sent. "+
			"Try once more in a moment; if it stays like this, tell the people who run this install.")
	default:
		return err
	}
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return e
	}
	at := frame.Page{Title: refusal.Title, Section: frame.SectionUsage, Status: e.Status}
	if space := frame.SpaceOf(r); space.Workspace != "" {
		at.Workspace, at.Section = space.Workspace, frame.SectionWorkspace
	} else {
		at.Org = frame.PathID(r)
	}
	return c.Page(w, r, c.Placed(r, res.Shell, at.Org, at.Workspace), at, notExportedContent(refusal))
}
