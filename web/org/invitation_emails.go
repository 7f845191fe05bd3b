package org

import (
	"net/http"
	"strings"

	"atelier/web/frame"
)

// typedEmails are the addresses that were pasted, and those of a chosen file, in their order. Lists of every kind
// are read: one on a line, separated by commas, with names, as a table with other columns. What holds no @ stays,
// so that it is seen, unless it is the head of a table.
func typedEmails(r *http.Request) []string {
	return append(readEmails(r.PostForm.Get("emails")), readEmails(frame.ChosenFile(r, "file"))...)
}

func readEmails(list string) (emails []string) {
	lines := strings.FieldsFunc(list, func(c rune) bool { return c == '\n' || c == '\r' })
	for i, line := range lines {
		found := false
		for _, word := range strings.FieldsFunc(line, separates) {
			if strings.Contains(word, "@") {
				emails, found = append(emails, word), true
			}
		}
		if line = strings.TrimSpace(line); !found && line != "" && (i > 0 || len(lines) == 1) {
			emails = append(emails, line)
		}
	}
	return emails
}

func separates(c rune) bool { return strings.ContainsRune(",;|<>\"'() \t\u00a0\ufeff", c) }
