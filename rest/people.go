package rest

import (
	"context"

	"atelier/graph"
	"atelier/models"
)

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
