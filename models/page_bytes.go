package models

import (
	"iter"
	"slices"

	"gorm.io/gorm"
)

// MaxPageBytes is where a page of large rows ends: at the row with which they are as large
// as this together, as JSON. One row there always is.
const MaxPageBytes = 16 << 20

// batchStored is how many bytes of rows as they are stored, compressed, are read at once.
const batchStored = 64 << 10

// Heavy says how large the rows of a list are, whose own order must be that of their ids.
type Heavy[T any] struct {
	// ID is the column of the id, Stored an expression for how large a row is as it is stored.
	ID, Stored string
	// Bytes is how large a row is as JSON.
	Bytes func(T) int
}

// readHeavy reads the first rows of a query in their order, no more than size and no more than fit
// into MaxPageBytes; more says that others follow.
func readHeavy[T any](read *gorm.DB, order Order, from cursor, size int, list List[T]) (rows []T, more bool, err error) {
	var stored []struct {
		ID    ID
		Bytes int
	}
	err = order.apply(read, from).Select(list.Heavy.ID + " AS id, " + list.Heavy.Stored + " AS bytes").Limit(size + 1).Scan(&stored).Error
	if err != nil {
		return nil, false, err
	}
	if more = len(stored) > size; more {
		stored = stored[:size]
	}
	rows = []T{}
	total := 0
	all, sizes := make([]ID, len(stored)), make(map[ID]int, len(stored))
	for i, row := range stored {
		all[i], sizes[row.ID] = row.ID, row.Bytes
	}
	for ids := range BatchesByBytes(all, sizes) {
		var batch []T
		if err := read.Where(list.Heavy.ID+" IN ?", ids).Find(&batch).Error; err != nil {
			return nil, false, err
		}
		place := func(row T) int {
			return slices.IndexFunc(ids, func(id ID) bool { return id.String() == list.Position(row) })
		}
		slices.SortFunc(batch, func(a, b T) int { return place(a) - place(b) })
		for _, row := range batch {
			if total += list.Heavy.Bytes(row); total > MaxPageBytes && len(rows) > 0 {
				return rows, true, nil
			}
			rows = append(rows, row)
		}
	}
	return rows, more, nil
}

// BatchesByBytes parts ids, in their order, so that the rows of one batch are not large
// together: sizes is how large they are as they are stored, compressed.
func BatchesByBytes(ids []ID, sizes map[ID]int) iter.Seq[[]ID] {
	return func(yield func([]ID) bool) {
		for len(ids) > 0 {
			n, sum := 1, sizes[ids[0]]
			for n < len(ids) && sum+sizes[ids[n]] <= batchStored {
				sum += sizes[ids[n]]
				n++
			}
			if !yield(ids[:n]) {
				return
			}
			ids = ids[n:]
		}
	}
}

// Cut leaves the first rows of a page, one at least, for those that are too large together.
// The page behind begins with the rest.
func (c *Connection[T]) Cut(n int) {
	if n = max(n, 1); n >= len(c.Nodes) {
		return
	}
	c.Nodes, c.cursors = c.Nodes[:n], c.cursors[:n]
	c.PageInfo.HasNextPage, c.PageInfo.EndCursor = true, &c.cursors[n-1]
}
