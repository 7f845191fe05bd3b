package rest

import (
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"time"

	"atelier/models"
	"atelier/models/space"
	"atelier/nodes/kit"

	"github.com/danielgtaylor/huma/v2"
)

// jsonFormat reads and writes bodies; characters such as & stay readable.
var jsonFormat = huma.Format{
	Marshal: func(w io.Writer, v any) error {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(v)
	},
	Unmarshal: readJSON,
}

// readJSON reads a body; huma says an error in its own words, behind which the
// bare message of a refusal stands.
func readJSON(raw []byte, into any) error {
	err := models.ReadJSON(raw, into)
	var refusal *models.Error
	if errors.As(err, &refusal) {
		return errors.New(refusal.Message)
	}
	return err
}

// readObject reads a JSON object of a handler that reads its body itself; what names it in the refusal.
func readObject[T any](text []byte, what string) (*T, error) {
	object := new(T)
	err := models.ReadJSON(text, object)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return nil, models.Invalid(wrong.Field, "has the wrong type")
	case err != nil:
		return nil, models.Err(models.CodeValidation, "The body is no JSON object of a %s", what)
	}
	return object, nil
}

// registerAliases tells the document how the vocabulary's types look in JSON.
// A field of a change takes null only where its tag says nullable.
func registerAliases(r huma.Registry) {
	r.RegisterTypeAlias(reflect.TypeFor[models.Credits](), reflect.TypeFor[float64]())
	r.RegisterTypeAlias(reflect.TypeFor[models.ID](), reflect.TypeFor[plainID]())
	r.RegisterTypeAlias(reflect.TypeFor[models.Opt[string]](), reflect.TypeFor[string]())
	r.RegisterTypeAlias(reflect.TypeFor[models.Opt[int]](), reflect.TypeFor[int]())
	r.RegisterTypeAlias(reflect.TypeFor[models.Opt[bool]](), reflect.TypeFor[bool]())
	r.RegisterTypeAlias(reflect.TypeFor[models.Opt[amount]](), reflect.TypeFor[float64]())
	r.RegisterTypeAlias(reflect.TypeFor[models.Opt[models.Credits]](), reflect.TypeFor[float64]())
	r.RegisterTypeAlias(reflect.TypeFor[models.Opt[models.ID]](), reflect.TypeFor[models.ID]())
	r.RegisterTypeAlias(reflect.TypeFor[models.OptMap](), reflect.TypeFor[map[string]any]())
	r.RegisterTypeAlias(reflect.TypeFor[models.Opt[float64]](), reflect.TypeFor[float64]())
	r.RegisterTypeAlias(reflect.TypeFor[models.Opt[space.Visibility]](), reflect.TypeFor[string]())
	r.RegisterTypeAlias(reflect.TypeFor[models.Opt[StagesBody]](), reflect.TypeFor[StagesBody]())
	r.RegisterTypeAlias(reflect.TypeFor[models.Opt[CameraBody]](), reflect.TypeFor[CameraBody]())
	r.RegisterTypeAlias(reflect.TypeFor[models.Opt[MusicBody]](), reflect.TypeFor[musicChange]())
	r.RegisterTypeAlias(reflect.TypeFor[models.Opt[[]models.ID]](), reflect.TypeFor[[]models.ID]())
	r.RegisterTypeAlias(reflect.TypeFor[models.Opt[[]string]](), reflect.TypeFor[[]string]())
	r.RegisterTypeAlias(reflect.TypeFor[models.Opt[[]nodeView]](), reflect.TypeFor[[]nodeView]())
	r.RegisterTypeAlias(reflect.TypeFor[models.Opt[[]edgeView]](), reflect.TypeFor[[]edgeView]())
	r.RegisterTypeAlias(reflect.TypeFor[models.PublicTime](), reflect.TypeFor[time.Time]())
	r.RegisterTypeAlias(reflect.TypeFor[json.RawMessage](), reflect.TypeFor[any]())
	r.RegisterTypeAlias(reflect.TypeFor[kit.Schema](), reflect.TypeFor[map[string]any]())
	r.RegisterTypeAlias(reflect.TypeFor[storedObject](), reflect.TypeFor[map[string]any]())
}

const idPattern = "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"

// plainID describes an id: a UUID in its one notation.
type plainID struct{}

func (plainID) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "uuid", Pattern: idPattern}
}
