package web

import (
	"context"
	"mime/multipart"
	"net/http"
)

// keepFiles uploads the files of a form and puts their addresses into its fields.
func (c *Console) keepFiles(r *http.Request, controls []control) error {
	if c.config.Upload == nil || r.MultipartForm == nil {
		return nil
	}
	for _, field := range controls {
		if field.Kind != controlFile {
			continue
		}
		for _, header := range r.MultipartForm.File[field.Name+"-file"] {
			if header.Size == 0 {
				continue
			}
			address, err := c.keepFile(r.Context(), header)
			if e, known := refused(err); err != nil && known {
				return invalid(field.Name+"-file", e.Message)
			} else if err != nil {
				return err
			}
			r.PostForm.Set(field.Name, address)
		}
	}
	return nil
}

func (c *Console) keepFile(ctx context.Context, header *multipart.FileHeader) (string, error) {
	file, err := header.Open()
	if err != nil {
		return "", err
	}
	defer file.Close()
	return c.config.Upload(ctx, file)
}
