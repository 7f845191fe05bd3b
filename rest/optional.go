package rest

import "atelier/models"

// mapped is what a part of a body means, where it was sent.
func mapped[T, R any](sent *T, input func(T) R) *R {
	if sent == nil {
		return nil
	}
	value := input(*sent)
	return &value
}

// mapOpt is mapped for a field of a change, which null may have been sent for.
func mapOpt[T, R any](sent models.Opt[T], input func(T) R) models.Opt[R] {
	value, ok := sent.ValueOK()
	switch {
	case !ok:
		return models.Opt[R]{}
	case value == nil:
		return models.Null[R]()
	}
	return models.Some(input(*value))
}
