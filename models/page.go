package models

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
)

// Page asks for one page of a list. A nil Limit is the list's default.
type Page struct {
	Limit  *int
	Cursor *string
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
}

// Connection is a page of a list.
type Connection[T any] struct {
	Nodes    []T
	PageInfo PageInfo
	// cursors holds each node's own cursor, for Edges.
	cursors []string
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
	// Position is the value by which the list is ordered, unique in it: usually the id.
	Position func(T) string
}

// ListPage reads one page: scope receives the query with the position of the
// last row seen ("" at the start) and adds the condition and the order.
func ListPage[T any](db *DB, list List[T], page Page, query *gorm.DB, scope func(q *gorm.DB, after string) *gorm.DB) (*Connection[T], error) {
	size, err := page.Size(orElse(list.Standard, DefaultPageSize), orElse(list.Most, MaxPageSize))
	if err != nil {
		return nil, err
	}
	after, err := db.openCursor(list.Name, page.Cursor)
	if err != nil {
		return nil, err
	}
	rows := []T{}
	if err := scope(query, after).Limit(size + 1).Find(&rows).Error; err != nil {
		return nil, err
	}
	return newConnection(db, list.Name, rows, size, func(i int) string { return list.Position(rows[i]) }), nil
}

// NewestFirst orders by descending id, which is the order of creation.
func NewestFirst(column string) func(*gorm.DB, string) *gorm.DB {
	return func(q *gorm.DB, after string) *gorm.DB {
		if after != "" {
			q = q.Where(column+" < ?", after)
		}
		return q.Order(column + " DESC")
	}
}

// TimePosition is where a row stands in a list by time, of which several rows
// may have the same.
func TimePosition(at time.Time, id ID) string {
	return at.UTC().Format(time.RFC3339Nano) + " " + id.String()
}

// LatestFirst orders by the columns of a TimePosition, newest first.
func LatestFirst(at, id string) func(*gorm.DB, string) *gorm.DB {
	return func(q *gorm.DB, after string) *gorm.DB {
		if moment, last, ok := strings.Cut(after, " "); ok {
			q = q.Where("("+at+", "+id+") < (?::timestamptz, ?::uuid)", moment, last)
		}
		return q.Order(at + " DESC, " + id + " DESC")
	}
}

// Whole wraps a list that is short by rule (such as ten tokens) as a connection.
func Whole[T any](nodes []T) *Connection[T] {
	return &Connection[T]{Nodes: nodes, cursors: make([]string, len(nodes))}
}

// MapConnection changes the nodes of a page and keeps its cursors.
func MapConnection[T, U any](c *Connection[T], fn func(T) U) *Connection[U] {
	mapped := &Connection[U]{PageInfo: c.PageInfo, cursors: c.cursors, Nodes: make([]U, len(c.Nodes))}
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

// newConnection cuts the row beyond the page and seals the cursors.
func newConnection[T any](db *DB, list string, rows []T, size int, position func(int) string) *Connection[T] {
	c := &Connection[T]{Nodes: rows[:min(len(rows), size)]}
	for i := range c.Nodes {
		c.cursors = append(c.cursors, db.sealCursor(list, position(i)))
	}
	if n := len(c.cursors); n > 0 {
		c.PageInfo = PageInfo{HasNextPage: len(rows) > size, EndCursor: &c.cursors[n-1]}
	}
	return c
}

// sealCursor writes a position that only this list of this install reads again.
func (db *DB) sealCursor(list, position string) string {
	body, _ := json.Marshal([]string{position})
	return base64.RawURLEncoding.EncodeToString(slices.Concat(db.cursorTag("", body), db.cursorTag(list, body), body))
}

// CheckCursor refuses what is no cursor of this install, whatever its list: a
// malformed or altered one is a validation_error before anything is looked up.
func (db *DB) CheckCursor(cursor string) error {
	_, _, err := db.unseal(cursor)
	return err
}

// openCursor reads a cursor of this list; an altered or foreign one is a validation_error.
func (db *DB) openCursor(list string, cursor *string) (position string, err error) {
	if cursor == nil || *cursor == "" {
		return "", nil
	}
	tag, body, err := db.unseal(*cursor)
	if err != nil {
		return "", err
	}
	var positions []string
	if err := json.Unmarshal(body, &positions); err != nil || len(positions) != 1 || !hmac.Equal(tag, db.cursorTag(list, body)) {
		return "", errCursor
	}
	return positions[0], nil
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
