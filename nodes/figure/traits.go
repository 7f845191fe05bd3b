package figure

import (
	"maps"
	"slices"
	"strings"
)

// trait is an attribute that the drawing understands.
type trait struct {
	name    string
	options []string          // the words that it knows
	same    map[string]string // other words for them
	color   bool              // a color in place of options
	skin    bool
	several bool // a list, separated by commas
	free    bool // words for people and prompts: kept, never misunderstood
}

var personTraits = []trait{
	{name: "age", options: []string{"child", "teen", "adult", "old"}, same: map[string]string{
		"kid": "child", "young": "child", "little": "child", "toddler": "child", "baby": "child", "teenager": "teen", "teenage": "teen", "youth": "teen",
		"middleaged": "adult", "grownup": "adult", "elderly": "old", "senior": "old", "aged": "old", "grandparent": "old"}},
	{name: "gender", options: []string{"female", "male", "nonbinary"}, same: map[string]string{
		"woman": "female", "girl": "female", "she": "female", "lady": "female", "feminine": "female", "man": "male", "boy": "male", "he": "male", "gentleman": "male", "masculine": "male",
		"neutral": "nonbinary", "they": "nonbinary", "diverse": "nonbinary", "androgynous": "nonbinary"}},
	{name: "skin", skin: true},
	{name: "hairStyle", options: []string{"bald", "short", "long", "curly", "braids", "bun", "ponytail", "headscarf"}, same: map[string]string{
		"none": "bald", "shaved": "bald", "hijab": "headscarf", "veil": "headscarf", "afro": "curly", "curls": "curly", "wavy": "long", "straight": "long",
		"braid": "braids", "braided": "braids", "pigtails": "braids", "plaits": "braids", "cropped": "short", "bob": "short", "spiky": "short", "topknot": "bun"}},
	{name: "hairColor", color: true},
	{name: "eyeColor", color: true},
	{name: "outfit", options: []string{"t-shirt", "shirt", "dress", "hoodie", "coat", "uniform", "armour", "lab-coat", "robe"}, same: map[string]string{
		"tee": "t-shirt", "top": "t-shirt", "blouse": "shirt", "skirt": "dress", "gown": "dress", "sweater": "hoodie", "jumper": "hoodie", "pullover": "hoodie", "sweatshirt": "hoodie",
		"jacket": "coat", "raincoat": "coat", "cloak": "robe", "kimono": "robe", "armor": "armour", "labcoat": "lab-coat", "suit": "uniform"}},
	{name: "outfitColor", color: true},
	{name: "accessory", several: true, options: []string{"none", "glasses", "hat", "crown", "scarf", "backpack", "headphones", "wheelchair"}, same: map[string]string{
		"spectacles": "glasses", "cap": "hat", "tiara": "crown", "bag": "backpack", "rucksack": "backpack", "schoolbag": "backpack", "satchel": "backpack", "headset": "headphones", "earphones": "headphones"}},
	{name: "expression", options: []string{"neutral", "smile", "happy", "sad", "surprised", "angry"}, same: map[string]string{
		"smiling": "smile", "friendly": "smile", "kind": "smile", "calm": "neutral", "serious": "neutral", "laughing": "happy", "cheerful": "happy", "joyful": "happy", "excited": "happy",
		"unhappy": "sad", "crying": "sad", "worried": "sad", "shocked": "surprised", "amazed": "surprised", "afraid": "surprised", "scared": "surprised", "furious": "angry", "grumpy": "angry", "mad": "angry"}},
	{name: "personality", free: true},
	{name: "movement", free: true},
}

var beastTraits = []trait{
	{name: "species", options: []string{"cat", "dog", "horse", "fox", "bear", "rabbit", "bird", "owl", "fish", "snake", "frog", "insect", "dragon", "unicorn", "robot"}, same: map[string]string{
		"kitten": "cat", "puppy": "dog", "wolf": "dog", "pony": "horse", "donkey": "horse", "foal": "horse", "panda": "bear", "teddy": "bear", "bunny": "rabbit", "hare": "rabbit", "parrot": "bird",
		"chick": "bird", "penguin": "bird", "duck": "bird", "eagle": "bird", "shark": "fish", "goldfish": "fish", "serpent": "snake", "worm": "snake", "toad": "frog", "beetle": "insect", "bee": "insect",
		"ladybird": "insect", "ladybug": "insect", "butterfly": "insect", "ant": "insect", "android": "robot", "droid": "robot", "lion": "cat", "tiger": "cat", "dinosaur": "dragon"}},
	{name: "bodyColor", color: true},
	{name: "secondColor", color: true},
	{name: "size", options: []string{"tiny", "small", "medium", "large", "huge"}, same: map[string]string{"little": "small", "big": "large", "giant": "huge", "normal": "medium", "enormous": "huge"}},
	{name: "wings", options: []string{"none", "feathered", "leathery"}, same: map[string]string{
		"no": "none", "false": "none", "yes": "feathered", "true": "feathered", "wings": "feathered", "feathery": "feathered", "angel": "feathered", "butterfly": "feathered", "bat": "leathery", "dragon": "leathery"}},
	{name: "horns", options: []string{"none", "one", "two"}, same: map[string]string{
		"no": "none", "false": "none", "0": "none", "yes": "two", "true": "two", "horns": "two", "1": "one", "2": "two", "single": "one", "horn": "one", "unicorn": "one", "antlers": "two", "curved": "two"}},
	{name: "tail", options: []string{"none", "short", "long", "bushy", "curly"}, same: map[string]string{
		"no": "none", "false": "none", "yes": "long", "true": "long", "tail": "long", "fluffy": "bushy", "puffy": "short", "curled": "curly", "spiked": "long", "thin": "long"}},
	{name: "pattern", options: []string{"plain", "striped", "spotted"}, same: map[string]string{"none": "plain", "stripes": "striped", "stripy": "striped", "tabby": "striped", "spots": "spotted", "dotted": "spotted", "dots": "spotted"}},
	{name: "expression", options: []string{"neutral", "smile", "happy", "sad", "surprised", "angry"}, same: personTraits[9].same},
	{name: "temperament", free: true},
}

var thingTraits = []trait{
	{name: "shape", options: nil}, // filled below: shapes are a table of their own
	{name: "material", options: []string{"plain", "wood", "metal", "stone", "glass", "gold", "silver", "paper", "plastic"}, same: map[string]string{
		"wooden": "wood", "oak": "wood", "iron": "metal", "steel": "metal", "copper": "metal", "bronze": "metal", "rock": "stone", "marble": "stone", "brick": "stone", "golden": "gold", "crystal": "glass", "ice": "glass", "cardboard": "paper", "fabric": "paper", "ceramic": "plastic", "rubber": "plastic", "leather": "plain"}},
	{name: "color", color: true},
	{name: "secondColor", color: true},
	{name: "size", options: []string{"tiny", "small", "medium", "large", "huge"}, same: map[string]string{"little": "small", "big": "large", "giant": "huge", "normal": "medium", "enormous": "huge"}},
	{name: "era", free: true},
}

var placeTraits = []trait{
	{name: "setting", options: []string{"outdoor", "indoor"}, same: map[string]string{"outside": "outdoor", "outdoors": "outdoor", "inside": "indoor", "indoors": "indoor"}},
	{name: "place", options: nil}, // filled below
	{name: "timeOfDay", options: []string{"dawn", "day", "dusk", "night"}, same: map[string]string{
		"morning": "dawn", "sunrise": "dawn", "noon": "day", "midday": "day", "afternoon": "day", "daytime": "day", "evening": "dusk", "sunset": "dusk", "twilight": "dusk", "midnight": "night", "dark": "night"}},
	{name: "weather", options: []string{"clear", "cloudy", "rain", "snow", "fog", "storm"}, same: map[string]string{
		"sunny": "clear", "sun": "clear", "overcast": "cloudy", "clouds": "cloudy", "rainy": "rain", "raining": "rain", "snowy": "snow", "snowing": "snow", "foggy": "fog", "mist": "fog", "misty": "fog", "stormy": "storm", "thunder": "storm", "windy": "cloudy"}},
	{name: "season", options: []string{"spring", "summer", "autumn", "winter"}, same: map[string]string{"fall": "autumn"}},
	{name: "mood", options: []string{"calm", "cheerful", "mysterious", "scary", "magical", "sad"}, same: map[string]string{
		"peaceful": "calm", "quiet": "calm", "happy": "cheerful", "joyful": "cheerful", "eerie": "scary", "spooky": "scary", "dark": "scary", "dreamy": "magical", "enchanted": "magical", "lonely": "sad", "gloomy": "sad", "secret": "mysterious", "cosy": "calm", "cozy": "calm", "busy": "cheerful", "romantic": "magical", "epic": "mysterious"}},
}

func traitsOf(kind string) []trait {
	switch kind {
	case Character:
		return personTraits
	case Creature:
		return beastTraits
	case Object:
		return thingTraits
	case Location:
		return placeTraits
	}
	return nil
}

// plainWord is a word without what people write differently.
func plainWord(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(s))
}

// read is the trait's own word for a text: the text itself, or one word of it.
func (t trait) read(text string) (string, bool) {
	switch {
	case t.color:
		if _, ok := parseColor(text); ok {
			return strings.ToLower(strings.TrimSpace(text)), true
		}
		return "", false
	case t.skin:
		if _, ok := parseSkin(text); ok {
			return strings.ToLower(strings.TrimSpace(text)), true
		}
		return "", false
	case t.several:
		return t.readSeveral(text)
	}
	if word, ok := t.word(text); ok {
		return word, true
	}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == ';' }) {
		if word, ok := t.word(part); ok {
			return word, true
		}
	}
	return "", false
}

func (t trait) word(text string) (string, bool) {
	plain := plainWord(text)
	for _, option := range t.options {
		if w := plainWord(option); plain == w || plain == w+"s" {
			return option, true
		}
	}
	other, ok := t.same[plain]
	return other, ok
}

// readSeveral reads a list; what stands in it twice counts once.
func (t trait) readSeveral(text string) (string, bool) {
	var found []string
	for _, part := range strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(text), " and ", ","), func(r rune) bool { return r == ',' || r == ';' || r == '+' || r == '&' }) {
		single := t
		single.several = false
		if word, ok := single.read(strings.TrimSpace(part)); ok && !slices.Contains(found, word) {
			found = append(found, word)
		}
	}
	if len(found) > 1 {
		found = slices.DeleteFunc(found, func(w string) bool { return w == "none" })
	}
	return strings.Join(found, ", "), len(found) > 0
}

// Understand brings attributes into the words of the drawing. What is said
// but not known is named in notUnderstood; attributes of other names and
// those for people alone stay as they are.
func Understand(kind string, attributes map[string]string) (known map[string]string, notUnderstood []string) {
	known = maps.Clone(attributes)
	if known == nil {
		known = map[string]string{}
	}
	for _, t := range traitsOf(kind) {
		said := strings.TrimSpace(known[t.name])
		if said == "" {
			delete(known, t.name)
			continue
		}
		if t.free {
			continue
		}
		word, ok := t.read(said)
		if !ok {
			notUnderstood = append(notUnderstood, said)
			delete(known, t.name)
			continue
		}
		known[t.name] = word
	}
	return known, notUnderstood
}
