package frame

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"atelier/jsontext"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// ConfirmPath is the page on which a person confirms that it is still them.
const ConfirmPath = "/account/confirm"

// What a form that was refused with reauthentication_required is sent once more
// with: one of them confirms the session, before the form does its work.
const (
	ConfirmPassword = "confirm_password"
	ConfirmCode     = "confirm_code"
	// ConfirmPasskey is {"challengeId", "response"} as JSON.
	ConfirmPasskey = "confirm_passkey"
	confirmSent    = "confirm_sent"
)

var confirmFields = []string{ConfirmPassword, ConfirmCode, ConfirmPasskey, confirmSent, onceField}

// ConfirmView is the form that confirms a session.
type ConfirmView struct {
	Password, Code, Passkey bool // what the person has
	Action                  string
	Hidden                  []ui.Hidden
	Again                   bool // a form is sent once more with it
	Cancel                  string
	Form                    Form
	// Slot is what a passkey needs; nil where it is not built in.
	Slot templ.Component
}

// External tells whether the person has nothing here by which to confirm: then their provider does.
func (v ConfirmView) External() bool { return !v.Password && !v.Code && !v.Passkey }

// NewConfirmView is the form for what the page's operation found.
func (c *Console) NewConfirmView(res *query.ConfirmPageResponse, f Form) ConfirmView {
	v := ConfirmView{
		Password: res.Self.HasPassword, Code: res.SecondFactor.TotpSince != nil, Passkey: len(res.SecondFactor.Passkeys) > 0, Form: f,
	}
	if c.PasskeySlot != nil && v.Passkey {
		v.Slot = c.PasskeySlot()
	}
	return v
}

// ConfirmFrom confirms the session by what a form says.
func (c *Console) ConfirmFrom(ctx context.Context, form url.Values) error {
	in := query.ConfirmSessionInput{}
	password, code, passkey := form.Get(ConfirmPassword), strings.TrimSpace(form.Get(ConfirmCode)), form.Get(ConfirmPasskey)
	switch {
	case passkey != "":
		in.Passkey = &query.PasskeyAnswerInput{}
		if err := jsontext.Read([]byte(passkey), in.Passkey); err != nil {
			return Invalid(ConfirmPasskey, mark("The passkey's answer did not arrive whole. Try once more."))
		}
	case password != "":
		in.Password = &password
	case code != "":
		in.Code = &code
	default:
		return Invalid(ConfirmPassword, mark("Type your password, or a code."))
	}
	_, err := query.ConfirmSession(context.WithValue(ctx, onceKey{}, ""), c.Client, in)
	if e, known := Refused(err); err != nil && known && e.Field != "" {
		out := *e
		out.Field = "confirm_" + e.Field
		return &out
	}
	return err
}

// confirmFirst confirms the session with what a form brings for that, and takes
// it off the form; nil tells that a page was answered instead.
func (c *Console) confirmFirst(w http.ResponseWriter, r *http.Request) (*http.Request, error) {
	if r.PostForm.Get(confirmSent) == "" || r.URL.Path == ConfirmPath {
		return r, nil
	}
	err := c.ConfirmFrom(r.Context(), r.PostForm)
	if e, known := Refused(err); err != nil && known && e.Code != "unauthorized" && e.Status < 500 {
		return nil, c.askToConfirm(w, r, e)
	}
	for _, name := range confirmFields {
		if name != onceField {
			r.PostForm.Del(name)
			r.Form.Del(name)
		}
	}
	if err == nil && c.Config.Confirmed != nil {
		r = r.WithContext(c.Config.Confirmed(r.Context()))
	}
	return r.WithContext(context.WithValue(r.Context(), confirmedHereKey{}, true)), err
}

type confirmedHereKey struct{}

// ConfirmedHere tells whether the form was sent by the page that confirms a session, and
// not by the one that it stood on first.
func ConfirmedHere(r *http.Request) bool { return r.Context().Value(confirmedHereKey{}) != nil }

// confirmPage is where errorPage leads for reauthentication_required: a page that
// was asked for comes back after it, a form that was sent is sent once more with it.
func (c *Console) confirmPage(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		return SeeOther(w, ConfirmPath+"?next="+url.QueryEscape(SafePath(r.URL.RequestURI())))
	}
	return c.askToConfirm(w, r, nil)
}

func (c *Console) askToConfirm(w http.ResponseWriter, r *http.Request, refusal *Error) error {
	res, err := query.ConfirmPage(r.Context(), c.Client)
	if err != nil {
		return err
	}
	v := c.NewConfirmView(res, Form{Err: aboveForm(r.Context(), refusal)})
	v.Action, v.Again, v.Cancel = r.URL.RequestURI(), true, cancelPath(r)
	v.Hidden = keptFields(r.PostForm)
	status := http.StatusForbidden
	if refusal != nil && refusal.Status == http.StatusTooManyRequests {
		status = refusal.Status
		w.Header().Set("Retry-After", strconv.Itoa(retrySeconds(refusal)))
	}
	HoldSecret(w)
	shell := c.placedShell(r, res.Shell)
	r = c.inZone(w, r, shell)
	return Write(w, r, status, Wrap(ui.Page(c.Shell(r, shell, Page{Title: t(r.Context(), "Confirm that it is you")})), ConfirmContent(v)))
}

// cancelPath is the page that a form stood on.
func cancelPath(r *http.Request) string {
	if from, err := url.Parse(r.Referer()); err == nil && from.Host == r.Host && SafePath(from.RequestURI()) != "" && from.Path != r.URL.Path {
		return from.RequestURI()
	}
	return Landing
}

// keptFields are what was typed into a form, to be sent once more, except for
// secrets: the form asks for those again. The work is a new one, for what was
// refused is remembered under its key.
func keptFields(form url.Values) []ui.Hidden {
	hidden := []ui.Hidden{{Name: confirmSent, Value: "1"}}
	if form.Get(onceField) != "" {
		hidden = append(hidden, ui.Hidden{Name: onceField, Value: NewOnceKey()})
	}
	names := make([]string, 0, len(form))
	for name := range form {
		if !slices.Contains(confirmFields, name) && !secretField(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range form[name] {
			hidden = append(hidden, ui.Hidden{Name: name, Value: value})
		}
	}
	return hidden
}

// secretField tells whether a field of a form holds something that no page repeats.
func secretField(name string) bool {
	lower := strings.ToLower(name)
	if strings.HasPrefix(lower, "code_challenge") { // of an app's request; the page shows it anyway
		return false
	}
	for _, part := range []string{"password", "secret", "code", "passkey"} {
		if strings.Contains(lower, part) {
			return true
		}
	}
	return false
}
