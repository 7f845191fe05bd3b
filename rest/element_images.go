package rest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"atelier/inbound"
	"atelier/models"
	"atelier/models/library"
	"atelier/models/media"
)

// NewImage is a picture for an element that lies at an address.
type NewImage struct {
	URL        string             `json:"url" doc:"A public https address, or that of a file of this install."`
	Role       *library.ImageRole `json:"role,omitempty" doc:"reference (default), portrait, front, side, back, sheet, expression or variation."`
	Caption    *string            `json:"caption,omitempty"`
	X          *float64           `json:"x,omitempty" doc:"With y, which face of several: a part of the picture from 0 to 1."`
	Y          *float64           `json:"y,omitempty"`
	Crop       *CropBody          `json:"crop,omitempty" doc:"In place of finding the face."`
	KeepUpload *bool              `json:"keepUpload,omitempty" doc:"Of a face: the caller's upload at url keeps its public address."`
}

// CropBody is a part of a picture, in parts of its width and height from 0 to 1.
type CropBody struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

func (n NewImage) input() library.AddImageInput {
	in := library.AddImageInput{URL: n.URL, Role: n.Role, Caption: n.Caption, X: n.X, Y: n.Y, KeepUpload: n.KeepUpload}
	if n.Crop != nil {
		in.Crop = &library.Crop{X: n.Crop.X, Y: n.Crop.Y, Width: n.Crop.Width, Height: n.Crop.Height}
	}
	return in
}

// newImageInput reads the body by itself: JSON, or a form with the picture.
type newImageInput struct {
	IDPath
	w       http.ResponseWriter
	request *http.Request
}

// Resolve keeps the request for reading its body.
func (in *newImageInput) Resolve(ctx huma.Context) []error {
	in.request, in.w = humamux.Unwrap(ctx)
	return nil
}

// maxImageFields is the size of what is said of a picture, in bytes.
const maxImageFields = 64 << 10

// addImage refuses who may not add pictures before any of it is read.
func (a elementsAPI) addImage(ctx context.Context, in *newImageInput) (*single[elementImageView], error) {
	if err := a.Resolver.Library.Images().MayAdd(ctx, a.kind, in.ID); err != nil {
		inbound.Drain(in.request)
		return nil, err
	}
	if kindOf(in.request) == multipartForm {
		return a.addSentImage(ctx, in)
	}
	text, err := inbound.ReadJSON(in.request, maxImageFields)
	if err != nil {
		return nil, err
	}
	wish, err := readObject[NewImage](text, "picture")
	if err != nil {
		return nil, err
	}
	return imageBack(a.mutation().AddElementImage(ctx, in.ID, wish.input()))
}

func imageBack(image *library.Image, err error) (*single[elementImageView], error) {
	if err != nil {
		return nil, err
	}
	return one(viewElementImage(image)), nil
}

// addSentImage adds the picture of a form.
func (a elementsAPI) addSentImage(ctx context.Context, in *newImageInput) (*single[elementImageView], error) {
	wish, picture, err := a.readImageForm(ctx, in.request)
	if picture != nil {
		defer picture.Close()
	}
	if err != nil {
		inbound.Drain(in.request)
		return nil, err
	}
	return imageBack(a.Resolver.Library.Images().Keep(ctx, in.ID, picture, wish.input()))
}

// readImageForm reads a form: file is the picture, crop is JSON, and everything
// else is text.
func (a elementsAPI) readImageForm(ctx context.Context, r *http.Request) (wish *NewImage, picture *media.Incoming, err error) {
	parts, err := openParts(r)
	if err != nil {
		return nil, nil, err
	}
	fields := map[string]json.RawMessage{}
	for {
		part, name, err := parts.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, picture, err
		}
		if _, again := fields[name]; again || name == "file" && picture != nil {
			return nil, picture, models.Invalid(name, "must be there once")
		}
		if name == "file" {
			picture, err = a.Resolver.Media.Arrive(ctx, arriving{part})
		} else {
			fields[name], err = imageField(parts, name, part)
		}
		if err != nil {
			return nil, picture, err
		}
	}
	if picture == nil {
		return nil, nil, models.Invalid("file", "is required")
	}
	delete(fields, "url")
	text, err := json.Marshal(fields)
	if err != nil {
		return nil, picture, err
	}
	wish, err = readObject[NewImage](text, "picture")
	return wish, picture, err
}

// imageField is a field of a form as JSON would have it.
func imageField(parts *formParts, name string, part io.Reader) (json.RawMessage, error) {
	text, err := parts.text(name, part, maxImageFields)
	if err != nil {
		return nil, err
	}
	switch name {
	case "crop":
		return jsonField(name, text)
	case "x", "y":
		number, err := strconv.ParseFloat(string(text), 64)
		if err != nil || math.IsNaN(number) || math.IsInf(number, 0) {
			return nil, models.Invalid(name, "must be a number")
		}
		return json.Marshal(number)
	}
	return json.Marshal(string(text))
}

// ImagePath is the path of one picture of an element.
type ImagePath struct {
	IDPath
	ImageID models.ID `path:"imageId"`
}

type updateImageInput struct {
	ImagePath
	Body struct {
		Role      models.Opt[string] `json:"role,omitzero"`
		Caption   models.Opt[string] `json:"caption,omitzero"`
		IsPrimary *bool              `json:"isPrimary,omitempty" doc:"true makes it the primary one."`
	}
}

func (a elementsAPI) updateImage(ctx context.Context, in *updateImageInput) (*single[elementImageView], error) {
	if _, err := a.find(ctx, in.ID); err != nil {
		return nil, err
	}
	change := library.UpdateImageInput{Caption: in.Body.Caption, IsPrimary: in.Body.IsPrimary}
	if role, sent := in.Body.Role.ValueOK(); sent {
		change.Role = models.Null[library.ImageRole]()
		if role != nil {
			change.Role = models.Some(library.ImageRole(*role))
		}
	}
	return imageBack(a.mutation().UpdateElementImage(ctx, in.ID, in.ImageID, change))
}

func (a elementsAPI) deleteImage(ctx context.Context, in *ImagePath) (*success, error) {
	if _, err := a.find(ctx, in.ID); err != nil {
		return nil, err
	}
	_, err := a.mutation().DeleteElementImage(ctx, in.ID, in.ImageID)
	return succeeded(err)
}

// describeImages writes both forms of the body into the document.
func describeImages(op *huma.Operation, schemas huma.Registry) {
	text := func(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: doc} }
	op.RequestBody = &huma.RequestBody{
		Required: true,
		Content: map[string]*huma.MediaType{
			applicationJSON: {Schema: schemas.Schema(reflect.TypeFor[NewImage](), true, "NewImage")},
			"multipart/form-data": {Schema: &huma.Schema{
				Type: huma.TypeObject, Required: []string{"file"},
				Properties: map[string]*huma.Schema{
					"file": {Type: huma.TypeString, Format: "binary"}, "role": text(""), "caption": text(""),
					"x": {Type: huma.TypeNumber}, "y": {Type: huma.TypeNumber}, "crop": text("As JSON."),
				},
			}},
		},
	}
}
