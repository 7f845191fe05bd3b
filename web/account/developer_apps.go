package account

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// maxDeveloperApps is how many apps a person may register by hand (contract 1, "Limits").
const maxDeveloperApps = 5

// DeveloperApps lists the apps that the person registered.
func (c Pages) DeveloperApps(w http.ResponseWriter, r *http.Request) error {
	res, err := query.DeveloperApps(r.Context(), c.Client)
	if err != nil {
		return err
	}
	page := frame.Page{Title: t(r.Context(), "Developer apps"), Section: frame.SectionDeveloper}
	return c.Page(w, r, res.Shell, page, developerAppsContent(res.OauthApps, c.Now()))
}

// NewDeveloperApp is the form of an app.
func (c Pages) NewDeveloperApp(w http.ResponseWriter, r *http.Request) error {
	res, err := query.DeveloperApps(r.Context(), c.Client)
	if err != nil {
		return err
	}
	page := frame.Page{Title: t(r.Context(), "Register an app"), Section: frame.SectionDeveloper}
	return c.Page(w, r, res.Shell, page, newDeveloperAppContent(len(res.OauthApps), frame.FormOf(r)))
}

// CreateDeveloperApp registers an app and shows its secret, this once.
func (c Pages) CreateDeveloperApp(w http.ResponseWriter, r *http.Request) error {
	kind := frame.Text(r, "kind")
	if kind != "server" && kind != "public" {
		return frame.Again(w, r, frame.Invalid("kind", t(r.Context(), "Choose where the app runs.")), c.NewDeveloperApp)
	}
	public := kind == "public"
	res, err := query.CreateOAuthApp(r.Context(), c.Client, query.CreateOAuthAppInput{
		Name: frame.Text(r, "name"), RedirectUris: frame.PastedLinks(r, "redirectUris"), AllowedOrigins: frame.PastedLinks(r, "allowedOrigins"),
		Public: &public,
	})
	if err != nil {
		return frame.Again(w, r, addressRefusal(r.Context(), err), c.NewDeveloperApp)
	}
	made := res.CreateOAuthApp
	if made.ClientSecret == nil {
		return c.Done(w, developerPath(made.App.Id), t(r.Context(), "The app is registered."))
	}
	return c.showClientSecret(w, r, t(r.Context(), "The app is registered"), made)
}

// showClientSecret shows the secret of an app, this once.
func (c Pages) showClientSecret(w http.ResponseWriter, r *http.Request, title string, made query.CreatedDeveloperApp) error {
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	frame.HoldSecret(w)
	page := frame.Page{Title: title, Section: frame.SectionDeveloper}
	return c.Page(w, r, res.Shell, page, clientSecretContent(title, made))
}

// developerView is one app of the person.
type developerView struct {
	App  query.DeveloperApp
	Base string
	Form frame.Form
}

// DeveloperAppPage shows one app and changes it.
func (c Pages) DeveloperAppPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.DeveloperAppPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	v := developerView{App: res.OauthApp, Base: c.Config.PublicURL, Form: frame.FormOf(r)}
	return c.Page(w, r, res.Shell, frame.Page{Title: v.App.Name, Section: frame.SectionDeveloper}, developerAppContent(v, c.Now()))
}

// UpdateDeveloperApp saves the name and the addresses of an app.
func (c Pages) UpdateDeveloperApp(w http.ResponseWriter, r *http.Request) error {
	redirects, origins := frame.PastedLinks(r, "redirectUris"), frame.PastedLinks(r, "allowedOrigins")
	if _, err := query.UpdateOAuthApp(r.Context(), c.Client, frame.PathID(r), frame.Text(r, "name"), redirects, origins); err != nil {
		return frame.Again(w, r, addressRefusal(r.Context(), err), c.DeveloperAppPage)
	}
	return c.Done(w, developerPath(frame.PathID(r)), t(r.Context(), "The app is saved."))
}

// developerQuestion shows a question about one app.
func (c Pages) developerQuestion(w http.ResponseWriter, r *http.Request, title string, question question) error {
	res, err := query.DeveloperAppPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	page := frame.Page{Title: title, Section: frame.SectionDeveloper}
	return c.Page(w, r, res.Shell, page, question(res.OauthApp, frame.FormOf(r)))
}

// AskRotateClientSecret asks before an app gets a new secret.
func (c Pages) AskRotateClientSecret(w http.ResponseWriter, r *http.Request) error {
	return c.developerQuestion(w, r, t(r.Context(), "New client secret"), rotateClientSecretContent)
}

// RotateClientSecret makes a new secret and shows it, this once.
func (c Pages) RotateClientSecret(w http.ResponseWriter, r *http.Request) error {
	res, err := query.RotateOAuthAppSecret(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return frame.Again(w, r, err, c.AskRotateClientSecret)
	}
	if res.RotateOAuthAppSecret.ClientSecret == nil {
		return c.Done(w, developerPath(frame.PathID(r)), t(r.Context(), "This app keeps no secret."))
	}
	return c.showClientSecret(w, r, t(r.Context(), "The client secret is new"), res.RotateOAuthAppSecret)
}

// AskDeleteDeveloperApp says whom deleting an app cuts off.
func (c Pages) AskDeleteDeveloperApp(w http.ResponseWriter, r *http.Request) error {
	return c.developerQuestion(w, r, t(r.Context(), "Delete the app"), deleteDeveloperAppContent)
}

// DeleteDeveloperApp ends an app and all that people allowed it.
func (c Pages) DeleteDeveloperApp(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteOAuthApp(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.AskDeleteDeveloperApp)
	}
	return c.Done(w, "/developer/apps", t(r.Context(), "The app is deleted. It can no longer act for anyone."))
}

// addressRefusal makes a refusal of one address of a list one of the field, which names the address by its line.
func addressRefusal(ctx context.Context, err error) error {
	e, _ := frame.Refused(err)
	list, index, found := strings.Cut(e.Field, ".")
	n, bad := strconv.Atoi(index)
	if !found || bad != nil || list != "redirectUris" && list != "allowedOrigins" {
		return err
	}
	out := *e
	out.Field, out.Message = list, frame.AboutField(ctx, t(ctx, "Line %d", n+1), e)
	return &out
}

func developerPath(id string) string { return "/developer/apps/" + id }

// listText is a list as its field shows it.
func listText(entries []string) string { return strings.Join(entries, "\n") }
