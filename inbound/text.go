package inbound

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"atelier/jsontext"
)

const (
	// MaxFields is how many fields a form may have.
	MaxFields = 10_000
)

// CheckHeaders judges what the headers say of a body's encoding: it is UTF-8, and
// packed with gzip or not at all.
func CheckHeaders(r *http.Request) error {
	a := From(r.Context())
	if a != nil && a.body != nil && a.body.refused != nil {
		a.refuseCoding()
		return a.body.refused
	}
	if a == nil {
		if coding, one := codingOf(r.Header); !one || coding != "" {
			return unsupported("Send the body as it is")
		}
	}
	_, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return nil // the media type is the route's to judge
	}
	charset, sent := parameters["charset"]
	if !sent || slices.Contains([]string{"utf-8", "utf8", "us-ascii"}, strings.ToLower(strings.TrimSpace(charset))) {
		return nil
	}
	return unsupported("Send the body in UTF-8")
}

// CheckJSON judges the text of a JSON body before anything decodes it, and
// reserves what decoding it takes.
func CheckJSON(ctx context.Context, raw []byte) error {
	values, err := jsontext.Enter(raw)
	if err != nil {
		return refusedText(err)
	}
	return From(ctx).Weigh(ctx, len(raw), values)
}

func refusedText(err error) error {
	field := ""
	if unfit := (*jsontext.UnfitError)(nil); errors.As(err, &unfit) {
		field = unfit.Field
	}
	switch {
	case errors.Is(err, jsontext.ErrText), errors.Is(err, jsontext.ErrSurrogate):
		return notUTF8(field)
	case errors.Is(err, jsontext.ErrNUL):
		return holdsNUL(field)
	case errors.Is(err, jsontext.ErrTooDeep):
		return invalid(fmt.Sprintf("The JSON is nested deeper than %d levels", jsontext.MaxDepth))
	case errors.Is(err, jsontext.ErrValues):
		return invalid(fmt.Sprintf("The body holds more than %d values", jsontext.MaxValues))
	}
	return err
}

// CheckEscapes judges a text in which a backslash escapes, see jsontext.
func CheckEscapes(text string) error {
	if err := jsontext.CheckEscapes(text); err != nil {
		return refusedText(err)
	}
	return nil
}

// CheckText judges a text of a body, which field names: it is UTF-8 without U+0000.
func CheckText(field, text string) error {
	if !utf8.ValidString(text) {
		return notUTF8(field)
	}
	if strings.IndexByte(text, 0) >= 0 {
		return holdsNUL(field)
	}
	return nil
}

func notUTF8(field string) *Refusal { return ofField(field, "must be UTF-8") }

func holdsNUL(field string) *Refusal {
	return ofField(field, "must not hold the character U+0000")
}

// ofField is what is wrong with a field, or with the body where none is named.
func ofField(field, words string) *Refusal {
	subject := field
	if field == "" {
		subject = "The body"
	}
	refusal := invalid(subject + " " + words)
	refusal.Field = field
	return refusal
}

// CheckParameter judges a text of an address, which name names.
func CheckParameter(name, text string) error {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
		return nil
	}
	if CheckText("", name) != nil {
		name = "address"
	}
	refusal := invalid(name + " must be UTF-8 without the character U+0000")
	refusal.Field = name
	return refusal
}

// CheckQuery judges the parameters of an address.
func CheckQuery(u *url.URL) error {
	if u.RawQuery == "" {
		return nil
	}
	for name, values := range u.Query() {
		for _, value := range append(values, name) {
			if err := CheckParameter(name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// CheckFields judges the fields of a form.
func CheckFields(fields url.Values) error {
	n := 0
	for name, values := range fields {
		if n += len(values); n > MaxFields {
			return invalid(fmt.Sprintf("The form has more than %d fields", MaxFields))
		}
		if err := CheckText("", name); err != nil {
			return err
		}
		for _, value := range values {
			if err := CheckText(name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// ParseForm reads the fields of a form of the type
// application/x-www-form-urlencoded, whose number is counted before.
func ParseForm(raw []byte) (url.Values, error) {
	n := 1
	for _, c := range raw {
		if c == '&' {
			n++
		}
	}
	if n > MaxFields {
		return nil, invalid(fmt.Sprintf("The form has more than %d fields", MaxFields))
	}
	fields, err := url.ParseQuery(string(raw))
	if err != nil {
		return nil, invalid("The form cannot be read")
	}
	return fields, CheckFields(fields)
}
