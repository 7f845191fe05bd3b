package studio

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// productionView is the page of a production.
type productionView struct {
	loaded
	Film, Poster string // paths of the last film, and of its picture
	Captions     string // path of its captions
	music        string // path of what lies under it
	Rows         []shotView
	// Names are those of the script that the space has no element for, as the last breakdown said.
	Names []unmatched
	// Begun is the run of a model that breaks the script down.
	Begun string
}

// shotView is a shot as the page of its production shows it.
type shotView struct {
	query.ShotRow
	Picture, Video, Sound string
	Speaker               string
	In                    []string
	Place                 string
	// Price is what it would cost to make, nil where that is not known.
	Price       *query.ShotPrice
	First, Last bool
}

// ProductionPage is a production: its film, its shots beside its script, its cast.
func (c Pages) ProductionPage(w http.ResponseWriter, r *http.Request) error {
	loaded, err := c.load(r, wanted{Render: &query.RenderInput{}})
	if err != nil {
		return err
	}
	v := c.productionView(r.Context(), loaded)
	v.Names = unmatchedIn(r.URL.Query())
	if run := r.URL.Query().Get("run"); isID(run) {
		v.Begun = run
	}
	return c.show(w, r, v.loaded, v.Name, productionContent(v, c.Now()), "studio.js")
}

func (c Pages) productionView(ctx context.Context, p loaded) productionView {
	v := productionView{loaded: p, Film: c.ShownMedia(p.VideoUrl), Poster: c.ShownMedia(p.ThumbnailUrl), Captions: c.ShownMedia(p.CaptionsUrl)}
	if p.Music != nil {
		v.music = c.ShownMedia(&p.Music.Url)
	}
	for i, s := range p.Shots {
		v.Rows = append(v.Rows, c.shotView(ctx, p, s))
		v.Rows[i].First, v.Rows[i].Last = i == 0, i == len(p.Shots)-1
	}
	return v
}

func (c Pages) shotView(ctx context.Context, p loaded, s query.ShotRow) shotView {
	v := shotView{ShotRow: s, Picture: c.ShownMedia(s.ImageUrl), Video: c.ShownMedia(s.VideoUrl), Sound: c.ShownMedia(s.AudioUrl)}
	if v.Picture == "" {
		v.Picture = c.ShownMedia(s.OwnImageUrl)
	}
	v.Speaker, v.In = frame.Or(p.Cast.name(s.SpeakerId, t(ctx, "someone")), s.SpeakerName), p.seenIn(s)
	v.Place = p.Cast.name(s.LocationId, t(ctx, "a place that you may not see"))
	if p.Estimate != nil {
		for i, price := range p.Estimate.Shots {
			if price.ShotId == s.Id {
				v.Price = &p.Estimate.Shots[i]
			}
		}
	}
	return v
}

// rendering tells whether the production is being rendered.
func (v loaded) rendering() bool { return v.Status == query.ProductionStatusRendering }

// ProductionLive streams how a render comes along.
func (c Pages) ProductionLive(w http.ResponseWriter, r *http.Request) error {
	first, err := c.load(r, wanted{})
	if err != nil {
		return err
	}
	if first.LatestRender == nil {
		return frame.ErrNotFound
	}
	return c.Live(w, r, frame.ExecutionEvents(first.LatestRender.ExecutionId), func() (templ.Component, bool, error) {
		res, err := query.ProductionState(r.Context(), c.Client, first.Id)
		if err != nil {
			return nil, false, err
		}
		now := first
		now.ProductionDetail = res.Production
		if !now.rendering() { // it is over: what is left to make has its price again
			if now, err = c.load(r, wanted{Render: &query.RenderInput{}}); err != nil {
				return nil, false, err
			}
		}
		return madePart(c.productionView(r.Context(), now)), !now.rendering(), nil
	})
}

// CancelRender cancels the render that is going on.
func (c Pages) CancelRender(w http.ResponseWriter, r *http.Request) error {
	run := frame.Text(r, "run")
	if !isID(run) {
		return frame.ErrNotFound
	}
	_, err := query.CancelExecution(r.Context(), c.Client, run)
	back := frame.Return(r, "/studio/"+frame.PathID(r))
	if frame.HasCode(err, "already_finished") {
		return c.Done(w, back, t(r.Context(), "It had finished before it could be cancelled."))
	}
	if err != nil {
		return err
	}
	return c.Done(w, back, t(r.Context(), "The render is cancelled. What was made already is kept and was charged; the rest went back."))
}

// unmatched is a name of a script that the space has no element for.
type unmatched struct {
	Name, Kind string
	Count      int
}

// kinds of names that scripts hold, with the path of their kind in the library.
var nameKinds = map[string]string{"character": "characters", "location": "locations", "element": "characters"}

// shelf is where such an element is made.
func (u unmatched) shelf() string {
	return frame.Or(nameKinds[u.Kind], "characters") + "/new?name=" + url.QueryEscape(u.Name)
}

func (u unmatched) verb(ctx context.Context) string {
	if u.Kind == "location" {
		return t(ctx, "Make a location")
	}
	return t(ctx, "Make a character")
}

// maxNames is how many names a page takes from its address.
const maxNames = 30

// withNames is an address that carries names to the page.
func withNames(to string, names []query.Unmatched) string {
	address, err := url.Parse(to)
	if err != nil {
		return to
	}
	q := address.Query()
	for i, n := range names {
		if i < maxNames {
			q.Add("new", n.Kind+"~"+strconv.Itoa(n.Count)+"~"+ui.Short(n.Name, 60))
		}
	}
	address.RawQuery = q.Encode()
	return address.String()
}

func unmatchedIn(values url.Values) []unmatched {
	var out []unmatched
	for _, text := range values["new"] {
		parts := strings.SplitN(text, "~", 3)
		if len(parts) != 3 || nameKinds[parts[0]] == "" || len(out) == maxNames {
			continue
		}
		if n, err := strconv.Atoi(parts[1]); err == nil && n > 0 && parts[2] != "" {
			out = append(out, unmatched{Name: ui.Short(parts[2], 60), Kind: parts[0], Count: n})
		}
	}
	return out
}

// made counts the shots of the film, and those of them that are ready.
func (v productionView) made() (done, all int) {
	for _, s := range v.Rows {
		if s.Skip {
			continue
		}
		all++
		if s.Status != query.ShotStatusRendering {
			done++
		}
	}
	return done, all
}

// failed are the shots that could not be made.
func (v productionView) failed() []shotView {
	return slices.DeleteFunc(slices.Clone(v.Rows), func(s shotView) bool { return s.Status != query.ShotStatusFailed })
}

// costs says what making everything that is missing or stale would cost, empty where nothing costs anything.
func (v productionView) costs(ctx context.Context) string {
	switch {
	case v.Estimate == nil || len(v.Rows) == 0 || v.Estimate.Credits == 0:
		return ""
	case v.upToDate(""):
		return t(ctx, "Nothing is missing")
	case v.cutAlone():
		return t(ctx, "About %s to cut the film", inCredits(ctx, v.Estimate.Credits))
	}
	return t(ctx, "About %s to make what is missing", inCredits(ctx, v.Estimate.Credits))
}

// cutAlone tells that the estimate makes no shot again: what it costs is the cut of the film.
func (v loaded) cutAlone() bool {
	return v.Estimate != nil && v.Estimate.Credits > 0 && !slices.ContainsFunc(v.Estimate.Shots, func(s query.ShotPrice) bool { return !s.Reuse })
}

// upToDate tells that the film that is there is the one that the estimate would cut again. pipeline is the one that is
// asked for, empty for the production's own; of another one it is not known.
func (v loaded) upToDate(pipeline string) bool {
	return v.cutAlone() && v.Status == query.ProductionStatusReady && (pipeline == "" || pipeline == v.PipelineId)
}

// isID tells a UUID by its form, before it stands in an address.
func isID(s string) bool {
	if len(s) != 36 {
		return false
	}
	return strings.Trim(s, "0123456789abcdefABCDEF-") == ""
}
