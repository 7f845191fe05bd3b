package frame

import (
	"mime"
	"net/http"
	"time"
)

// SendTakeout sends everything that is stored of the person who asks, or of an organization of theirs.
func (c *Console) SendTakeout(w http.ResponseWriter, r *http.Request, organization string) error {
	if c.Config.Takeout == nil {
		return ErrNotFound
	}
	file, name, err := c.Config.Takeout(r.Context(), organization)
	if err != nil {
		return err
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	if _, err := file.WriteTo(w); err != nil {
		panic(http.ErrAbortHandler) // half an archive must not pass for a whole one
	}
	return nil
}
