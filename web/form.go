package web

import (
	"context"
	"errors"
	"math"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

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

// waits tells whether a refusal passes with time: a limit, or a service that is busy.
func waits(e *Error) bool {
	return e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable && e.RetryAfter > 0
}

// retrySeconds is the wait of such a refusal; a minute when the service named none.
func retrySeconds(e *Error) int {
	if e.RetryAfter <= 0 {
		return 60
	}
	return int(math.Ceil(e.RetryAfter.Seconds()))
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

// text is a trimmed value of a posted form.
func text(r *http.Request, name string) string { return strings.TrimSpace(r.PostForm.Get(name)) }

// textOrNil is nil for an empty value.
func textOrNil(r *http.Request, name string) *string {
	if s := text(r, name); s != "" {
		return &s
	}
	return nil
}

// amount reads a field of credits.
func amount(r *http.Request, name string) (float64, error) { return parseAmount(name, text(r, name)) }

// parseAmount reads credits as people type them: "1,250.5", at most three decimals.
func parseAmount(name, typed string) (float64, error) {
	s := strings.NewReplacer(",", "", " ", "", "−", "-").Replace(typed)
	if s == "" {
		return 0, invalid(name, "Say how many credits.")
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || math.Abs(f) > 1e12 || strings.ContainsAny(s, "eExXpP_") {
		return 0, invalid(name, "Write the credits as a number, such as 1,250.5.")
	}
	if _, decimals, _ := strings.Cut(s, "."); len(decimals) > 3 {
		return 0, invalid(name, "Credits have at most three decimals.")
	}
	return f, nil
}

// thousandths turns credits, as the schema has them, into the integers that package ui takes.
func thousandths(credits float64) int64 { return int64(math.Round(credits * 1000)) }

// credits writes an amount of the schema.
func credits(f float64) string { return ui.Credits(thousandths(f)) }

// inCredits is an amount with its unit: "1 credit", "2.5 credits".
func inCredits(f float64) string {
	if thousandths(f) == 1000 {
		return "1 credit"
	}
	return credits(f) + " credits"
}
