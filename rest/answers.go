package rest

import (
	"context"
	"maps"
	"net/http"
	"reflect"
	"strconv"

	"atelier/graph"
	"atelier/models"

	"github.com/danielgtaylor/huma/v2"
)

// refusals are the errors that the document names for a route; whatever else
// may be refused has the form of its default answer.
func (r route) refusals() []int {
	statuses := []int{400, 404, 429, 500}
	if !r.Public {
		statuses = append(statuses, 401, 403)
	}
	if r.Method == http.MethodPost || r.Method == http.MethodPatch || r.Method == http.MethodPut {
		statuses = append(statuses, 409, 413, 415)
	}
	return statuses
}

// otherAnswers are the answers of a route beside its success and its refusals.
func (a *API) otherAnswers(r route, input reflect.Type) map[string]*huma.Response {
	answers := map[string]*huma.Response{
		"default": a.answerOf(reflect.TypeFor[Problem](), "Any other refusal"),
	}
	if _, polls := input.FieldByName("IfNoneMatch"); polls {
		answers[strconv.Itoa(http.StatusNotModified)] = &huma.Response{Description: "Nothing changed since the answer with that ETag"}
	}
	if r.Stream {
		maps.Copy(answers, streaming())
	}
	if r.Table != nil {
		answer := a.answerOf(r.Table, "The report")
		answer.Content["text/csv"] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
		answers[strconv.Itoa(http.StatusOK)] = answer
	}
	if r.Wait {
		answers[strconv.Itoa(http.StatusOK)] = a.answerOf(reflect.TypeFor[resultView](), "With ?wait=true: the run has ended, failed or not")
	}
	return answers
}

// answerOf describes an answer with a body of a type.
func (a *API) answerOf(body reflect.Type, description string) *huma.Response {
	schema := a.OpenAPI().Components.Schemas.Schema(body, true, body.Name())
	return &huma.Response{Description: description, Content: map[string]*huma.MediaType{applicationJSON: {Schema: schema}}}
}

// likewise is the answer with another status.
func likewise(answer *huma.Response, status int) *huma.Response {
	also := &huma.Response{Description: http.StatusText(status), Content: map[string]*huma.MediaType{}}
	for kind, media := range answer.Content {
		also.Content[kind] = &huma.MediaType{Schema: media.Schema}
	}
	return also
}

// withPeople maps rows that name people, who are read in one statement.
func withPeople[R, T any](ctx context.Context, rows []R, person func(R) models.ID, view func(context.Context, R) (T, error)) ([]T, error) {
	if err := graph.LoadUsers(ctx, mapAll(rows, person)); err != nil {
		return nil, err
	}
	views := make([]T, len(rows))
	for i, row := range rows {
		var err error
		if views[i], err = view(ctx, row); err != nil {
			return nil, err
		}
	}
	return views, nil
}

// listed is a page whose rows are mapped already.
func listed[T any](views []T, next *string, err error) (*many[T], error) {
	if err != nil {
		return nil, err
	}
	reply := &many[T]{}
	reply.Body.Data, reply.Body.NextCursor = views, next
	return reply, nil
}

// shown is the answer with one object, or the refusal.
func shown[R, T any](row R, err error, view func(R) T) (*single[T], error) {
	if err != nil {
		return nil, err
	}
	return one(view(row)), nil
}
