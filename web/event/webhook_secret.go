package event

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// showSecret shows a signing secret, this once.
func (c Pages) showSecret(w http.ResponseWriter, r *http.Request, title string, made query.EndpointSecret, more string) error {
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	p := frame.Page{Title: title, Section: frame.SectionWebhooks}
	frame.HoldSecret(w)
	return c.Page(w, r, res.Shell, p, webhookSecretContent(title, made, more))
}
