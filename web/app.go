package web

import (
	"net/http"
	"net/url"

	"atelier/web/query"
	"atelier/web/ui"
)

// appFormView is the page of a published app, on its own address or in a frame of another site.
type appFormView struct {
	App       query.AppPublic
	Icon      string // path of a picture of this install
	Parts     []formPart
	Left      *int // runs left today
	SignedIn  bool
	Payer     string // who pays
	Uploads   bool
	Manage    string // address of its settings, for its managers
	Runs      []query.AppRunRow
	Form      form
	Prefill   url.Values
	Embedded  bool
	OwnOrigin string // base of links that leave a frame
}

// action is where the form is posted to.
func (v appFormView) action() string {
	if v.Embedded {
		return "/embed/" + v.App.Slug + "/run"
	}
	return "/app/" + v.App.Slug + "/run"
}

// appPage shows a published app to everybody. Values in its address fill in the form, so that what somebody typed
// before signing in is still there.
func (c *Console) appPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.App(r.Context(), c.client, pathSlug(r))
	if err != nil {
		return err
	}
	v := c.appForm(r, res.App.AppPublic, kindsOf(res.NodeTypes))
	v.Left = res.App.RunsLeftToday
	if res.App.Admin != nil {
		v.Manage = "/apps/" + res.App.Id
	}
	shell, err := query.Frame(r.Context(), c.client)
	if hasCode(err, "unauthorized") {
		return c.bare(w, r, ui.BareProps{Title: res.App.Name, Wide: true}, appFormContent(v, c.now()))
	}
	if err != nil {
		return err
	}
	v.SignedIn, v.Payer = true, payer(placeOf(r, shell.Shell, "", ""))
	runs, err := query.AppRuns(r.Context(), c.client, res.App.Slug, false, 5, nil)
	if err != nil {
		return err
	}
	v.Runs = runs.App.Runs.Nodes
	return c.page(w, r, shell.Shell, page{Title: res.App.Name, StaysOnSwitch: true}, appFormContent(v, c.now()))
}

// appForm prepares the form of an app.
func (c *Console) appForm(r *http.Request, app query.AppPublic, k kinds) appFormView {
	return appFormView{
		App: app, Icon: c.ownMedia(&app.IconUrl), Parts: formParts(readInputItems(app.InputItems), app.SnapshotNodes, k),
		Uploads: c.config.Upload != nil, Form: formOf(r), Prefill: r.URL.Query(), OwnOrigin: c.config.PublicURL,
	}
}

func (c *Console) runApp(w http.ResponseWriter, r *http.Request) error {
	return c.startApp(w, r, "/app/", c.appPage)
}

// startApp runs an app with the values of its form. Somebody who is not signed in is sent to the sign-in page and
// comes back to the form as they had filled it in.
func (c *Console) startApp(w http.ResponseWriter, r *http.Request, base string, formPage action) error {
	res, err := query.App(r.Context(), c.client, pathSlug(r))
	if err != nil {
		return err
	}
	controls := controlsOf(formParts(readInputItems(res.App.InputItems), res.App.SnapshotNodes, kindsOf(res.NodeTypes)))
	if !c.signedIn(r) {
		return seeOther(w, withNext("/login", filledAddress("/app/"+res.App.Slug, controls, r.PostForm)))
	}
	if err := c.keepFiles(r, controls); err != nil {
		return again(w, r, err, formPage)
	}
	in, err := readInputs(controls, r.PostForm)
	if err != nil {
		return again(w, r, err, formPage)
	}
	run, err := query.RunApp(r.Context(), c.client, res.App.Slug, query.RunAppInput{Inputs: in.named(), InputOverrides: in.overrides()})
	if err != nil {
		return again(w, r, inputRefusal(err, controls), formPage)
	}
	return seeOther(w, base+res.App.Slug+"/runs/"+run.RunApp.Id)
}

// mostPrefill bounds an address that carries what somebody typed.
const mostPrefill = 6000 // bytes

// filledAddress is the address of a form with the values that differ from the published ones; what does not fit is
// left out.
func filledAddress(path string, controls []control, values url.Values) string {
	q := url.Values{}
	for _, c := range controls {
		typed := values.Get(c.Name)
		if typed == c.initial() {
			continue
		}
		q.Set(c.Name, typed)
		if len(q.Encode()) > mostPrefill {
			q.Del(c.Name)
		}
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}
