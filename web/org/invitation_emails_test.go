package org

import (
	"slices"
	"testing"
)

func TestReadEmails(t *testing.T) {
	for name, test := range map[string]struct {
		list string
		want []string
	}{
		"lines":        {"a@example.com\r\n\n b@example.com ", []string{"a@example.com", "b@example.com"}},
		"commas":       {"a@example.com, b@example.com;c@example.com", []string{"a@example.com", "b@example.com", "c@example.com"}},
		"names":        {"Mina Lang <a@example.com>\n\"Lang, Tom\" <b@example.com>", []string{"a@example.com", "b@example.com"}},
		"a table":      {"\ufeffName,Email,Class\nMina,a@example.com,9b\nTom,b@example.com,9b", []string{"a@example.com", "b@example.com"}},
		"what is none": {"a@example.com\nnonsense here", []string{"a@example.com", "nonsense here"}},
		"one word":     {"nonsense", []string{"nonsense"}},
		"nothing":      {" \n ", nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := readEmails(test.list); !slices.Equal(got, test.want) {
				t.Errorf("read %q, want %q", got, test.want)
			}
		})
	}
}
