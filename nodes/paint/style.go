package paint

import (
	"math/rand/v2"
	"slices"
)

// style is a way to compose a picture, and the words that call for it.
type style struct {
	name  string
	words []string
	paint func(*canvas)
}

// styles are all of them; each is a file.
var styles = []style{
	{"hills", []string{"mountain", "mountains", "hill", "hills", "landscape", "valley", "meadow", "field", "desert", "dune", "dunes", "canyon", "sunset", "sunrise", "dawn", "dusk", "autumn", "fog", "fox", "lion", "wolf", "camel", "castle", "dragon", "forest", "tree", "trees", "wood", "woods", "pine", "jungle", "winter", "alps", "horse"}, paintHills},
	{"sea", []string{"sea", "ocean", "wave", "waves", "lake", "river", "beach", "coast", "water", "boat", "ship", "sail", "whale", "fish", "island", "lighthouse"}, paintSea},
	{"skyline", []string{"city", "town", "skyline", "building", "buildings", "street", "urban", "tower", "cyberpunk", "metropolis", "car"}, paintSkyline},
	{"nebula", []string{"space", "galaxy", "nebula", "cosmos", "cosmic", "universe", "planet", "star", "stars", "astronaut", "rocket", "alien", "magic", "aurora", "night", "moon"}, paintNebula},
	{"blossoms", []string{"flower", "flowers", "blossom", "bloom", "garden", "tulip", "rose", "cherry", "spring", "bouquet", "butterfly", "bee", "birthday"}, paintBlossoms},
	{"flow", []string{"wind", "flow", "music", "dance", "hair", "smoke", "abstract", "motion", "river", "fire", "flame", "energy", "song", "bird", "birds"}, paintFlow},
	{"mosaic", []string{"crystal", "glass", "mosaic", "stone", "gem", "diamond", "ice", "voronoi", "stained", "church", "turtle", "dinosaur"}, paintMosaic},
	{"bokeh", []string{"light", "lights", "bokeh", "party", "rain", "snow", "dream", "candle", "christmas", "glitter", "disco", "love", "lantern"}, paintBokeh},
	{"marble", []string{"marble", "liquid", "paint", "lava", "oil", "swirl", "coffee", "clouds", "cloud", "candy", "silk", "fabric"}, paintMarble},
	{"forms", []string{"geometric", "bauhaus", "poster", "minimal", "shape", "shapes", "robot", "modern", "logo", "design", "school", "game", "math", "machine"}, paintForms},
}

// chooseStyle takes the style that the first fitting word calls for, else one
// by the seed; styles that a word to avoid names are left out.
func chooseStyle(words, avoid []string, rng *rand.Rand) style {
	allowed := slices.DeleteFunc(slices.Clone(styles), func(s style) bool {
		return slices.ContainsFunc(avoid, func(w string) bool { return w == s.name || slices.Contains(s.words, w) })
	})
	if len(allowed) == 0 {
		allowed = styles
	}
	pick := allowed[rng.IntN(len(allowed))]
	for _, word := range words {
		for _, s := range allowed {
			if word == s.name || slices.Contains(s.words, word) {
				return s
			}
		}
	}
	return pick
}
