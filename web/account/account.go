package account

import (
	"net/http"

	"atelier/web/frame"
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
	Zone                    zoneView
	Form                    frame.Form
}

// accountFields are those that the forms of the page show.
var accountFields = []string{"displayName", "avatarUrl", "currentPassword", "newPassword", "operatorCode", "timeZone"}

// Account is the page of the person's own settings.
func (c Pages) Account(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Account(r.Context(), c.Client)
	if err != nil {
		return err
	}
	v := accountView{
		Password: res.Me.HasPassword, MayProveOperator: res.Me.MayProveOperator, Sessions: res.Sessions,
		ID: res.Shell.Me.Id, Email: res.Shell.Me.Email, Name: res.Shell.Me.DisplayName, Verified: res.Me.EmailVerified,
		Theme: frame.ThemeOf(r), Form: frame.FormOf(r), Storage: res.Me.Storage,
		Zone: zoneView{Chosen: frame.Value(res.Shell.Me.TimeZone), Told: frame.ToldZone(r), Form: frame.FormOf(r)},
		Facts: []ui.Fact{
			{Name: "Credits of your personal space", Value: frame.Credits(res.Me.Wallet.Balance)},
			{Name: "Reserved for runs", Value: frame.Credits(res.Me.Wallet.Reserved)},
			{Name: "Account since", Value: ui.Moment(res.Me.CreatedAt, c.ZoneOf(r, res.Shell))},
			{Name: "Account id", Value: res.Shell.Me.Id, Mono: true},
		},
	}
	if res.Me.AvatarUrl != nil {
		v.Avatar = *res.Me.AvatarUrl
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: "Your settings", Section: frame.SectionAccount}, accountContent(v, c.Now()))
}

// UpdateAccount saves the name and the picture.
func (c Pages) UpdateAccount(w http.ResponseWriter, r *http.Request) error {
	name, avatar := frame.Text(r, "displayName"), frame.Text(r, "avatarUrl")
	var err error
	if avatar == "" {
		_, err = query.UpdateProfileWithoutPicture(r.Context(), c.Client, name)
	} else {
		_, err = query.UpdateProfile(r.Context(), c.Client, query.UpdateProfileInput{DisplayName: &name, AvatarUrl: &avatar})
	}
	if err != nil {
		return frame.Again(w, r, err, c.Account)
	}
	return c.Done(w, "/account", "Your settings are saved.")
}
