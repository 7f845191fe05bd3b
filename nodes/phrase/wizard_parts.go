package phrase

import "strings"

// part is a part of a prompt.
type part struct {
	name, label, question string
	// rank is how telling an answer is: the lowest is asked first.
	rank     int
	options  []string
	multiple bool
	// words are further words and phrases that belong to the part.
	words string
}

// pictureParts are those of pictures, in the order of a prompt.
var pictureParts = []*part{
	{"subject", "Subject", "Who or what is to be seen?", 1, []string{"a child", "an old person", "an animal", "a building", "a landscape"}, true,
		"people, crowd, family, class, landscape, animal, building, portrait of, team, couple, friends, hero, monster, ghost, alien, toy, food, cake, bread, mountain, dinosaur skeleton, skeleton, volcano, plant, machine, engine, mermaid, fairy, elf, giant, angel, vampire, zombie, clown, superhero"},
	{"action", "Action", "What is happening?", 3, []string{"standing still", "walking", "running", "reading a book", "laughing together"}, false,
		"fly, run, walk, sit, jump, swim, sleep, read, play, sing, dance, climb, ride, drive, runs, walks, sits, stands, jumps, flies, swims, sleeps, eats, drinks, reads, writes, plays, sings, dances, fights, climbs, rides, drives, looks at, looks, holds, holding, carries, laughs, cries, works, cooks, builds, paints, hugs, waits, plants, throws, catches, falls, falling"},
	{"setting", "Setting", "Where is it?", 2, []string{"in a forest", "in a city street", "in a classroom", "by the sea", "in front of a plain background"}, false,
		"background, plain background, sky, underwater, under water, rooftop, window, room, house interior, ice, clouds, jungle, north pole, ruins, roof, tree house, campfire, snow, sand, water, grass, moon, mars"},
	{"style", "Style", "In which style?", 4, []string{"watercolour painting", "ink drawing", "storybook illustration", "comic book panel", "pixel art", "oil painting", "photo"}, false,
		"watercolour, watercolor, aquarelle, ink, pen drawing, pencil drawing, pencil, sketch, storybook, picture book, comic, cartoon, manga, anime, pixel, blueprint, paper cut, papercut, collage, poster, screen print, oil painting, oil, chalk, chalkboard, isometric, photograph, photographic, photorealistic, realistic, painting, drawing, illustration, impressionist, impressionism, surreal, cubist, bauhaus, art deco, art nouveau, mosaic, stained glass, claymation, clay, origami, embroidery, low poly, vector, minimalist, minimal, vintage, retro, renaissance, baroque, pop art, graffiti, woodcut, linocut, crayon, abstract, geometric"},
	{"light", "Light", "Which light?", 5, []string{"soft daylight", "golden evening light", "moonlight at night", "candlelight", "bright studio light"}, false,
		"light, sunlight, sunny, daylight, backlight, backlit, candlelight, moonlight, starlight, neon light, neon, golden hour, blue hour, soft light, hard light, studio light, rim light, dim, dark, shadows, lamplight, firelight, spotlight, bright, glowing, morning light, evening light, sunbeams, overcast"},
	{"mood", "Mood", "Which mood?", 6, []string{"calm mood", "cheerful mood", "mysterious mood", "adventurous mood", "sad mood"}, false,
		"mood, funny, joyful, dramatic, adventurous, exciting, dreamy, dreamlike, melancholic, nostalgic, tense, heroic, gentle, silly, festive, warm, cold, peaceful, happy, sad, angry, friendly, hopeful, proud, frightening, scary, cute"},
	{"colours", "Colours", "Which colours?", 7, []string{"warm colours", "cool colours", "pastel colours", "black and white", "bright primary colours"}, true,
		"black and white, monochrome, colourful, colorful, pastel, warm colours, cool colours, warm colors, cool colors, earthy, rainbow, sepia, muted, vivid, primary colours, primary colors"},
	{"framing", "Framing", "How much is in the picture?", 8, []string{"close-up", "head and shoulders", "full figure", "wide shot", "panorama"}, false,
		"close up, closeup, extreme close up, macro, half length, full body, full length, medium shot, long shot, wide angle, detail, head and shoulders, full figure, wide shot, panorama, portrait"},
	{"angle", "Angle", "From where does one look?", 9, []string{"at eye level", "from above", "from below", "from the side", "from behind"}, false,
		"eye level, bird's eye view, birds eye view, bird eye view, top down, from the air, aerial, drone, worm's eye view, low angle, high angle, side view, front view, over the shoulder, from the front, from a distance, from afar"},
	{"avoid", "Avoid", "What must not be in it?", 10, []string{"text", "people", "blur", "dark colours"}, true, ""},
}

// videoParts are those of moving pictures.
var videoParts = append(append([]*part{}, pictureParts[:9]...), &part{
	"movement", "Camera", "How does the camera move?", 5, []string{"still camera", "slowly closer", "moving along beside it", "circling around it", "rising above it"}, false,
	"still camera, static, zoom in, zoom out, zoom, pan, pan left, pan right, tilt, tracking shot, dolly, orbit, circling, fly over, flyover, handheld, crane shot, time lapse, timelapse",
}, &part{
	"pace", "Pace", "How fast is it?", 7, []string{"slow and calm", "at normal speed", "fast and lively", "in slow motion"}, false,
	"slow, slowly, fast, quick, quickly, slow motion, hectic, calm pace, hurried, rapid",
}, pictureParts[9])

// sceneParts are those of scenes in three dimensions.
var sceneParts = []*part{
	{"objects", "Objects", "Which things are in the scene?", 1, []string{"a house", "three trees", "a table with chairs", "the planets"}, true, "things, people, planets, solar system, molecule, street, farm, village"},
	{"relations", "Arrangement", "How do they stand to each other?", 2, []string{"side by side", "in a circle", "one behind the other", "one on top of the other"}, false,
		"on, under, next to, left of, right of, behind, in front of, around, between, on top of, above, below, beside, inside, in a row, in a circle, side by side"},
	{"ground", "Ground", "On what do they stand?", 3, []string{"on green grass", "on sand", "on a wooden floor", "on no ground"}, false,
		"grass, lawn, sand, floor, wooden floor, water, snow, ground, soil, meadow, beach, stone floor, tiles, road"},
	{"light", "Light", "Which light?", 4, []string{"sun", "soft light", "night with a lamp"}, false, "light, sunlight, sunny, moonlight, soft light, lamp light, bright, dark, shadow, shadows"},
}

// textParts are those of texts.
var textParts = []*part{
	{"purpose", "Purpose", "What is the text for?", 1, []string{"to explain", "to persuade", "to entertain", "to practise reading", "to invite"}, false,
		"explain, explains, explaining, persuade, convince, entertain, inform, teach, invite, thank, apologise, apologize, complain, advertise, summarise, summarize, compare, describe, announce, congratulate, practise, motivate, instructions"},
	{"reader", "Reader", "Who is to read it?", 2, []string{"for young children", "for pupils of twelve", "for parents", "for experts"}, false,
		"for children, for kids, for young children, for pupils, for students, for teachers, for parents, for adults, for beginners, for experts, for customers, for my class, for my friend, children, kids, pupils, students, teachers, parents, beginners, experts, customers, class, friend, grandma"},
	{"tone", "Tone", "In which tone?", 4, []string{"friendly", "factual", "funny", "solemn", "exciting"}, false,
		"friendly, factual, funny, humorous, solemn, serious, exciting, formal, informal, polite, simple, poetic, dramatic, warm, ironic, neutral, scientific"},
	{"length", "Length", "How long?", 3, []string{"three sentences", "about 100 words", "about 300 words", "one page"}, false,
		"short, long, brief, sentence, sentences, words, paragraph, paragraphs, page, pages, line, lines, verses"},
	{"form", "Form", "In which form?", 5, []string{"as a story", "as a letter", "as a list", "as a dialogue", "as a poem"}, false,
		"story, poem, letter, email, mail, list, dialogue, speech, essay, report, article, song, joke, riddle, quiz, script, play, fairy tale, fable, recipe, diary, interview, headline, slogan, haiku, limerick, summary, blog post, tweet, questions"},
}

// elementParts are the attributes of a kind of element; the first are the most telling.
func elementParts(kind string, rows ...[3]string) []*part {
	var parts []*part
	for i, row := range rows {
		name, label, rest := row[0], row[1], row[2]
		question, options, _ := strings.Cut(rest, "|")
		p := &part{name: name, label: label, question: strings.TrimSpace(question), rank: i}
		for option := range strings.SplitSeq(options, ",") {
			p.options = append(p.options, strings.TrimSpace(option))
		}
		parts = append(parts, p)
	}
	return parts
}

var elementPartsByKind = map[string][]*part{
	"character": elementParts("character",
		[3]string{"age", "Age", "How old? | child, teen, adult, old"},
		[3]string{"gender", "Gender", "Female, male or neither? | female, male, neutral"},
		[3]string{"outfit", "Outfit", "What do they wear? | t-shirt, shirt, dress, hoodie, coat, uniform, armour, lab-coat, robe"},
		[3]string{"hairStyle", "Hair", "How is the hair? | short, long, curly, braids, bun, ponytail, bald, headscarf"},
		[3]string{"hairColor", "Colour of the hair", "Which colour is the hair? | black, brown, blond, red, grey, white"},
		[3]string{"outfitColor", "Colour of the outfit", "Which colour is the outfit? | red, blue, green, yellow, purple, black, white"},
		[3]string{"accessory", "Accessory", "Is there something they always have? | glasses, hat, crown, scarf, backpack, headphones, wheelchair"},
		[3]string{"skin", "Skin", "Which tone is the skin? | pale, light, olive, tan, brown, dark"},
		[3]string{"eyeColor", "Eyes", "Which colour are the eyes? | brown, blue, green, grey"},
		[3]string{"expression", "Expression", "How do they look? | happy, sad, surprised, angry, neutral"},
		[3]string{"personality", "Personality", "What are they like? | brave, kind, shy, curious, clever, cheerful, calm"},
		[3]string{"movement", "Movement", "How do they move? | walking, running, dancing, slow, quick"},
	),
	"creature": elementParts("creature",
		[3]string{"species", "Species", "What is it? | cat, dog, horse, fox, bear, rabbit, bird, owl, fish, snake, frog, insect, dragon, unicorn, robot"},
		[3]string{"bodyColor", "Colour", "Which colour is it? | brown, black, white, grey, orange, green, blue"},
		[3]string{"secondColor", "Second colour", "Which colour besides? | white, black, yellow, red, blue"},
		[3]string{"pattern", "Pattern", "Which pattern? | plain, striped, spotted"},
		[3]string{"size", "Size", "How large? | small, medium, large"},
		[3]string{"wings", "Wings", "Has it wings? | none, feathered, leathery, butterfly"},
		[3]string{"horns", "Horns", "Has it horns? | none, one, yes"},
		[3]string{"tail", "Tail", "Which tail? | none, long, short, bushy, curly"},
		[3]string{"temperament", "Temperament", "What is it like? | friendly, fierce, shy, playful, calm, clever"},
	),
	"object": elementParts("object",
		[3]string{"shape", "Shape", "What is it? | book, cup, lamp, chair, table, ball, box, car, boat, crystal, ring, star"},
		[3]string{"color", "Colour", "Which colour? | red, blue, green, yellow, brown, black, white"},
		[3]string{"material", "Material", "Of what is it made? | wood, metal, glass, stone, plastic, paper, fabric, gold"},
		[3]string{"size", "Size", "How large? | small, medium, large"},
		[3]string{"era", "Era", "From which time? | ancient, medieval, victorian, old, modern, futuristic"},
	),
	"location": elementParts("location",
		[3]string{"place", "Place", "Which place is it? | classroom, library, kitchen, forest, beach, mountains, city, street, village, castle, park, space"},
		[3]string{"setting", "Inside or outside", "Inside or outside? | indoor, outdoor"},
		[3]string{"timeOfDay", "Time of day", "At which time of day? | dawn, day, dusk, night"},
		[3]string{"mood", "Mood", "Which mood? | calm, cosy, cheerful, busy, mysterious, spooky, magical, lonely"},
		[3]string{"weather", "Weather", "Which weather? | sunny, cloudy, rainy, snowy, foggy, stormy"},
		[3]string{"season", "Season", "In which season? | spring, summer, autumn, winter"},
	),
}

func partsOf(target string) []*part {
	if kind, ok := elementTarget(target); ok {
		return elementPartsByKind[kind]
	}
	switch target {
	case "generate-image":
		return pictureParts
	case "generate-video":
		return videoParts
	case "3d-scene":
		return sceneParts
	case "generate-text":
		return textParts
	}
	return nil
}

// PartOfElement is the part of a target's prompt that an element settles.
func PartOfElement(target, kind string) string {
	switch {
	case target == "3d-scene":
		return "objects"
	case target == "generate-image" || target == "generate-video":
		if kind == "location" {
			return "setting"
		}
		return "subject"
	}
	return ""
}
