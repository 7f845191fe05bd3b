package graph

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"atelier/models"
)

// numbered writes a text for each number below n.
func numbered(n int, write func(i int) string) string {
	var text strings.Builder
	for i := range n {
		text.WriteString(write(i))
	}
	return text.String()
}

// doubling is a chain of fragments each of which spreads the next one so many times.
func doubling(levels, times int, on, within string) string {
	chain := numbered(levels, func(i int) string {
		return fmt.Sprintf("fragment f%d on %s{%s}", i, on, strings.Repeat(fmt.Sprintf(within, i+1), times))
	})
	return chain + fmt.Sprintf("fragment f%d on %s{__typename}", levels, on)
}

// TestDocumentsBeyondTheBounds: each bound refuses a document that passes it by
// one, says which it is, and admits one that keeps it.
func TestDocumentsBeyondTheBounds(t *testing.T) {
	o := newOutside(t)
	watchErrors(t)
	fields := func(n int) string { return "{install{" + strings.Repeat("mail ", n) + "}}" }
	literal := func(depth int) string {
		return `mutation{runNode(type:"x",settings:` + strings.Repeat("{a:", depth) + "1" + strings.Repeat("}", depth) + `){inline}}`
	}
	for _, c := range []struct{ name, within, beyond, message string }{
		{"tokens", fields(1995), fields(1997), "token limit"},
		{"fragments",
			"{install{...f0}}" + numbered(49, func(i int) string { return fmt.Sprintf("fragment f%d on Install{...f%d}", i, i+1) }) + "fragment f49 on Install{mail}",
			"{install{...f0}}" + numbered(50, func(i int) string { return fmt.Sprintf("fragment f%d on Install{...f%d}", i, i+1) }) + "fragment f50 on Install{mail}",
			"51 fragments"},
		{"unused fragments", "", "{__typename}" + numbered(51, func(i int) string { return fmt.Sprintf("fragment f%d on Query{__typename}", i) }), "51 fragments"},
		{"root fields", "{" + strings.Repeat("__typename ", 50) + "}", "{" + strings.Repeat("__typename ", 51) + "}", "fields at its root"},
		{"root fields that are read once", "{" + numbered(50, func(i int) string { return fmt.Sprintf("a%d:install{mail} ", i) }) + "}",
			"{" + numbered(51, func(i int) string { return fmt.Sprintf("a%d:install{mail} ", i) }) + "}", "fields at its root"},
		{"root fields with work", "{" + numbered(10, func(i int) string { return fmt.Sprintf("a%d:slugFree(slug:\"a%[1]d\") ", i) }) + strings.Repeat("__typename ", 40) + "}",
			"{" + numbered(11, func(i int) string { return fmt.Sprintf("a%d:slugFree(slug:\"a%[1]d\") ", i) }) + "}", "10 fields at its root that need work"},
		{"root fields in fragments", "{" + strings.Repeat("...f ", 10) + "}fragment f on Query{a:__typename b:__typename ...{c:__typename d:__typename e:__typename}}",
			"{" + strings.Repeat("...f ", 10) + "__typename}fragment f on Query{a:__typename b:__typename ...{c:__typename d:__typename e:__typename}}", "fields at its root"},
		{"operations", "", numbered(11, func(i int) string { return fmt.Sprintf("query q%d{__typename}", i) }), "operations"},
		{"directives", "{install" + strings.Repeat("{...@include(if:true)", 1) + "{mail}}}", "{install{" + strings.Repeat("mail @include(if:true) ", 51) + "}}", "directives"},
		{"aliases", "{install{" + numbered(200, func(i int) string { return fmt.Sprintf("a%d:mail ", i) }) + "}}",
			"{install{" + numbered(201, func(i int) string { return fmt.Sprintf("a%d:mail ", i) }) + "}}", "aliases"},
		{"variables", "", "query(" + numbered(51, func(i int) string { return fmt.Sprintf("$v%d:Int ", i) }) + "){__typename}", "variables"},
		{"nesting of selections", "{install" + strings.Repeat("{...", 60) + "{mail}" + strings.Repeat("}", 61), "{install" + strings.Repeat("{... ", 100) + "{mail}" + strings.Repeat("}", 101), "nested deeper"},
		{"nesting of fields", "", "{me" + strings.Repeat("{memberships{workspaces{organization{owner", 4) + "{id}" + strings.Repeat("}}}}", 4) + "}", "nested deeper"},
		{"nesting of values", "", literal(65), "nested deeper"},
		{"circle of fragments", "", "{...a}fragment a on Query{...b}fragment b on Query{...a}", "spreads itself"},
		{"unused circle", "", "{__typename}fragment a on Query{...a}", "spreads itself"},
		{"doubling fragments", "", "{...f0}" + doubling(26, 2, "Query", "...f%d "), "fields at its root"},
		{"doubling fragments, deeper", "", "{...f0}" + doubling(40, 2, "Query", "...f%d "), "fields at its root"},
		{"doubling fragments below the root", "", "{install{...f0}}" + doubling(45, 3, "Install", "...f%d "), "cost"},
		{"deferred parts", "", "{...@defer{__typename}}", "@defer"},
		{"two mutations", "", `mutation{a:signOut b:signOut}`, "one change at a time"},
		{"two mutations in fragments", "", `mutation{...m signOut}fragment m on Mutation{b:signOut}`, "one change at a time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			refusal := o.ask(c.beyond)
			if refusal.sound(t, c.beyond); len(refusal.Errors) == 0 || refusal.Data != nil || refusal.Errors[0].Extensions.Code != "validation_error" ||
				!strings.Contains(refusal.Errors[0].Message, c.message) {
				t.Errorf("beyond: %d %.300s", refusal.status, refusal.body)
			}
			if c.within == "" {
				return
			}
			if admitted := o.ask(c.within); admitted.status != 200 {
				t.Errorf("within: %d %.300s", admitted.status, admitted.body)
			}
		})
	}
}

// TestCostsOfDocuments: what may be megabytes is large wherever it stands, and
// lists multiply, however their length is said.
func TestCostsOfDocuments(t *testing.T) {
	o := newOutside(t)
	watchErrors(t)
	graphs := `nodes{id type data}edges{id source target}`
	for _, c := range []struct {
		document  string
		variables any
		admitted  bool
	}{
		{`{workflows{nodes{id name nodes{id data}}}}`, nil, true},
		{`{workflows(first:20){nodes{id ` + graphs + `}}}`, nil, true},
		{`{workflows(first:200){nodes{id nodes{id data}}}}`, nil, false},
		{`{workflows(first:200){edges{node{estimatedCredits}}}}`, nil, false},
		{`query($n:Int){workflows(first:$n){nodes{nodes{id}}}}`, map[string]any{"n": 10}, true},
		{`query($n:Int){workflows(first:$n){nodes{nodes{id}}}}`, map[string]any{"n": 200}, false},
		{`query($n:Int){workflows(first:$n){nodes{nodes{id}}}}`, map[string]any{"n": "200"}, false},
		{`query($n:Int=200){workflows(first:$n){nodes{nodes{id}}}}`, nil, false},
		{`query($n:Int=10){workflows(first:$n){nodes{nodes{id}}}}`, nil, true},
		{`{jobs(first:200){nodes{id status}}}`, nil, true},
		{`{jobs(first:200){nodes{a:outputData b:outputData c:inputData}}}`, nil, false},
		{`{me{memberships{organizations{id name workspaces{nodes{id name}}}}}}`, nil, true},
		{`{workspaces{nodes{members{nodes{user{id}}}}}}`, nil, true},
		{`{workspaces(first:200){nodes{organization{workspaces(first:200){nodes{members(first:200){nodes{role}}}}}}}}`, nil, false},
	} {
		answer := o.askAs(o.member, c.document, c.variables)
		answer.sound(t, c.document)
		if cost := len(answer.Errors) > 0 && strings.Contains(answer.Errors[0].Message, "cost"); cost == c.admitted || (cost && answer.status != 400) {
			t.Errorf("%s %v: %d %.300s", c.document, c.variables, answer.status, answer.body)
		}
	}
}

// hostile are documents that cost minutes where they are not bounded: by equal
// fields, by fragments, by depth, by faults.
var hostile = map[string]string{
	"equal fields":         "{install{" + strings.Repeat("mail ", 1990) + "}}",
	"equal objects":        "{me{" + strings.Repeat("wallet{balance} ", 490) + "}}",
	"equal root fields":    "{" + strings.Repeat("__typename ", 40_000/11) + "}",
	"nested inline":        "{install" + strings.Repeat("{mail ...", 480) + "{mail}" + strings.Repeat("}", 480) + "}",
	"chained fragments":    "{...f0}" + numbered(49, func(i int) string { return fmt.Sprintf("fragment f%d on Query{...f%d}", i, i+1) }) + "fragment f49 on Query{install{" + strings.Repeat("mail ", 1500) + "}}",
	"chained faults":       "{...f0}" + numbered(49, func(i int) string { return fmt.Sprintf("fragment f%d on Query{...f%d}", i, i+1) }) + "fragment f49 on Query{install{" + strings.Repeat("wrong ", 1500) + "}}",
	"doubled fragments":    "{...f0}" + doubling(26, 2, "Query", "...f%d "),
	"doubled below fields": "{organizations{nodes{...f0}}}" + doubling(20, 3, "Organization", "workspaces{nodes{organization{...f%d}}} "),
	"wide fragments": "{me{" + numbered(50, func(i int) string { return fmt.Sprintf("...f%d ", i) }) + "}}" + numbered(50, func(i int) string {
		return fmt.Sprintf("fragment f%d on Profile{%s}", i, strings.Repeat("wallet{balance} ", 7))
	}),
	"many operations": strings.Repeat("query q{...f}", 10) + "fragment f on Query{install{" + strings.Repeat("wrong ", 1800) + "}}",
	"arguments":       "{install(" + numbered(600, func(i int) string { return fmt.Sprintf("%s%d:1 ", strings.Repeat("a", 90), i) }) + ")}",
	"long names":      "{install{" + numbered(1900, func(i int) string { return fmt.Sprintf("%s%d ", strings.Repeat("a", 25), i) }) + "}}",
	"lists":           "{app(slug:" + strings.Repeat("[", 900) + strings.Repeat("]", 900) + "){id}}",
	"objects":         "mutation{signUp(input:{" + numbered(640, func(i int) string { return fmt.Sprintf("%s%d:1 ", strings.Repeat("a", 80), i) }) + "}){signedIn{token}}}",
	"a block of text": `{app(slug:"""` + strings.Repeat("\n", 64_000) + `"""){id}}`,
	"comments":        "{install{mail}}" + strings.Repeat("#\n", 32_000),
	"blanks":          "{__typename}" + strings.Repeat(" ", 65_000) + "#1",
	"deep schema":     "{__schema{types" + strings.Repeat("{fields{type", 200) + "{name}" + strings.Repeat("}}", 200) + "}}",
	"unclosed":        strings.Repeat("{a", 900),
}

// TestHostileDocumentsAreAnsweredAtOnce: refused or run, none takes long and
// none fails, for a visitor and for an account.
func TestHostileDocumentsAreAnsweredAtOnce(t *testing.T) {
	o := newOutside(t)
	watchErrors(t)
	for name, document := range hostile {
		for _, actor := range []models.Actor{{}, o.member} {
			started := time.Now()
			answer := o.askAs(actor, document, nil)
			answer.sound(t, name)
			if took := time.Since(started); took > 30*time.Second { // unbounded ones take minutes
				t.Errorf("%s took %s", name, took)
			}
			if len(answer.body) > maxQuery {
				t.Errorf("%s: an answer of %d bytes", name, len(answer.body))
			}
		}
	}
}

// TestFieldsOfOneNameAreTheSame: the one pass over equal fields refuses what
// the rule of the specification refuses.
func TestFieldsOfOneNameAreTheSame(t *testing.T) {
	o := newOutside(t)
	for document, conflict := range map[string]bool{
		`{install{mail mail ...{mail} ...f}}fragment f on Install{mail}`:                                            false,
		`{install{mail fresh} install{mail signUp}}`:                                                                false,
		`{a:app(slug:"a"){id} a:app(slug:"a"){name}}`:                                                               false,
		`{a:app(slug:"a"){id} a:app(slug:"b"){id}}`:                                                                 true,
		`{install{a:mail a:fresh}}`:                                                                                 true,
		`{install{a:mail ...{a:fresh}}}`:                                                                            true,
		`{install{a:mail ...f}}fragment f on Install{a:fresh}`:                                                      true,
		`{install{a:mail} install{a:fresh}}`:                                                                        true,
		`{install{a:mail} ...f}fragment f on Query{install{...{a:fresh}}}`:                                          true,
		`query($s:String!){a:app(slug:$s){id} a:app(slug:"$s"){id}}`:                                                true,
		`{nodeType(type:"a"){type} ...f ...g}fragment f on Query{install{mail}}fragment g on Query{install{fresh}}`: false,
	} {
		answer := o.ask(document)
		answer.sound(t, document)
		if refused := strings.Contains(string(answer.body), "conflict"); refused != conflict || (refused && (answer.status != 200 || answer.Data != nil)) {
			t.Errorf("%s: %d %.200s", document, answer.status, answer.body)
		}
	}
}
