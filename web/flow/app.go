package flow

import (
	"net/http"
	"net/url"

	"atelier/web/frame"
	"atelier/web/nodeform"
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
	Manage    string    // address of its settings, for its managers
	Runs      []ui.Made // what one made with it last
	Limit     *appLimit // why it cannot be run now
	Form      frame.Form
	Prefill   url.Values
	Operator  bool   // may approve a markup
	Again     bool   // the form holds the values of an earlier run
	PaidIn    string // the workspace whose credits a run takes, empty for the personal space
	Embedded  bool
	OwnOrigin string // base of links that leave a frame
}

// action is where the form is posted to.
func (v appFormView) action() string {
	if v.Embedded {
		return frame.Within("/embed/"+v.App.Slug+"/run", v.PaidIn)
	}
	return frame.Within("/app/"+v.App.Slug+"/run", v.PaidIn)
}

// AppPage shows a published app to everyone. Values in its address fill in the form, so that what a person typed
// before signing in is still there.
func (c Pages) AppPage(w http.ResponseWriter, r *http.Request) error {
	again := r.URL.Query().Get("again")
	if !isID.MatchString(again) {
		again = ""
	}
	res, err := query.App(r.Context(), c.Client, pathSlug(r), again, again != "")
	if err != nil && again != "" { // a run that cannot be read any more: the form is there all the same
		again = ""
		res, err = query.App(r.Context(), c.Client, pathSlug(r), "", false)
	}
	if err != nil {
		return err
	}
	v := c.appForm(r, res.App.AppPublic, nodeform.KindsOf(res.NodeTypes))
	if again != "" {
		items := readInputItems(res.App.InputItems)
		v.Prefill, v.Again = prefillOf(controlsOf(v.Parts), items, res.Execution.Nodes, nodeform.KindsOf(res.NodeTypes)), true
	}
	if err := nodeform.AddThingsOf(c.Console, r, nil, controlsIn(v.Parts)); err != nil && !frame.HasCode(err, "unauthorized") {
		return err
	}
	v.Left = res.App.RunsLeftToday
	if res.App.Admin != nil {
		v.Manage = "/apps/" + res.App.Id
	}
	var workspace *string
	if v.PaidIn != "" {
		workspace = &v.PaidIn
	}
	own, err := query.AppOwn(r.Context(), c.Client, res.App.Slug, workspace)
	if frame.HasCode(err, "unauthorized") {
		return c.Bare(w, r, ui.BareProps{Title: res.App.Name, Wide: true}, appFormContent(v, c.Now()))
	}
	if err != nil {
		return err
	}
	shell := c.Placed(r, own.Shell, "", v.PaidIn)
	at := frame.PlaceOf(r, shell, "", v.PaidIn)
	if v.PaidIn == "" {
		at = frame.Place{Words: frame.PlainWords}
	}
	if own.App.Payment != nil {
		own.App.Payment.Refusal = c.inWords(r, own.App.Payment.Refusal)
	}
	allowMedia(w)
	v.SignedIn, v.Payer, v.Runs = true, paymentText(r.Context(), at, own.App.Payment), c.madeWith(r.Context(), res.App.AppPublic, own.App.Runs.Nodes)
	v.Operator = own.Shell.Me.IsOperator
	v.Limit = limitOf(r.Context(), v, at, own.App.Payment, shell)
	return c.Page(w, r, own.Shell, frame.Page{Title: res.App.Name, Section: frame.SectionApps, Workspace: v.PaidIn}, appFormContent(v, c.Now()))
}

// appForm prepares the form of an app.
func (c Pages) appForm(r *http.Request, app query.AppPublic, k nodeform.Kinds) appFormView {
	return appFormView{
		App: app, Icon: c.ShownMedia(&app.IconUrl), Parts: formParts(readInputItems(app.InputItems), app.SnapshotNodes, app.SnapshotEdges, k),
		Uploads: c.Config.Upload != nil, Form: frame.FormOf(r), Prefill: r.URL.Query(), OwnOrigin: c.Config.PublicURL, PaidIn: paidIn(r, app),
	}
}

// SetAppMarkup saves what an app adds to the cost of its nodes.
func (c Pages) SetAppMarkup(w http.ResponseWriter, r *http.Request) error {
	percent, err := frame.Amount(r, "percent")
	if err != nil {
		return frame.Again(w, r, frame.Invalid("percent", mark("Write the markup as a number, such as 10 or 12.5.")), c.AppPage)
	}
	res, err := query.SetAppMarkup(r.Context(), c.Client, frame.Text(r, "app"), percent)
	if err != nil {
		return frame.Again(w, r, err, c.AppPage)
	}
	sentence := t(r.Context(), "%s has no markup now.", res.SetAppMarkup.Name)
	if percent > 0 {
		sentence = t(r.Context(), "The price of %s includes %s for the app now.", res.SetAppMarkup.Name, markupText(r.Context(), percent))
	}
	return c.Done(w, "/app/"+pathSlug(r), sentence)
}

// RunApp starts a run from an app's own page.
func (c Pages) RunApp(w http.ResponseWriter, r *http.Request) error {
	return c.startApp(w, r, "/app/", c.AppPage)
}

// startApp runs an app with the values of its form. A person who is not signed in is sent to the sign-in page and
// comes back to the form as they had filled it in.
func (c Pages) startApp(w http.ResponseWriter, r *http.Request, base string, formPage frame.Action) error {
	res, err := query.App(r.Context(), c.Client, pathSlug(r), "", false)
	if err != nil {
		return err
	}
	controls := controlsOf(formParts(readInputItems(res.App.InputItems), res.App.SnapshotNodes, res.App.SnapshotEdges, nodeform.KindsOf(res.NodeTypes)))
	if !c.SignedIn(r) {
		return frame.SeeOther(w, frame.WithNext("/login", filledAddress("/app/"+res.App.Slug, controls, r.PostForm)))
	}
	if err := c.keepFiles(r, controls); err != nil {
		return frame.Again(w, r, err, formPage)
	}
	in, err := readInputs(r.Context(), controls, r.PostForm)
	if err != nil {
		return frame.Again(w, r, err, formPage)
	}
	run, err := query.RunApp(r.Context(), c.Client, res.App.Slug, query.RunAppInput{Inputs: in.named(), InputOverrides: in.overrides()})
	if err != nil {
		return frame.Again(w, r, inputRefusal(r.Context(), err, controls), formPage)
	}
	return frame.SeeOther(w, base+res.App.Slug+"/runs/"+run.RunApp.Id)
}

// maxPrefill bounds an address that carries what a person typed.
const maxPrefill = 6000 // bytes

// filledAddress is the address of a form with the values that differ from the published ones; what does not fit is
// left out.
func filledAddress(path string, controls []nodeform.Control, values url.Values) string {
	q := url.Values{}
	for _, c := range controls {
		typed := values.Get(c.Name)
		if typed == c.Initial() {
			continue
		}
		q.Set(c.Name, typed)
		if len(q.Encode()) > maxPrefill {
			q.Del(c.Name)
		}
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}
