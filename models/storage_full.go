package models

import "strconv"

// storageParts say of each thing that a space keeps what is full, and what
// makes room.
var storageParts = map[string]struct{ full, remedy string }{
	"files":     {"The files %s take up all of their %s", "Delete runs of apps, whose files go with them"},
	"outputs":   {"What runs have put out %s takes up all of its %s", "Delete runs of apps that no one needs any more"},
	"graphs":    {"The workflows %s with their saved versions take up all of their %s", "Delete workflows that no one needs any more"},
	"workflows": {"There are as many workflows %s as there may be, %s", "Delete those that no one needs any more"},
}

// StorageFull is the refusal of what a space has no room for (limit_reached):
// part is what is full, space whose it is, most how much of it there may be.
func StorageFull(part, space string, most int64) *Error {
	words := storageParts[part]
	where := "in your personal space"
	if space == "workspace" {
		where = "in this workspace"
	}
	limit := strconv.FormatInt(most, 10)
	if part != "workflows" {
		limit = ByteSize(most).String()
	}
	return Err(CodeLimitReached, words.full+". %s, or ask the operator of this install for more.", where, limit, words.remedy)
}

// ByteSize is a number of bytes, written as people say it: 1.2 GiB.
type ByteSize int64

var byteUnits = []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}

// String is the size with one decimal at most.
func (b ByteSize) String() string {
	size, unit := float64(b), 0
	for size >= 1024 && unit < len(byteUnits)-1 {
		size, unit = size/1024, unit+1
	}
	return strconv.FormatFloat(float64(int64(size*10))/10, 'f', -1, 64) + " " + byteUnits[unit]
}
