package models

import (
	"slices"
	"strings"
)

// PageOfAll is one page of a list that is short by rule and lies whole in
// memory. Its rows stand in the ascending order of their positions, which are unique.
func PageOfAll[T any](db *DB, list List[T], page Page, rows []T) (*Connection[T], error) {
	size, err := page.Size(orElse(list.Standard, DefaultPageSize), orElse(list.Most, MaxPageSize))
	if err != nil {
		return nil, err
	}
	if page.Sort != nil {
		return nil, Invalid("sort", "is nothing that this list can be sorted by")
	}
	from, err := db.openCursor(list.Name, page.Cursor)
	if err != nil {
		return nil, err
	}
	first, last := 0, len(rows)
	if from.at != "" {
		at, found := slices.BinarySearchFunc(rows, from.at, func(row T, at string) int { return strings.Compare(list.Position(row), at) })
		if found && !from.back {
			at++
		}
		if from.back {
			last = at
		} else {
			first = at
		}
	}
	if from.back {
		first = max(0, last-size)
	} else {
		last = min(last, first+size)
	}
	c := &Connection[T]{Nodes: rows[first:last:last], count: func() (int, error) { return len(rows), nil }}
	for _, row := range c.Nodes {
		c.cursors = append(c.cursors, db.sealCursor(list.Name, cursor{at: list.Position(row)}))
	}
	if first == last {
		return c, nil
	}
	c.PageInfo = PageInfo{HasNextPage: last < len(rows), EndCursor: &c.cursors[last-first-1]}
	if first > 0 {
		previous := db.sealCursor(list.Name, cursor{at: list.Position(rows[first]), back: true})
		c.PageInfo.PreviousCursor = &previous
	}
	return c, nil
}
