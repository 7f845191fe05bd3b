package flow

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// origin is scheme, host and port, nothing that could end a directive of the policy.
var origin = regexp.MustCompile(`^https?://(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:[0-9]{1,5})?$`)

// allowFrames lets the pages of these origins show the answer in a frame, and tells whether there are any
// (contract 1, "Embed code rules" 2). Everything else of the policy stays.
func allowFrames(w http.ResponseWriter, domains []string) bool {
	var allowed []string
	for _, d := range domains {
		if u, err := url.Parse(d); err == nil && u.User == nil && origin.MatchString(d) {
			allowed = append(allowed, d)
		}
	}
	if len(allowed) == 0 {
		return false
	}
	policy := w.Header().Get("Content-Security-Policy")
	w.Header().Set("Content-Security-Policy", strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors "+strings.Join(allowed, " "), 1))
	return true
}

// embedBlocked is the page of an app that may not be embedded, or is not there: 403, and no frame shows it.
func (c Pages) embedBlocked(w http.ResponseWriter, r *http.Request) error {
	return frame.Write(w, r, http.StatusForbidden, frame.Wrap(ui.Bare(ui.BareProps{Title: t(r.Context(), "This app cannot be embedded"), Theme: frame.ThemeOf(r)}), embedBlockedContent()))
}

// framed renders content for a frame. It keeps the theme of the viewer's own browser.
func (c Pages) framed(w http.ResponseWriter, r *http.Request, title string, content templ.Component) error {
	return frame.Write(w, r, frame.FormStatus(r), frame.Wrap(ui.Frame(ui.FrameProps{Title: title, Theme: frame.ThemeOf(r)}), content))
}

// EmbedPage shows an app inside other sites. Everyone may look; running takes the viewer's own session. Browsers
// send no session into frames of another site, so that most people go on in a new tab.
func (c Pages) EmbedPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.AppEmbedding(r.Context(), c.Client, pathSlug(r))
	if frame.HasCode(err, "not_found") || err == nil && !allowFrames(w, res.App.AllowedEmbedDomains) {
		return c.embedBlocked(w, r)
	}
	if err != nil {
		return err
	}
	v := c.appForm(r, res.App.AppPublic, nodeform.KindsOf(res.NodeTypes))
	v.Embedded, v.Left = true, res.App.RunsLeftToday
	if shell, err := query.Frame(r.Context(), c.Client); err == nil {
		v.SignedIn, v.Payer = true, payer(r.Context(), frame.PlaceOf(r, c.Placed(r, shell.Shell, "", v.PaidIn), "", v.PaidIn))
	}
	return c.framed(w, r, res.App.Name, appFormContent(v, c.Now()))
}

// EmbedRun starts a run from inside a frame.
func (c Pages) EmbedRun(w http.ResponseWriter, r *http.Request) error {
	return c.startApp(w, r, "/embed/", c.EmbedPage)
}

func embedRunPath(r *http.Request) string {
	return "/embed/" + pathSlug(r) + "/runs/" + frame.PathID(r)
}

// EmbedRunPage shows a run inside a frame.
func (c Pages) EmbedRunPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.AppRunState(r.Context(), c.Client, pathSlug(r), frame.PathID(r))
	if frame.HasCode(err, "not_found") || err == nil && !allowFrames(w, res.AppRun.App.AllowedEmbedDomains) {
		return c.embedBlocked(w, r)
	}
	if err != nil {
		return err
	}
	allowMedia(w)
	v := c.appRunView(r.Context(), embedRunPath(r), res.AppRun, nodeform.KindsOf(res.NodeTypes), frame.Place{Words: frame.PlainWords})
	v.Embedded = true
	return c.framed(w, r, res.AppRun.App.Name, embedRunContent(v, c.Now()))
}

// EmbedRunLive streams how a run stands into a frame.
func (c Pages) EmbedRunLive(w http.ResponseWriter, r *http.Request) error {
	return c.streamAppRun(w, r, embedRunPath(r), true)
}

// CancelEmbedRun cancels a run from inside a frame.
func (c Pages) CancelEmbedRun(w http.ResponseWriter, r *http.Request) error {
	return c.cancelRunOf(w, r, embedRunPath(r))
}
