package rest

import (
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// exampleFiles hold a request of every route with its answer; the tests drive
// the service through them and compare, so that the document tells the truth.
//
//go:embed examples/*.json
var exampleFiles embed.FS

// ExampleFile names the file of a route's example.
func ExampleFile(method, path string) string {
	return "examples/" + operationID(method, path) + ".json"
}

// illustrate adds the examples to the document, for which alone they are read.
func (a *API) illustrate() error {
	for path, item := range a.OpenAPI().Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PUT": item.Put, "PATCH": item.Patch, "DELETE": item.Delete} {
			if op == nil {
				continue
			}
			text, err := exampleFiles.ReadFile(ExampleFile(method, path))
			if err != nil {
				continue // single nodes; a test knows which routes have none
			}
			if err := illustrate(op, string(text)); err != nil {
				return fmt.Errorf("the example of %s %s: %w", method, path, err)
			}
		}
	}
	return nil
}

// illustrate reads an example: the route, the body when there is one, an empty
// line, the status, the answer.
func illustrate(op *huma.Operation, text string) error {
	request, answer, _ := strings.Cut(lifelike(text), "\n\n")
	_, sent, _ := strings.Cut(request, "\n")
	status, received, _ := strings.Cut(answer, "\n")
	if media := op.RequestBody; sent != "" && media != nil && media.Content[applicationJSON] != nil {
		if err := json.Unmarshal([]byte(sent), &media.Content[applicationJSON].Example); err != nil {
			return err
		}
	}
	if response := op.Responses[status]; response != nil && response.Content[eventStream] != nil {
		response.Content[eventStream].Example = received
		return nil
	}
	var value any
	if err := json.Unmarshal([]byte(received), &value); err != nil {
		return err
	}
	response := op.Responses[status]
	if response == nil {
		code, _ := strconv.Atoi(status)
		refusal := op.Responses["400"].Content[applicationJSON]
		response = &huma.Response{Description: http.StatusText(code), Content: map[string]*huma.MediaType{applicationJSON: {Schema: refusal.Schema}}}
		op.Responses[status] = response
	}
	response.Content[applicationJSON].Example = firstOf(value)
	return nil
}

// firstOf leaves two entries of a list.
func firstOf(value any) any {
	if object, ok := value.(map[string]any); ok {
		if list, ok := object["data"].([]any); ok && len(list) > 2 {
			object["data"] = list[:2]
		}
	}
	return value
}

var (
	numberedID = regexp.MustCompile(`<id (\d+)>`)
	stand      = strings.NewReplacer(
		"<time>", "2026-09-01T08:30:00.000Z",
		"<token>", "svc_5uK2mCw0nXj4Rr8yTqVbHs6LzPdEaGfM9iNoJk1QWxY",
		"<client-secret>", "svc_secret_8pQ2nVbW6xYcRt4Jh1KzLmSdFgUeAo3iNqTjPk5XwE0",
		"<authorization-code>", "svc_code_W1eRt5YuI9oPaSdF3gHjKl7ZxCvBnM2qQ4wE6rT8yU0",
		"<access-token>", "svc_app_k3J8sLmQ2xVbN7rTyUc5WpZaDfGhEoI1K9jR4tX6vY0",
		"<jwt>", "eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIuLi4ifQ.c2lnbmF0dXJl",
		"<secret>", "whsec_bXkgc2VjcmV0IG9mIDI0IGJ5dGVzIQ==",
		"<cursor>", "b3BhcXVl",
		"<code>", "K7RMX3QP",
		"http://service", "https://atelier.example",
	)
)

// lifelike puts values in the places of what differs from run to run.
func lifelike(text string) string {
	text = numberedID.ReplaceAllStringFunc(text, func(found string) string {
		n, _ := strconv.Atoi(numberedID.FindStringSubmatch(found)[1])
		return fmt.Sprintf("01990000-0000-7000-8000-%012x", n)
	})
	return stand.Replace(text)
}
