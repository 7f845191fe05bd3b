package models

import "strings"

// maxSearch is the length of what can be searched for, in characters.
const maxSearch = 100

// CleanSearch trims what is searched for; "" is nothing.
func CleanSearch(search *string) (string, error) {
	if search == nil {
		return "", nil
	}
	return CleanText("search", strings.TrimSpace(*search), maxSearch)
}

// LikeEscapes makes a text one that LIKE takes by its letters.
var LikeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Containing is the ILIKE pattern of texts that hold s anywhere.
func Containing(s string) string { return "%" + LikeEscapes.Replace(s) + "%" }
