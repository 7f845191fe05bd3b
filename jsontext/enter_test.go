//go:build !race

package jsontext_test

import (
	"errors"
	"strings"
	"testing"

	"atelier/jsontext"
)

func TestEnter(t *testing.T) {
	for text, want := range map[string]error{
		`{"a":[1,2,{"b":"ü"}]}`: nil, `"\ud83d\ude00"`: nil, `"\\ud800"`: nil, `"\\\ud83d\uDE00"`: nil, "": nil, lists(64): nil,
		"\"M\xfcller\"": jsontext.ErrText, `"\ud800"`: jsontext.ErrSurrogate, `"\ude00"`: jsontext.ErrSurrogate, `"\ud83dx"`: jsontext.ErrSurrogate,
		`"\uD83D\u0041"`: jsontext.ErrSurrogate, `{"\ud800":1}`: jsontext.ErrSurrogate, `"\\\ud800"`: jsontext.ErrSurrogate,
		`"a\u0000"`: jsontext.ErrNUL, "\"\x00\"": jsontext.ErrNUL, `"\\u0000"`: nil, lists(65): jsontext.ErrTooDeep,
		`"` + strings.Repeat(",", jsontext.MaxValues+1) + `"`:            nil,
		"[" + strings.Repeat("[],", (jsontext.MaxValues-2)/2) + "0]":     nil,
		"[" + strings.Repeat("{},", (jsontext.MaxValues-2)/2+1) + "{}]":  jsontext.ErrValues,
		"[" + strings.Repeat("1,", jsontext.MaxValues) + "1]":            jsontext.ErrValues,
		`{"nodes":[` + strings.Repeat("{},", 1_700_000) + `{}],"name":1`: jsontext.ErrValues,
	} {
		if _, err := jsontext.Enter([]byte(text)); !errors.Is(err, want) {
			t.Errorf("%.40q: %v, want %v", text, err, want)
		}
	}
	if text := string(jsontext.WithoutMark([]byte("\xef\xbb\xbf{}"))); text != "{}" {
		t.Errorf("%q", text)
	}
}

func TestCheckEscapes(t *testing.T) {
	for text, want := range map[string]error{
		`{ me(name: "\u00fc \ud83d\ude00") { id } }`: nil, `"\\ud800"`: nil, `\`: nil, `\u12`: nil,
		`"\ud800"`: jsontext.ErrSurrogate, `"\ud83d`: jsontext.ErrSurrogate, `"\u0000"`: jsontext.ErrNUL, "a\x00": jsontext.ErrNUL,
	} {
		if err := jsontext.CheckEscapes(text); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}
