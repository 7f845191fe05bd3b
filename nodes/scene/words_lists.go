package scene

func listed(entries map[string]string) map[string]string {
	all := map[string]string{}
	for shape := range kit {
		all[shape] = shape
	}
	for word, shape := range entries {
		all[word] = shape
	}
	return all
}

var nouns map[string]string

func init() {
	nouns = listed(map[string]string{
		"cube": "box", "block": "box", "crate": "box", "globe": "globe", "pyramid": "cone", "donut": "torus", "doughnut": "torus", "tube": "cylinder", "pillar": "cylinder",
		"column": "cylinder", "ramp": "wedge", "landscape": "terrain", "hill": "mountain", "hut": "house", "home": "house", "cottage": "house", "building": "house",
		"fortress": "castle", "palace": "castle", "oak": "tree", "apple tree": "tree", "fir": "pine", "fir tree": "pine", "pine tree": "pine", "christmas tree": "pine",
		"spruce": "pine", "shrub": "bush", "hedge": "bush", "rose": "flower", "tulip": "flower", "daisy": "flower", "stone": "rock", "boulder": "rock", "street": "road",
		"path": "road", "desk": "table", "stool": "chair", "seat": "chair", "light": "lamp", "floor lamp": "lamp", "shelf": "bookshelf", "bookcase": "bookshelf",
		"board": "blackboard", "chalkboard": "blackboard", "automobile": "car", "taxi": "car", "school bus": "bus", "coach": "bus", "bike": "bicycle", "cycle": "bicycle",
		"ship": "boat", "sailing boat": "boat", "sailboat": "boat", "sailing ship": "boat", "spaceship": "rocket", "space ship": "rocket", "plane": "aeroplane",
		"airplane": "aeroplane", "aircraft": "aeroplane", "jet": "aeroplane", "gem": "crystal", "diamond": "crystal", "man": "person", "woman": "person", "child": "person",
		"boy": "person", "girl": "person", "teacher": "person", "pupil": "person", "student": "person", "people": "person", "children": "person", "men": "person",
		"women": "person", "kid": "person", "kitten": "cat", "chart": "bar-chart", "bar chart": "bar-chart", "bar graph": "bar-chart", "diagram": "bar-chart",
		"beach ball": "ball", "football": "ball", "mug": "cup", "teacup": "cup", "glass cup": "cup", "rings": "ring", "flat plane": "plane",
	})
	nouns["plane"] = "aeroplane"
	for _, word := range []string{"group", "mesh"} {
		delete(nouns, word)
	}
	for word := range idle {
		delete(nouns, word)
	}
}

// crowds are words for several.
var crowds = map[string]bool{"people": true, "children": true, "men": true, "women": true}

var numbers = map[string]int{
	"a": 1, "an": 1, "one": 1, "single": 1, "two": 2, "pair of": 2, "couple of": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "dozen": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50, "some": 3, "few": 3, "several": 4, "many": 9, "lots of": 12,
}

var colors = map[string]string{
	"red": "#d62839", "orange": "#f3722c", "yellow": "#f9c74f", "green": "#43aa4f", "blue": "#2f6fc4", "purple": "#7b4fb3", "violet": "#7b4fb3", "pink": "#f28ab2",
	"brown": "#8a5a3a", "black": "#26282c", "white": "#f6f6f2", "grey": "#8d9299", "gray": "#8d9299", "turquoise": "#2bb3a8", "teal": "#1f8a84", "beige": "#e6d5b0",
	"light blue": "#8cc4ea", "dark blue": "#1d3f72", "light green": "#9bd48a", "dark green": "#23643a", "dark red": "#8c1c2a", "navy": "#1d3f72", "cyan": "#3fc1d6",
	"magenta": "#c8388f", "lime": "#a4d64c", "cream": "#f4ead0", "maroon": "#7c2130", "olive": "#7f7f32",
}

func grows(x, y, z float64) func(*thing) {
	return func(t *thing) { t.scale = Vec{t.scale[0] * x, t.scale[1] * y, t.scale[2] * z} }
}

func made(color string, metal, rough, clear float64) func(*thing) {
	return func(t *thing) {
		if t.color == "" && color != "" {
			t.color = color
		}
		t.metal, t.rough = &metal, &rough
		if clear < 1 {
			t.clear = &clear
		}
	}
}

// qualities are sizes and materials.
var qualities = map[string]func(*thing){
	"tiny": grows(0.4, 0.4, 0.4), "small": grows(0.65, 0.65, 0.65), "little": grows(0.65, 0.65, 0.65), "big": grows(1.5, 1.5, 1.5), "large": grows(1.5, 1.5, 1.5),
	"huge": grows(2.2, 2.2, 2.2), "giant": grows(3, 3, 3), "enormous": grows(3, 3, 3), "tall": grows(1, 1.5, 1), "high": grows(1, 1.5, 1), "short": grows(1, 0.65, 1),
	"low": grows(1, 0.6, 1), "wide": grows(1.6, 1, 1), "long": grows(1.6, 1, 1), "narrow": grows(0.6, 1, 1), "thin": grows(0.6, 1, 0.6), "fat": grows(1.4, 1, 1.4), "flat": grows(1, 0.35, 1),
	"golden": made("#e0b040", 1, 0.25, 1), "gold": made("#e0b040", 1, 0.25, 1), "silver": made("#cfd3d8", 1, 0.22, 1), "metal": made("#b8bdc4", 1, 0.35, 1),
	"metallic": made("", 1, 0.3, 1), "copper": made("#c67c4e", 1, 0.3, 1), "bronze": made("#a9783f", 1, 0.4, 1), "iron": made("#7a7d82", 0.9, 0.55, 1), "steel": made("#b8bdc4", 1, 0.3, 1),
	"wooden": made("#a9714b", 0, 0.8, 1), "wood": made("#a9714b", 0, 0.8, 1), "glass": made("#bfe3ef", 0, 0.05, 0.35), "transparent": made("", 0, 0.1, 0.4),
	"stone": made("#98958f", 0, 0.95, 1), "plastic": made("", 0, 0.35, 1), "shiny": made("", 0.2, 0.12, 1), "matte": made("", 0, 1, 1), "rubber": made("#3a3c40", 0, 0.9, 1),
	"marble": made("#eceae6", 0, 0.25, 1), "ice": made("#cfeaf5", 0, 0.08, 0.6),
}

var relations = map[string]string{
	"on": "on", "on top of": "on", "on the top of": "on", "under": "under", "below": "under", "beneath": "under", "underneath": "under", "next to": "beside", "beside": "beside",
	"near": "beside", "by": "beside", "left of": "left", "to the left of": "left", "on the left of": "left", "right of": "right", "to the right of": "right", "on the right of": "right",
	"behind": "behind", "in front of": "front", "before": "front", "around": "around", "between": "between", "above": "above", "over": "above", "flying over": "above",
	"with": "with", "inside": "inside",
}

func setting(ground, sky string) func(*Scene) {
	return func(s *Scene) {
		if ground == "none" {
			s.Ground = nil
		} else if ground != "" {
			s.Ground = &Ground{Color: ground}
		}
		if sky != "" {
			s.Sky.Color = sky
		}
		if sky == nightSky {
			s.Lights = []Light{{Kind: Sun, Color: "#9fb4ee", Intensity: 1.1, Direction: &Vec{0.5, -1, -0.4}}}
		}
		if sky == duskSky {
			s.Lights = []Light{{Kind: Sun, Color: "#ffb877", Intensity: 2.6, Direction: &Vec{-0.9, -0.5, -0.4}}}
		}
	}
}

const (
	nightSky = "#141b34"
	duskSky  = "#f2a56f"
)

// places are ground and sky.
var places = map[string]func(*Scene){
	"grass": setting(grassGreen, ""), "meadow": setting(grassGreen, ""), "lawn": setting(grassGreen, ""), "sand": setting("#e6d3a0", ""), "beach": setting("#e6d3a0", ""),
	"desert": setting("#dfb878", "#f6e3c0"), "snow": setting("#f4f7fb", "#d7e3ee"), "winter": setting("#f4f7fb", "#d7e3ee"), "water": setting("#3d87b8", ""), "sea": setting("#3d87b8", ""),
	"ocean": setting("#2b6f9e", ""), "lake": setting("#4a93bd", ""), "night": setting("", nightSky), "at night": setting("", nightSky), "sunset": setting("", duskSky),
	"at sunset": setting("", duskSky), "dusk": setting("", duskSky), "dawn": setting("", duskSky), "sunrise": setting("", duskSky), "in space": setting("none", "#0b1020"),
	"space": setting("none", "#0b1020"), "no ground": setting("none", ""), "indoors": setting("#c9a77c", "#efe7da"), "floor": setting("#c9a77c", "#efe7da"),
	"asphalt": setting("#5a5e66", ""), "in the snow": setting("#f4f7fb", "#d7e3ee"), "on the sea": setting("#3d87b8", ""), "on water": setting("#3d87b8", ""),
	"on the water": setting("#3d87b8", ""), "on grass": setting(grassGreen, ""), "on a lake": setting("#4a93bd", ""), "on the beach": setting("#e6d3a0", ""), "on the grass": setting(grassGreen, ""),
}

// idle are words that say nothing here.
var idle = map[string]bool{
	"the": true, "of": true, "and": true, "in": true, "at": true, "is": true, "are": true, "there": true, "it": true, "its": true, "to": true, "from": true, "this": true, "that": true,
	"these": true, "my": true, "our": true, "your": true, "scene": true, "model": true, "3d": true, "d": true, "show": true, "make": true, "me": true, "please": true, "build": true,
	"create": true, "draw": true, ",": true, ".": true, ";": true, "which": true, "stands": true, "standing": true, "stand": true, "sits": true, "sitting": true, "lies": true,
	"lying": true, "placed": true, "word": true, "also": true, "all": true, "each": true, "other": true, "side": true, "left": true, "right": true, "top": true, "front": true,
	"be": true, "has": true, "have": true, "picture": true, "image": true, "set": true, "ground": true, "sky": true, "text": false,
}

var alive = map[string]bool{"tree": true, "pine": true, "bush": true, "flower": true, "rock": true}

// surfaces are the parts of the heights of things where something lies on them.
var surfaces = map[string]float64{"chair": 0.49, "bed": 0.55, "bookshelf": 1, "cup": 0.95, "boat": 0.22, "bicycle": 0.95, "terrain": 0.6, "bridge": 0.72}

// hollow are things with room below.
var hollow = map[string]bool{"table": true, "chair": true, "bridge": true, "bed": false, "tree": false, "blackboard": true}
