//go:build !race

package org

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
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
		"an apostrophe":     {"o'brien@school.example\nPat O'Neil,pat.o'neil@school.example\nZoë O'Brien zoe.obrien@school.example", []string{"o'brien@school.example", "Pat O'Neil <pat.o'neil@school.example>", "Zoë O'Brien <zoe.obrien@school.example>"}},
		"every sign":        {"a!#$%&'*+-/=?^_`{|}~b@school.example", []string{"a!#$%&'*+-/=?^_`{|}~b@school.example"}},
		"a bar before it":   {"x|y@school.example\nMina | a@example.com", []string{"x|y@school.example", "Mina <a@example.com>"}},
		"pairs of quotes":   {"'o'brien@school.example'\n“mina@school.example”\n„Tom Oak“ «tom@school.example»", []string{"o'brien@school.example", "mina@school.example", "Tom Oak <tom@school.example>"}},
		"what is not seen":  {"\u200blea2@school.example\n\u202alea4@school.example\u202c\nle\u00ada@school.example\n\ufefflea5@school.example\u2060", []string{"lea2@school.example", "lea4@school.example", "lea@school.example", "lea5@school.example"}},
		"sentences":         {"mailto:mina@school.example.\nMina:\u00a0tom@school.example;\n(ann@school.example),", []string{"mina@school.example", "Mina: <tom@school.example>", "ann@school.example"}},
		"half a bracket":    {"Mina <a@example.com", []string{"Mina <a@example.com>"}},
		"nothing":           {" \n ", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, person := range readPeople(t.Context(), test.list).People {
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

// A table is read by its head, and what was left out is said.
func TestReadTables(t *testing.T) {
	for name, test := range map[string]struct {
		list  string
		want  []string
		apart []string
		note  string
	}{
		"a guardian": {"Name,Email,Guardian email\nAnn Lee,ann@school.example,mum.lee@home.example\n", []string{"Ann Lee <ann@school.example>"},
			[]string{"Guardian email: 1 address (mum.lee@home.example)"}, "Left out: 1 address in the column “Guardian email”."},
		"a guardian first": {"Parent e-mail;E-Mail-Adresse;Vorname;Nachname\nmum@home.example;ann@school.example;Ann;Lee", []string{"Ann Lee <ann@school.example>"},
			[]string{"Parent e-mail: 1 address (mum@home.example)"}, "one address for each line, from the column “E-Mail-Adresse”; names from “Vorname” and “Nachname”."},
		"two lines in a cell": {"Name,Email\r\n\"Ali\r\nValli\",ali@school.example\r\n", []string{"Ali Valli <ali@school.example>"}, nil, "“Email”"},
		"Google Workspace": {"First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Recovery Email\nAnn,Lee,ann@school.example,****,ann@home.example",
			[]string{"Ann Lee <ann@school.example>"}, []string{"Recovery Email: 1 address (ann@home.example)"}, "“Email Address [Required]”"},
		"Spanish":         {"Apellidos;Nombre;Correo electrónico;Correo del tutor\nNúñez;José;jose@school.example;madre@home.example", []string{"José Núñez <jose@school.example>"}, []string{"Correo del tutor: 1 address (madre@home.example)"}, ""},
		"French":          {"Nom\tPrénom\tAdresse e-mail\tCourriel des parents\nLey\tZoë\tzoe@school.example\tp@home.example", []string{"Zoë Ley <zoe@school.example>"}, []string{"Courriel des parents: 1 address (p@home.example)"}, ""},
		"a note":          {"Name,Email,Note\nAnn,ann@school.example,\"ask office@school.example,\nthen wait\"", []string{"Ann <ann@school.example>"}, []string{"Note: 1 address (office@school.example)"}, ""},
		"sep":             {"sep=;\r\nName;Email\r\nLee, Ann;ann@school.example\r\n", []string{"Ann Lee <ann@school.example>"}, nil, ""},
		"CR":              {"Name,Email\rAnn,ann@school.example\rTom,tom@school.example\r", []string{"Ann <ann@school.example>", "Tom <tom@school.example>"}, nil, ""},
		"a title above":   {"Class 9b\n\nName,Email\nAnn,ann@school.example", []string{"Ann <ann@school.example>"}, nil, ""},
		"a comma":         {"Name,Email,Class\nLee, Ann,ann@school.example,9b", []string{"Lee Ann <ann@school.example>"}, nil, ""},
		"none in a row":   {"Name,Email,Guardian email\nAnn,,mum@home.example", []string{"Ann: nothing in “Email”"}, []string{"Guardian email: 1 address (mum@home.example)"}, ""},
		"only guardians":  {"Name,Guardian email\nAnn,mum@home.example", nil, []string{"Guardian email: 1 address (mum@home.example)"}, "does not say which column"},
		"two in a cell":   {"Name,Email\nAnn,ann@school.example / ann@home.example\nTom,tom@school.example", []string{"Tom <tom@school.example>"}, []string{"Address 1 in “Email”: 1 address (ann@school.example)", "Address 2 in “Email”: 1 address (ann@home.example)"}, ""},
		"no head":         {"Ann Lee,ann@school.example,mum@home.example", nil, []string{"Address 1 of a line: 1 address (ann@school.example)", "Address 2 of a line: 1 address (mum@home.example)"}, "more than one address"},
		"no head, two":    {"ann@school.example;mum@home.example\ntom@school.example", []string{"tom@school.example"}, []string{"Address 1 of a line: 1 address (ann@school.example)", "Address 2 of a line: 1 address (mum@home.example)"}, ""},
		"no head, quoted": {"\"Ali\nValli\",ali@school.example", []string{"Ali Valli <ali@school.example>"}, nil, ""},
		"no address":      {"Name;Class\nMina;9b", []string{"Mina 9b"}, nil, "No column"},
		"a head below":    {"o'brien@school.example\nName,Email\nPat O'Neil,pat.o'neil@school.example", []string{"o'brien@school.example", "Pat O'Neil <pat.o'neil@school.example>"}, nil, "as the head of a table"},
		"another title":   {"Pupil;Where to write\nMina;mina@school.example", []string{"Mina <mina@school.example>"}, nil, "“Where to write”"},
		"Name, Vorname":   {"Name;Vorname;E-Mail\nLang;Mina;mina@school.example", []string{"Mina Lang <mina@school.example>"}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			read := readPeople(t.Context(), test.list)
			var got, apart []string
			for _, person := range read.People {
				got = append(got, person.line())
			}
			for _, column := range read.Apart {
				apart = append(apart, column.label(t.Context()))
			}
			if !slices.Equal(got, test.want) || !slices.Equal(apart, test.apart) || !strings.Contains(strings.Join(read.Notes, " "), test.note) {
				t.Errorf("read %q, apart %q, notes %q", got, apart, read.Notes)
			}
		})
	}
}

// A list that was made to take long is read as quickly as another.
func TestReadingHasBounds(t *testing.T) {
	var mailboxes, wide strings.Builder
	for i := range 40_000 {
		mailboxes.WriteString("a" + strconv.Itoa(i) + "@x.example,")
		wide.WriteString("xmail,")
	}
	for name, list := range map[string]string{
		"addresses before a bracket": mailboxes.String() + "Mina <mina@example.com>", "columns and rows": wide.String() + strings.Repeat("\na", 200_000),
		"quotation marks": strings.Repeat(`,"`, 400_000), "signs around": strings.Repeat("'", 400_000) + "a@b.example" + strings.Repeat("'", 400_000),
	} {
		began := time.Now()
		if read := readPeople(t.Context(), list); len(read.People)+len(read.Apart) == 0 || time.Since(began) > 10*time.Second {
			t.Errorf("%s: %d people in %s", name, len(read.People), time.Since(began))
		}
	}
}

// What a step of inviting hands on is read as what it was.
func TestListsSurviveTheirRoundTrip(t *testing.T) {
	for _, list := range []string{"Mina Lang <a@example.com>", "\"O'Neill, Áine\",a@example.com", "x y z", "Name;Mail\nMina \"Mi\" Lang;a@example.com", "a@b@c", "<a@example.com"} {
		first := readPeople(t.Context(), list).People
		var lines []string
		for _, person := range first {
			lines = append(lines, person.line())
		}
		if again := readPeople(t.Context(), strings.Join(lines, "\n")).People; !slices.Equal(again, first) {
			t.Errorf("%q became %q, then %q", list, first, again)
		}
	}
}

func FuzzReadPeople(f *testing.F) {
	for _, seed := range []string{"Mina Lang <a@example.com>, \"Lang, Tom\";b@example.com", "sep=;\rName;Email\r\"Ali\rValli\";ali@school.example", "Name,Email,Guardian email\nA,a@x.example,b@x.example", "a|b@x.example\u2028'c'd@x.example'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, list string) {
		for _, person := range readPeople(t.Context(), list).People {
			if strings.ContainsAny(person.Name, "<>@\n\r") {
				t.Errorf("%q holds the name %q", list, person.Name)
			}
		}
	})
}
