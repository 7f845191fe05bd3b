package org

import "testing"

func TestSafeCell(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "Mina": "Mina", "=1+1": "'=1+1", "+49": "'+49", "-1": "'-1", "@x": "'@x", "  =1": "'  =1", "\t=1": "'\t=1", "\r": "'\r", "\nx": "'\nx", "a=b": "a=b", " a": " a",
	} {
		if got := safeCell(in); got != want {
			t.Errorf("safeCell(%q) = %q, expected %q", in, got, want)
		}
	}
}
