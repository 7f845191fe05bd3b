package main

import (
	"fmt"
	"strings"
)

const (
	// around is how many equal lines are shown before and after a difference.
	around = 3
	// maxCompared bounds the work: longer differences are shown as one that replaces all.
	maxCompared = 4_000_000
)

// lineDiff shows how two texts differ, in the form of diff -u; it is empty for equal ones.
func lineDiff(fromName, toName, from, to string) string {
	if from == to {
		return ""
	}
	a, b := strings.SplitAfter(from, "\n"), strings.SplitAfter(to, "\n")
	edits := editsOf(a, b)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", fromName, toName)
	for i := 0; i < len(edits); {
		if edits[i].kind == ' ' {
			i++
			continue
		}
		begin, end := max(i-around, 0), i
		for end < len(edits) { // as long as no gap is wider than the equal lines that are shown on both sides
			next := end
			for next < len(edits) && edits[next].kind == ' ' {
				next++
			}
			if next == len(edits) || next-end > 2*around {
				break
			}
			for next < len(edits) && edits[next].kind != ' ' {
				next++
			}
			end = next
		}
		stop := min(end+around, len(edits))
		fromLine, toLine, fromCount, toCount := edits[begin].from, edits[begin].to, 0, 0
		for _, e := range edits[begin:stop] {
			if e.kind != '+' {
				fromCount++
			}
			if e.kind != '-' {
				toCount++
			}
		}
		fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n", fromLine+1, fromCount, toLine+1, toCount)
		for _, e := range edits[begin:stop] {
			fmt.Fprintf(&out, "%c%s\n", e.kind, strings.TrimSuffix(e.line, "\n"))
		}
		i = stop
	}
	return out.String()
}

// edit is a line that stays (' '), goes ('-') or comes ('+'), and where it is on both sides.
type edit struct {
	kind     byte
	line     string
	from, to int
}

func editsOf(a, b []string) []edit {
	if n := len(a); n > 0 && a[n-1] == "" {
		a = a[:n-1]
	}
	if n := len(b); n > 0 && b[n-1] == "" {
		b = b[:n-1]
	}
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	n, m := len(a)-head-tail, len(b)-head-tail
	longest := make([][]int32, n+1) // of the common lines from here on
	if n*m <= maxCompared {
		for i := range longest {
			longest[i] = make([]int32, m+1)
		}
		for i := n - 1; i >= 0; i-- {
			for j := m - 1; j >= 0; j-- {
				if a[head+i] == b[head+j] {
					longest[i][j] = longest[i+1][j+1] + 1
				} else {
					longest[i][j] = max(longest[i+1][j], longest[i][j+1])
				}
			}
		}
	}
	var edits []edit
	for i := range head {
		edits = append(edits, edit{' ', a[i], i, i})
	}
	i, j := 0, 0
	for i < n || j < m {
		from, to := head+i, head+j
		switch {
		case i < n && j < m && a[from] == b[to]:
			edits = append(edits, edit{' ', a[from], from, to})
			i, j = i+1, j+1
		case i < n && (j == m || longest[i] == nil || longest[i+1][j] >= longest[i][j+1]):
			edits = append(edits, edit{'-', a[from], from, to})
			i++
		default:
			edits = append(edits, edit{'+', b[to], from, to})
			j++
		}
	}
	for k := range tail {
		edits = append(edits, edit{' ', a[head+n+k], head + n + k, head + m + k})
	}
	return edits
}
