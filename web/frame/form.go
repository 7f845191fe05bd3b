package frame

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strconv"

	"atelier/inbound"
	"atelier/web/ui"
)

const maxForm = 1 << 20 // bytes

// Form is what was sent and why it was refused; the zero form is a fresh one.
type Form struct {
	Values url.Values
	Err    *Error
}

// Value is what was typed into a field, or fallback in a fresh form.
func (f Form) Value(name, fallback string) string {
	if v, ok := f.Values[name]; ok && len(v) > 0 {
		return v[0]
	}
	return fallback
}

// Checked tells whether a box was ticked; in a fresh form it is fallback.
func (f Form) Checked(name string, fallback bool) bool {
	if f.Values == nil {
		return fallback
	}
	return f.Values.Get(name) != ""
}

// Is tells which of several forms of a page was sent, by its hidden field "form".
func (f Form) Is(name string) bool { return f.Values.Get("form") == name }

// Error is what is wrong with a field.
func (f Form) Error(name string) string {
	if f.Err != nil && f.Err.Field == name {
		return f.Err.Message
	}
	return ""
}

// Summary is the list for ui.ErrorSummary; fields names those that the form shows, so that only they are linked.
func (f Form) Summary(fields ...string) []ui.FieldError {
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
func (f Form) RetryAfter() string {
	if f.Err == nil || f.Err.Status != http.StatusTooManyRequests {
		return ""
	}
	return strconv.Itoa(retrySeconds(f.Err))
}

type formKey struct{}

// FormOf is the refused form that a page is shown for, or a fresh one.
func FormOf(r *http.Request) Form {
	f, _ := r.Context().Value(formKey{}).(Form)
	return f
}

// Again shows the page of a form once more, with what was typed and why it was refused, under the refusal's
// status. Refusals that no form can put right (not signed in, not found, failures) go to the error page.
func Again(w http.ResponseWriter, r *http.Request, err error, page Action) error {
	e, known := Refused(err)
	if !known || e.Code == "unauthorized" || e.Code == "reauthentication_required" || e.Status == http.StatusNotFound || e.Status >= 500 {
		return err
	}
	if e.Status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", strconv.Itoa(retrySeconds(e)))
	}
	return page(w, r.WithContext(context.WithValue(r.Context(), formKey{}, Form{Values: r.PostForm, Err: aboveForm(r.Context(), said(r.Context(), e))})))
}

// WithRefused has a page say why something that its address asks for is refused.
func WithRefused(r *http.Request, err error) *http.Request {
	e, known := Refused(err)
	if !known {
		return r
	}
	return r.WithContext(context.WithValue(r.Context(), formKey{}, Form{Err: said(r.Context(), e)}))
}

// WithTyped has the page of a form, which was not refused, show what was typed.
func WithTyped(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), formKey{}, Form{Values: r.PostForm}))
}

// readForm reads the form of a POST; a body that is too large is refused.
func readForm(r *http.Request) error {
	err := inbound.Form(r, maxForm)
	var refused *inbound.Refusal
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &refused):
		return Refusal(http.StatusBadRequest, "validation_error", mark("The form could not be read."))
	}
	out := &Error{Status: refused.Status, Code: refused.Code, Said: refused.Message, Message: refused.Message, Field: refused.Field, RetryAfter: refused.RetryAfter}
	switch refused.Status {
	case http.StatusRequestTimeout:
		out.Message = t(r.Context(), "The form did not arrive in time, so nothing was done. Look at your connection and send it again.")
	case http.StatusRequestEntityTooLarge:
		out.Message = t(r.Context(), "The form is too large, so nothing was saved. Send less at once.")
	case http.StatusBadRequest:
		out.Message = t(r.Context(), "The form could not be read, so nothing was saved.") + " " + saidTo(r.Context(), refused.Field, refused.Message)
	}
	return out
}

// isForm tells a browser's form from a program's JSON, for addresses that both post to.
func isForm(r *http.Request) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return kind == "application/x-www-form-urlencoded" || kind == "multipart/form-data"
}

// SummaryTitle is the title of an error summary, empty in a fresh form.
func SummaryTitle(f Form, title string) string {
	if f.Err == nil {
		return ""
	}
	return title
}

// FormIf is the refused form when it is the one of that name, else a fresh one.
func FormIf(f Form, name string) Form {
	if f.Is(name) {
		return f
	}
	return Form{}
}

// RetryOf is the wait of one of several forms of a page, see FormIf.
func RetryOf(f Form, name string) string { return FormIf(f, name).RetryAfter() }
