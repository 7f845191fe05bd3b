package flow

import (
	"context"
	"mime/multipart"
	"net/http"

	"atelier/web/frame"
	"atelier/web/nodeform"
)

// keepFiles uploads the files of a form and puts their addresses into its fields.
func (c Pages) keepFiles(r *http.Request, controls []nodeform.Control) error {
	if c.Config.Upload == nil || r.MultipartForm == nil {
		return nil
	}
	for _, field := range controls {
		if field.Kind != nodeform.ControlFile {
			continue
		}
		for _, header := range r.MultipartForm.File[field.Name+"-file"] {
			if header.Size == 0 {
				continue
			}
			address, err := c.keepFile(r.Context(), header)
			if e, known := frame.Refused(err); err != nil && known {
				return frame.Invalid(field.Name+"-file", e.Message)
			} else if err != nil {
				return err
			}
			r.PostForm.Set(field.Name, address)
		}
	}
	return nil
}

func (c Pages) keepFile(ctx context.Context, header *multipart.FileHeader) (string, error) {
	file, err := header.Open()
	if err != nil {
		return "", err
	}
	defer file.Close()
	return c.Config.Upload(ctx, file)
}
