package developer

import "net/http"

// Events is the catalogue of events.
func (p Pages) Events(w http.ResponseWriter, r *http.Request) error {
	made, err := p.APIReference()
	if err != nil {
		return err
	}
	return p.show(w, r, t(r.Context(), "Events"), always(eventsContent(made.Events())))
}

// checkInPython is the check of a signature in two lines.
const checkInPython = `signed = f"{t}.".encode() + body
fits = hmac.compare_digest(v1, hmac.new(secret.encode(), signed, "sha256").hexdigest())`
