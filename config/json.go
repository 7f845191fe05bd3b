package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"atelier/jsontext"
)

// fromJSON makes a setter of a variable whose value is JSON, inline or, after
// a leading @, in a file. Problems are collected with their place in the value;
// unknown keys become warnings of the Config.
func fromJSON[T any](field func(*Config) *T, read func(*jsonReader, json.RawMessage) T) func(*Config, string) error {
	return func(c *Config, value string) error {
		text := []byte(value)
		if path, isFile := strings.CutPrefix(value, "@"); isFile {
			var err error
			if text, err = os.ReadFile(path); err != nil {
				return fmt.Errorf("cannot read the file: %w", err)
			}
		}
		raw, err := singleJSONValue(text)
		if err != nil {
			return err
		}
		r := &jsonReader{}
		*field(c) = read(r, raw)
		c.Warnings = append(c.Warnings, r.warnings...)
		return errors.Join(r.problems...)
	}
}

// singleJSONValue checks that text is one JSON value and nothing after it.
func singleJSONValue(text []byte) (json.RawMessage, error) {
	if err := jsontext.CheckDepth(text); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	var raw json.RawMessage
	if err := decoder.Decode(&raw); err != nil {
		return nil, fmt.Errorf("is not JSON: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("is not JSON: something follows the value")
	}
	return raw, nil
}

// jsonReader walks a JSON value by exact key and collects what is wrong with it.
type jsonReader struct {
	problems []error
	warnings []string
}

// problem notes what is wrong at a place; the empty place is the whole value.
func (r *jsonReader) problem(place, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if place != "" {
		text = place + ": " + text
	}
	r.problems = append(r.problems, errors.New(text))
}

// objects reads an array of objects. Their place in messages is their index.
func (r *jsonReader) objects(raw json.RawMessage) []*jsonObject {
	var entries []json.RawMessage
	if json.Unmarshal(raw, &entries) != nil || entries == nil {
		r.problem("", "must be a JSON array")
		return nil
	}
	list := make([]*jsonObject, len(entries))
	for i, entry := range entries {
		list[i] = r.object(fmt.Sprintf("[%d]", i), entry)
	}
	return list
}

func (r *jsonReader) object(place string, raw json.RawMessage) *jsonObject {
	o := &jsonObject{jsonReader: r, place: place}
	if json.Unmarshal(raw, &o.fields) != nil || o.fields == nil {
		r.problem(place, "must be a JSON object")
	}
	return o
}

// jsonObject hands out its fields by exact key; what no one asked for is unknown.
type jsonObject struct {
	*jsonReader
	place  string
	fields map[string]json.RawMessage
}

func (o *jsonObject) at(key string) string {
	return strings.TrimPrefix(o.place+"."+key, ".")
}

// take decodes a field into target and reports whether it was there; null counts as absent.
func (o *jsonObject) take(key string, target any, kind string) bool {
	raw, ok := o.fields[key]
	delete(o.fields, key)
	if !ok || string(raw) == "null" {
		return false
	}
	if json.Unmarshal(raw, target) != nil {
		o.problem(o.at(key), "must be %s", kind)
		return false
	}
	return true
}

// text reads an optional string; a blank one is a problem.
func (o *jsonObject) text(key string) (s string) {
	if o.take(key, &s, "a string") && strings.TrimSpace(s) == "" {
		o.problem(o.at(key), "must not be blank")
	}
	return s
}

// required reads a string that must be there.
func (o *jsonObject) required(key string) string {
	_, present := o.fields[key]
	s := o.text(key)
	if !present {
		o.problem(o.at(key), "is missing")
	}
	return s
}

// requiredNumber reads a number that must be there and reports whether it could be read.
func (o *jsonObject) requiredNumber(key string, target any, kind string) bool {
	_, present := o.fields[key]
	if !present {
		o.problem(o.at(key), "is missing")
	}
	return o.take(key, target, kind)
}

var slugForm = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)

// slug reads an id: 1 to 63 characters, unique among those seen (contract 3, "Authentication").
func (o *jsonObject) slug(seen map[string]bool) string {
	id := o.required("id")
	switch {
	case id == "":
	case !slugForm.MatchString(id):
		o.problem(o.at("id"), "must be 1 to 63 lower-case letters, digits, _ or -, starting with a letter or digit")
	case seen[id]:
		o.problem(o.at("id"), "%q is used twice", id)
	}
	seen[id] = true
	return id
}

// link checks an optional absolute http or https address.
func (o *jsonObject) link(key, value string) string {
	if value == "" {
		return ""
	}
	u, err := url.Parse(value)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" {
		o.problem(o.at(key), "must be a URL starting with http:// or https://")
	}
	return value
}

// finish warns of every key that nothing asked for.
func (o *jsonObject) finish(variable string) {
	for _, key := range slices.Sorted(maps.Keys(o.fields)) {
		o.warnings = append(o.warnings, fmt.Sprintf("%s: %s is unknown and ignored", variable, o.at(key)))
	}
}
