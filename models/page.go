package models

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"sync"

	"gorm.io/gorm"
)

// Page asks for one page of a list. A nil Limit is the list's default, a nil
// Sort its own order.
type Page struct {
	Limit *int
	// Cursor is the end of the page before, or the PreviousCursor of the page
	// behind.
	Cursor *string
	Sort   *Sort
}

// The sizes of lists where the contract says nothing else.
const (
	DefaultPageSize = 50
	MaxPageSize     = 200
)

// Size is the page's length; outside 1 to most it is a validation_error.
func (p Page) Size(standard, most int) (int, error) {
	if p.Limit == nil {
		return standard, nil
	}
	if *p.Limit < 1 || *p.Limit > most {
		return 0, Invalid("limit", "must be between 1 and %d", most)
	}
	return *p.Limit, nil
}

// PageInfo tells where a page ends (Relay).
type PageInfo struct {
	HasNextPage bool
	EndCursor   *string
	// PreviousCursor reads the page before; nil on the first.
	PreviousCursor *string
}

// Connection is a page of a list.
type Connection[T any] struct {
	Nodes    []T
	PageInfo PageInfo
	// cursors holds each node's own cursor, for Edges.
	cursors []string
	count   func() (int, error)
}

// TotalCount is how many rows the whole list has: MaxCounted when they are
// that many or more.
func (c *Connection[T]) TotalCount() (int, error) {
	if c.count == nil {
		return len(c.Nodes), nil
	}
	return c.count()
}

// Edge is a node with its cursor (Relay).
type Edge[T any] struct {
	Node   T
	Cursor string
}

// Edges pairs each node with the cursor behind it.
func (c *Connection[T]) Edges() []Edge[T] {
	edges := make([]Edge[T], len(c.Nodes))
	for i, node := range c.Nodes {
		edges[i] = Edge[T]{Node: node, Cursor: c.cursors[i]}
	}
	return edges
}

// Next is the cursor of the following page; nil ends the list.
func (c *Connection[T]) Next() *string {
	if !c.PageInfo.HasNextPage {
		return nil
	}
	return c.PageInfo.EndCursor
}

// List describes a list: its name (with everything that filters it, so that a
// cursor of one list is refused by another), its sizes, and the position of a row.
type List[T any] struct {
	Name     string
	Standard int // default page size; 0 means DefaultPageSize
	Most     int // largest page size; 0 means MaxPageSize
	// Position is where a row stands in the list's own order: its id, or the
	// TimePosition of it.
	Position func(T) string
	// Sorts are the other orders that can be asked for.
	Sorts Sorts
	// Heavy has a page end where its bytes do; nil for rows that are small.
	Heavy *Heavy[T]
}

// ListPage reads one page of what a query finds, in the list's own order or in
// the one that the page asks for.
func ListPage[T any](db *DB, list List[T], page Page, query *gorm.DB, order Order) (*Connection[T], error) {
	size, err := page.Size(orElse(list.Standard, DefaultPageSize), orElse(list.Most, MaxPageSize))
	if err != nil {
		return nil, err
	}
	query = modelled[T](query)
	count := sync.OnceValues(func() (int, error) { return countRows(query) })
	position, read := list.Position, query
	if page.Sort != nil {
		if order, err = list.Sorts.order(*page.Sort); err != nil {
			return nil, err
		}
		if err := shortEnough(count); err != nil {
			return nil, err
		}
		list.Name += ":" + page.Sort.name()
		read = fresh(query).Table("(?) AS listed", query).Session(&gorm.Session{})
	}
	from, err := db.openCursor(list.Name, page.Cursor)
	if err != nil {
		return nil, err
	}
	rows, more, err := readRows(read, order, from, size, list)
	if err != nil {
		return nil, err
	}
	if from.back {
		slices.Reverse(rows)
	}
	if page.Sort != nil {
		if position, err = sortPositions(read, order, rows, list.Position); err != nil {
			return nil, err
		}
	}
	c := &Connection[T]{Nodes: rows, count: count}
	for _, row := range rows {
		c.cursors = append(c.cursors, db.sealCursor(list.Name, cursor{at: position(row)}))
	}
	if len(rows) == 0 {
		return c, nil
	}
	c.PageInfo = PageInfo{HasNextPage: more || from.back, EndCursor: &c.cursors[len(rows)-1]}
	if before := from.at != "" && !from.back || from.back && more; before {
		previous := db.sealCursor(list.Name, cursor{at: position(rows[0]), back: true})
		c.PageInfo.PreviousCursor = &previous
	}
	return c, nil
}

// modelled is a query that says which rows it finds, and may be used several times.
func modelled[T any](query *gorm.DB) *gorm.DB {
	if query.Statement.Table == "" && query.Statement.Model == nil {
		query = query.Model(new(T))
	}
	return query.Session(&gorm.Session{})
}

// ListOnStandby is ListPage by OnStandby; query makes the query for a context.
func ListOnStandby[T any](ctx context.Context, db *DB, list List[T], page Page, query func(context.Context) (*gorm.DB, error), order Order) (*Connection[T], error) {
	c, err := OnStandby(ctx, db, func(ctx context.Context) (*Connection[T], error) {
		found, err := query(ctx)
		if err != nil {
			return nil, err
		}
		return ListPage(db, list, page, found, order)
	})
	if err != nil {
		return nil, err
	}
	// The transaction of the page has ended when it is counted.
	c.count = sync.OnceValues(func() (int, error) {
		return OnStandby(ctx, db, func(ctx context.Context) (int, error) {
			found, err := query(ctx)
			if err != nil {
				return 0, err
			}
			return countRows(modelled[T](found))
		})
	})
	return c, nil
}

// readRows reads the first rows of a query in an order; more says that others follow.
func readRows[T any](read *gorm.DB, order Order, from cursor, size int, list List[T]) (rows []T, more bool, err error) {
	if list.Heavy != nil {
		return readHeavy(read, order, from, size, list)
	}
	rows = []T{}
	if err := order.apply(read, from).Limit(size + 1).Find(&rows).Error; err != nil {
		return nil, false, err
	}
	return rows[:min(len(rows), size)], len(rows) > size, nil
}

// Whole wraps a list that is short by rule (such as ten tokens) as a connection.
func Whole[T any](nodes []T) *Connection[T] {
	return &Connection[T]{Nodes: nodes, cursors: make([]string, len(nodes))}
}

// MapConnection changes the nodes of a page and keeps its cursors.
func MapConnection[T, U any](c *Connection[T], fn func(T) U) *Connection[U] {
	mapped := &Connection[U]{PageInfo: c.PageInfo, cursors: c.cursors, count: c.count, Nodes: make([]U, len(c.Nodes))}
	for i, node := range c.Nodes {
		mapped.Nodes[i] = fn(node)
	}
	return mapped
}

func orElse(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// cursor is a place in a list, and whether the rows before it are meant.
type cursor struct {
	at   string
	back bool
}

// sealCursor writes a place that only this list of this install reads again.
func (db *DB) sealCursor(list string, c cursor) string {
	parts := []string{c.at}
	if c.back {
		parts = append(parts, backward)
	}
	body, _ := json.Marshal(parts)
	return base64.RawURLEncoding.EncodeToString(slices.Concat(db.cursorTag("", body), db.cursorTag(list, body), body))
}

// CheckCursor refuses what is no cursor of this install, whatever its list: a
// malformed or altered one is a validation_error before anything is looked up.
func (db *DB) CheckCursor(cursor string) error {
	_, _, err := db.unseal(cursor)
	return err
}

// backward marks a cursor that leads to what stands before it.
const backward = "before"

// openCursor reads a cursor of this list; an altered or foreign one is a validation_error.
func (db *DB) openCursor(list string, given *string) (c cursor, err error) {
	if given == nil || *given == "" {
		return cursor{}, nil
	}
	tag, body, err := db.unseal(*given)
	if err != nil {
		return cursor{}, err
	}
	var parts []string
	if err := json.Unmarshal(body, &parts); err != nil || len(parts) == 0 || len(parts) > 2 || !hmac.Equal(tag, db.cursorTag(list, body)) {
		return cursor{}, errCursor
	}
	return cursor{at: parts[0], back: len(parts) == 2 && parts[1] == backward}, nil
}

// unseal splits a cursor of this install into the tag of its list and its body.
func (db *DB) unseal(cursor string) (tag, body []byte, err error) {
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(sealed) < 2*tagSize || !hmac.Equal(sealed[:tagSize], db.cursorTag("", sealed[2*tagSize:])) {
		return nil, nil, errCursor
	}
	return sealed[tagSize : 2*tagSize], sealed[2*tagSize:], nil
}

var errCursor = Invalid("cursor", "is not one that this list gave out")

// tagSize is the bytes of each of a cursor's two tags: that of the install,
// and that of the list.
const tagSize = 12

func (db *DB) cursorTag(list string, body []byte) []byte {
	mac := hmac.New(sha256.New, db.cursorKey[:])
	mac.Write([]byte(list))
	mac.Write([]byte{0})
	mac.Write(body)
	return mac.Sum(nil)[:tagSize]
}
