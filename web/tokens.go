package web

import (
	"net/http"
	"strconv"

	"atelier/web/query"
	"atelier/web/ui"
)

// mostTokens is how many tokens an account may hold (contract 1, "Limits").
const mostTokens = 10

func (c *Console) tokens(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Tokens(r.Context(), c.client)
	if err != nil {
		return err
	}
	return c.page(w, r, res.Shell, page{Title: "API tokens", Section: sectionTokens}, tokensContent(res.ApiTokens, c.now()))
}

// boundChoices are the spaces that a token may be bound to: none, or a workspace.
func (c *Console) boundChoices(r *http.Request, shell query.Shell, chosen string) (choices, error) {
	if shell.Me.Memberships == nil {
		return choices{}, nil
	}
	spaces, err := c.ownChoices(r, chosen)
	if err == nil && len(spaces.Options) > 0 {
		spaces.Options = append([]ui.Option{{Value: "", Text: "No space"}}, spaces.Options...)
	}
	return spaces, err
}

func (c *Console) newToken(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Frame(r.Context(), c.client)
	if err != nil {
		return err
	}
	spaces, err := c.boundChoices(r, res.Shell, formOf(r).Value("workspaceId", ""))
	if err != nil {
		return err
	}
	return c.page(w, r, res.Shell, page{Title: "New token", Section: sectionTokens}, newTokenContent(spaces, formOf(r)))
}

// rateOf reads how many runs a minute a token may start.
func rateOf(r *http.Request) (int, error) {
	n, err := strconv.Atoi(text(r, "rateLimit"))
	if err != nil || n < 1 || n > 120 {
		return 0, invalid("rateLimit", "Write a whole number from 1 to 120.")
	}
	return n, nil
}

// createToken shows the new token, this once.
func (c *Console) createToken(w http.ResponseWriter, r *http.Request) error {
	rate, err := rateOf(r)
	if err != nil {
		return again(w, r, err, c.newToken)
	}
	made, err := query.CreateApiToken(r.Context(), c.client, query.CreateApiTokenInput{
		Name: text(r, "name"), RateLimit: &rate, WorkspaceId: textOrNil(r, "workspaceId"), WorkflowIds: lines(text(r, "workflowIds")),
	})
	if err != nil {
		return again(w, r, itemRefusal(err), c.newToken)
	}
	res, err := query.Frame(r.Context(), c.client)
	if err != nil {
		return err
	}
	out := made.CreateApiToken
	return c.page(w, r, res.Shell, page{Title: out.ApiToken.Name, Section: sectionTokens}, tokenSecretContent(out.ApiToken, out.Token, c.config.PublicURL))
}

// findToken is one of the person's tokens.
func (c *Console) findToken(r *http.Request) (query.Shell, query.TokenRow, error) {
	res, err := query.Tokens(r.Context(), c.client)
	if err != nil {
		return query.Shell{}, query.TokenRow{}, err
	}
	for _, t := range res.ApiTokens {
		if t.Id == pathID(r) {
			return res.Shell, t, nil
		}
	}
	return query.Shell{}, query.TokenRow{}, errNotFound
}

func (c *Console) tokenPage(w http.ResponseWriter, r *http.Request) error {
	shell, token, err := c.findToken(r)
	if err != nil {
		return err
	}
	spaces, err := c.boundChoices(r, shell, formOf(r).Value("workspaceId", deref(token.WorkspaceId)))
	if err != nil {
		return err
	}
	return c.page(w, r, shell, page{Title: token.Name, Section: sectionTokens}, tokenContent(token, spaces, formOf(r), c.now()))
}

func (c *Console) updateToken(w http.ResponseWriter, r *http.Request) error {
	rate, err := rateOf(r)
	if err != nil {
		return again(w, r, err, c.tokenPage)
	}
	if _, err := query.UpdateApiToken(r.Context(), c.client, pathID(r), text(r, "name"), rate, textOrNil(r, "workspaceId")); err != nil {
		return again(w, r, err, c.tokenPage)
	}
	return c.done(w, "/tokens", "The token is saved.")
}

func (c *Console) revokeTokenPage(w http.ResponseWriter, r *http.Request) error {
	shell, token, err := c.findToken(r)
	if err != nil {
		return err
	}
	return c.page(w, r, shell, page{Title: "Revoke " + token.Name, Section: sectionTokens}, revokeTokenContent(token))
}

func (c *Console) revokeToken(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteApiToken(r.Context(), c.client, pathID(r)); err != nil {
		return again(w, r, err, c.revokeTokenPage)
	}
	return c.done(w, "/tokens", "The token is revoked. It stopped working at once.")
}
