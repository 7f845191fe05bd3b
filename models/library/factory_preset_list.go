package library

// factorySettings are the presets of the program by node type.
var factorySettings = map[string][]factory{
	"generate-image": {
		style("Watercolour", "Soft washes that run into each other on rough white paper.", "watercolour painting, soft washes of colour, wet edges, white paper shows through", "hard outlines, photograph"),
		style("Ink drawing", "Black lines and hatching on paper.", "ink drawing, black pen lines, cross-hatching, white paper, no colour", "colour, photograph"),
		style("Storybook", "The warm picture book that one reads aloud from.", "storybook illustration, warm colours, gentle outlines, cosy and friendly", "frightening, photograph"),
		style("Blueprint", "A technical plan: white lines on blue.", "blueprint, white technical lines on blue paper, grid, precise", "shading, photograph"),
		style("Paper cut", "Layers of coloured paper with small shadows.", "paper-cut art, layers of coloured paper, clean edges, soft shadows between the layers", "fine lines, photograph"),
		style("Pixel art", "As on an old game console.", "pixel art, big square pixels, few colours, retro game", "blur, photograph"),
		style("Comic", "Bold outlines, flat colours, dots.", "comic book panel, bold black outlines, flat colours, halftone dots", "photograph"),
		style("Screen-print poster", "Three or four strong colours, simple shapes.", "poster, screen print, few flat strong colours, simple bold shapes", "fine detail, photograph"),
		style("Oil painting", "Thick strokes of a brush on canvas.", "oil painting, thick visible brush strokes, rich colours, canvas", "flat colours, photograph"),
		style("Chalkboard", "Coloured chalk on a dark board.", "chalk drawing on a blackboard, dusty coloured chalk lines", "bright background, photograph"),
		style("Isometric", "A small world out of blocks, seen from above at an angle.", "isometric view, little blocks, clean and toy-like", "perspective, photograph"),
		style("Photo", "As a good camera would see it.", "photo, natural light, sharp subject, soft background, fine grain", "drawing, painting, text"),
		format("Classroom poster", "Upright, large enough to print, with room for words.", "3:4", "2K", "clear centre, calm background with room for a headline"),
		format("Phone story", "Fills the screen of a phone.", "9:16", "1K", "one subject in the middle, room above and below"),
		format("Slide", "Background of a slide: quiet, wide.", "16:9", "2K", "quiet wide composition, empty space at the left"),
		format("Stamp", "A small square motif that is clear even when tiny.", "1:1", "1K", "one single motif, simple, strong contrast, even border"),
	},
	"text-card": {
		made("Quote", "A sentence worth remembering, in ivory on deep blue.", "card", map[string]any{"background": "#14213d", "background2": "#1f3a5f", "textColor": "#fdf6e3", "align": "center", "aspectRatio": "1:1"}),
		made("Blackboard", "White on green-black, as on the board.", "card", map[string]any{"background": "#1f2d28", "background2": "#26382f", "textColor": "#f4f4ee", "align": "left", "aspectRatio": "4:3"}),
		made("Vocabulary card", "A word large, its meaning in the caption.", "school", map[string]any{"background": "#fff8e7", "background2": "#ffe9b8", "textColor": "#3a2a14", "align": "center", "aspectRatio": "4:3"}),
		made("Story title", "Opens a film or a slide show.", "film", map[string]any{"background": "#2b1744", "background2": "#c6426e", "textColor": "#fff6d8", "align": "center", "aspectRatio": "16:9"}),
		made("Phone announcement", "News for phones, easy to read from afar.", "format", map[string]any{"background": "#0b4f6c", "background2": "#3fb8af", "textColor": "#ffffff", "align": "center", "aspectRatio": "9:16"}),
		made("Clear and plain", "Black on white, for printing and for those who see little.", "access", map[string]any{"background": "#ffffff", "background2": "#ffffff", "textColor": "#000000", "align": "left", "aspectRatio": "3:4"}),
	},
	"text-to-speech": {
		made("Slow reader", "For dictation and for learning a language: every word by itself.", "school", map[string]any{"provider": "local", "voice": "en-gb", "speed": 110.0, "pitch": 45.0, "format": "mp3"}),
		made("Storyteller", "Warm and unhurried.", "story", map[string]any{"provider": "local", "voice": "en-gb", "speed": 145.0, "pitch": 40.0, "format": "mp3"}),
		made("Announcer", "Brisk and clear, for announcements.", "news", map[string]any{"provider": "local", "voice": "en-us", "speed": 185.0, "pitch": 55.0, "format": "mp3"}),
		made("Robot", "Flat and deep, from another world.", "fun", map[string]any{"provider": "local", "voice": "en-us", "speed": 150.0, "pitch": 5.0, "format": "mp3"}),
	},
	"animate-image": {
		made("Slow approach", "Goes slowly closer, as documentaries do.", "camera", map[string]any{"motion": "zoom-in", "duration": 6.0, "intensity": 18.0, "aspectRatio": "16:9", "resolution": "720p"}),
		made("Reveal", "Begins close and opens up.", "camera", map[string]any{"motion": "zoom-out", "duration": 6.0, "intensity": 35.0, "aspectRatio": "16:9", "resolution": "720p"}),
		made("Look around", "Wanders from left to right over a wide picture.", "camera", map[string]any{"motion": "pan-right", "duration": 8.0, "intensity": 30.0, "aspectRatio": "16:9", "resolution": "720p"}),
		made("Phone clip", "Upright, short, rising.", "format", map[string]any{"motion": "pan-up", "duration": 4.0, "intensity": 25.0, "aspectRatio": "9:16", "resolution": "720p"}),
	},
	"shot-clip": {
		made("Establishing shot", "Shows where we are: opens up slowly.", "camera", map[string]any{"movement": "pull-out", "duration": 6.0, "aspectRatio": "16:9", "resolution": "720p"}),
		made("Closer and closer", "For the moment at which something is understood.", "camera", map[string]any{"movement": "push-in", "duration": 4.0, "aspectRatio": "16:9", "resolution": "720p"}),
		made("Along the street", "Goes from left to right, as one walks.", "camera", map[string]any{"movement": "pan-right", "duration": 6.0, "aspectRatio": "16:9", "resolution": "720p"}),
		made("Still for reading", "Nothing moves, long enough for a caption; upright.", "format", map[string]any{"movement": "static", "duration": 5.0, "aspectRatio": "9:16", "resolution": "720p"}),
	},
	"pro-3d-render": {
		made("Quick look", "To see what a model is, at once.", "draft", map[string]any{"quality": "draft", "view": "three-quarter", "lighting": "studio", "resolution": "1K"}),
		made("Product photograph", "As in a catalogue: soft light, white ground.", "photo", map[string]any{"quality": "pro", "view": "three-quarter", "lighting": "soft", "background": "#ffffff", "aspectRatio": "1:1", "resolution": "1K"}),
		made("Cut out for a slide", "Nothing behind it, to lay over something else.", "slide", map[string]any{"quality": "draft", "view": "three-quarter", "background": "transparent", "lighting": "sun", "resolution": "2K"}),
		made("Turntable", "A short film in which the model turns once.", "film", map[string]any{"quality": "draft", "output": "turntable", "frames": 48.0, "seconds": 6.0, "lighting": "studio", "aspectRatio": "16:9"}),
	},
	"waveform-video": {
		made("Podcast", "Quiet bars on dark blue, wide.", "sound", map[string]any{"style": "bars", "waveColor": "#ffd166", "background": "#14213d", "aspectRatio": "16:9", "resolution": "720p"}),
		made("Song", "A bright mirrored wave, square.", "sound", map[string]any{"style": "mirror", "waveColor": "#ff6fa8", "background": "#2a0f5e", "aspectRatio": "1:1", "resolution": "720p"}),
	},
	"filter-image": {
		made("Old photograph", "Brown as a hundred years ago.", "look", map[string]any{"filter": "sepia", "intensity": 85.0}),
		made("Newspaper", "No colour at all.", "look", map[string]any{"filter": "grayscale", "intensity": 100.0}),
	},
	"qr-code": {
		made("For print", "Large, and read even when a part is dirty.", "print", map[string]any{"size": 2048.0, "correction": "high", "foreground": "#000000", "background": "#ffffff"}),
		made("For a slide", "Dark blue on white, with room to spare.", "screen", map[string]any{"size": 1024.0, "correction": "quartile", "foreground": "#14213d", "background": "#ffffff"}),
	},
	"summarize-text": {
		made("One sentence", "The single sentence that says the most.", "text", map[string]any{"sentences": 1.0}),
		made("Key points", "The five sentences that matter.", "text", map[string]any{"sentences": 5.0}),
	},
}
