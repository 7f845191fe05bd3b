package web

import (
	"net/http"

	"atelier/web/query"
)

// showSecret shows a signing secret, this once.
func (c *Console) showSecret(w http.ResponseWriter, r *http.Request, title string, made query.EndpointSecret, more string) error {
	res, err := query.Frame(r.Context(), c.client)
	if err != nil {
		return err
	}
	p := page{Title: title, Section: sectionWebhooks}
	return c.page(w, r, res.Shell, p, webhookSecretContent(title, made, more))
}
