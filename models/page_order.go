package models

import (
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"
)

// MaxCounted is how far rows of a list are counted, and how many a list may
// have to be sorted by anything but its own order.
const MaxCounted = 10_000

// SortBy names what a list can be sorted by.
type SortBy string

// What lists can be sorted by.
const (
	SortByCreated    SortBy = "created"
	SortByUpdated    SortBy = "updated"
	SortByName       SortBy = "name"
	SortByRole       SortBy = "role"
	SortByStatus     SortBy = "status"
	SortByWorkspaces SortBy = "workspaces"
	SortByMembers    SortBy = "members"
	SortBySpent      SortBy = "spent"
	SortByCap        SortBy = "cap"
	SortByLeft       SortBy = "left"
	SortByLastRun    SortBy = "lastRun"
)

// Sort is an order that is asked for in place of the list's own.
type Sort struct {
	By         SortBy
	Descending bool
}

func (s Sort) name() string { return fmt.Sprintf("%s:%t", s.By, s.Descending) }

// Sorts are the orders that a list offers, by what its query selects and is
// never null. A list of MaxCounted rows or more is not sorted:
// validation_error.
type Sorts struct {
	// ID is the column that is unique in the list, and the last part of its
	// positions.
	ID string
	By map[SortBy]SortColumn
}

// SortColumn is made of columns of the rows, which are called listed; with its type.
type SortColumn struct{ Column, Type string }

func (s Sorts) order(by Sort) (Order, error) {
	column, ok := s.By[by.By]
	if !ok {
		return Order{}, Invalid("sort", "is nothing that this list can be sorted by")
	}
	return Order{by: column.Column, kind: column.Type, id: "listed." + s.ID, descending: by.Descending}, nil
}

// shortEnough refuses to sort a list that is too long for it.
func shortEnough(count func() (int, error)) error {
	n, err := count()
	if err == nil && n >= MaxCounted {
		err = Invalid("sort", "needs a list of fewer than %d rows", MaxCounted)
	}
	return err
}

// Order is how a list stands: by a column that is unique in it, or by another
// one before that.
type Order struct {
	by, kind   string // the column before the unique one, and its type
	id, idKind string
	descending bool
}

// NewestFirst orders by descending id, which is the order of creation.
func NewestFirst(column string) Order { return Order{id: column, idKind: "uuid", descending: true} }

// LatestFirst orders by the columns of a TimePosition, newest first.
func LatestFirst(at, id string) Order {
	return Order{by: at, kind: "timestamptz", id: id, idKind: "uuid", descending: true}
}

// HighestFirst orders by a number that is unique in the list.
func HighestFirst(column string) Order { return Order{id: column, idKind: "bigint", descending: true} }

// MostFirst orders by a number that several rows may have, and newest first within it.
func MostFirst(number, id string) Order {
	return Order{by: number, kind: "bigint", id: id, idKind: "uuid", descending: true}
}

// TimePosition is where a row stands in a list by time, of which several rows
// may have the same.
func TimePosition(at time.Time, id ID) string {
	return at.UTC().Format(time.RFC3339Nano) + " " + id.String()
}

// apply adds the order to a query and leaves what stands behind a place, or
// before it, in which case the nearest come first.
func (o Order) apply(q *gorm.DB, from cursor) *gorm.DB {
	sign, direction := ">", " ASC"
	if o.descending != from.back {
		sign, direction = "<", " DESC"
	}
	idKind := o.idKind
	if idKind == "" {
		idKind = "uuid"
	}
	value, id := splitPosition(from.at)
	switch {
	case o.by == "":
		if from.at != "" {
			q = q.Where(o.id+" "+sign+" ?::"+idKind, from.at)
		}
		return q.Order(o.id + direction)
	case from.at != "":
		q = q.Where("("+o.by+", "+o.id+") "+sign+" (?::"+o.kind+", ?::"+idKind+")", value, id)
	}
	return q.Order(o.by + direction + ", " + o.id + direction)
}

// splitPosition divides a position into the value before the id, and the id.
func splitPosition(position string) (value, id string) {
	if i := strings.LastIndexByte(position, ' '); i >= 0 {
		return position[:i], position[i+1:]
	}
	return "", position
}

// sortPositions reads where the rows of a sorted page stand: what they are
// sorted by, as the database has it.
func sortPositions[T any](read *gorm.DB, o Order, rows []T, position func(T) string) (func(T) string, error) {
	id := func(row T) string {
		_, id := splitPosition(position(row))
		return id
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = id(row)
	}
	var found []struct{ ID, Value string }
	err := read.Select(o.id+"::text AS id", "("+o.by+")::text AS value").Where(o.id+" IN ?", ids).Scan(&found).Error
	values := make(map[string]string, len(found))
	for _, f := range found {
		values[f.ID] = f.Value
	}
	return func(row T) string { return values[id(row)] + " " + id(row) }, err
}

// countRows counts what a query finds, as far as MaxCounted.
func countRows(query *gorm.DB) (int, error) {
	var n int64
	err := fresh(query).Table("(?) AS counted", query.Limit(MaxCounted)).Count(&n).Error
	return int(n), err
}

// fresh is a query of the same connection with nothing in it.
func fresh(query *gorm.DB) *gorm.DB {
	return query.Session(&gorm.Session{NewDB: true, Context: query.Statement.Context})
}
