package studio

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// BreakDownPage asks how a script becomes shots.
func (c Pages) BreakDownPage(w http.ResponseWriter, r *http.Request) error {
	v, err := c.load(r, wanted{})
	if err != nil {
		return err
	}
	return c.show(w, r, v, t(r.Context(), "Shots of %s", v.Name), breakDownContent(v))
}

// BreakDown makes shots of a script. Names that the library does not know go to the page of the production.
func (c Pages) BreakDown(w http.ResponseWriter, r *http.Request) error {
	in := query.BreakDownScriptInput{Script: frame.TextOrNil(r, "script")}
	var err error
	if in.SecondsPerShot, err = decimal(r, "secondsPerShot"); err == nil {
		in.MaxShots, err = frame.WholeOrNil(r, "maxShots")
	}
	if r.PostForm.Get("replace") != "" {
		replace := true
		in.Replace = &replace
	}
	if err != nil {
		return frame.Again(w, r, err, c.BreakDownPage)
	}
	res, err := query.BreakDownScript(r.Context(), c.Client, frame.PathID(r), in)
	if err != nil {
		return frame.Again(w, r, err, c.BreakDownPage)
	}
	back, done := frame.Return(r, "/studio/"+frame.PathID(r)), res.BreakDownScript
	if done.Job != nil {
		return c.Done(w, withRun(back, done.Job.ExecutionId), t(r.Context(), "The model has the script."))
	}
	said := tn(r.Context(), "%d shot created. Nothing of the script was lost or added.", "%d shots created. Nothing of the script was lost or added.", len(done.Production.Shots))
	return c.Done(w, withNames(back, done.Unmatched), said)
}

// decimal reads a number of a form; nil for an empty field.
func decimal(r *http.Request, name string) (*float64, error) {
	text := strings.ReplaceAll(frame.Text(r, name), ",", ".")
	if text == "" {
		return nil, nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n != n || strings.ContainsAny(text, "eExXpP_") {
		return nil, frame.Invalid(name, mark("Write it as a number, such as 2.5."))
	}
	return &n, nil
}

// replaceHint says what becomes of the shots that are there.
func replaceHint(ctx context.Context, v loaded) string {
	locked := 0
	for _, s := range v.Shots {
		if s.Locked {
			locked++
		}
	}
	out := t(ctx, "They are deleted, with their pictures, sounds and clips.")
	if locked > 0 {
		out += " " + tn(ctx, "%d locked shot stays, and comes first.", "%d locked shots stay, and come first.", locked)
	}
	return out
}

// withRun is an address that carries the run of a model to the page.
func withRun(to, run string) string {
	address, err := url.Parse(to)
	if err != nil {
		return to
	}
	q := address.Query()
	q.Set("run", run)
	address.RawQuery = q.Encode()
	return address.String()
}
