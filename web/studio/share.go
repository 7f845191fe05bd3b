package studio

import (
	"net/http"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
)

// shareView is the page on which a shot is shown to everyone.
type shareView struct {
	loaded
	Shot shotView
	// Until is the last day, as its field has it; First and Last bound it.
	Until, First, Last string
	Address            string // of its public page
}

// usualShare and maxShare are how long everyone sees a shot.
const (
	usualShare = 30 * 24 * time.Hour
	maxShare   = 366 * 24 * time.Hour
)

// SharePage says who sees a shot, and what of it.
func (c Pages) SharePage(w http.ResponseWriter, r *http.Request) error {
	p, err := c.load(r, wanted{})
	if err != nil {
		return err
	}
	s, found := p.shot(r)
	if !found {
		return frame.ErrNotFound
	}
	now := c.Now().UTC()
	v := shareView{loaded: p, Shot: c.shotView(r.Context(), p, s), First: now.Format(time.DateOnly), Last: now.Add(maxShare).Format(time.DateOnly)}
	v.Until = now.Add(usualShare).Format(time.DateOnly)
	if s.SharedUntil != nil {
		v.Until = s.SharedUntil.UTC().Format(time.DateOnly)
	}
	if s.IsShared {
		v.Address = frame.Value(s.SharedUrl)
		if v.Address == "" || !strings.HasPrefix(v.Address, "http") {
			v.Address = c.Config.PublicURL + "/shots/" + s.Id
		}
	}
	return c.show(w, r, p, t(r.Context(), "Show %s", nameOf(r.Context(), s)), shareContent(v, c.Now()))
}

// ShareShot shows a shot to everyone until a day, or ends that.
func (c Pages) ShareShot(w http.ResponseWriter, r *http.Request) error {
	to, said := back(r), t(r.Context(), "No one sees it from outside any more.")
	in := query.ShareShotInput{Shared: frame.Text(r, "shared") == "1"}
	if in.Shared {
		until, err := dayIn(r, "until", c.Now())
		if err != nil {
			return frame.Again(w, r, err, c.SharePage)
		}
		in.Until, to, said = until, r.URL.RequestURI(), t(r.Context(), "Everyone who has the link sees it now.")
	}
	if _, err := query.ShareShot(r.Context(), c.Client, frame.PathID(r), pathShot(r), in); err != nil {
		return frame.Again(w, r, shareRefusal(err), c.SharePage)
	}
	if !in.Shared {
		to += "#shot-" + pathShot(r)
	}
	return c.Done(w, to, said)
}

// dayIn is the end of a day of a form in UTC, at most a year away; nil when the field is empty.
func dayIn(r *http.Request, name string, now time.Time) (*time.Time, error) {
	text := frame.Text(r, name)
	if text == "" {
		return nil, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return nil, frame.Invalid(name, mark("Write the day as year, month and day, such as 2027-07-31."))
	}
	end := day.AddDate(0, 0, 1).Add(-time.Second)
	if latest := now.Add(maxShare); end.After(latest) && day.Before(latest) {
		end = latest.Add(-time.Minute)
	}
	return &end, nil
}

// shareRefusal says what to do where a shot may not be shown.
func shareRefusal(err error) error {
	e, known := frame.Refused(err)
	if !known {
		return err
	}
	out := *e
	switch {
	case e.Code == "forbidden":
		out.Message = mark("This shot uses what depicts a minor, or a person who did not agree to that. Such a shot is not shown to everyone; show the film in class instead.")
	case e.Code == "insufficient_role":
		out.Message = mark("You may not show shots to everyone here. Ask a person who looks after this space to do it.")
	case e.Code == "validation_error" && e.Field != "until":
		out.Message = mark("There is nothing to show yet. Render the shot first.")
	}
	return &out
}
