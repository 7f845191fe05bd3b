package studio

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// publicView is a shot that everyone may see.
type publicView struct {
	query.ShotOfAll
	Picture, Video, Sound string
}

// PublicShot is a shot that a person shows to everyone. It needs no account, and no one's search engine keeps it.
func (c Pages) PublicShot(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("X-Robots-Tag", "noindex, nofollow")
	v, err := c.publicShot(r)
	if frame.HasCode(err, "validation_error") { // no id at all
		return frame.ErrNotFound
	}
	if err != nil {
		return err
	}
	frame.AllowMedia(w)
	return c.Bare(w, r, ui.BareProps{Title: frame.Or(v.Title, v.Production), Wide: true}, publicContent(v, c.Now()))
}

func (c Pages) publicShot(r *http.Request) (publicView, error) {
	res, err := query.PublicShot(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return publicView{}, err
	}
	s := res.PublicShot
	return publicView{ShotOfAll: s, Picture: c.ShownMedia(s.ImageUrl), Video: c.ShownMedia(s.VideoUrl), Sound: c.ShownMedia(s.AudioUrl)}, nil
}
