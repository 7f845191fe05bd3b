package nodes

import (
	"context"
	"strconv"
	"strings"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/phrase"
)

// maxCues is how many captions one clip brings along.
const maxCues = 1_000

// captionSchema is what is said in one clip of a timeline: a text for all of it, or captions
// with times from the clip's beginning.
var captionSchema = kit.Object(
	kit.ShortText("text", "Text", "What is said.", maxCaptionText),
	kit.List("cues", "Captions", "Each with its times, in seconds from the beginning of the clip.", kit.Object(
		kit.Number("start", "From", "Second at which it appears.", 0, kit.MaxSeconds),
		kit.Number("end", "To", "Second at which it goes.", 0, kit.MaxSeconds),
		kit.ShortText("text", "Text", "What is said.", maxCaptionText).Required(),
	), maxCues),
)

const maxCaptionText = 4_000

// checkCaptions finds times out of range.
func checkCaptions(prefix string, input map[string]any) error {
	captions, _ := input["captions"].([]any)
	for i, item := range captions {
		entry, _ := item.(map[string]any)
		cues, _ := entry["cues"].([]any)
		for n, item := range cues {
			cue, _ := item.(map[string]any)
			at := prefix + "captions[" + strconv.Itoa(i) + "].cues[" + strconv.Itoa(n) + "]."
			cues, _ := captionSchema.Properties.Find("cues")
			if err := checkRanges(at, *cues.Schema.Items, cue); err != nil {
				return err
			}
			start, _ := kit.ToNumber(cue["start"])
			if end, _ := kit.ToNumber(cue["end"]); end <= start {
				return models.Invalid(at+"end", "must be after start")
			}
		}
	}
	return nil
}

// addCaptions adds the captions of a timeline whose clips are so long to its output: as a
// WebVTT file, unless nothing is said, and in the form in which another timeline takes them.
func addCaptions(ctx context.Context, in *kit.Call, out kit.Output, lengths []float64) error {
	captions, cues := captionsOf(in.List("captions"), lengths), []any{}
	for _, c := range captions {
		cues = append(cues, map[string]any{"start": c.Start, "end": c.End, "text": c.Text})
	}
	out["captions"] = map[string]any{"cues": cues}
	if len(captions) == 0 {
		return nil
	}
	info, err := in.Media.Save(ctx, "captions.vtt", "text/vtt", strings.NewReader(phrase.VTT(captions)))
	out["captionsUrl"] = info.URL
	return err
}

// captionsOf are the captions of clips that play one after the other, with times from the
// beginning of the first.
func captionsOf(entries []any, lengths []float64) (all []phrase.Caption) {
	from := 0.0
	for i, length := range lengths {
		if i >= len(entries) {
			break
		}
		entry, _ := entries[i].(map[string]any)
		text, _ := entry["text"].(string)
		all = append(all, phrase.Captions(text, from, from+length)...)
		cues, _ := entry["cues"].([]any)
		for _, item := range cues {
			cue, _ := item.(map[string]any)
			start, _ := kit.ToNumber(cue["start"])
			end, _ := kit.ToNumber(cue["end"])
			text, _ := cue["text"].(string)
			if start < length && strings.TrimSpace(text) != "" {
				all = append(all, phrase.Caption{Start: from + start, End: from + min(end, length), Text: text})
			}
		}
		from += length
	}
	return all
}
