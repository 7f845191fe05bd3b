package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"atelier/models"

	"github.com/danielgtaylor/huma/v2"
)

// FieldsQuery chooses which fields the rows of a list have. What is left out is not read
// either, where it is large.
type FieldsQuery struct {
	Fields queryString `query:"fields" doc:"The fields that rows have, with commas between them, such as id,name; all when absent. What is not asked for is left out."`
}

// chosen are the fields that were asked for; nil for all.
func (q FieldsQuery) chosen() []string {
	if q.Fields.Value == nil || strings.TrimSpace(*q.Fields.Value) == "" {
		return nil
	}
	var names []string
	for name := range strings.SplitSeq(*q.Fields.Value, ",") {
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

type chosenKey struct{}

// chooses tells whether rows are to have one of some fields.
func chooses(ctx context.Context, fields ...string) bool {
	chosen, some := ctx.Value(chosenKey{}).([]string)
	return !some || slices.ContainsFunc(fields, func(name string) bool { return slices.Contains(chosen, name) })
}

// choose notes the fields that a request asks for; validation_error for one that rows of the
// answer do not have.
func choose(ctx context.Context, in any, has map[string]bool) (context.Context, error) {
	query, ok := in.(interface{ chosen() []string })
	if !ok {
		return ctx, nil
	}
	names := query.chosen()
	if names == nil {
		return ctx, nil
	}
	for _, name := range names {
		if !has[name] {
			return ctx, models.Invalid("fields", "names no field of these rows: %q", models.Shortened(name, 50))
		}
	}
	return context.WithValue(ctx, chosenKey{}, names), nil
}

// rowsOf is the list in the body of an answer; ok is false where there is none.
func rowsOf(body reflect.Type) (field reflect.StructField, ok bool) {
	if body.Kind() != reflect.Struct {
		return field, false
	}
	for i := range body.NumField() {
		if f := body.Field(i); f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct {
			return f, true
		}
	}
	return field, false
}

// rowFields are the names of the fields of the rows that an answer of type O lists.
func rowFields[O any]() map[string]bool {
	names := map[string]bool{}
	body, ok := reflect.TypeFor[O]().FieldByName("Body")
	if !ok {
		return names
	}
	if rows, ok := rowsOf(body.Type); ok {
		addFields(names, rows.Type.Elem())
	}
	return names
}

func addFields(names map[string]bool, row reflect.Type) {
	for i := range row.NumField() {
		f := row.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			addFields(names, f.Type)
		case name != "" && name != "-":
			names[name] = true
		}
	}
}

// leaveOut takes the fields that were not asked for out of the rows of an answer.
func leaveOut(ctx huma.Context, status string, body any) (any, error) {
	fields := ctx.Query("fields")
	if fields == "" || status != strconv.Itoa(http.StatusOK) || !takesFields(ctx.Operation()) {
		return body, nil
	}
	chosen := FieldsQuery{Fields: queryString{Value: &fields}}.chosen()
	value := reflect.Indirect(reflect.ValueOf(body))
	if !value.IsValid() {
		return body, nil
	}
	rows, ok := rowsOf(value.Type())
	if !ok || chosen == nil {
		return body, nil
	}
	out := make(map[string]any, value.NumField())
	for i := range value.NumField() {
		f := value.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		if out[name] = value.Field(i).Interface(); f.Name != rows.Name {
			continue
		}
		kept := make([]map[string]json.RawMessage, value.Field(i).Len())
		for n := range kept {
			var err error
			if kept[n], err = keepFields(value.Field(i).Index(n).Interface(), chosen); err != nil {
				return nil, err
			}
		}
		out[name] = kept
	}
	return out, nil
}

func takesFields(op *huma.Operation) bool {
	return slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.In == "query" && p.Name == "fields" })
}

// keepFields is a row with some of its fields.
func keepFields(row any, chosen []string) (map[string]json.RawMessage, error) {
	written, err := json.Marshal(row)
	if err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(written, &all); err != nil {
		return nil, err
	}
	kept := make(map[string]json.RawMessage, len(chosen))
	for _, name := range chosen {
		if value, has := all[name]; has {
			kept[name] = value
		}
	}
	return kept, nil
}
