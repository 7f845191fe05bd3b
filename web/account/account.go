package account

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/locale"
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
			{Name: t(r.Context(), "Credits of your personal space"), Value: credits(r.Context(), res.Me.Wallet.Balance)},
			{Name: t(r.Context(), "Reserved for runs"), Value: credits(r.Context(), res.Me.Wallet.Reserved)},
			{Name: t(r.Context(), "Account since"), Value: locale.Moment(locale.WithZone(r.Context(), c.ZoneOf(r, res.Shell)), res.Me.CreatedAt)},
		},
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Your account"), Section: frame.SectionAccount}, accountContent(v, c.Now()))
}

// UpdateAccount saves the name.
func (c Pages) UpdateAccount(w http.ResponseWriter, r *http.Request) error {
	name := frame.Text(r, "displayName")
	if _, err := query.UpdateProfile(r.Context(), c.Client, query.UpdateProfileInput{DisplayName: &name}); err != nil {
		return frame.Again(w, r, err, c.Account)
	}
	return c.Done(w, "/account", t(r.Context(), "Your name is saved."))
}

// SetPicture keeps the picture that the person chose.
func (c Pages) SetPicture(w http.ResponseWriter, r *http.Request) error {
	err := c.keepPicture(r)
	if frame.HasCode(err, "payload_too_large") {
		err = frame.Invalid("picture", t(r.Context(), "The picture is too large: 12 MiB at most."))
	}
	if err != nil {
		return frame.Again(w, r, err, c.Account)
	}
	return c.Done(w, "/account", t(r.Context(), "That is your picture now."))
}

func (c Pages) keepPicture(r *http.Request) error {
	if c.Config.Picture == nil {
		return frame.ErrNotFound
	}
	file, err := frame.ChosenFile(r, "picture")
	if err != nil {
		return err
	}
	defer file.Close()
	return c.Config.Picture(r.Context(), file)
}

// RemovePicture leaves the initials.
func (c Pages) RemovePicture(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.RemovePicture(r.Context(), c.Client); err != nil {
		return frame.Again(w, r, err, c.Account)
	}
	return c.Done(w, "/account", t(r.Context(), "Your picture is removed. Others see your initials."))
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
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Delete your account"), Section: frame.SectionAccount}, deleteAccountContent(v))
}

// DeleteAccount deletes the account and everything by which it is used.
func (c Pages) DeleteAccount(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	if _, err := query.DeleteAccount(r.Context(), c.Client, r.PostForm.Get("confirmation")); err != nil {
		return frame.Again(w, r, err, c.AskDeleteAccount)
	}
	c.EndSession(w)
	return c.Done(w, "/login", t(r.Context(), "Your account is deleted. Its address is free for a new one."))
}

// goes are the consequences of deleting an account, those that there are.
func goes(ctx context.Context, c query.Closing) []string {
	out := []string{t(ctx, "You are signed out everywhere, at once, and no one can sign in with this address until a new account is made with it")}
	add := func(n int, sentence string) {
		if n > 0 {
			out = append(out, sentence)
		}
	}
	add(c.Organizations, tn(ctx, "%d organization loses you as a member, with all its classes and workspaces",
		"%d organizations lose you as a member, with all their classes and workspaces", c.Organizations))
	add(c.Workflows, tn(ctx, "%d workflow of your personal space, deleted with its versions", "%d workflows of your personal space, deleted with their versions", c.Workflows))
	add(c.Apps, tn(ctx, "%d app of your personal space, gone for everyone who uses it", "%d apps of your personal space, gone for everyone who uses them", c.Apps))
	if c.Runs >= maxRunsCounted {
		out = append(out, t(ctx, "More than %d runs of yours, with inputs and results", maxRunsCounted))
	} else {
		add(c.Runs, tn(ctx, "%d run of yours, with inputs and results", "%d runs of yours, with inputs and results", c.Runs))
	}
	add(c.Files, tn(ctx, "%d file that you uploaded or made", "%d files that you uploaded or made", c.Files))
	add(c.Tokens, tn(ctx, "%d API token, so that programs that use it stop", "%d API tokens, so that programs that use them stop", c.Tokens))
	add(c.ConnectedApps, tn(ctx, "%d connected app, which can no longer act for you", "%d connected apps, which can no longer act for you", c.ConnectedApps))
	add(c.DeveloperApps, tn(ctx, "%d app of your own, gone for everyone who connected it", "%d apps of your own, gone for everyone who connected them", c.DeveloperApps))
	add(c.Passkeys, tn(ctx, "%d passkey, which opens nothing any more", "%d passkeys, which open nothing any more", c.Passkeys))
	add(c.Endpoints, tn(ctx, "%d webhook endpoint with what was delivered", "%d webhook endpoints with what was delivered", c.Endpoints))
	if c.Credits > 0 {
		out = append(out, t(ctx, "%s of your personal space, which no one gets", frame.CreditsIn(ctx, c.Credits)))
	}
	return append(out, t(ctx, "Your name stays where it is history: in audit logs, and on workflows that you left to others"))
}

// maxRunsCounted is how far the service counts them.
const maxRunsCounted = 10_000
