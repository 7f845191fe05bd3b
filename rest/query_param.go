package rest

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// queryParam is a query parameter that may be absent.
type queryParam[T any] struct {
	Value *T
	value T
}

type (
	queryInt    = queryParam[int]
	queryString = queryParam[string]
	queryBool   = queryParam[bool]
)

// Schema describes the parameter as its plain type.
func (queryParam[T]) Schema(r huma.Registry) *huma.Schema {
	return huma.SchemaFromType(r, reflect.TypeFor[T]())
}

// Receiver is where huma parses the parameter into.
func (q *queryParam[T]) Receiver() reflect.Value { return reflect.ValueOf(&q.value).Elem() }

// OnParamSet learns whether the parameter was sent.
func (q *queryParam[T]) OnParamSet(isSet bool, _ any) {
	if isSet {
		q.Value = &q.value
	}
}
