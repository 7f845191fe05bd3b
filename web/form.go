package web

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strconv"

	"atelier/web/ui"
)

const maxForm = 1 << 20 // bytes

// form is what was sent and why it was refused; the zero form is a fresh one.
type form struct {
	Values url.Values
	Err    *Error
}

// Value is what was typed into a field, or fallback in a fresh form.
func (f form) Value(name, fallback string) string {
	if v, ok := f.Values[name]; ok && len(v) > 0 {
		return v[0]
	}
	return fallback
}

// Checked tells whether a box was ticked; in a fresh form it is fallback.
func (f form) Checked(name string, fallback bool) bool {
	if f.Values == nil {
		return fallback
	}
	return f.Values.Get(name) != ""
}

// Is tells which of several forms of a page was sent, by its hidden field "form".
func (f form) Is(name string) bool { return f.Values.Get("form") == name }

// Error is what is wrong with a field.
func (f form) Error(name string) string {
	if f.Err != nil && f.Err.Field == name {
		return f.Err.Message
	}
	return ""
}

// Summary is the list for ui.ErrorSummary; fields names those that the form shows, so that only they are linked.
func (f form) Summary(fields ...string) []ui.FieldError {
	if f.Err == nil {
		return nil
	}
	out := ui.FieldError{Message: f.Err.Message}
	for _, name := range fields {
		if name == f.Err.Field {
			out.Name = name
		}
	}
	return []ui.FieldError{out}
}

// RetryAfter is the wait of a 429 in whole seconds, for ui.FormProps, else "".
func (f form) RetryAfter() string {
	if f.Err == nil || f.Err.Status != http.StatusTooManyRequests {
		return ""
	}
	return strconv.Itoa(retrySeconds(f.Err))
}

type formKey struct{}

// formOf is the refused form that a page is shown for, or a fresh one.
func formOf(r *http.Request) form {
	f, _ := r.Context().Value(formKey{}).(form)
	return f
}

// again shows the page of a form once more, with what was typed and why it was refused, under the refusal's
// status. Refusals that no form can put right (not signed in, not found, failures) go to the error page.
func again(w http.ResponseWriter, r *http.Request, err error, page action) error {
	e, known := refused(err)
	if !known || e.Code == "unauthorized" || e.Status == http.StatusNotFound || e.Status >= 500 {
		return err
	}
	if e.Status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", strconv.Itoa(retrySeconds(e)))
	}
	return page(w, r.WithContext(context.WithValue(r.Context(), formKey{}, form{Values: r.PostForm, Err: e})))
}

// readForm parses a POST; a body that is too large is refused.
func readForm(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	var err error
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "multipart/form-data" {
		err = r.ParseMultipartForm(maxForm)
	} else {
		err = r.ParseForm()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return refusal(http.StatusRequestTimeout, "validation_error", "The form did not arrive in time, so nothing was done. Look at your connection and send it again.")
	}
	if err != nil {
		return refusal(http.StatusBadRequest, "validation_error", "The form could not be read.")
	}
	return nil
}

// isForm tells a browser's form from a program's JSON, for addresses that both post to.
func isForm(r *http.Request) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return kind == "application/x-www-form-urlencoded" || kind == "multipart/form-data"
}

// summaryTitle is the title of an error summary, empty in a fresh form.
func summaryTitle(f form, title string) string {
	if f.Err == nil {
		return ""
	}
	return title
}

// formIf is the refused form when it is the one of that name, else a fresh one.
func formIf(f form, name string) form {
	if f.Is(name) {
		return f
	}
	return form{}
}

func retryOf(f form, name string) string { return formIf(f, name).RetryAfter() }
