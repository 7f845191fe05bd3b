package flow

import (
	"context"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// resultsView is a gallery of what runs made in a space.
type resultsView struct {
	At    frame.Place
	Space string
	Scope query.ResultScope
	Kind  string
	Rows  []ui.Made
	Next  string
	// Everyone is set for admins of the workspace, who may see what all its members made.
	Everybody bool
	// Download offers to save several at once; Form has what was wrong with that.
	Download bool
	Form     frame.Form
	// All is the page with every result selected.
	All string
}

// Results is a gallery of what one made in a space, and of what was shared there.
func (c Pages) Results(w http.ResponseWriter, r *http.Request) error {
	scope, kind := resultScope(r.URL.Query()), resultKind(r.URL.Query())
	res, err := query.Results(r.Context(), c.Client, frame.After(r), scope, kind)
	if err != nil {
		return err
	}
	allowMedia(w)
	at := frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")
	v := resultsView{At: at, Space: frame.SpaceName(r.Context(), at), Scope: scope, Next: frame.NextHref(r, res.Results.PageInfo)}
	v.Everybody = at.Workspace != nil && frame.Value(at.Workspace.Role) == query.WorkspaceRoleAdmin
	v.Download, v.Form = c.Config.ExportResults != nil, frame.FormOf(r)
	v.All = frame.AddressWith(frame.Here(r.Context(), "/results"), r.URL.Query(), "all", "1")
	if kind != nil {
		v.Kind = string(*kind)
	}
	for _, row := range res.Results.Nodes {
		m := c.made(r.Context(), row, scope)
		m.Picked = r.URL.Query().Get("all") != "" || slices.Contains(v.Form.Values["id"], row.Id)
		v.Rows = append(v.Rows, m)
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Results"), Section: frame.SectionRuns, List: "/results"}, resultsContent(v, c.Now()))
}

// bulkResults is the form that the boxes of the tiles belong to.
const bulkResults = "bulk-results"

// DownloadResults sends the chosen results as one file.
func (c Pages) DownloadResults(w http.ResponseWriter, r *http.Request) error {
	if c.Config.ExportResults == nil {
		return frame.ErrNotFound
	}
	ids := r.PostForm["id"]
	if len(ids) == 0 {
		return frame.Again(w, r, frame.Invalid("id", t(r.Context(), "Choose at least one result.")), c.Results)
	}
	file, name, err := c.Config.ExportResults(r.Context(), ids)
	if err != nil {
		return frame.Again(w, r, err, c.Results)
	}
	return frame.SendFile(w, "application/zip", name, file)
}

func resultScope(values url.Values) query.ResultScope {
	switch s := query.ResultScope(values.Get("scope")); s {
	case query.ResultScopeShared, query.ResultScopeAll:
		return s
	}
	return query.ResultScopeMine
}

func resultKind(values url.Values) *query.ResultKind {
	for _, k := range query.AllResultKind {
		if values.Get("kind") == string(k) {
			return &k
		}
	}
	return nil
}

// made is a result as a tile. One's own leads to its run, and so does everyone's for an admin; what was shared has a
// page of its own.
func (c Pages) made(ctx context.Context, row query.ResultTile, scope query.ResultScope) ui.Made {
	m := ui.Made{
		Href: "/results/" + row.Id, Title: frame.RunTitle(ctx, &row), About: frame.Value(row.Subject), Kind: string(row.Kind),
		Src: c.ShownMedia(row.Url), Excerpt: frame.Value(row.Excerpt), At: row.CreatedAt,
	}
	if row.Mine || scope == query.ResultScopeAll {
		m.Href = "/runs/" + row.Id
	}
	if !row.Mine {
		m.By = row.StartedBy.DisplayName
	}
	if c.Config.ExportResults != nil {
		m.Pick, m.PickForm = row.Id, bulkResults
	}
	m.Shared = row.SharedAt != nil && scope != query.ResultScopeShared
	return m
}

// tab is the address of one of the lists, with the kind that is shown.
func (v resultsView) address(here string, scope query.ResultScope, kind string) string {
	q := url.Values{}
	if scope != query.ResultScopeMine {
		q.Set("scope", string(scope))
	}
	if kind != "" {
		q.Set("kind", kind)
	}
	if len(q) == 0 {
		return here
	}
	return here + "?" + q.Encode()
}

// resultKinds are the kinds in the order of their chips.
var resultKinds = []struct{ Kind, Text string }{
	{"", markc("files", "Everything")}, {"image", markc("files", "Pictures")}, {"video", markc("files", "Videos")}, {"audio", markc("files", "Sounds")},
	{"text", markc("files", "Texts")}, {"file", markc("files", "Files")},
}

// ResultPage shows something that a person made.
func (c Pages) ResultPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ResultPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	allowMedia(w)
	d := res.Result
	at := frame.Place{Words: frame.PlainWords}
	if id := frame.Value(d.WorkspaceId); id != "" {
		at = frame.PlaceOf(r, c.Placed(r, res.Shell, "", id), "", id)
	}
	v := resultView{
		Row: d, At: at, Title: runTitle(r.Context(), &d),
		Result: result{Name: frame.RunTitle(r.Context(), &d), Kind: string(d.Kind), Text: frame.Value(d.Text)},
	}
	if d.Url != nil {
		v.Result.Address, v.Result.Embedded = c.MediaAddress(*d.Url)
	}
	v.Result.File = resultFile(d.Title, d.Subject, path.Ext(v.Result.Address))
	return c.Page(w, r, res.Shell, frame.Page{Title: v.Title, Section: frame.SectionRuns, Workspace: frame.Value(d.WorkspaceId)}, resultPageContent(v))
}

// resultView is something that a person made.
type resultView struct {
	Row    query.ResultDetail
	At     frame.Place
	Title  string
	Result result
}

// lead says who made it, and where.
func (v resultView) lead(ctx context.Context) string {
	in := v.At.Workspace
	switch {
	case v.Row.Mine && in != nil:
		return t(ctx, "Made by you in %s", in.Name)
	case v.Row.Mine:
		return t(ctx, "Made by you")
	case in != nil:
		return t(ctx, "Made by %s in %s", v.Row.StartedBy.DisplayName, in.Name)
	}
	return t(ctx, "Made by %s", v.Row.StartedBy.DisplayName)
}

// ResultText is a text as a file.
func (c Pages) ResultText(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ResultText(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	if res.Result.Text == nil {
		return frame.ErrNotFound
	}
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": resultFile(res.Result.Title, res.Result.Subject, ".txt")}))
	_, err = io.WriteString(w, *res.Result.Text)
	return err
}
