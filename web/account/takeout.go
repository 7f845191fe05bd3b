package account

import "net/http"

// Takeout sends everything that is stored of the person.
func (c Pages) Takeout(w http.ResponseWriter, r *http.Request) error {
	return c.SendTakeout(w, r, "")
}
