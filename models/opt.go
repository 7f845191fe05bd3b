package models

import "github.com/99designs/gqlgen/graphql"

// Opt is a field of an update that is absent, null or a value. REST decodes
// JSON into it and GraphQL its inputs, so that a use case sees the same three
// states from both.
type Opt[T any] = graphql.Omittable[*T]

// OptMap is Opt for a JSON object, of which null is nil.
type OptMap = graphql.Omittable[map[string]any]

// OptMapOf is a present object.
func OptMapOf(v map[string]any) OptMap { return graphql.OmittableOf(v) }

// Some is a present value.
func Some[T any](v T) Opt[T] { return graphql.OmittableOf(&v) }

// Null is a present null.
func Null[T any]() Opt[T] { return graphql.OmittableOf[*T](nil) }

// Deref returns what p points to, or the zero value for nil.
func Deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// Required reads a field that may be absent but not null: ok tells whether it was sent.
func Required[T any](field string, o Opt[T]) (v T, ok bool, err error) {
	p, set := o.ValueOK()
	if !set {
		return v, false, nil
	}
	if p == nil {
		return v, false, Invalid(field, "must not be null")
	}
	return *p, true, nil
}
