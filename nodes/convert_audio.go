package nodes

import (
	"context"

	"atelier/models"
	"atelier/nodes/kit"
)

var convertAudioNode = &kit.Node{
	Type: "convert-audio", Label: "Convert audio", Category: "audio", OutputType: "audio",
	Description:  "Saves a sound, or the sound of a video, in another format.",
	Capabilities: []string{"audio-to-audio", "convert"},
	InputSchema: kit.Object(
		kit.Address("audioUrl", "Audio", "The sound to convert.", "audio").Required(),
		kit.AudioFormatField(),
		kit.Toggle("normalize", "Normalize", "Brings the loudness to a common level.", false),
	),
	Cost: models.Credit / 2, MainInput: "audioUrl", MainOutput: "audioUrl", Pool: kit.Media,
	Run: func(ctx context.Context, in *kit.Call) (kit.Output, error) {
		return in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
			s, err := w.Fetch(ctx, in.Text("audioUrl"), "audio")
			if err != nil {
				return nil, err
			}
			args := s.Input()
			if in.Flag("normalize") {
				args = append(args, "-af", "loudnorm=I=-16:TP=-1.5:LRA=11", "-ar", "44100")
			}
			return w.EncodeAudio(ctx, s.Duration, "converted", in.Text("format"), args...)
		})
	},
}
