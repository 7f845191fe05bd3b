//go:build !race

package jsontext_test

import (
	"errors"
	"strings"
	"testing"

	"atelier/jsontext"
)

// What cannot be taken is told with the member that holds it.
func TestUnfitTextNamesItsField(t *testing.T) {
	for in, want := range map[string]string{
		`{"name":"a\u0000b"}`: "name", `{"a":1,"b":{"c":"\u0000"}}`: "b.c", `{"nodes":[{"id":"x"},{"data":{"text":"\ud800"}}]}`: "nodes[1].data.text",
		"{\"name\":\"Wei\xdf\"}": "name", `{"list":["a","\u0000"]}`: "list[1]", `{"a":{"b":1},"c":"\u0000"}`: "c", `{"q\"uote":"\u0000"}`: "",
		`["\u0000"]`: "", `"\u0000"`: "", `{"\u0000":1}`: "", `{"a":1,"\u0000":1}`: "", "{\"\xff\":\"x\"}": "", `{"":"\u0000"}`: "",
		`{"` + strings.Repeat("n", 65) + `":"\u0000"}`: "", `{"text, with: \\ [signs] {":"x","z":"\u0000"}`: "z", "{\"a\":\x00}": "a",
		strings.Repeat(`{"a":`, 30) + `"\u0000"`: strings.Repeat("a.", 15) + "a",
	} {
		_, err := jsontext.Enter([]byte(in))
		var unfit *jsontext.UnfitError
		if !errors.As(err, &unfit) {
			t.Errorf("%.60q: %v", in, err)
		} else if unfit.Field != want {
			t.Errorf("%.60q is in %q, want %q", in, unfit.Field, want)
		}
	}
}
