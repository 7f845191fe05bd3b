package account

import (
	"errors"
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// accountView is the person's own settings.
type accountView struct {
	ID, Email, Name, Picture string
	Verified                 bool
	Password                 bool // it has one, and can change it
	Guarded                  bool // there is a second factor
	MayProveOperator         bool
	Sessions                 []query.OpenSession
	Tokens                   []query.TokenName
	Linked                   []query.LinkedSignIn
	Facts                    []ui.Fact
	Storage                  []query.StoragePart
	Theme                    ui.Theme
	Zone                     zoneView
	Form                     frame.Form
}

// accountFields are those that the forms of the page show.
var accountFields = []string{"displayName", "picture", "currentPassword", "newPassword", "operatorCode", "timeZone"}

// Account is the page of the person's own settings.
func (c Pages) Account(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Account(r.Context(), c.Client)
	if err != nil {
		return err
	}
	v := accountView{
		Password: res.Me.HasPassword, Guarded: res.SecondFactor.Since != nil, MayProveOperator: res.Me.MayProveOperator, Sessions: res.Sessions, Tokens: res.ApiTokens,
		Linked: res.LinkedSignIns,
		ID:     res.Shell.Me.Id, Email: res.Shell.Me.Email, Name: res.Shell.Me.DisplayName, Verified: res.Me.EmailVerified,
		Picture: ui.Picture(res.Shell.Me.AvatarUrl),
		Theme:   frame.ThemeOf(r), Form: frame.FormOf(r), Storage: res.Me.Storage,
		Zone: zoneView{Chosen: frame.Value(res.Shell.Me.TimeZone), Told: frame.ToldZone(r), Form: frame.FormOf(r)},
		Facts: []ui.Fact{
			{Name: "Credits of your personal space", Value: frame.Credits(res.Me.Wallet.Balance)},
			{Name: "Reserved for runs", Value: frame.Credits(res.Me.Wallet.Reserved)},
			{Name: "Account since", Value: ui.Moment(res.Me.CreatedAt, c.ZoneOf(r, res.Shell))},
		},
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: "Your account", Section: frame.SectionAccount}, accountContent(v, c.Now()))
}

// UpdateAccount saves the name.
func (c Pages) UpdateAccount(w http.ResponseWriter, r *http.Request) error {
	name := frame.Text(r, "displayName")
	if _, err := query.UpdateProfile(r.Context(), c.Client, query.UpdateProfileInput{DisplayName: &name}); err != nil {
		return frame.Again(w, r, err, c.Account)
	}
	return c.Done(w, "/account", "Your name is saved.")
}

// SetPicture keeps the picture that the person chose.
func (c Pages) SetPicture(w http.ResponseWriter, r *http.Request) error {
	err := c.keepPicture(r)
	if frame.HasCode(err, "payload_too_large") {
		err = frame.Invalid("picture", "The picture is too large: 12 MiB at most.")
	}
	if err != nil {
		return frame.Again(w, r, err, c.Account)
	}
	return c.Done(w, "/account", "That is your picture now.")
}

func (c Pages) keepPicture(r *http.Request) error {
	if c.Config.Picture == nil {
		return frame.ErrNotFound
	}
	file, _, err := r.FormFile("picture")
	if errors.Is(err, http.ErrMissingFile) || errors.Is(err, http.ErrNotMultipart) {
		return frame.Invalid("picture", "Choose a picture first.")
	}
	if err != nil {
		return frame.Invalid("picture", "The picture did not arrive whole. Send it again.")
	}
	defer file.Close()
	return c.Config.Picture(r.Context(), file)
}

// RemovePicture leaves the initials.
func (c Pages) RemovePicture(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.RemovePicture(r.Context(), c.Client); err != nil {
		return frame.Again(w, r, err, c.Account)
	}
	return c.Done(w, "/account", "Your picture is removed. Others see your initials.")
}

// deleteView is the question before an account is deleted.
type deleteView struct {
	Closing  query.Closing
	Password bool
	Email    string
	Form     frame.Form
}

// AskDeleteAccount says what goes with the account, or what stands in the way.
func (c Pages) AskDeleteAccount(w http.ResponseWriter, r *http.Request) error {
	res, err := query.AccountClosing(r.Context(), c.Client)
	if err != nil {
		return err
	}
	v := deleteView{Closing: res.Me.Closing, Password: res.Me.HasPassword, Email: res.Shell.Me.Email, Form: frame.FormOf(r)}
	return c.Page(w, r, res.Shell, frame.Page{Title: "Delete your account", Section: frame.SectionAccount}, deleteAccountContent(v))
}

// DeleteAccount deletes the account and everything by which it is used.
func (c Pages) DeleteAccount(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	if _, err := query.DeleteAccount(r.Context(), c.Client, r.PostForm.Get("confirmation")); err != nil {
		return frame.Again(w, r, err, c.AskDeleteAccount)
	}
	c.EndSession(w)
	return c.Done(w, "/login", "Your account is deleted. Its address is free for a new one.")
}

// goes are the consequences of deleting an account, those that there are.
func goes(c query.Closing) []string {
	out := []string{"You are signed out everywhere, at once, and nobody can sign in with this address until somebody makes a new account with it"}
	add := func(n int, one, many, then string) {
		if n > 0 {
			out = append(out, ui.Plural(n, one, many)+then)
		}
	}
	add(c.Organizations, "organization", "organizations", " loses you as a member, with all its groups")
	add(c.Workflows, "workflow", "workflows", " of your personal space, deleted with their versions")
	add(c.Apps, "app", "apps", " of your personal space, gone for everybody who uses it")
	if c.Runs >= maxRunsCounted {
		out = append(out, "More than "+ui.Count(maxRunsCounted)+" runs of yours, with inputs and results")
	} else {
		add(c.Runs, "run", "runs", " of yours, with inputs and results")
	}
	add(c.Files, "file", "files", " that you uploaded or made")
	add(c.Tokens, "API token", "API tokens", ", so that programs that use it stop")
	add(c.ConnectedApps, "connected app", "connected apps", ", which can no longer act for you")
	add(c.DeveloperApps, "app of your own", "apps of your own", ", gone for everybody who connected it")
	add(c.Passkeys, "passkey", "passkeys", ", which open nothing any more")
	add(c.Endpoints, "webhook endpoint", "webhook endpoints", " with what was delivered")
	if c.Credits > 0 {
		out = append(out, frame.InCredits(c.Credits)+" of your personal space, which nobody gets")
	}
	return append(out, "Your name stays where it is history: in audit logs, and on workflows that you left to others")
}

// maxRunsCounted is how far the service counts them.
const maxRunsCounted = 10_000
