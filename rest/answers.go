package rest

import (
	"maps"
	"net/http"
	"reflect"
	"strconv"

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
