//go:build !race

package jsontext_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"atelier/jsontext"
)

func TestReadUnique(t *testing.T) {
	for text, want := range map[string]error{
		`{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}`: nil, `{"a":"a","b":"a"}`: nil, `{"a":{"b":"a"},"b":["a","b"]}`: nil, `[]`: nil, `"a"`: nil,
		`{"a":1,"a":1}`: jsontext.ErrTwice, `{"a":1,"\u0061":2}`: jsontext.ErrTwice, `[{"b":[],"a":{"c":1,"c":1}}]`: jsontext.ErrTwice,
		`{"a":"x","b":1,"a":2}`: jsontext.ErrTwice, `{"a":{},"a":[]}`: jsontext.ErrTwice, `{"":1,"":2}`: jsontext.ErrTwice,
		"{\"a\xff\":1}": jsontext.ErrText, lists(65): jsontext.ErrTooDeep, `{"a":1e400}`: jsontext.ErrNumber,
	} {
		if err := jsontext.ReadUnique([]byte(text), new(any)); !errors.Is(err, want) {
			t.Errorf("%.60s: %v, want %v", text, err, want)
		}
	}
	for _, text := range []string{"", "{", `{"a":1`, `{"a":1}}`, `{"a":1} {"a":1}`, `{a:1}`, `{"a":}`, `]`, `{"a":1,}`, `nul`} {
		if err := jsontext.ReadUnique([]byte(text), new(any)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}

func FuzzReadUnique(f *testing.F) {
	for _, seed := range []string{`{"a":1,"a":2}`, `{"a":[{"b":{}},"b"],"b":null}`, `{"\u0061":1}`, `[1,2]`, `{"a":1}]`, `"x"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var unique, exact any
		if jsontext.ReadUnique(raw, &unique) != nil {
			return
		}
		if err := jsontext.ReadExact(raw, &exact); err != nil || !reflect.DeepEqual(unique, exact) {
			t.Fatalf("%v and %v, %v", unique, exact, err)
		}
		// Nothing was dropped: written again it holds as many names.
		written, _ := json.Marshal(unique)
		if got, want := names(written), names(raw); got != want {
			t.Fatalf("%d names of %d", got, want)
		}
	})
}

// names counts the colons outside of texts.
func names(raw []byte) (n int) {
	quoted := false
	for i := 0; i < len(raw); i++ {
		switch {
		case quoted && raw[i] == '\\':
			i++
		case raw[i] == '"':
			quoted = !quoted
		case !quoted && raw[i] == ':':
			n++
		}
	}
	return n
}
