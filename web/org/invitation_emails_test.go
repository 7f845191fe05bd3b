package org

import (
	"slices"
	"strings"
	"testing"
)

func TestReadPeople(t *testing.T) {
	for name, test := range map[string]struct {
		list string
		want []string
	}{
		"lines":             {"a@example.com\r\n\n b@example.com ", []string{"a@example.com", "b@example.com"}},
		"commas":            {"a@example.com, b@example.com;c@example.com", []string{"a@example.com", "b@example.com", "c@example.com"}},
		"names":             {"Mina Lang <a@example.com>\n\"Lang, Tom\" <b@example.com>", []string{"Mina Lang <a@example.com>", "Tom Lang <b@example.com>"}},
		"names on one line": {"Mina Lang <a@example.com>, Tom <b@example.com>; c@example.com", []string{"Mina Lang <a@example.com>", "Tom <b@example.com>", "c@example.com"}},
		"a bare one first":  {"a@example.com, Tom Oak <b@example.com>", []string{"a@example.com", "Tom Oak <b@example.com>"}},
		"brackets alone":    {"<a@example.com>", []string{"a@example.com"}},
		"spaces":            {"Mina Lang a@example.com\nb@example.com Tom Oak", []string{"Mina Lang <a@example.com>", "Tom Oak <b@example.com>"}},
		"pairs":             {"Mina a@example.com, Tom b@example.com", []string{"Mina <a@example.com>", "Tom <b@example.com>"}},
		"a table":           {"\ufeffName,Email,Class\nMina,a@example.com,9b\nTom,b@example.com,9b", []string{"Mina <a@example.com>", "Tom <b@example.com>"}},
		"two columns":       {"Email;Last name;First name\na@example.com;Lang;Mina", []string{"Mina Lang <a@example.com>"}},
		"no head":           {"1\tMina\tLang\ta@example.com\t9b", []string{"Mina Lang <a@example.com>"}},
		"name behind":       {"a@example.com,Mina Lang,9b", []string{"Mina Lang <a@example.com>"}},
		"quoted cells":      {"\"Lang, Mina\",a@example.com", []string{"Mina Lang <a@example.com>"}},
		"what is none":      {"a@example.com\nnonsense here", []string{"a@example.com", "nonsense here"}},
		"one word":          {"nonsense", []string{"nonsense"}},
		"hostile":           {"<script>alert(1)</script> <a@example.com>\n\"><b>\" b@example.com", []string{"script", "/script", "a@example.com", "b", "b@example.com"}},
		"half a bracket":    {"Mina <a@example.com", []string{"Mina <a@example.com>"}},
		"nothing":           {" \n ", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, person := range readPeople(test.list) {
				got = append(got, person.line())
			}
			if name == "hostile" {
				if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "a@example.com") }) {
					t.Errorf("the address is lost: %q", got)
				}
				return
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("read %q, want %q", got, test.want)
			}
		})
	}
}

// What a step of inviting hands on is read as what it was.
func TestListsSurviveTheirRoundTrip(t *testing.T) {
	for _, list := range []string{"Mina Lang <a@example.com>", "\"O'Neill, Áine\",a@example.com", "x y z", "Name;Mail\nMina \"Mi\" Lang;a@example.com", "a@b@c", "<a@example.com"} {
		first := readPeople(list)
		var lines []string
		for _, person := range first {
			lines = append(lines, person.line())
		}
		if again := readPeople(strings.Join(lines, "\n")); !slices.Equal(again, first) {
			t.Errorf("%q became %q, then %q", list, first, again)
		}
	}
}

func FuzzReadPeople(f *testing.F) {
	f.Add("Mina Lang <a@example.com>, \"Lang, Tom\";b@example.com")
	f.Fuzz(func(t *testing.T, list string) {
		for _, person := range readPeople(list) {
			if strings.ContainsAny(person.Name, "<>@\n\r") {
				t.Errorf("%q holds the name %q", list, person.Name)
			}
		}
	})
}
