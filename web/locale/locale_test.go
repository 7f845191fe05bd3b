//go:build !race

package locale

import (
	"context"
	"strings"
	"testing"
	"time"
)

func in(code string) context.Context { return With(context.Background(), ByCode(code)) }

func TestChoose(t *testing.T) {
	for name, c := range map[string]struct {
		accept  string
		choices []string
		want    string
	}{
		"nothing is known":        {want: "en"},
		"the account's choice":    {"fr", []string{"de", "es"}, "de"},
		"the visitor's choice":    {"fr", []string{"", "es"}, "es"},
		"a choice with a region":  {"fr", []string{"de-AT"}, "de"},
		"a choice that is none":   {"fr", []string{"klingon", "../x"}, "fr"},
		"the browser":             {"de-CH,de;q=0.9,en;q=0.8", nil, "de"},
		"the browser's second":    {"ja,es-MX;q=0.5", nil, "es"},
		"none that there is":      {"ja,zh", nil, "en"},
		"no header of a browser":  {";;;q=,,", nil, "en"},
		"a header without an end": {strings.Repeat("de,", 1000), nil, "en"},
		"the mirrored one":        {"ar-XB", nil, "ar-XB"},
		"Arabic":                  {"ar", nil, "en"},
	} {
		if got := Choose(c.accept, c.choices...).Code; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestMessagesAreFilled(t *testing.T) {
	en := WithTerms(in("en"), Terms{"Class", "Classes", "Student", "Students", "Admin", "Admins"})
	for want, got := range map[string]string{
		"Delete 50% of Mia {x}?":     T(en, "Delete 50%% of %s {x}?", "Mia"),
		"B before A":                 T(en, "%[2]s before %[1]s", "A", "B"),
		"1,284 runs":                 N(en, "one run", "%d runs", 1284),
		"one run":                    N(en, "one run", "%d runs", 1),
		"Create the class":           T(en, "Create the {workspace}"),
		"Classes of an admin":        T(en, "{Workspaces} of {an admin}"),
		"nothing for the second: ":   T(en, "nothing for the second: %[2]s", "A"),
		"an open brace { stays":      T(en, "an open brace { stays"),
		"a name with %s and {admin}": T(en, "%s", "a name with %s and {admin}"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSentencesHoldElements(t *testing.T) {
	var b strings.Builder
	sentence := H(in("en"), "Read <a>the terms</a>, <b>%s</b> & <script>.", Link("/terms?a=1&b=2"), "<i>Mia</i>")
	if err := sentence.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	want := `Read <a href="/terms?a=1&amp;b=2">the terms</a>, <b>&lt;i&gt;Mia&lt;/i&gt;</b> &amp; &lt;script&gt;.`
	if b.String() != want {
		t.Errorf("%s, want %s", b.String(), want)
	}
	b.Reset()
	if err := H(in("en"), "<a>go</a>", Link("javascript:alert(1)")).Render(context.Background(), &b); err != nil || strings.Contains(b.String(), "javascript") {
		t.Errorf("%s, %v", b.String(), err)
	}
}

func TestTermsAreInflected(t *testing.T) {
	school := Terms{"Class", "Classes", "Student", "Students", "Teacher", "Teachers"}
	own := Terms{"Lerngruppe", "Lerngruppen", "Kind", "Kinder", "Coach", "Coaches"}
	for _, c := range []struct {
		code    string
		terms   Terms
		message string
		want    string
	}{
		{"de", school, "{Der workspace}, {den workspace}, {im workspace}, {dieser workspace}, {keinen workspace}", "Die Klasse, die Klasse, in der Klasse, diese Klasse, keine Klasse"},
		{"de", PlainTerms, "{Der workspace}, {den workspace}, {im workspace}, {dieser workspace}, {keinen workspace}, {des workspace}", "Der Arbeitsbereich, den Arbeitsbereich, im Arbeitsbereich, dieser Arbeitsbereich, keinen Arbeitsbereich, des Arbeitsbereichs"},
		{"de", PlainTerms, "{der member}, {einen member}, {jedem member}, {den workspaces dat}, {members dat}", "das Mitglied, ein Mitglied, jedem Mitglied, den Arbeitsbereichen, Mitgliedern"},
		{"de", own, "{im workspace}, {den member}, {workspaces}, {den admin}", "in der Lerngruppe, das Kind, Lerngruppen, den Coach"},
		{"de", school, "{einen member}, {admins dat}, {den workspace|ihn|sie|es}", "eine/n Schüler/in, Lehrkräften, sie"},
		{"es", school, "{El workspace}, {del workspace}, {al member}, {los workspaces}, {workspace|archivado|archivada}", "La clase, de la clase, al estudiante, las clases, archivada"},
		{"es", PlainTerms, "{del workspace}, {ningún workspace}, {todos los members}", "del espacio de trabajo, ningún espacio de trabajo, todos los miembros"},
		{"es", Terms{"Facultad", "Facultades", "Colega", "Colegas", "Admin", "Admins"}, "{el workspace}, {los workspaces}, {todos los workspaces}, {workspaces|archivados|archivadas}, {los admins}",
			"la facultad, las facultades, todas las facultades, archivadas, los administradores"},
		{"fr", Terms{"Salle", "Salles", "Groupe", "Groupes", "Admin", "Admins"}, "{le workspace}, {tous les workspaces}, {workspaces|archivés|archivées}, {tous les members}",
			"la salle, toutes les salles, archivées, tous les groupes"},
		{"fr", school, "{Le workspace}, {du workspace}, {du member}, {de members}, {tous les workspaces}, {ce admin}", "La classe, de la classe, de l’élève, d’élèves, toutes les classes, cet enseignant"},
		{"fr", PlainTerms, "{Le workspace}, {au workspace}, {ce workspace}, {un workspace}, {de workspaces}, {de member}", "L’espace de travail, à l’espace de travail, cet espace de travail, un espace de travail, d’espaces de travail, de membre"},
	} {
		r := reader{language: ByCode(c.code), terms: c.terms}
		if got := r.fill(c.message, nil); got != c.want {
			t.Errorf("%s: %q, want %q", c.code, got, c.want)
		}
	}
}

func TestNumbersAndDays(t *testing.T) {
	at := time.Date(2026, 3, 5, 14, 5, 0, 0, time.UTC)
	for _, c := range []struct{ code, number, small, price, moment, day, share string }{
		{"en", "1,284.5", "1,284", "$10.00", "5 Mar 2026, 14:05 UTC", "5 March 2026", "34 %"},
		{"de", "1.284,5", "1.284", "10,00\u00a0$", "5. März 2026, 14:05 UTC", "5. März 2026", "34\u00a0%"},
		{"es", "1284,5", "1284", "10,00\u00a0$", "5 mar 2026, 14:05 UTC", "5 de marzo de 2026", "34\u00a0%"},
		{"fr", "1\u202f284,5", "1\u202f284", "10,00\u00a0$", "5 mars 2026, 14:05 UTC", "5 mars 2026", "34\u00a0%"},
	} {
		ctx := in(c.code)
		for want, got := range map[string]string{
			c.number: Credits(ctx, 1_284_500), c.small: Count(ctx, 1284), c.price: Price(ctx, 1000, "usd"), c.moment: Moment(ctx, at),
			c.day: DayInFull(ctx, at), c.share: Share(ctx, 0.34),
		} {
			if got != want {
				t.Errorf("%s: %q, want %q", c.code, got, want)
			}
		}
	}
	if got := Credits(in("en"), -1<<63); got != "−9,223,372,036,854,775.808" {
		t.Errorf("the lowest number is %s", got)
	}
	names := []string{"Zoe", "Änne", "Anton"}
	Sort(in("de"), names, func(s string) string { return s })
	if strings.Join(names, " ") != "Änne Anton Zoe" {
		t.Errorf("sorted: %v", names)
	}
}

// French elides before a vowel, and has a blank before a colon.
func TestFrenchElidesBeforeVowels(t *testing.T) {
	for _, c := range []struct{ message, arg, want string }{
		{"Le budget de %s", "Art 9b", "Le budget d’Art 9b"}, {"De %s", "Emil", "D’Emil"}, {"Le budget de %s", "Film lab", "Le budget de Film lab"},
		{"les jours de %s", "UTC", "les jours de UTC"}, {"monde %s", "Art", "monde Art"}, {"ce que %s fait", "Emil", "ce qu’Emil fait"}, {"de %s", "", "de "},
	} {
		r := reader{language: ByCode("fr"), terms: PlainTerms}
		if got := r.fill(c.message, []any{c.arg}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := T(in("de"), "from %s", "Emil"); !strings.HasSuffix(got, " Emil") {
		t.Errorf("German: %q", got)
	}
	for code, want := range map[string]string{"en": "Text: a", "fr": "Text\u00a0: a", "ar-XB": "Text: a"} {
		if got := Labelled(in(code), "Text", "a"); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

// Every file can be read, and what is translated is found.
func TestFilesAreRead(t *testing.T) {
	for _, l := range Languages[1:] {
		c, err := read(l.Code)
		if err != nil || len(c.messages) == 0 {
			t.Errorf("%s: %d messages, %v", l.Code, len(c.messages), err)
		}
	}
	if got := T(in("de"), "yesterday"); got != "gestern" {
		t.Errorf("yesterday is %q", got)
	}
	if got := T(in("de"), "No message says this"); got != "No message says this" {
		t.Errorf("without a translation it is %q", got)
	}
	if got := T(in("ar-XB"), "Delete %s?", "Mia"); !strings.Contains(got, "\u2068Mia\u2069") || len(got) < len("Delete Mia?")*3/2 {
		t.Errorf("mirrored: %q", got)
	}
}
