package web

import (
	"net/http"

	"atelier/web/query"
	"atelier/web/ui"
)

// accountView is the person's own settings.
type accountView struct {
	ID, Email, Name, Avatar string
	Verified                bool
	Password                bool // it has one, and can change it
	MayProveOperator        bool
	Sessions                []query.OpenSession
	Facts                   []ui.Fact
	Storage                 []query.StoragePart
	Theme                   ui.Theme
	Form                    form
}

func (c *Console) account(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Account(r.Context(), c.client)
	if err != nil {
		return err
	}
	open, err := query.Sessions(r.Context(), c.client)
	if err != nil {
		return err
	}
	v := accountView{
		Password: res.Me.HasPassword, MayProveOperator: res.Me.MayProveOperator, Sessions: open.Sessions,
		ID: res.Shell.Me.Id, Email: res.Shell.Me.Email, Name: res.Shell.Me.DisplayName, Verified: res.Me.EmailVerified,
		Theme: themeOf(r), Form: formOf(r), Storage: res.Me.Storage,
		Facts: []ui.Fact{
			{Name: "Credits of your personal space", Value: credits(res.Me.Wallet.Balance)},
			{Name: "Reserved for runs", Value: credits(res.Me.Wallet.Reserved)},
			{Name: "Account since", Value: res.Me.CreatedAt.UTC().Format("2 January 2006")},
			{Name: "Account id", Value: res.Shell.Me.Id, Mono: true},
		},
	}
	if res.Me.AvatarUrl != nil {
		v.Avatar = *res.Me.AvatarUrl
	}
	return c.page(w, r, res.Shell, page{Title: "Your settings", Section: sectionAccount}, accountContent(v, c.now()))
}

func (c *Console) updateAccount(w http.ResponseWriter, r *http.Request) error {
	name, avatar := text(r, "displayName"), text(r, "avatarUrl")
	var err error
	if avatar == "" {
		_, err = query.UpdateProfileWithoutPicture(r.Context(), c.client, name)
	} else {
		_, err = query.UpdateProfile(r.Context(), c.client, query.UpdateProfileInput{DisplayName: &name, AvatarUrl: &avatar})
	}
	if err != nil {
		return again(w, r, err, c.account)
	}
	return c.done(w, "/account", "Your settings are saved.")
}
