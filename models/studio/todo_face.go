package studio

import (
	"context"
	"io"

	"atelier/models"
)

// Export is a production as a file. It stands here until it is written.
type Export struct{}

func (x *Export) Name() string                                { return "" }
func (x *Export) ContentType() string                         { return "" }
func (x *Export) Write(ctx context.Context, w io.Writer) error { return errNotWritten }

func (s *Service) ExportProduction(ctx context.Context, id models.ID, format string) (*Export, error) {
	return nil, errNotWritten
}
