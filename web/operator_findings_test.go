package web

import (
	"strings"
	"testing"
)

// Operators read what was found and what to do; whether something has to be done stands above.
func TestOperatorFindings(t *testing.T) {
	for state, says := range map[string][]string{
		"action": {"has to be done", "To do", "What to do"},
		"notice": {"Nothing has to be done.", "Notice"},
		"ok":     {"Nothing has to be done.", "Fine"},
	} {
		f := newFake(t).with("Profile.isOperator", true).with("Query.operatorFindings", 1).with("Finding.state", state)
		w := get(f, "/operator/health")
		for _, words := range says {
			if !strings.Contains(w.Body.String(), words) {
				t.Errorf("%s: the page does not say %q: %d", state, words, w.Code)
			}
		}
	}
}
