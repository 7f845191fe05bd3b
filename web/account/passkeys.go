package account

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// maxPasskeys is how many passkeys an account may have.
const maxPasskeys = 20

// passkeyField is the field of a form that holds what a passkey answered, as
// {"challengeId", "response"}.
const passkeyField = "passkey"

// BeginPasskey tells the console's script what to ask a passkey, as JSON. The
// second step that the browser is in is known by its cookie.
func (c Pages) BeginPasskey(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	purpose := query.PasskeyPurpose(r.PostForm.Get("purpose"))
	var token *string
	if purpose == query.PasskeyPurposeSecondStep {
		step, _ := c.StepToken(r)
		token = &step
	}
	frame.HoldSecret(w)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	res, err := query.BeginPasskey(r.Context(), c.Client, purpose, token)
	if err != nil {
		e, known := frame.Refused(err)
		if !known {
			c.Config.Log.ErrorContext(r.Context(), "a passkey cannot be asked", "error", err)
		}
		if e.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(e.RetryAfter.Seconds())+1))
		}
		w.WriteHeader(e.Status)
		return json.NewEncoder(w).Encode(map[string]string{"code": e.Code, "message": locale.Pattern(r.Context(), e.Message)})
	}
	return json.NewEncoder(w).Encode(map[string]any{"challengeId": res.BeginPasskey.Id, "options": res.BeginPasskey.Options})
}

// passkeyAnswer is what a passkey answered, as the form brings it.
func passkeyAnswer(r *http.Request) (answer query.PasskeyAnswerInput, err error) {
	if frame.ReadJSON(r.PostForm.Get(passkeyField), &answer) != nil || len(answer.Response) == 0 {
		err = frame.Invalid(passkeyField, t(r.Context(), "The passkey's answer did not arrive. A browser with script asks the passkey; try once more."))
	}
	return answer, err
}

// SignInWithPasskey starts a session with a passkey alone.
func (c Pages) SignInWithPasskey(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	answer, err := passkeyAnswer(r)
	if err != nil {
		return frame.Again(w, r, err, c.Login)
	}
	res, err := query.SignInWithPasskey(r.Context(), c.Client, answer)
	if e, known := frame.Refused(err); err != nil && known && e.Code == "unauthorized" {
		err = &frame.Error{Status: http.StatusUnauthorized, Code: "wrong_passkey", Message: t(r.Context(), "This passkey is not known here, or was not accepted. Use another one, or your password.")}
	}
	if err != nil {
		return frame.Again(w, r, err, c.Login)
	}
	c.StartSession(w, res.SignInWithPasskey.Token, res.SignInWithPasskey.ExpiresAt)
	return frame.SeeOther(w, frame.PathOr(r.PostForm.Get("next"), frame.Landing))
}

// AddPasskey adds the passkey that answered.
func (c Pages) AddPasskey(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	answer, err := passkeyAnswer(r)
	if err != nil {
		return frame.Again(w, r, err, c.Security)
	}
	res, err := query.AddPasskey(r.Context(), c.Client, frame.Text(r, "name"), answer)
	if e, known := frame.Refused(err); err != nil && known && e.Code == "unauthorized" {
		err = frame.Invalid(passkeyField, t(r.Context(), "The passkey was not accepted. Try once more."))
	}
	if err != nil {
		return frame.Again(w, r, err, c.Security)
	}
	return c.Done(w, securityPath, t(r.Context(), "%s is added. You can sign in with it.", res.AddPasskey.Name))
}

// passkeyView is the page of one passkey.
type passkeyView struct {
	Key   query.OwnPasskey
	Guard query.PasskeyGuard
	Form  frame.Form
}

// findPasskey is the passkey that the address names.
func (c Pages) findPasskey(r *http.Request) (v passkeyView, shell query.Shell, err error) {
	res, err := query.PasskeyPage(r.Context(), c.Client)
	if err != nil {
		return v, shell, err
	}
	v.Guard, v.Form = res.SecondFactor, frame.FormOf(r)
	for _, key := range v.Guard.Passkeys {
		if key.Id == frame.PathID(r) {
			v.Key = key
			return v, res.Shell, nil
		}
	}
	return v, shell, frame.ErrNotFound
}

// PasskeyPage renames a passkey.
func (c Pages) PasskeyPage(w http.ResponseWriter, r *http.Request) error {
	v, shell, err := c.findPasskey(r)
	if err != nil {
		return err
	}
	return c.Page(w, r, shell, frame.Page{Title: v.Key.Name, Section: frame.SectionAccount}, passkeyContent(v))
}

// RenamePasskey calls a passkey something else.
func (c Pages) RenamePasskey(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.RenamePasskey(r.Context(), c.Client, frame.PathID(r), frame.Text(r, "name")); err != nil {
		return frame.Again(w, r, err, c.PasskeyPage)
	}
	return c.Done(w, securityPath, t(r.Context(), "The passkey has its new name."))
}

// AskDeletePasskey says what is left without a passkey.
func (c Pages) AskDeletePasskey(w http.ResponseWriter, r *http.Request) error {
	v, shell, err := c.findPasskey(r)
	if err != nil {
		return err
	}
	return c.Page(w, r, shell, frame.Page{Title: t(r.Context(), "Delete %s", v.Key.Name), Section: frame.SectionAccount}, deletePasskeyContent(v))
}

// DeletePasskey takes a passkey off the account.
func (c Pages) DeletePasskey(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeletePasskey(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.AskDeletePasskey)
	}
	return c.Done(w, securityPath, t(r.Context(), "The passkey is deleted here. Take it off the device, too: there it may still be offered."))
}

// last tells whether the passkey is the only second factor.
func (v passkeyView) last() bool { return v.Guard.TotpSince == nil && len(v.Guard.Passkeys) == 1 }

// without says what is so once the passkey is gone.
func (v passkeyView) without(ctx context.Context) []string {
	said := []string{t(ctx, "You cannot sign in with it any more. Sessions that it began go on.")}
	if v.last() {
		said = append(said, t(ctx, "It is your only second factor: your password is then enough to sign in, and the recovery codes stop working."))
	}
	if v.last() && len(v.Guard.RequiredBy) > 0 {
		said = append(said, t(ctx, "You cannot work any more where a second factor is asked of you: in %s.", joined(v.Guard.RequiredBy)))
	}
	return said
}

// joined lists names in a sentence.
func joined(names []string) string {
	text := ""
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			text += " and "
		default:
			text += ", "
		}
		text += name
	}
	return text
}

// PasskeySlot is what a form that confirms a session needs for a passkey.
func PasskeySlot() templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return passkeyAsk("confirm", frame.ConfirmPasskey, ui.ButtonProps{Text: t(ctx, "Confirm with a passkey")}).Render(ctx, w)
	})
}
