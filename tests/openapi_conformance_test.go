package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"atelier/server"
)

// documented is the OpenAPI document with its schemas, to hold answers against.
var documented = sync.OnceValues(func() (*answers, error) {
	var out bytes.Buffer
	if err := server.WriteOpenAPI(&out); err != nil {
		return nil, err
	}
	value, err := jsonschema.UnmarshalJSON(&out)
	if err != nil {
		return nil, err
	}
	a := &answers{compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	a.compiler.AssertFormat()
	a.paths = value.(map[string]any)["paths"].(map[string]any)
	for template := range a.paths {
		form := regexp.MustCompile(`\\\{[^}]+\\\}`).ReplaceAllString(regexp.QuoteMeta(template), "[^/]+")
		a.routes = append(a.routes, documentedRoute{template, regexp.MustCompile("^" + form + "$")})
	}
	slices.SortFunc(a.routes, func(x, y documentedRoute) int { // those with names first
		return strings.Count(x.template, "{") - strings.Count(y.template, "{")
	})
	return a, a.compiler.AddResource(documentURL, value)
})

const documentURL = "https://atelier.example/openapi.json"

type documentedRoute struct {
	template string
	form     *regexp.Regexp
}

// answers holds what was compiled of the document.
type answers struct {
	paths    map[string]any
	routes   []documentedRoute
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

// otherForm is of answers that are no JSON: tables, captions, archives.
var otherForm = regexp.MustCompile(`(^|&)format=(csv|srt|vtt|zip)(&|$)`)

// someFields is of lists whose rows have only the fields that were asked for.
var someFields = regexp.MustCompile(`(^|&)fields=`)

// lacksAlone tells whether all that is wrong with an answer is that rows lack fields.
func lacksAlone(err error) bool {
	invalid, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return false
	}
	if len(invalid.Causes) == 0 {
		_, lacks := invalid.ErrorKind.(*kind.Required)
		return lacks && len(invalid.InstanceLocation) == 2 && invalid.InstanceLocation[0] == "data"
	}
	return !slices.ContainsFunc(invalid.Causes, func(cause *jsonschema.ValidationError) bool { return !lacksAlone(cause) })
}

// conforms fails when an answer is none that the document describes: every
// answer that any test gets is held against it.
func conforms(t testing.TB, method, path string, status int, body []byte) {
	t.Helper()
	a, err := documented()
	if err != nil {
		t.Fatal(err)
	}
	path, query, _ := strings.Cut(path, "?")
	if status == 200 && otherForm.MatchString(query) {
		return
	}
	schema, err := a.schema(strings.ToLower(method), path, fmt.Sprint(status))
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
	}
	if schema == nil {
		return
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err == nil {
		err = schema.Validate(value)
	}
	if err != nil && !(someFields.MatchString(query) && lacksAlone(err)) {
		t.Errorf("%s %s answers %d otherwise than the document says: %v\n%s", method, path, status, err, body)
	}
}

// schema is that of an answer; nil for routes and answers without one.
func (a *answers) schema(method, path, status string) (*jsonschema.Schema, error) {
	i := slices.IndexFunc(a.routes, func(r documentedRoute) bool { return r.form.MatchString(path) })
	if i < 0 {
		return nil, nil
	}
	template := a.routes[i].template
	operation, known := a.paths[template].(map[string]any)[method].(map[string]any)
	if !known {
		return nil, nil
	}
	responses := operation["responses"].(map[string]any)
	if responses[status] == nil {
		if status < "400" {
			return nil, fmt.Errorf("the document does not say %s", status)
		}
		status = "default"
	}
	response, _ := responses[status].(map[string]any)
	if content, _ := response["content"].(map[string]any); content["application/json"] == nil {
		return nil, nil
	}
	at := strings.NewReplacer("~", "~0", "/", "~1").Replace
	pointer := "/paths/" + url.PathEscape(at(template)) + "/" + method + "/responses/" + status + "/content/application~1json/schema"
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.schemas[pointer] == nil {
		schema, err := a.compiler.Compile(documentURL + "#" + pointer)
		if err != nil {
			return nil, err
		}
		a.schemas[pointer] = schema
	}
	return a.schemas[pointer], nil
}

// TestConformanceNotices: an answer of another form is noticed.
func TestConformanceNotices(t *testing.T) {
	t.Parallel()
	job := object{
		"id": unknownID, "status": "completed", "progress": 100, "output_data": nil, "error_message": nil,
	}
	for name, c := range map[string]struct {
		status int
		change object
		fine   bool
	}{
		"AsDescribed": {200, object{}, true}, "Null": {200, object{"id": nil}, false}, "OtherType": {200, object{"progress": "x"}, false},
		"UnknownStatus": {200, object{"status": "odd"}, false}, "MalformedID": {200, object{"id": "x"}, false}, "UndescribedSuccess": {202, object{}, false},
		"NoError": {418, object{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			told := &silent{TB: t}
			row := object{}
			for _, from := range []object{job, c.change} {
				for k, v := range from {
					row[k] = v
				}
			}
			body, _ := json.Marshal(object{"data": row})
			conforms(told, "GET", "/v1/jobs/"+unknownID+"/status", c.status, body)
			if told.failed == c.fine {
				t.Errorf("noticed: %v", told.failed)
			}
		})
	}
}

// silent remembers a failure and tells no one.
type silent struct {
	testing.TB
	failed bool
}

// Errorf remembers.
func (s *silent) Errorf(string, ...any) { s.failed = true }
