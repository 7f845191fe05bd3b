package nodes

import (
	"context"
	"fmt"
	"strings"

	"atelier/models"
	"atelier/nodes/kit"
)

var concatVideoNode = &kit.Node{
	Type: "concat-video", Label: "Join videos", Category: "video", OutputType: "video",
	Description:  "Plays several videos one after the other, in the order in which they are connected.",
	Capabilities: []string{"video-to-video", "concat"},
	InputSchema: kit.Object(
		kit.List("videoUrls", "Videos", "Two to ten videos.", kit.Schema{Type: "string", Format: "uri", Control: "video", MaxLength: 4_000}, kit.MaxMediaSources).AtLeast(2).Required(),
		kit.Choice("aspectRatio", "Aspect ratio", "Width to height of the video.", "16:9", "1:1", "9:16", "4:3", "3:4"),
		kit.VideoResolution(),
	),
	Cost: 2 * models.Credit, MainInput: "videoUrls", MainOutput: "videoUrl", Pool: kit.Media,
	Run: concatVideo,
}

// concatVideo brings all videos to one frame, rate and sound; silent ones get silence.
func concatVideo(ctx context.Context, in *kit.Call) (kit.Output, error) {
	urls := in.List("videoUrls")
	width, height := kit.VideoFrame(in.Text("aspectRatio"), in.Text("resolution"))
	return in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
		var args []string
		var graph, joined strings.Builder
		total := 0.0
		for i, url := range urls {
			s, err := w.Fetch(ctx, kit.PlainText(url), "video")
			if err != nil {
				return nil, err
			}
			args = append(args, s.Input()...)
			total += s.Duration
			fmt.Fprintf(&graph, "[%d:v:0]%s[v%d];", i, kit.Fitted(width, height), i)
			if s.HasAudio {
				fmt.Fprintf(&graph, "[%d:a:0]%s,apad,atrim=duration=%s[a%d];", i, sameSound, kit.Seconds(s.Duration), i)
			} else {
				fmt.Fprintf(&graph, "anullsrc=r=44100:cl=stereo,atrim=duration=%s[a%d];", kit.Seconds(s.Duration), i)
			}
			fmt.Fprintf(&joined, "[v%d][a%d]", i, i)
		}
		if total > kit.MaxSeconds {
			return nil, kit.Failf("Together the videos are longer than %d minutes", kit.MaxSeconds/60)
		}
		fmt.Fprintf(&graph, "%sconcat=n=%d:v=1:a=1[v][a]", joined.String(), len(urls))
		args = append(args, "-filter_complex", graph.String(), "-map", "[v]", "-map", "[a]")
		return w.EncodeVideo(ctx, total, "joined", args...)
	})
}
