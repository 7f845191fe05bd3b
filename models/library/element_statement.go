package library

// StatementText is what is confirmed about one subject, in the version Statement.
type StatementText struct {
	Subject Subject
	Text    string
}

// Statements are the texts that are confirmed with a consent, by subject, in the
// version Statement; docs/consent.md has the same. A change of a word is a new version.
var Statements = []StatementText{
	{Self, "This is my own face or voice. I agree that it is kept here so that I, and those with whom I share it, " +
		"can make pictures, films and speech with it. I may withdraw this at any time; everything that was kept is deleted then."},
	{Member, "This is the face or voice of a member of this workspace, who is asked for consent. " +
		"Nothing can be made with it before that person has agreed, and that person may withdraw at any time; everything that was kept is deleted then."},
	{Adult, "The adult whose face or voice this is has agreed that it is kept here and that pictures, films and speech are made with it. " +
		"I say where that agreement is kept, and I delete everything when the person asks for it."},
	{Minor, "The parents or guardians of this minor, and the minor, have agreed in writing that the face or voice is kept here until the day named, " +
		"and that pictures, films and speech are made with it. I say where that agreement is kept, and I delete everything when one of them asks for it."},
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
		if Statements[i].Subject == c.Subject && c.Statement == Statement {
			return &Statements[i].Text
		}
	}
	return nil
}
