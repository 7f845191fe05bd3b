package studio

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"
)

// maxShots is how many shots a production may have.
const maxShots = 40

// shotTag is something about a shot in a word.
type shotTag struct {
	Tone ui.Tone
	Text string
}

func shotTags(ctx context.Context, s query.ShotRow) []shotTag {
	var out []shotTag
	switch {
	case s.Status == query.ShotStatusRendering:
		out = append(out, shotTag{ui.Info, tc(ctx, "shot", "Being made")})
	case s.Status == query.ShotStatusFailed:
		out = append(out, shotTag{ui.Bad, tc(ctx, "shot", "Failed")})
	case s.Status == query.ShotStatusEmpty:
		out = append(out, shotTag{ui.Plain, tc(ctx, "shot", "Not made yet")})
	case s.IsStale:
		out = append(out, shotTag{ui.Warn, tc(ctx, "shot", "Changed since it was made")})
	}
	if s.Locked {
		out = append(out, shotTag{ui.Plain, tc(ctx, "shot", "Locked")})
	}
	if s.Skip {
		out = append(out, shotTag{ui.Plain, tc(ctx, "shot", "Left out")})
	}
	if s.IsShared {
		out = append(out, shotTag{ui.Info, t(ctx, "Everyone sees it")})
	}
	return out
}

// lookFacts are how a shot is looked at, how long it lasts, and who is in it.
func lookFacts(ctx context.Context, s shotView) []string {
	out := []string{cameraWords(ctx, s.Camera), lengthOf(ctx, s.ShotRow)}
	if len(s.In) > 0 {
		out = append(out, t(ctx, "with %s", strings.Join(s.In, ", ")))
	}
	if s.Place != "" {
		out = append(out, tc(ctx, "place", "at %s", s.Place))
	}
	return out
}

// shotFacts are those, and what the shot would cost.
func shotFacts(ctx context.Context, v productionView, s shotView) string {
	out := lookFacts(ctx, s)
	if p := s.Price; p != nil && v.Estimate.Credits > 0 {
		switch {
		case p.Reuse:
			out = append(out, t(ctx, "nothing to pay"))
		case p.Credits > 0:
			out = append(out, t(ctx, "%s to make", inCredits(ctx, p.Credits)))
		}
	}
	return strings.Join(out, " · ")
}

// failedShot is why a shot failed, and what to do.
func failedShot(ctx context.Context, s query.ShotRow) string {
	out := renderFailure(ctx, strings.TrimSpace(frame.Value(s.ErrorMessage)))
	if out == "" {
		out = t(ctx, "It could not be made.")
	}
	if !strings.HasSuffix(out, ".") {
		out += "."
	}
	return frame.SentenceCase(ui.Short(out, 400)) + " " + t(ctx, "Change it or render again; the other shots stay.")
}

// nodeFailed is how the failure of a run names the node that failed, which the page of a production does not.
var nodeFailed = regexp.MustCompile(`(?s)^Node .+? failed: (.*)$`)

// renderFailure is why a render or a shot failed, in the reader's language.
func renderFailure(ctx context.Context, message string) string {
	if found := nodeFailed.FindStringSubmatch(message); found != nil {
		message = found[1]
	}
	return frame.WhyIn(ctx, message, nodeform.NameInWords)
}

// OrderShots puts the shots into the order in which the form names them, of which a button may move one.
func (c Pages) OrderShots(w http.ResponseWriter, r *http.Request) error {
	id, shots := frame.PathID(r), slices.Clone(r.PostForm["shot"])
	if len(shots) > maxShots {
		return frame.Again(w, r, frame.Invalid("shot", mark("These are more shots than a production may have.")), c.ProductionPage)
	}
	where, moved, _ := strings.Cut(r.PostForm.Get("move"), ":")
	if at := slices.Index(shots, moved); moved != "" && at >= 0 {
		to := at + 1
		if where == "up" {
			to = at - 1
		}
		if to >= 0 && to < len(shots) {
			shots[at], shots[to] = shots[to], shots[at]
		}
	} else {
		moved = r.PostForm.Get("moved")
	}
	if _, err := query.OrderShots(r.Context(), c.Client, id, shots); err != nil {
		return frame.Again(w, r, orderRefusal(err), c.ProductionPage)
	}
	back := "/studio/" + id
	if q := r.URL.RawQuery; q != "" {
		back += "?" + q
	}
	if isID(moved) {
		back += "#shot-" + moved
	}
	return c.Done(w, back, t(r.Context(), "The order is saved."))
}

// orderRefusal says of a list that is not the production's any more what happened.
func orderRefusal(err error) error {
	e, known := frame.Refused(err)
	if !known || e.Code != "validation_error" {
		return err
	}
	out := *e
	out.Message = mark("Someone added or deleted a shot meanwhile. This is the order now; move it again.")
	return &out
}
