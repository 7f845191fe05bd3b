package library

import (
	"context"
	"net/http"
	"slices"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// consentView is a consent on the page of what it is about.
type consentView struct {
	State query.ConsentState
	Name  string
	Path  string // of the element or the voice
	Back  string
	May   bool
	Seen  time.Time         // when it was last changed
	Text  string            // of the statement; empty for a version that is not known here
	Texts []frame.Statement // to confirm now
	Form  frame.Form
}

// consentsView are the consents that concern the person.
type consentsView struct {
	Rows  []consentRow
	Texts []frame.Statement
	Next  string
}

type consentRow struct {
	query.ConsentRow
	Src string
}

// statement is the text that was confirmed with a consent.
func (c Pages) statement(s *query.ConsentState) string {
	if s != nil {
		for _, one := range c.Config.Statements {
			if one.Version == s.Statement && one.Subject == string(s.Subject) {
				return one.Text
			}
		}
	}
	return ""
}

// statements are the texts that are confirmed now, in the reader's language, or in English where there are none in it.
func (c Pages) statements(ctx context.Context) []frame.Statement {
	in := func(language string) (out []frame.Statement) {
		for _, one := range c.Config.Statements {
			if one.Language == language {
				out = append(out, one)
			}
		}
		return out
	}
	if own := in(locale.Of(ctx).Code); len(own) > 0 {
		return own
	}
	return in(locale.English.Code)
}

// statementAbout is the text about one subject; its zero value where there is none.
func statementAbout(texts []frame.Statement, subject query.ConsentSubject) (out frame.Statement) {
	for _, one := range texts {
		if one.Subject == string(subject) {
			return one
		}
	}
	return out
}

// statementField is the version of the text that a form shows.
const statementField = "statement"

func shownStatement(texts []frame.Statement) ui.Hidden {
	out := ui.Hidden{Name: statementField}
	if len(texts) > 0 {
		out.Value = texts[0].Version
	}
	return out
}

// awaited are the texts of the consents that wait for the person.
func (v consentsView) awaited() (out []frame.Statement) {
	for _, row := range v.Rows {
		if one := statementAbout(v.Texts, row.Consent.Subject); row.AwaitsMe && one.Text != "" && !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}

// path is the page of what it is about.
func (row consentRow) path() string {
	if row.Kind == "voice" {
		return "/voices/" + row.Id
	}
	return itemPath(query.ElementKind(row.Kind), row.Id)
}

func consentKind(ctx context.Context, kind string) string {
	if kind == "voice" {
		return t(ctx, "Voice")
	}
	return t(ctx, kindOf(query.ElementKind(kind)).One)
}

// Consents are those that await the person, and everything that depicts them.
func (c Pages) Consents(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Consents(r.Context(), c.Client, frame.After(r))
	if err != nil {
		return err
	}
	v := consentsView{Texts: c.statements(r.Context()), Next: frame.NextHref(r, res.Consents.PageInfo)}
	for _, row := range res.Consents.Nodes {
		v.Rows = append(v.Rows, consentRow{row, c.ShownMedia(row.ImageUrl)})
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Consents"), Section: frame.SectionLibrary, List: "/consents"}, consentsContent(v, c.Now()))
}

// GiveConsent gives the consent to an element, or withdraws it.
func (c Pages) GiveConsent(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		in, err := readGiven(r)
		if err != nil {
			return frame.Again(w, r, err, c.ElementPage(k))
		}
		res, err := query.GiveConsent(r.Context(), c.Client, frame.PathID(r), in)
		if err != nil {
			return frame.Again(w, r, err, c.ElementPage(k))
		}
		return c.consentDone(w, r, in.Confirmed && res.GiveConsent != nil, itemPath(k.Kind, frame.PathID(r)))
	}
}

// GiveVoiceConsent gives the consent to a cloned voice, or withdraws it.
func (c Pages) GiveVoiceConsent(w http.ResponseWriter, r *http.Request) error {
	in, err := readGiven(r)
	if err != nil {
		return frame.Again(w, r, err, c.VoicePage)
	}
	res, err := query.GiveVoiceConsent(r.Context(), c.Client, frame.PathID(r), in)
	if err != nil {
		return frame.Again(w, r, err, c.VoicePage)
	}
	return c.consentDone(w, r, in.Confirmed && res.GiveVoiceConsent != nil, "/voices/"+frame.PathID(r))
}

func readGiven(r *http.Request) (query.GiveConsentInput, error) {
	until, err := dayIn(r, "validUntil")
	in := query.GiveConsentInput{Confirmed: frame.Text(r, "confirmed") == "true", Basis: frame.TextOrNil(r, "basis"), ValidUntil: until, Statement: frame.TextOrNil(r, statementField)}
	if seen, parsed := time.Parse(time.RFC3339Nano, frame.Text(r, seenField)); parsed == nil {
		in.UnchangedSince = &seen
	}
	return in, err
}

// seenField is when what a form answers for was last changed, as far as its page knew.
const seenField = "seen"

func seen(at time.Time) ui.Hidden {
	return ui.Hidden{Name: seenField, Value: at.UTC().Format(time.RFC3339Nano)}
}

func (c Pages) consentDone(w http.ResponseWriter, r *http.Request, given bool, path string) error {
	if given {
		return c.Done(w, frame.Return(r, path), t(r.Context(), "You agreed. You can take it back at any time."))
	}
	return c.Done(w, frame.Return(r, "/consents"), t(r.Context(), "The consent is withdrawn, and everything is deleted that stood under it."))
}

// AskWithdraw says what goes when a consent to an element is withdrawn.
func (c Pages) AskWithdraw(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		res, err := query.ElementPage(r.Context(), c.Client, frame.PathID(r), false, query.TrainElementInput{}, false, "")
		if err != nil {
			return err
		}
		e := res.Element
		if k.Kind != e.Kind {
			return ownPage(w, e)
		}
		gone := []string{
			t(r.Context(), "“%s” is deleted at once", e.Name),
			tn(r.Context(), "%d picture of it go with it, and cannot be brought back", "%d pictures of it go with it, and cannot be brought back", e.ImageCount),
		}
		if e.Kind == query.ElementKindFace {
			gone = append(gone, t(r.Context(), "So is every character that has this face"))
		}
		if e.Training != nil && e.Training.Provider != "local" {
			gone = append(gone, t(r.Context(), "The model that was trained with it is deleted at %s", frame.ProviderNamed(r.Context(), e.Training.Provider)))
		}
		gone = append(
			gone, t(r.Context(), "Whatever is being made with it now is stopped"),
			t(r.Context(), "That there was a consent, and that it was withdrawn, stays on record without name and picture"),
		)
		return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Withdraw the consent"), Section: frame.SectionLibrary, Workspace: frame.Value(e.WorkspaceId)},
			ui.ConfirmPage(withdrawQuestion(r.Context(), itemPath(k.Kind, e.Id), e.UpdatedAt, gone)))
	}
}

// AskWithdrawVoice says what goes when the consent to a voice is withdrawn.
func (c Pages) AskWithdrawVoice(w http.ResponseWriter, r *http.Request) error {
	res, err := query.VoicePage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	gone := []string{
		t(r.Context(), "The voice “%s” is deleted at once, with its recordings", res.Voice.Name),
		t(r.Context(), "Its copy at %s is deleted", frame.ProviderNamed(r.Context(), res.Voice.Provider)), t(r.Context(), "Whatever speaks with it now is stopped"),
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Withdraw the consent"), Section: frame.SectionLibrary, Workspace: frame.Value(res.Voice.WorkspaceId)},
		ui.ConfirmPage(withdrawQuestion(r.Context(), "/voices/"+res.Voice.Id, res.Voice.UpdatedAt, gone)))
}

func withdrawQuestion(ctx context.Context, path string, changed time.Time, gone []string) ui.ConfirmProps {
	return ui.ConfirmProps{
		ID: "withdraw", Title: t(ctx, "Withdraw the consent?"), Text: t(ctx, "This happens at once and cannot be undone."), Consequences: gone, Danger: true,
		Form:    ui.FormProps{Action: path + "/consent", Hidden: []ui.Hidden{{Name: "confirmed", Value: "false"}, seen(changed)}},
		Confirm: t(ctx, "Withdraw and delete"), CancelHref: path,
	}
}

func consentTone(s query.ConsentStatus) ui.Tone {
	switch s {
	case query.ConsentStatusGiven:
		return ui.OK
	case query.ConsentStatusAwaiting:
		return ui.Warn
	}
	return ui.Bad
}

func consentWord(ctx context.Context, s query.ConsentState) string {
	switch s.Status {
	case query.ConsentStatusGiven:
		return tc(ctx, "consent", "Given")
	case query.ConsentStatusAwaiting:
		return t(ctx, "Awaited")
	case query.ConsentStatusExpired:
		return t(ctx, "Expired")
	}
	return t(ctx, "Withdrawn")
}

func withdrawWord(ctx context.Context, s query.ConsentState) string {
	if s.Status == query.ConsentStatusAwaiting {
		return t(ctx, "Refuse…")
	}
	return t(ctx, "Withdraw…")
}

// consentSentence says who is depicted, and whose word is awaited.
func consentSentence(ctx context.Context, s query.ConsentState) string {
	who, out := tc(ctx, "depicted", "a person outside"), t(ctx, "It depicts a person outside.")
	switch {
	case s.User != nil:
		who, out = s.User.DisplayName, t(ctx, "It depicts %s.", s.User.DisplayName)
	case s.Subject == query.ConsentSubjectSelf:
		who, out = tc(ctx, "depicted", "the person who made it"), t(ctx, "It depicts the person who made it.")
	case s.Subject == query.ConsentSubjectMinor:
		who, out = tc(ctx, "depicted", "a child"), t(ctx, "It depicts a child.")
	}
	if s.GoesOn {
		return out + " " + t(
			ctx, "New pictures came since an admin agreed: they are used once an admin agrees to them too. Those from before may be used meanwhile.",
		)
	}
	switch subject, admin := slices.Index(s.Awaits, "subject"), slices.Index(s.Awaits, "admin"); {
	case subject >= 0 && admin > subject:
		out += " " + t(ctx, "Nothing can be made with it until %s and an admin of the workspace agree.", who)
	case subject >= 0 && admin >= 0:
		out += " " + t(ctx, "Nothing can be made with it until an admin of the workspace and %s agree.", who)
	case subject >= 0:
		out += " " + t(ctx, "Nothing can be made with it until %s agrees.", who)
	case admin >= 0:
		out += " " + t(ctx, "Nothing can be made with it until an admin of the workspace agrees.")
	}
	if s.Status == query.ConsentStatusExpired {
		out += " " + t(ctx, "The consent has run out: nothing new can be made with it, and its pictures are deleted after thirty days.")
	}
	return out
}

func consentFacts(ctx context.Context, s query.ConsentState) []ui.Fact {
	out := []ui.Fact{{Name: t(ctx, "Pictures may be sent to providers outside"), Value: t(ctx, "No")}}
	if s.Providers {
		out[0].Value = t(ctx, "Yes")
	}
	if s.Basis != nil {
		out = append(out, ui.Fact{Name: t(ctx, "Where the release lies"), Value: *s.Basis})
	}
	if s.GivenBy != nil {
		out = append(out, ui.Fact{Name: t(ctx, "Written by"), Value: s.GivenBy.DisplayName})
	}
	return append(out, ui.Fact{Name: t(ctx, "Text that was confirmed"), Value: s.Statement})
}
