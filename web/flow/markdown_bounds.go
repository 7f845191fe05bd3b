package flow

import "strings"

// The bounds of a text within which reading it as Markdown takes time and room in proportion to its length. A text
// beyond them is no one's prose: it is shown as it is.
const (
	maxContainers = 20        // quotes and lists that one line opens
	maxIndent     = 60        // columns before the mark of a list, which nest too
	maxCells      = 10_000    // of tables, the cells that are filled up included
	maxBrackets   = 500       // beginnings of links
	maxDelimiters = 3_000     // runs of * _ ~ and `
	maxBlank      = 3_000     // lines without anything, which each open list asks for
	maxExpansion  = 256 << 10 // bytes that links to definitions may repeat
)

// tangled tells whether a text is beyond these bounds. It reads it once.
func tangled(text string) bool {
	brackets, delimiters := strings.Count(text, "["), runs(text)
	if brackets > maxBrackets || delimiters > maxDelimiters {
		return true
	}
	if strings.Contains(text, "]:") && maxParagraph(text)*brackets > maxExpansion {
		return true
	}
	left, blank := strings.Count(text, "\n")+1, 0
	for line := range strings.Lines(text) {
		if strings.Trim(line, " \t\r\n>") == "" {
			blank++
		}
		if blank > maxBlank || nests(line) || columns(line)*left > maxCells {
			return true
		}
		left--
	}
	return false
}

// runs counts runs of characters that may begin or end an emphasis, a deletion or code.
func runs(text string) (n int) {
	var before byte
	for i := range len(text) {
		c := text[i]
		if (c == '*' || c == '_' || c == '~' || c == '`') && c != before {
			n++
		}
		before = c
	}
	return n
}

// maxParagraph is the length in bytes of the longest piece between blank lines, for a definition ends at one.
func maxParagraph(text string) (longest int) {
	length := 0
	for line := range strings.Lines(text) {
		if length += len(line); strings.TrimSpace(line) == "" {
			length = 0
		}
		longest = max(longest, length)
	}
	return longest
}

// nests tells whether a line opens too many quotes and lists, or a list too far to the right.
func nests(line string) bool {
	containers, column := 0, 0
	for i := 0; i < len(line); i++ {
		ends := i+1 == len(line) || strings.IndexByte(" \t\r\n", line[i+1]) >= 0
		switch c := line[i]; {
		case c == ' ':
		case c == '\t':
			column += 3
		case c >= '0' && c <= '9':
		case c == '>', strings.IndexByte("-*+.)", c) >= 0 && ends:
			if containers++; containers > maxContainers || column > maxIndent {
				return true
			}
		default:
			return false
		}
		column++
	}
	return false
}

// columns are those of the table that a line may rule off from its head: 0 for any other line.
func columns(line string) int {
	if !strings.Contains(line, "-") || strings.Trim(line, "|:- \t\r\n>*+0123456789.)") != "" {
		return 0
	}
	return strings.Count(line, "|") + 1
}
