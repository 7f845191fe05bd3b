package phrase

import (
	"fmt"
	"strings"
)

// contradictions are groups of words that do not go together.
var contradictions = [][2][]string{
	{{"night", "midnight", "moonlight", "moonlit", "starry"}, {"bright sun", "sunny", "sunshine", "midday", "noon", "daylight", "bright daylight", "soft daylight"}},
	{{"dawn", "sunrise", "early morning"}, {"dusk", "sunset", "evening", "midnight"}},
	{{"indoors", "indoor", "interior"}, {"outdoors", "outdoor", "open air"}},
	{{"black and white", "monochrome", "no colour", "no color", "sepia"}, {"colourful", "colorful", "rainbow", "bright primary colours", "warm colours", "pastel colours", "vivid"}},
	{{"close up", "closeup", "macro", "head and shoulders"}, {"wide shot", "panorama", "long shot", "full figure", "full body"}},
	{{"from above", "bird eye view", "birds eye view", "top down", "aerial"}, {"from below", "low angle", "worm eye view"}},
	{{"from behind", "back view"}, {"from the front", "front view"}},
	{{"winter", "snow", "snowy"}, {"summer", "heat", "spring"}},
	{{"rain", "rainy", "stormy", "overcast"}, {"sunny", "cloudless", "clear sky", "bright sun"}},
	{{"photo", "photograph", "photorealistic"}, {"ink drawing", "watercolour painting", "watercolour", "watercolor", "comic book panel", "pixel art", "oil painting", "cartoon", "storybook illustration"}},
	{{"slow", "slow motion", "slow and calm"}, {"fast", "fast and lively", "hectic", "rapid"}},
	{{"still camera", "static"}, {"zoom in", "zoom out", "tracking shot", "circling around it", "orbit", "slowly closer", "rising above it", "moving along beside it"}},
	{{"short", "brief", "three sentences"}, {"long", "one page", "about 300 words"}},
	{{"formal", "solemn", "serious"}, {"funny", "humorous", "silly"}},
	{{"empty", "nobody", "no people", "without people"}, {"crowd", "crowded", "busy"}},
}

// warningsOf names what contradicts itself in the idea, the answers and the settings.
func warningsOf(idea Idea, found *reading, help Help) []string {
	said := inPairs(tokens(help.Prompt))
	for _, k := range idea.Known {
		said += inPairs(tokens(k.Value))
	}
	warnings := []string{}
	for _, pair := range contradictions {
		one, other := firstIn(said, pair[0]), firstIn(said, pair[1])
		if one != "" && other != "" {
			warnings = append(warnings, fmt.Sprintf("%q and %q contradict each other", one, other))
		}
	}
	for _, p := range help.Parts {
		if p.Part != "avoid" || p.From != "answer" {
			continue
		}
		for what := range strings.SplitSeq(p.Value, ",") {
			if words := strings.TrimSpace(flat(tokens(what))); words != "" && strings.Contains(said, " "+words+" ") {
				warnings = append(warnings, fmt.Sprintf("%q is to be avoided, and the prompt asks for it", strings.TrimSpace(what)))
			}
		}
	}
	if ratio, _ := idea.Settings["aspectRatio"].(string); ratio != "" && found.ratio != "" && ratio != found.ratio {
		warnings = append(warnings, fmt.Sprintf("The idea says %q, and the preset has the aspect ratio %s; the idea's is taken", found.ratioWords, ratio))
	}
	return append(warnings, elementWarnings(idea)...)
}

// elementWarnings names answers that say otherwise than the idea.
func elementWarnings(idea Idea) []string {
	kind, ok := elementTarget(idea.Target)
	if !ok {
		return nil
	}
	var warnings []string
	understood := Attributes(kind, idea.Text).Attributes
	for _, p := range partsOf(idea.Target) {
		answer := answerOf(idea.Answers[p.name])
		if said := understood[p.name]; said != "" && answer != "" && !strings.EqualFold(said, answer) {
			warnings = append(warnings, fmt.Sprintf("The idea says %s: %s, and the answer %s", strings.ToLower(p.label), said, answer))
		}
	}
	return warnings
}

// inPairs is flat with each two words as one besides, for what may be written both ways.
func inPairs(words []token) string {
	text := flat(words)
	for i := range max(0, len(words)-1) {
		if mayJoin(words[i : i+2]) {
			text += squeezed(words[i:i+2]) + " "
		}
	}
	return text
}

func firstIn(text string, phrases []string) string {
	for _, p := range phrases {
		if strings.Contains(text, " "+p+" ") || strings.Contains(p, " ") && strings.Contains(text, " "+strings.ReplaceAll(p, " ", "")+" ") {
			return p
		}
	}
	return ""
}
