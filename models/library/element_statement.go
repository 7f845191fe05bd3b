package library

import "atelier/models"

// StatementText is what is confirmed about one subject, in one language and version.
type StatementText struct {
	Subject  Subject
	Language string // its tag
	Text     string
}

// Version names the text: what a consent records of it.
func (s *StatementText) Version() string {
	if s.Language == "en" {
		return Statement
	}
	return Statement + "-" + s.Language
}

// Statements are the texts that are confirmed with a consent, by language and subject; docs/consent.md has the same. A
// change of a word in any of them is a new version of all.
var Statements = []StatementText{
	{Self, "en", "This is my own face or voice. I agree that it is kept here so that I, and those with whom I share it, " +
		"can make pictures, films and speech with it. I may withdraw this at any time; everything that was kept is deleted then."},
	{Member, "en", "This is the face or voice of a member of this workspace, who is asked for consent. " +
		"Nothing can be made with it before that person has agreed, and that person may withdraw at any time; everything that was kept is deleted then."},
	{Adult, "en", "The adult whose face or voice this is has agreed that it is kept here and that pictures, films and speech are made with it. " +
		"I say where that agreement is kept, and I delete everything when the person asks for it."},
	{Minor, "en", "The parents or guardians of this minor, and the minor, have agreed in writing that the face or voice is kept here until the day named, " +
		"and that pictures, films and speech are made with it. I say where that agreement is kept, and I delete everything when one of them asks for it."},

	{Self, "de", "Das ist mein eigenes Gesicht oder meine eigene Stimme. Ich bin damit einverstanden, dass es oder sie hier aufbewahrt wird, damit ich und " +
		"alle, mit denen ich es teile, Bilder, Filme und gesprochene Texte damit machen können. Ich kann das jederzeit widerrufen; alles, was aufbewahrt wurde, wird dann gelöscht."},
	{Member, "de", "Das ist das Gesicht oder die Stimme eines Mitglieds dieses Arbeitsbereichs; diese Person wird um ihre Einwilligung gebeten. " +
		"Bevor sie zugestimmt hat, kann nichts damit gemacht werden, und sie kann jederzeit widerrufen; alles, was aufbewahrt wurde, wird dann gelöscht."},
	{Adult, "de", "Die erwachsene Person, deren Gesicht oder Stimme das ist, hat zugestimmt, dass es oder sie hier aufbewahrt wird und dass Bilder, Filme und gesprochene Texte damit gemacht werden. " +
		"Ich gebe an, wo diese Zustimmung aufbewahrt wird, und lösche alles, wenn die Person darum bittet."},
	{Minor, "de", "Die Eltern oder Sorgeberechtigten dieser minderjährigen Person und sie selbst haben schriftlich zugestimmt, dass das Gesicht oder die Stimme hier bis zum genannten Tag aufbewahrt wird " +
		"und dass Bilder, Filme und gesprochene Texte damit gemacht werden. Ich gebe an, wo diese Zustimmung aufbewahrt wird, und lösche alles, wenn eine dieser Personen darum bittet."},

	{Self, "es", "Este es mi propio rostro o mi propia voz. Acepto que se conserve aquí para que yo, y las personas con quienes lo comparta, " +
		"podamos crear con él imágenes, películas y voz. Puedo retirar este consentimiento en cualquier momento; entonces se elimina todo lo que se conservó."},
	{Member, "es", "Este es el rostro o la voz de un miembro de este espacio de trabajo, a quien se pide su consentimiento. " +
		"No se puede crear nada con ello antes de que esa persona lo acepte, y esa persona puede retirarlo en cualquier momento; entonces se elimina todo lo que se conservó."},
	{Adult, "es", "La persona adulta de quien es este rostro o esta voz ha aceptado que se conserve aquí y que se creen con ello imágenes, películas y voz. " +
		"Indico dónde se guarda esa autorización y elimino todo cuando la persona lo pida."},
	{Minor, "es", "Los padres o tutores de esta persona menor de edad, y ella misma, han aceptado por escrito que el rostro o la voz se conserve aquí hasta el día indicado " +
		"y que se creen con ello imágenes, películas y voz. Indico dónde se guarda esa autorización y elimino todo cuando una de estas personas lo pida."},

	{Self, "fr", "Ceci est mon propre visage ou ma propre voix. J’accepte que cela soit conservé ici afin que moi-même, et les personnes avec qui je le partage, " +
		"puissions en faire des images, des films et des textes parlés. Je peux retirer cet accord à tout moment\u202f; tout ce qui a été conservé est alors supprimé."},
	{Member, "fr", "Ceci est le visage ou la voix d’un membre de cet espace de travail, à qui le consentement est demandé. " +
		"Rien ne peut en être fait avant que cette personne ait donné son accord, et elle peut le retirer à tout moment\u202f; tout ce qui a été conservé est alors supprimé."},
	{Adult, "fr", "La personne adulte dont c’est le visage ou la voix a accepté que cela soit conservé ici et que des images, des films et des textes parlés en soient faits. " +
		"J’indique où cet accord est conservé, et je supprime tout lorsque la personne le demande."},
	{Minor, "fr", "Les parents ou tuteurs de cette personne mineure, et elle-même, ont accepté par écrit que le visage ou la voix soit conservé ici jusqu’au jour indiqué " +
		"et que des images, des films et des textes parlés en soient faits. J’indique où cet accord est conservé, et je supprime tout lorsque l’une de ces personnes le demande."},
}

// shownStatement is the version of the text that was shown, the English one where none is named; a validation_error naming
// field for one that there is not.
func shownStatement(field string, version *string) (string, error) {
	if version == nil {
		return Statement, nil
	}
	for i := range Statements {
		if Statements[i].Version() == *version {
			return *version, nil
		}
	}
	return "", models.Invalid(field, "names no text that is confirmed now")
}

// statementOf is the text of the statement that was confirmed for an element; nil
// where no one is depicted.
func statementOf(e *Element) *string {
	c := e.consentState().Consent
	if c == nil {
		return nil
	}
	return c.text()
}

// text is the statement of the consent; nil for a version that is not known here.
func (c *Consent) text() *string {
	for i := range Statements {
		if Statements[i].Subject == c.Subject && c.Statement == Statements[i].Version() {
			return &Statements[i].Text
		}
	}
	return nil
}
