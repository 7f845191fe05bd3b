package figure

import (
	"image"
	"image/draw"

	"git.sr.ht/~sbinet/gg"
)

// ground paints what lies behind a figure.
func ground(dc *gg.Context, b Brief, a map[string]string) {
	w, h := float64(dc.Width()), float64(dc.Height())
	switch b.Background {
	case Plain:
		base := hex(pick[uint32](b.Seed, "ground", 0xdcecf6, 0xfbe9d2, 0xe6f2dc, 0xf7e0e4, 0xe9e4f6, 0xfdf3cf))
		dc.SetColor(base.RGBA())
		dc.Clear()
		p := newPen(dc, 1)
		p.soft(base.lift(0.045), 1, w/2, h*0.47, h*0.4, h*0.4)
		if !portrait(b) && b.View != "top" {
			p.soft(base.lift(-0.1), 0.8, w/2, h*0.955, w*0.3, h*0.022)
		}
	case Scene:
		said := map[string]string{"weather": "clear"}
		for _, name := range []string{"place", "timeOfDay", "season", "setting"} {
			if v := a[name]; v != "" {
				said[name] = v
			}
		}
		wide := gg.NewContext(max(dc.Width(), dc.Height()*16/9), dc.Height())
		known, _ := Complete(Location, said, b.Seed, nil)
		newPlace(known, b.Seed).draw(wide)
		img := dc.Image().(*image.RGBA)
		draw.Draw(img, img.Bounds(), wide.Image(), image.Pt((wide.Width()-dc.Width())/2, 0), draw.Src)
		if !portrait(b) && b.View != "top" {
			newPen(dc, 1).soft(hex(0x1d2233), 0.22, w/2, h*0.955, w*0.26, h*0.018)
		}
	}
}

// portrait tells whether a view shows the head alone.
func portrait(b Brief) bool {
	if b.Kind != Character && b.Kind != Creature {
		return false
	}
	return b.View != "front" && b.View != "side" && b.View != "back"
}
