package frame

import (
	"io"
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
	return SendFile(w, "application/zip", name, file)
}

// SendFile answers with a file to keep, however long that takes. One that breaks off breaks the connection, for half a
// file must not pass for a whole one.
func SendFile(w http.ResponseWriter, kind, name string, file io.WriterTo) error {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	if _, err := file.WriteTo(w); err != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}
