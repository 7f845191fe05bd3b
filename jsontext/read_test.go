//go:build !race

package jsontext_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"atelier/jsontext"
)

func lists(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func TestDepth(t *testing.T) {
	for text, deep := range map[string]bool{
		lists(64): false, lists(65): true, lists(1_000_000): true,
		strings.Repeat(`{"a":`, 64) + "1" + strings.Repeat("}", 64): false,
		strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65): true,
		strings.Repeat(`[{"a":`, 32) + "1":                          false,
		`"` + lists(70) + `"`:                                       false,
		`"\"` + lists(70) + `"`:                                     false,
		`["\\",` + lists(63) + `]`:                                  false,
		`["\\",` + lists(64) + `]`:                                  true,
		`[` + strings.Repeat("[],", 100) + `[]]`:                    false,
		``:                                                          false,
	} {
		if got := errors.Is(jsontext.CheckDepth([]byte(text)), jsontext.ErrTooDeep); got != deep {
			t.Errorf("%.80s: too deep is %t", text, got)
		}
	}
}

func TestReadExactKeepsDigitsAndRefusesWhatNobodyCanKeep(t *testing.T) {
	var value any
	if err := jsontext.ReadExact([]byte(` {"a":[9007199254740993, 1.10, -0, "1e999", 1e308]} `), &value); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"a": []any{json.Number("9007199254740993"), json.Number("1.10"), json.Number("-0"), "1e999", json.Number("1e308")}}
	if !reflect.DeepEqual(value, want) {
		t.Errorf("%v", value)
	}
	for text, want := range map[string]error{
		`{"a":1e400}`: jsontext.ErrNumber, `-1e309`: jsontext.ErrNumber, "[1" + strings.Repeat("0", 400) + "]": jsontext.ErrNumber,
		`["\"",1e999]`: jsontext.ErrNumber, `1 2`: jsontext.ErrMoreBehind, lists(65): jsontext.ErrTooDeep,
	} {
		if err := jsontext.ReadExact([]byte(text), new(any)); !errors.Is(err, want) {
			t.Errorf("%.40s: %v", text, err)
		}
	}
}

func TestPlainIsWhatReadingYields(t *testing.T) {
	var exact, read any
	text := []byte(`{"a":[1,2.5,-0.0,1e300,{"b":null,"c":[]},"x",true]}`)
	if err := jsontext.ReadExact(text, &exact); err != nil {
		t.Fatal(err)
	}
	if err := jsontext.Read(text, &read); err != nil {
		t.Fatal(err)
	}
	plain, err := jsontext.Plain(exact)
	if err != nil || !reflect.DeepEqual(plain, read) {
		t.Errorf("%v and %v, %v", plain, read, err)
	}
	plain.(map[string]any)["a"].([]any)[0] = "changed"
	if exact.(map[string]any)["a"].([]any)[0] == "changed" {
		t.Error("the copy shares a list")
	}
	deep := any("x")
	for range 65 {
		deep = []any{deep}
	}
	for value, want := range map[*any]error{&deep: jsontext.ErrTooDeep, new(any(json.Number("1e400"))): jsontext.ErrNumber, new(any(json.Number("1e-99999999"))): nil} {
		if _, err := jsontext.Plain(*value); !errors.Is(err, want) {
			t.Errorf("%.40v: %v", *value, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		lists(64), lists(65), lists(20_000), `{"a":"\"]["}`, `"\\\"[`, `[1e400]`, `{"a":1,"a":[[]]}`, "\xff", `"\ud800"`, `]]]`, `[}`, `9007199254740993`, "1" + strings.Repeat("0", 5_000),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var read, exact, plain any
		err := jsontext.Read(raw, &read)
		if err == nil && jsontext.Depth(read) > jsontext.MaxDepth {
			t.Fatal("what was read nests too deep")
		}
		if errors.Is(err, jsontext.ErrTooDeep) && json.Unmarshal(raw, &plain) == nil && jsontext.Depth(plain) <= jsontext.MaxDepth {
			t.Fatal("what does not nest too deep was refused")
		}
		if exactly := jsontext.ReadExact(raw, &exact); (exactly == nil) != (err == nil) {
			t.Fatalf("read one way and not the other: %v, %v", err, exactly)
		} else if exactly != nil {
			return
		}
		if plain, err = jsontext.Plain(exact); err != nil || !reflect.DeepEqual(plain, read) {
			t.Fatalf("%v and %v, %v", plain, read, err)
		}
	})
}
