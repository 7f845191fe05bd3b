package web

import (
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// text is a trimmed value of a posted form.
func text(r *http.Request, name string) string { return strings.TrimSpace(r.PostForm.Get(name)) }

// textOrNil is nil for an empty value.
func textOrNil(r *http.Request, name string) *string {
	if s := text(r, name); s != "" {
		return &s
	}
	return nil
}

// given is a value of an address or a form, nil when it is empty.
func given(values url.Values, name string) *string {
	if s := values.Get(name); s != "" {
		return &s
	}
	return nil
}

// chosenFile is the text of an uploaded file; readForm has bounded its size.
func chosenFile(r *http.Request, name string) string {
	file, _, err := r.FormFile(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxForm))
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(string(text), "\ufffd")
}

// wholeOrNil reads a whole number; nil for an empty field.
func wholeOrNil(r *http.Request, name string) (*int, error) {
	s := text(r, name)
	if s == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return nil, invalid(name, "Write a whole number from 1 on, or nothing for no limit.")
	}
	return &n, nil
}

// lines are the lines of a text that are not empty.
func lines(text string) []string {
	out := []string{}
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
