// Package apidoc reads the document that describes the API, for pages that show it.
package apidoc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Reference is what the pages show of the document that describes the API.
type Reference struct {
	Groups []Group
	// Job is an example of a job, as answers and events show it.
	Job json.RawMessage
}

// Group are the calls about one kind of thing.
type Group struct {
	Slug, Name, Description string
	Calls                   []Call
}

// Call is one operation.
type Call struct {
	ID, Method, Path, Summary, Description string
	// Public needs no token.
	Public     bool
	Parameters []Input
	Body       []Input
	BodyType   string
	// Sample is an example of the body, Answer of the answer, both as indented JSON; empty where there is none.
	Sample, Answer string
	Statuses       []Status
}

// Input is a parameter, or a field of a body by its path.
type Input struct {
	Name, In, Type, Description string
	Required                    bool
}

// Status is an answer that a call may get.
type Status struct{ Code, Meaning string }

// Bounds of what is shown of one body.
const (
	maxFieldDepth = 4
	maxFields     = 120
)

// apiDocument is the part of an OpenAPI document that is read.
type apiDocument struct {
	Tags []struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	} `json:"tags"`
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas map[string]*schema `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	OperationID string   `json:"operationId"`
	Summary     string   `json:"summary"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
	Security    []any    `json:"security"`
	Parameters  []struct {
		Name        string  `json:"name"`
		In          string  `json:"in"`
		Description string  `json:"description"`
		Required    bool    `json:"required"`
		Schema      *schema `json:"schema"`
	} `json:"parameters"`
	RequestBody struct {
		Content map[string]media `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Description string           `json:"description"`
		Content     map[string]media `json:"content"`
	} `json:"responses"`
}

type media struct {
	Example json.RawMessage `json:"example"`
	Schema  *schema         `json:"schema"`
}

type schema struct {
	Ref         string             `json:"$ref"`
	Type        json.RawMessage    `json:"type"` // a word or a list of words
	Format      string             `json:"format"`
	Description string             `json:"description"`
	Enum        []any              `json:"enum"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	Items       *schema            `json:"items"`
	OneOf       []*schema          `json:"oneOf"`
	AnyOf       []*schema          `json:"anyOf"`
}

// Read reads the document that the function hands over; without one nothing is described.
func Read(document func() ([]byte, error)) (*Reference, error) {
	if document == nil {
		return &Reference{}, nil
	}
	text, err := document()
	if err != nil {
		return nil, err
	}
	var d apiDocument
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	out := &Reference{Job: exampleOf(d.Paths["/v1/jobs/{id}"]["get"], "data")}
	byName := map[string]int{}
	for _, t := range d.Tags {
		byName[t.Name] = len(out.Groups)
		out.Groups = append(out.Groups, Group{Slug: slug(t.Name), Name: t.Name, Description: t.Description})
	}
	for path, methods := range d.Paths {
		for method, op := range methods {
			if at, known := byName[first(op.Tags)]; known {
				out.Groups[at].Calls = append(out.Groups[at].Calls, d.call(method, path, op))
			}
		}
	}
	for i := range out.Groups {
		slices.SortFunc(out.Groups[i].Calls, func(a, b Call) int {
			return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(methodRank(a.Method), methodRank(b.Method)))
		})
	}
	return out, nil
}

// methodRank has reading stand before writing.
func methodRank(method string) int {
	return slices.Index([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, method)
}

// slug is a name as a part of an address.
func slug(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }), "-")
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func (d *apiDocument) call(method, path string, op operation) Call {
	c := Call{
		ID: op.OperationID, Method: strings.ToUpper(method), Path: path, Summary: op.Summary,
		Description: strings.TrimSpace(strings.TrimPrefix(op.Description, op.Summary+".")), Public: len(op.Security) == 0,
	}
	for _, p := range op.Parameters {
		c.Parameters = append(c.Parameters, Input{Name: p.Name, In: p.In, Type: d.typeOf(p.Schema, 0), Description: p.Description, Required: p.Required})
	}
	for kind, m := range op.RequestBody.Content {
		if c.BodyType != "" && kind != "application/json" {
			continue
		}
		c.BodyType, c.Sample, c.Body = kind, indented(m.Example), d.fields(nil, "", m.Schema, 0)
	}
	c.Answer = indented(exampleOf(op, ""))
	for code, answer := range op.Responses {
		if _, err := strconv.Atoi(code); err == nil {
			c.Statuses = append(c.Statuses, Status{code, answer.Description})
		}
	}
	slices.SortFunc(c.Statuses, func(a, b Status) int { return strings.Compare(a.Code, b.Code) })
	return c
}

// exampleOf is the example of what an operation answers when it went well, or one member of it.
func exampleOf(op operation, member string) json.RawMessage {
	for _, code := range []string{"200", "201", "202"} {
		for _, m := range op.Responses[code].Content {
			if len(m.Example) == 0 {
				continue
			}
			var members map[string]json.RawMessage
			if member == "" || json.Unmarshal(m.Example, &members) != nil {
				return m.Example
			}
			return members[member]
		}
	}
	return nil
}

// resolved follows a reference to a named schema.
func (d *apiDocument) resolved(s *schema) *schema {
	for depth := 0; s != nil && s.Ref != "" && depth < 8; depth++ {
		s = d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
	}
	return s
}

// fields are those of a body by their paths, as deep and as many as a page shows.
func (d *apiDocument) fields(out []Input, prefix string, s *schema, depth int) []Input {
	if s = d.resolved(s); s == nil || depth >= maxFieldDepth {
		return out
	}
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(s, a), rank(s, b)), strings.Compare(a, b))
	})
	for _, name := range names {
		if len(out) >= maxFields {
			return out
		}
		field := s.Properties[name]
		described := field.Description
		if meant := d.resolved(field); described == "" && meant != nil {
			described = meant.Description
		}
		out = append(out, Input{
			Name: prefix + name, Type: d.typeOf(field, 0), Description: described, Required: slices.Contains(s.Required, name),
		})
		within, path := d.resolved(field), prefix+name+"."
		if within != nil && within.Items != nil {
			within, path = d.resolved(within.Items), prefix+name+"[]."
		}
		out = d.fields(out, path, within, depth+1)
	}
	return out
}

// rank has required fields stand first.
func rank(s *schema, name string) int {
	if slices.Contains(s.Required, name) {
		return 0
	}
	return 1
}

// typeOf says what a value is, such as "string (uuid) or null".
func (d *apiDocument) typeOf(s *schema, depth int) string {
	if s = d.resolved(s); s == nil || depth > maxFieldDepth {
		return "any"
	}
	var kinds []string
	if json.Unmarshal(s.Type, &kinds) != nil {
		var kind string
		if json.Unmarshal(s.Type, &kind) == nil {
			kinds = []string{kind}
		}
	}
	for _, other := range slices.Concat(s.OneOf, s.AnyOf) {
		if kind := d.typeOf(other, depth+1); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	for i, kind := range kinds {
		switch {
		case kind == "array" && s.Items != nil:
			kinds[i] = "list of " + d.typeOf(s.Items, depth+1)
		case len(s.Enum) > 0 && len(s.Enum) <= 12 && kind != "null":
			kinds[i] = enumeration(s.Enum)
		case s.Format != "" && kind != "null":
			kinds[i] = kind + " (" + s.Format + ")"
		}
	}
	if len(kinds) == 0 {
		return "any"
	}
	return strings.Join(kinds, " or ")
}

func enumeration(values []any) string {
	var words []string
	for _, v := range values {
		if text, ok := v.(string); ok {
			words = append(words, text)
		}
	}
	return strings.Join(words, ", ")
}

func indented(text json.RawMessage) string {
	var b bytes.Buffer
	if len(text) == 0 || json.Indent(&b, text, "", "  ") != nil || b.String() == "{}" {
		return ""
	}
	return b.String()
}

// Curl is the call as a command line.
func (c Call) Curl(base string) string {
	var b strings.Builder
	b.WriteString("curl ")
	if c.Method != "GET" {
		b.WriteString("-X " + c.Method + " ")
	}
	b.WriteString(base + c.Path)
	if !c.Public {
		b.WriteString(" \\\n  -H \"Authorization: Bearer $TOKEN\"")
	}
	if c.Sample != "" {
		b.WriteString(" \\\n  -H 'Content-Type: application/json' \\\n  -d '" + strings.ReplaceAll(c.Sample, "'", `'\''`) + "'")
	}
	return b.String()
}
