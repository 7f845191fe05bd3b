package nodes

import (
	"context"

	"atelier/models"
)

var convertAudioNode = &Node{
	Type: "convert-audio", Label: "Convert audio", Category: "audio", OutputType: "audio",
	Description:  "Saves a sound, or the sound of a video, in another format.",
	Capabilities: []string{"audio-to-audio", "convert"},
	InputSchema: object(
		address("audioUrl", "Audio", "The sound to convert.", "audio").required(),
		audioFormatField(),
		toggle("normalize", "Normalize", "Brings the loudness to a common level.", false),
	),
	Cost: models.Credit / 2, MainInput: "audioUrl", MainOutput: "audioUrl", Pool: Media,
	Run: func(ctx context.Context, in *Call) (Output, error) {
		return in.onWorkbench(func(w *workbench) (Output, error) {
			s, err := w.fetch(ctx, in.text("audioUrl"), "audio")
			if err != nil {
				return nil, err
			}
			args := s.input()
			if in.flag("normalize") {
				args = append(args, "-af", "loudnorm=I=-16:TP=-1.5:LRA=11", "-ar", "44100")
			}
			return w.encodeAudio(ctx, s.Duration, "converted", in.text("format"), args...)
		})
	},
}
