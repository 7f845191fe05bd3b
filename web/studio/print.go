package studio

import (
	"net/http"
	"slices"

	"atelier/web/ui"
)

// onOneSheet is how many shots a sheet of a storyboard has.
const onOneSheet = 6

// Print is the storyboard on paper.
func (c Pages) Print(w http.ResponseWriter, r *http.Request) error {
	p, err := c.load(r, wanted{})
	if err != nil {
		return err
	}
	v := c.productionView(r.Context(), p)
	return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Storyboard of %s", v.Name), Wide: true}, printContent(v, slices.Collect(slices.Chunk(v.Rows, onOneSheet))))
}
