//go:build !race

package csvtext

import (
	"strings"
	"testing"
)

func TestSafe(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "Mina": "Mina", "=1+1": "'=1+1", "+49": "'+49", "-1": "'-1", "@x": "'@x", "  =1": "'  =1", "\t=1": "'\t=1", "\r": "'\r", "\nx": "'\nx", "a=b": "a=b", " a": " a",
	} {
		if got := Safe(in); got != want {
			t.Errorf("Safe(%q) = %q, expected %q", in, got, want)
		}
	}
}

func TestWriteWith(t *testing.T) {
	var out strings.Builder
	if err := WriteWith(&out, ';', []string{"a;b", "c,d", "=1"}); err != nil || out.String() != "\"a;b\";c,d;'=1\r\n" {
		t.Errorf("%q %v", out.String(), err)
	}
}
