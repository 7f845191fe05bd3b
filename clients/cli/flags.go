package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	atelier "atelier/clients/go"

	"github.com/spf13/pflag"
)

// formFlag is a flag for one field of an app's form.
type formFlag struct {
	atelier.Field
	text string
	set  bool
	// in is read for @-.
	in io.Reader
	// file is a file of this machine that is uploaded first.
	file string
	// value is what the run gets.
	value any
}

// addForm adds a flag for each field of a form, typed as the form has it. What is given as @- comes from in.
func addForm(flags *pflag.FlagSet, form []atelier.Field, in io.Reader) []*formFlag {
	var added []*formFlag
	for _, field := range form {
		name := flagName(field.ID)
		if flags.Lookup(name) != nil || name == "" {
			name = strings.Trim("input-"+name, "-")
		}
		for n := 2; flags.Lookup(name) != nil; n++ {
			name = strings.TrimRight(name, "0123456789-") + "-" + strconv.Itoa(n)
		}
		f := &formFlag{Field: field, in: in}
		flag := flags.VarPF(f, name, "", f.usage())
		flag.Annotations = map[string][]string{formAnnotation: {field.ID}}
		if field.Control == atelier.ControlToggle {
			flag.NoOptDefVal = "true"
		}
		added = append(added, f)
	}
	return added
}

// formAnnotation marks the flags that an app's form brought.
const formAnnotation = "form"

// flagName is an input's id as a flag: aspectRatio becomes aspect-ratio.
func flagName(id string) string {
	var b strings.Builder
	for i, c := range id {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case unicode.IsUpper(c) && c < unicode.MaxASCII:
			if i > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(unicode.ToLower(c))
		default:
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-")
}

func (f *formFlag) usage() string {
	parts := []string{f.Label}
	if f.Hint != "" {
		parts[0] += ": " + strings.TrimSuffix(f.Hint, ".")
	}
	if len(f.Options) > 0 {
		var options []string
		for _, option := range f.Options {
			options = append(options, valueText(option))
		}
		parts = append(parts, "one of "+strings.Join(options, ", "))
	}
	switch {
	case f.Minimum != nil && f.Maximum != nil:
		parts = append(parts, fmt.Sprintf("%g to %g", *f.Minimum, *f.Maximum))
	case f.Minimum != nil:
		parts = append(parts, fmt.Sprintf("at least %g", *f.Minimum))
	case f.Maximum != nil:
		parts = append(parts, fmt.Sprintf("at most %g", *f.Maximum))
	}
	if published := valueText(f.Value); published != "" {
		parts = append(parts, "published with "+brief(published))
	}
	return printable(strings.ReplaceAll(strings.Join(parts, "; "), "`", "'"))
}

// Type is what help calls the value.
func (f *formFlag) Type() string {
	switch f.Control {
	case atelier.ControlToggle:
		return "bool"
	case atelier.ControlNumber, atelier.ControlSlider:
		if f.Whole {
			return "integer"
		}
		return "number"
	case atelier.ControlSelect:
		return "choice"
	case atelier.ControlFile:
		return "file|address"
	case atelier.ControlColor:
		return "#rrggbb"
	case atelier.ControlJSON:
		return "json|@file"
	case atelier.ControlThing:
		return f.Thing + "-id"
	case atelier.ControlThings:
		return f.Thing + "-id,…"
	}
	return "text"
}

func (f *formFlag) String() string { return f.text }

// Set reads the value as the form's field has it.
func (f *formFlag) Set(s string) (err error) {
	f.text, f.set = s, true
	switch f.Control {
	case atelier.ControlToggle:
		f.value, err = strconv.ParseBool(s)
		if err != nil {
			return fmt.Errorf("true or false")
		}
	case atelier.ControlNumber, atelier.ControlSlider:
		return f.setNumber(s)
	case atelier.ControlSelect:
		for _, option := range f.Options {
			if valueText(option) == s {
				f.value = option
				return nil
			}
		}
		return fmt.Errorf("not among the choices")
	case atelier.ControlFile:
		return f.setFile(s)
	case atelier.ControlJSON:
		f.value, err = readValue(s, f.in)
		return err
	case atelier.ControlThings:
		ids := []any{}
		for _, id := range strings.Split(s, ",") {
			ids = append(ids, strings.TrimSpace(id))
		}
		f.value = ids
	default:
		if f.MaxLength > 0 && len([]rune(s)) > f.MaxLength {
			return fmt.Errorf("longer than %d characters", f.MaxLength)
		}
		f.value = s
	}
	return nil
}

func (f *formFlag) setNumber(s string) error {
	number := json.Number(strings.TrimSpace(s))
	n, err := number.Float64()
	switch {
	case err != nil:
		return fmt.Errorf("not a number")
	case f.Whole && n != float64(int64(n)):
		return fmt.Errorf("not a whole number")
	case f.Minimum != nil && n < *f.Minimum || f.Maximum != nil && n > *f.Maximum:
		return fmt.Errorf("out of its range")
	}
	f.value = number
	if !json.Valid([]byte(number)) { // such as 1e3 without its digits, or +5
		f.value = n
	}
	return nil
}

// setFile takes an address, or a file of this machine.
func (f *formFlag) setFile(s string) error {
	if strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") {
		f.value = s
		return nil
	}
	info, err := os.Stat(s)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fmt.Errorf("a folder")
	}
	f.file = s
	return nil
}

// readValue reads one value of JSON: as it is, from a file (@name), or from in (@-).
func readValue(s string, in io.Reader) (any, error) {
	content := []byte(s)
	if name, ok := strings.CutPrefix(s, "@"); ok {
		var err error
		if name == "-" {
			content, err = io.ReadAll(in)
		} else {
			content, err = os.ReadFile(name)
		}
		if err != nil {
			return nil, err
		}
	}
	var value any
	decoder := json.NewDecoder(strings.NewReader(string(content)))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("not JSON: more than one value")
	}
	return value, nil
}

// valueText is a value as people write it.
func valueText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	text, _ := json.Marshal(value)
	return string(text)
}
