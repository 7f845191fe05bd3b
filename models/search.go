package models

import (
	"unicode"

	"atelier/humantext"
)

// MaxSearch is the length of what can be searched for, in characters.
const MaxSearch = 100

// CleanSearch is what is typed or pasted to find something by its name, without what is invisible; "" is nothing.
func CleanSearch(field, typed string) (string, error) {
	return CleanText(field, humantext.Pasted(typed), MaxSearch)
}

// ListSearch is CleanSearch for a list that nil does not narrow.
func ListSearch(search *string) (string, error) {
	if search == nil {
		return "", nil
	}
	return CleanSearch("search", *search)
}

// Found is the condition that a row is found by what was typed, its one value:
// each word of it begins a word of the row's name, whatever the case and the
// accents. A word with a sign such as % or _ is found as it was typed. The column
// is one that a migration filled by search_index. Lists and the search have this
// one rule.
func Found(column string) string { return column + " @@ (SELECT search_query(?, false))" }

// FoundWithAddress is Found by the words of a person's address too, for those
// who may see addresses.
func FoundWithAddress(column string) string { return column + " @@ (SELECT search_query(?, true))" }

// firstIdeograph is where the scripts begin in which one sign is a word.
const firstIdeograph = 0x2e80

// Searchable tells whether what was typed is enough to look through
// everything: two letters or digits, or one of a script in which one is a word.
func Searchable(typed string) bool {
	n := 0
	for _, r := range typed {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if n++; r >= firstIdeograph {
				n++
			}
		}
	}
	return n >= 2
}
