package models

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"atelier/jsontext"

	"github.com/99designs/gqlgen/graphql"
)

// MarshalTime writes a moment for GraphQL.
func MarshalTime(t time.Time) graphql.Marshaler {
	return graphql.MarshalString(PublicTime(t).String())
}

// UnmarshalTime reads a moment from GraphQL.
func UnmarshalTime(v any) (time.Time, error) {
	s, ok := v.(string)
	if !ok {
		return time.Time{}, fmt.Errorf("must be a time")
	}
	return time.Parse(time.RFC3339Nano, s)
}

// MarshalID writes an id for GraphQL.
func MarshalID(id ID) graphql.Marshaler { return graphql.MarshalUUID(id) }

// UnmarshalID reads an id from GraphQL, in the one notation that REST takes too.
func UnmarshalID(v any) (ID, error) {
	s, _ := v.(string)
	id, err := ParseID("id", s)
	if err != nil {
		return ID{}, fmt.Errorf("must be a UUID")
	}
	return id, nil
}

// MarshalJSON writes any JSON value for GraphQL.
func MarshalJSON(v json.RawMessage) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		if len(v) == 0 {
			v = json.RawMessage("null")
		}
		w.Write(v)
	})
}

// UnmarshalJSON reads any JSON value from GraphQL, a variable as much as one
// that stands in the document.
func UnmarshalJSON(v any) (json.RawMessage, error) {
	plain, err := jsontext.Plain(v)
	if err != nil {
		return nil, err
	}
	return json.Marshal(plain)
}

// MarshalMap writes a JSON object for GraphQL.
func MarshalMap(v map[string]any) graphql.Marshaler { return graphql.MarshalMap(v) }

// UnmarshalMap reads a JSON object from GraphQL, a variable as much as one that
// stands in the document.
func UnmarshalMap(v any) (map[string]any, error) {
	object, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("must be an object")
	}
	plain, err := jsontext.Plain(object)
	if err != nil {
		return nil, err
	}
	return plain.(map[string]any), nil
}
