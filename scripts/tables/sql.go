package main

import (
	"regexp"
	"strings"
)

// reference is a table that a piece of SQL names where a table stands. Its
// name is computed where the text does not say which it is.
type reference struct {
	table  string
	writes bool
}

// computed stands in a text for what its program puts there.
const computed = "\x00"

var (
	sqlNoise = regexp.MustCompile(`(?m)--.*$|'(?:[^']|'')*'`)
	sqlToken = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*|[(),]|\x00|[^\s]`)
	verbOf   = regexp.MustCompile(`%(\[\d+\])?[svdq]`)
)

// after are the words that a table follows.
var after = map[string]bool{"FROM": true, "JOIN": true, "INTO": true, "UPDATE": true, "USING": true, "TRUNCATE": true, "TABLE": true}

// between may stand between such a word and its table.
var between = map[string]bool{"ONLY": true, "LATERAL": true, "TABLE": true, "IF": true, "NOT": true, "EXISTS": true}

// ends are the words that end a list of tables.
var ends = map[string]bool{
	"WHERE": true, "ON": true, "SET": true, "GROUP": true, "ORDER": true, "LIMIT": true, "SELECT": true, "VALUES": true,
	"RETURNING": true, "UNION": true, "FOR": true, "HAVING": true, "CROSS": true, "LEFT": true, "INNER": true,
}

// references finds the tables in a piece of SQL. The words of SQL are upper
// case, as everywhere in the program: prose has them in lower case.
func references(text string) []reference {
	tokens := sqlToken.FindAllString(sqlNoise.ReplaceAllString(verbOf.ReplaceAllString(text, computed), "''"), -1)
	var found []reference
	depth := 0
	listed := map[int]bool{} // depths at which a comma is followed by a table
	previous := func(i, n int) string {
		if i < n {
			return ""
		}
		return tokens[i-n]
	}
	take := func(i int, writes bool) {
		for i < len(tokens) && between[tokens[i]] {
			i++
		}
		if i < len(tokens) && (tokens[i] == computed || isName(tokens[i])) {
			found = append(found, reference{tokens[i], writes})
		}
	}
	for i, token := range tokens {
		switch {
		case token == "(":
			depth++
			listed[depth] = false
		case token == ")":
			depth--
		case token == "," && listed[depth]:
			take(i+1, false)
		case ends[token]:
			listed[depth] = false
		case after[token]:
			before := previous(i, 1)
			if token == "UPDATE" && (before == "FOR" || before == "KEY" || before == "DO" || before == "OF" || before == "OR") {
				continue
			}
			if token == "FROM" && before == "DISTINCT" && previous(i, 2) == "IS" || token == "TABLE" && before == "TRUNCATE" {
				continue
			}
			listed[depth] = token == "FROM" || token == "USING"
			take(i+1, token == "INTO" || token == "UPDATE" || token == "TRUNCATE" || token == "FROM" && before == "DELETE")
		}
	}
	return found
}

func isName(token string) bool {
	return token[0] == '_' || 'a' <= token[0]|0x20 && token[0]|0x20 <= 'z' && token != strings.ToUpper(token)
}
