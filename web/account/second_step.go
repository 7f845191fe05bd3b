package account

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"atelier/jsontext"
	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// secondStepPath is the page after a right password.
const secondStepPath = "/login/second-step"

// stepCookie holds the token of a sign-in's second step, and the ways to take it: "<token>.totp.recovery".
func stepCookie(secure bool) string {
	if secure {
		return "__Host-atelier_second_step"
	}
	return "atelier_second_step"
}

// stepLife is how long the service waits for the second step.
const stepLife = 5 * time.Minute

// awaitStep leads to the second step of a sign-in where the refusal asks for one; said is told there.
func (c Pages) awaitStep(w http.ResponseWriter, err error, next, said string) (asked bool, failed error) {
	e, known := frame.Refused(err)
	if !known || e.Code != "second_factor_required" || e.StepToken == "" {
		return false, nil
	}
	c.SetCookie(w, stepCookie(c.Config.SecureCookies), strings.Join(append([]string{e.StepToken}, e.StepMethods...), "."), stepLife)
	path := frame.WithNext(secondStepPath, next)
	if said != "" {
		return true, c.Done(w, path, said)
	}
	return true, frame.SeeOther(w, path)
}

// StepToken is the second step that this browser is in, and the ways to take it; "" is none.
func (c Pages) StepToken(r *http.Request) (token string, methods []string) {
	parts := strings.Split(frame.CookieValue(r, stepCookie(c.Config.SecureCookies)), ".")
	return parts[0], parts[1:]
}

// secondStepView is the page of the second step.
type secondStepView struct {
	Next                    string
	Totp, Passkey, Recovery bool
	Form                    frame.Form
}

// SecondStepPage asks for the second step of a sign-in.
func (c Pages) SecondStepPage(w http.ResponseWriter, r *http.Request) error {
	token, methods := c.StepToken(r)
	if token == "" {
		return frame.SeeOther(w, frame.WithNext("/login", frame.SafePath(r.FormValue("next"))))
	}
	has := func(method string) bool { return slices.Contains(methods, method) }
	frame.HoldSecret(w)
	return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Second step")}, secondStepContent(secondStepView{
		Next: frame.SafePath(r.FormValue("next")), Totp: has("totp"), Passkey: has("passkey"), Recovery: has("recovery"), Form: frame.FormOf(r),
	}))
}

// SecondStep begins a session with a code, or a passkey.
func (c Pages) SecondStep(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	token, _ := c.StepToken(r)
	if token == "" {
		return c.stepEnded(w, r)
	}
	in := query.SecondStepInput{SecondFactorToken: token}
	code := frame.Text(r, "code")
	if frame.Text(r, "recovery") != "" {
		code = frame.Text(r, "recovery")
	}
	if passkey := r.PostForm.Get("passkey"); passkey != "" {
		in.Passkey = &query.PasskeyAnswerInput{}
		if err := jsontext.Read([]byte(passkey), in.Passkey); err != nil {
			return frame.Again(w, r, frame.Invalid("passkey", t(r.Context(), "The passkey's answer did not arrive whole. Try once more.")), c.SecondStepPage)
		}
	} else {
		in.Code = &code
	}
	res, err := query.CompleteSignIn(r.Context(), c.Client, in)
	if frame.HasCode(err, "unauthorized") {
		return c.stepEnded(w, r)
	}
	if err != nil {
		if e, known := frame.Refused(err); known && e.Field == "code" && r.PostForm.Get("recovery") != "" {
			err = frame.Invalid("recovery", t(r.Context(), "This recovery code is wrong, or was used already."))
		}
		return frame.Again(w, r, err, c.SecondStepPage)
	}
	c.SetCookie(w, stepCookie(c.Config.SecureCookies), "", 0)
	c.StartSession(w, res.CompleteSignIn.Token, res.CompleteSignIn.ExpiresAt)
	return frame.SeeOther(w, frame.PathOr(r.PostForm.Get("next"), frame.Landing))
}

// stepEnded leads back to the password.
func (c Pages) stepEnded(w http.ResponseWriter, r *http.Request) error {
	c.SetCookie(w, stepCookie(c.Config.SecureCookies), "", 0)
	return c.Done(w, frame.WithNext("/login", frame.SafePath(r.PostForm.Get("next"))), t(r.Context(), "That sign-in took too long, or was tried too often. Begin once more with your password."))
}

// ConfirmPage asks the person to confirm that it is them, for the page that they want.
func (c Pages) ConfirmPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ConfirmPage(r.Context(), c.Client)
	if err != nil {
		return err
	}
	next := frame.PathOr(r.FormValue("next"), frame.Landing)
	v := c.NewConfirmView(res, frame.FormOf(r))
	v.Action, v.Hidden, v.Cancel = frame.ConfirmPath, []ui.Hidden{{Name: "next", Value: next}}, frame.Landing
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Confirm that it is you"), Section: frame.SectionAccount}, frame.ConfirmContent(v))
}

// Confirm confirms the session, and goes on to the page that wanted it.
func (c Pages) Confirm(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	if err := c.ConfirmFrom(r.Context(), r.PostForm); err != nil {
		return frame.Again(w, r, err, c.ConfirmPage)
	}
	next, err := url.Parse(frame.PathOr(r.PostForm.Get("next"), frame.Landing))
	if err != nil || next.Path == frame.ConfirmPath {
		return frame.SeeOther(w, frame.Landing)
	}
	return frame.SeeOther(w, next.RequestURI())
}
