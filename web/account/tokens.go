package account

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// maxTokens is how many tokens an account may hold (contract 1, "Limits").
const maxTokens = 10

// Tokens lists the person's API tokens.
func (c Pages) Tokens(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Tokens(r.Context(), c.Client)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "API tokens"), Section: frame.SectionTokens}, tokensContent(res.ApiTokens, c.Now()))
}

// boundChoices are the spaces that a token may be bound to: none, or a workspace.
func (c Pages) boundChoices(r *http.Request, shell query.Shell, found query.Choices, chosen string) frame.Choices {
	if shell.Me.Memberships == nil {
		return frame.Choices{}
	}
	spaces := c.WorkspaceChoices(r, found, chosen)
	if len(spaces.Options) > 0 {
		spaces.Options = append([]ui.Option{{Value: "", Text: t(r.Context(), "No space")}}, spaces.Options...)
	}
	return spaces
}

// NewToken is the form of a token.
func (c Pages) NewToken(w http.ResponseWriter, r *http.Request) error {
	typed := frame.FormOf(r)
	if typed.Values == nil && r.URL.Query().Has("findWorkflow") {
		typed.Values = r.URL.Query() // what was typed before workflows were looked for
	}
	find := strings.TrimSpace(typed.Value("findWorkflow", ""))
	res, err := query.NewToken(r.Context(), c.Client, frame.FindOf(r), find)
	if err != nil {
		return err
	}
	v := newTokenView{
		Form: typed, Spaces: c.boundChoices(r, res.Shell, res.Workspaces, typed.Value("workspaceId", "")), Find: find,
		Workflows: workflowChoices(res.Search.Workflows, res.Workflows, typed.Values["workflowIds"]), Today: c.Now().In(ui.OrUTC(ui.ZoneFrom(r.Context()))).Format(time.DateOnly),
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "New token"), Section: frame.SectionTokens}, newTokenContent(v))
}

// newTokenView is the form of a token.
type newTokenView struct {
	Form   frame.Form
	Spaces frame.Choices
	// Workflows are those to choose from: the chosen ones first, then what was found.
	Workflows []ui.Option
	Find      string
	Today     string
}

// workflowChoices are the workflows of a form, each as its id and its name, which comes back with the form: so the chosen
// ones are shown whatever is looked for.
func workflowChoices(found []query.FoundWorkflow, here query.TokenWorkflows, chosen []string) []ui.Option {
	var out []ui.Option
	listed := map[string]bool{}
	add := func(id, name string, selected bool) {
		if !listed[id] && len(out) < 100 {
			listed[id] = true
			out = append(out, ui.Option{Value: id + "|" + name, Text: name, Selected: selected})
		}
	}
	for _, value := range chosen {
		id, name, _ := strings.Cut(value, "|")
		add(id, frame.Or(name, id), true)
	}
	for _, w := range found {
		add(w.Id, w.Name, false)
	}
	for _, w := range here.Nodes {
		add(w.Id, w.Name, false)
	}
	return out
}

// chosenWorkflows are the ids that a form chooses.
func chosenWorkflows(r *http.Request) []string {
	var out []string
	for _, value := range r.PostForm["workflowIds"] {
		if id, _, _ := strings.Cut(value, "|"); id != "" {
			out = append(out, id)
		}
	}
	return out
}

// expiryOf reads until when a token works: to the end of the day that was typed, in the reader's zone.
func expiryOf(r *http.Request) (*time.Time, error) {
	typed := frame.Text(r, "expiresOn")
	if typed == "" {
		return nil, nil
	}
	day, err := time.ParseInLocation(time.DateOnly, typed, ui.OrUTC(ui.ZoneFrom(r.Context())))
	if err != nil {
		return nil, frame.Invalid("expiresOn", t(r.Context(), "Write the day as year-month-day, such as 2030-06-30."))
	}
	end := day.AddDate(0, 0, 1)
	return &end, nil
}

// rateOf reads how many runs a minute a token may start.
func rateOf(r *http.Request) (int, error) {
	n, err := strconv.Atoi(frame.Text(r, "rateLimit"))
	if err != nil || n < 1 || n > 120 {
		return 0, frame.Invalid("rateLimit", t(r.Context(), "Write a whole number from 1 to 120."))
	}
	return n, nil
}

// CreateToken shows the new token, this once.
func (c Pages) CreateToken(w http.ResponseWriter, r *http.Request) error {
	rate, err := rateOf(r)
	if err != nil {
		return frame.Again(w, r, err, c.NewToken)
	}
	expires, err := expiryOf(r)
	if err != nil {
		return frame.Again(w, r, err, c.NewToken)
	}
	made, err := query.CreateApiToken(r.Context(), c.Client, query.CreateApiTokenInput{
		Name: frame.Text(r, "name"), RateLimit: &rate, WorkspaceId: frame.TextOrNil(r, "workspaceId"), WorkflowIds: chosenWorkflows(r), ExpiresAt: expires,
	})
	if err != nil {
		err = frame.ItemRefusal(r.Context(), err)
		if e, refused := frame.Refused(err); refused && e.Field == "expiresAt" {
			err = frame.Invalid("expiresOn", t(r.Context(), "Choose a day from today on, within ten years."))
		}
		return frame.Again(w, r, err, c.NewToken)
	}
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	out := made.CreateApiToken
	frame.HoldSecret(w)
	return c.Page(w, r, res.Shell, frame.Page{Title: out.ApiToken.Name, Section: frame.SectionTokens}, tokenSecretContent(out.ApiToken, out.Token, c.Config.PublicURL))
}

// tokenOf is the one of the person's tokens that the address names.
func tokenOf(r *http.Request, tokens []query.TokenRow) (query.TokenRow, error) {
	for _, t := range tokens {
		if t.Id == frame.PathID(r) {
			return t, nil
		}
	}
	return query.TokenRow{}, frame.ErrNotFound
}

// TokenPage shows one token and changes it.
func (c Pages) TokenPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.TokenPage(r.Context(), c.Client, frame.FindOf(r), frame.PathID(r))
	if err != nil {
		return err
	}
	i := slices.IndexFunc(res.ApiTokens, func(t query.TokenDetail) bool { return t.Id == frame.PathID(r) })
	if i < 0 {
		return frame.ErrNotFound
	}
	token := res.ApiTokens[i]
	spaces := c.boundChoices(r, res.Shell, res.Workspaces, frame.FormOf(r).Value("workspaceId", frame.Value(token.WorkspaceId)))
	at := frame.Page{Title: token.Name, Section: frame.SectionTokens}
	return c.Page(w, r, res.Shell, at, tokenContent(token, spaces, res.ApiTokenCalls, frame.FormOf(r), c.Now()))
}

// UpdateToken saves the name, the rate and the space of a token.
func (c Pages) UpdateToken(w http.ResponseWriter, r *http.Request) error {
	rate, err := rateOf(r)
	if err != nil {
		return frame.Again(w, r, err, c.TokenPage)
	}
	if _, err := query.UpdateApiToken(r.Context(), c.Client, frame.PathID(r), frame.Text(r, "name"), rate, frame.TextOrNil(r, "workspaceId")); err != nil {
		return frame.Again(w, r, err, c.TokenPage)
	}
	return c.Done(w, "/tokens", t(r.Context(), "The token is saved."))
}

// RevokeTokenPage asks before a token is revoked.
func (c Pages) RevokeTokenPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Tokens(r.Context(), c.Client)
	if err != nil {
		return err
	}
	token, err := tokenOf(r, res.ApiTokens)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Revoke %s", token.Name), Section: frame.SectionTokens}, revokeTokenContent(token))
}

// RevokeToken ends a token at once.
func (c Pages) RevokeToken(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteApiToken(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.RevokeTokenPage)
	}
	return c.Done(w, "/tokens", t(r.Context(), "The token is revoked. It stopped working at once."))
}
