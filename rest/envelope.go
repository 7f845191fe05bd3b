package rest

import (
	"time"

	"atelier/models"

	"github.com/danielgtaylor/huma/v2"
)

// single is the answer of a read: { data }.
type single[T any] struct {
	Status int
	Body   struct {
		Data T `json:"data"`
	}
}

// one wraps a single object; status 0 is the route's default.
func one[T any](v T) *single[T] {
	reply := &single[T]{}
	reply.Body.Data = v
	return reply
}

func (s *single[T]) defaultStatus(status int) {
	if s.Status == 0 {
		s.Status = status
	}
}

// many is the answer of a list: { data, nextCursor }.
type many[T any] struct {
	Body struct {
		Data       []T     `json:"data"`
		NextCursor *string `json:"nextCursor"`
	}
}

// page maps the rows of a connection to the contract's JSON.
func page[R, T any](rows *models.Connection[R], view func(R) T) *many[T] {
	reply := &many[T]{}
	reply.Body.Data, reply.Body.NextCursor = mapAll(rows.Nodes, view), rows.Next()
	return reply
}

// pageNext is page for the lists whose cursor is called next.
func pageNext[R, T any](rows *models.Connection[R], view func(R) T) *manyNext[T] {
	reply := &manyNext[T]{}
	reply.Body.Data, reply.Body.Next = mapAll(rows.Nodes, view), rows.Next()
	return reply
}

// manyNext is the answer of GET /v1/jobs and of deliveries: { data, next }.
type manyNext[T any] struct {
	Body struct {
		Data []T     `json:"data"`
		Next *string `json:"next"`
	}
}

// plain is an answer without envelope, as some routes of contract 1 have it.
type plain[T any] struct {
	Status int
	Body   T
}

func (p *plain[T]) defaultStatus(status int) {
	if p.Status == 0 {
		p.Status = status
	}
}

// success is the answer of a delete, a cancel, a leave: { success: true }.
type success struct {
	Body struct {
		Success bool `json:"success"`
	}
}

func succeeded(err error) (*success, error) {
	if err != nil {
		return nil, err
	}
	reply := &success{}
	reply.Body.Success = true
	return reply, nil
}

// PageQuery is the query of every list. Types that inputs embed are exported:
// huma reads no others.
type PageQuery struct {
	FieldsQuery
	Limit  queryInt    `query:"limit" minimum:"1" maximum:"200" doc:"Rows of a page; 50 when absent."`
	Cursor queryString `query:"cursor" doc:"nextCursor of the page before."`
}

// first and after are the page as the resolvers take it.
func (q PageQuery) first() *int    { return q.Limit.Value }
func (q PageQuery) after() *string { return q.Cursor.Value }

// IDPath is the path of every route on one object.
type IDPath struct {
	ID models.ID `path:"id"`
}

// mapAll maps each row; the result is never nil, so that it is [] in JSON.
func mapAll[R, T any](rows []R, view func(R) T) []T {
	views := make([]T, len(rows))
	for i, row := range rows {
		views[i] = view(row)
	}
	return views
}

// timestamp is a moment as the contract writes it.
type timestamp = models.PublicTime

// moment is a timestamp that may be null.
func moment(t *time.Time) *timestamp { return models.PublicTimeOf(t) }

// amount is a number of credits as a client sent it, kept exactly.
type amount struct{ text string }

// UnmarshalJSON keeps the spelling.
func (a *amount) UnmarshalJSON(b []byte) error {
	a.text = string(b)
	return nil
}

func (amount) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeNumber} }

// credits is the exact amount; more than three decimals is a validation_error naming field.
func (a amount) credits(field string) (models.Credits, error) {
	c, err := models.ParseCredits(a.text)
	if err != nil {
		return 0, models.Invalid(field, "%s", err.Error())
	}
	return c, nil
}
