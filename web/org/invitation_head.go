package org

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// The heads of columns, in a few languages of schools and in the words of the programs that they export from. A head
// is compared by its letters and digits: small, without accents, and without what stands in brackets.
var (
	emailHeads = heads(`email|e-mails|mail|email address|mail address|address email|email id|primary email|user email|student email|student email address|
		pupil email|school email|work email|user principal name|upn|login email|email 1 value|e-mail 1 value|
		E-Mail-Adresse|Mailadresse|Schüler-E-Mail|Schul-E-Mail|Dienstliche E-Mail|elektronische Adresse|
		correo|correo electrónico|dirección de correo|dirección de correo electrónico|correo institucional|email alumno|correo alumno|
		courriel|adresse e-mail|adresse mail|adresse courriel|adresse électronique|mél|mel|adresse de messagerie|courrier électronique|
		posta elettronica|indirizzo e-mail|indirizzo di posta elettronica|e-mailadres|endereço de e-mail|endereço de correio eletrônico|adres e-mail|e-postadress|e-post`)
	emailWords = heads(`mail|correo|courriel`)
	// otherWords make a column of addresses one of another person or thing.
	otherWords = heads(`guardian|parent|mother|father|mum|mom|dad|carer|contact|emergency|family|home|personal|private|recovery|secondary|second|alternate|
		alternative|backup|additional|teacher|manager|supervisor|counselor|verified|status|
		eltern|mutter|vater|erziehung|sorge|privat|notfall|lehrer|zweit|weitere|
		padre|madre|tutor|acudiente|familia|apoderado|parents|mère|père|responsable|tuteur|famille|secours|genitore|ouder|responsável`)
	firstHeads = heads(`first name|given name|forename|first|vorname|rufname|prénom|nombre|nombres|nome|voornaam|imię`)
	lastHeads  = heads(`last name|surname|family name|last|nachname|familienname|nom|nom de famille|apellido|apellidos|cognome|sobrenome|achternaam|nazwisko`)
	nameHeads  = heads(`name|full name|display name|student|student name|pupil|pupil name|teacher|person|anzeigename|name vorname|schüler|schülerin|
		nombre completo|nombre y apellidos|alumno|estudiante|nom complet|nom et prénom|élève|étudiant|nome completo|studente|aluno|naam`)
)

// heads are words and titles, parted by bars, in the form in which they are compared.
func heads(list string) (keys []string) {
	for title := range strings.SplitSeq(list, "|") {
		keys = append(keys, headKey(title))
	}
	return keys
}

// headKey is a title of a column in the form in which it is compared: "E-Mail Address [Required]" is "emailaddress".
func headKey(title string) string {
	var key strings.Builder
	depth := 0
	for _, r := range strings.ToLower(norm.NFKD.String(title)) {
		switch {
		case r == '[' || r == '(':
			depth++
		case r == ']' || r == ')':
			depth--
		case depth <= 0 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			key.WriteRune(r)
		}
	}
	return key.String()
}

// ranks of a column's title: how surely it is the one of the addresses that are meant.
const (
	noAddress   = iota
	foreignMail // of a guardian and the like
	likelyMail  // speaks of mail, and of no other person
	surelyMail
)

// mailRank is how surely a title calls the addresses that are meant. What stands in brackets belongs to it as well:
// "Email (guardian)".
func mailRank(title string) int {
	key, whole := headKey(title), headKey(strings.NewReplacer("[", " ", "]", " ", "(", " ", ")", " ").Replace(title))
	has := func(words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(whole, word) })
	}
	exact := slices.Contains(emailHeads, key)
	switch {
	case exact && (key == whole || !has(otherWords)):
		return surelyMail
	case !has(emailWords) && !exact:
		return noAddress
	case has(otherWords):
		return foreignMail
	}
	return likelyMail
}

// columnOf is the first column with one of the titles, else -1.
func columnOf(head, keys []string) int {
	return slices.IndexFunc(head, func(title string) bool { return slices.Contains(keys, headKey(title)) })
}

// isHead tells the head of a table from an entry that is no address.
func isHead(row []string) bool {
	return len(row) > 1 || slices.ContainsFunc([]string{"mail", "name", "addr", "adres", "student", "pupil", "correo", "courriel"}, func(word string) bool {
		return strings.Contains(strings.ToLower(row[0]), word)
	})
}
