package rest

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"atelier/csvtext"
)

type exportProductionInput struct {
	IDPath
	Format queryString `query:"format" enum:"json,csv,srt,vtt,zip" doc:"json when absent."`
}

func (a *API) exportProduction(ctx context.Context, in *exportProductionInput) (*archived, error) {
	format := "json"
	if in.Format.Value != nil {
		format = *in.Format.Value
	}
	x, err := a.Resolver.Studio.ExportProduction(ctx, in.ID, format)
	if err != nil {
		return nil, err
	}
	return fileOf(x.ContentType(), x.Name(), x.Write), nil
}

// describeProductionExport writes into the document which files there are.
func describeProductionExport(op *huma.Operation) {
	text := func(about string) *huma.MediaType {
		return &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Description: about}}
	}
	op.Responses["200"] = &huma.Response{
		Description: "The file",
		Content: map[string]*huma.MediaType{
			applicationJSON:        {Schema: &huma.Schema{Type: huma.TypeObject, Description: "The production with its shots.", AdditionalProperties: true}},
			csvtext.Type:           text("The shot list."),
			"application/x-subrip": text("Captions of the film."),
			"text/vtt":             text("Captions of the film."),
			zipType: {Schema: &huma.Schema{
				Type: huma.TypeString, Format: "binary", Description: "All of these, with the pictures, sounds, clips and the film.",
			}},
		},
	}
}
