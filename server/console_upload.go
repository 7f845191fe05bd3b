package server

import (
	"context"
	"io"

	"atelier/models"
	"atelier/nodes"
	"atelier/web"
)

// keepUpload keeps a file that somebody chose in the form of an app, as POST /v1/upload does for programs.
func (s *Server) keepUpload(ctx context.Context, r io.Reader) (string, error) {
	flows := s.Resolver.Flows
	file, err := flows.Upload(ctx, r)
	if err != nil {
		return "", pageError(err)
	}
	return flows.Media.URL(file), nil
}

// keepPicture makes a small picture of what somebody sent and keeps it as theirs.
func (s *Server) keepPicture(ctx context.Context, r io.Reader) error {
	if err := s.Accounts.MayChangePicture(ctx); err != nil {
		return pageError(err)
	}
	small, err := nodes.Portrait(r)
	if err == nil {
		err = s.Accounts.SetPicture(ctx, small)
	}
	return pageError(err)
}

// pageError is a refusal as pages know it.
func pageError(err error) error {
	e, refused := models.AsError(err)
	if err == nil || !refused {
		return err
	}
	return &web.Error{Code: string(e.Code), Message: e.Message, Field: e.Field, Status: e.HTTPStatus(), RetryAfter: e.RetryAfter}
}
