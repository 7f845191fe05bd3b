package org

import (
	"io"
	"net/http"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
)

// ExportMembers sends the list as its filter leaves it. The log knows of it before the first line leaves.
func (c Pages) ExportMembers(w http.ResponseWriter, r *http.Request) error {
	f := memberFilterOf(r.PostForm)
	in := query.RecordExportInput{Kind: query.ExportKindMembers, Format: "csv", Filter: filterWords(r.PostForm, "q", "role", "status", "workspace")}
	if _, err := query.RecordExport(r.Context(), c.Client, frame.PathID(r), in); err != nil {
		return err
	}
	slug, form := "", sheetOf(r)
	return download(w, r, func() file { return c.exportFile(slug, "people", "csv") }, func(after *string, out io.Writer) (query.PageEnd, error) {
		res, err := query.MembersPart(r.Context(), c.Client, frame.PathID(r), f.Search, f.Role, f.Status, f.Workspace, after)
		if err != nil {
			return query.PageEnd{}, err
		}
		slug = res.Organization.Slug
		var rows [][]string
		if after == nil {
			rows = append(rows, []string{"userId", "displayName", "email", "role", "status", "workspaces", "spent", "joinedAt"})
		}
		for _, m := range res.Organization.Members.Nodes {
			rows = append(rows, []string{
				m.User.Id, m.User.DisplayName, m.Email, string(m.Role), string(m.Status), form.number(float64(m.Workspaces)), form.number(m.Spent),
				m.JoinedAt.UTC().Format(time.RFC3339Nano),
			})
		}
		return res.Organization.Members.PageInfo, form.write(out, after == nil, rows...)
	})
}
