package server

import (
	"context"
	"io"

	"atelier/models"
	"atelier/web"
)

// keepUpload keeps a file that somebody chose in the form of an app, as POST /v1/upload does for programs.
func (s *Server) keepUpload(ctx context.Context, r io.Reader) (string, error) {
	flows := s.Resolver.Flows
	file, err := flows.Upload(ctx, r)
	if e, refused := models.AsError(err); err != nil && refused {
		return "", &web.Error{Code: string(e.Code), Message: e.Message, Status: e.HTTPStatus()}
	}
	if err != nil {
		return "", err
	}
	return flows.Media.URL(file), nil
}
