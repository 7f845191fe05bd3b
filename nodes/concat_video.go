package nodes

import (
	"context"
	"fmt"
	"strings"

	"atelier/models"
)

var concatVideoNode = &Node{
	Type: "concat-video", Label: "Join videos", Category: "video", OutputType: "video",
	Description:  "Plays several videos one after the other, in the order in which they are connected.",
	Capabilities: []string{"video-to-video", "concat"},
	InputSchema: Object(
		List("videoUrls", "Videos", "Two to ten videos.", Schema{Type: "string", Format: "uri", Control: "video", MaxLength: 4_000}, MaxMediaSources).AtLeast(2).Required(),
		Choice("aspectRatio", "Aspect ratio", "Width to height of the video.", "16:9", "1:1", "9:16", "4:3", "3:4"),
		VideoResolution(),
	),
	Cost: 2 * models.Credit, MainInput: "videoUrls", MainOutput: "videoUrl", Pool: Media,
	Run: concatVideo,
}

// concatVideo brings all videos to one frame, rate and sound; silent ones get silence.
func concatVideo(ctx context.Context, in *Call) (Output, error) {
	urls := in.List("videoUrls")
	width, height := VideoFrame(in.Text("aspectRatio"), in.Text("resolution"))
	return in.OnWorkbench(func(w *Workbench) (Output, error) {
		var args []string
		var graph, joined strings.Builder
		total := 0.0
		for i, url := range urls {
			s, err := w.Fetch(ctx, PlainText(url), "video")
			if err != nil {
				return nil, err
			}
			args = append(args, s.Input()...)
			total += s.Duration
			fmt.Fprintf(&graph, "[%d:v:0]%s[v%d];", i, Fitted(width, height), i)
			if s.HasAudio {
				fmt.Fprintf(&graph, "[%d:a:0]%s,apad,atrim=duration=%s[a%d];", i, sameSound, Seconds(s.Duration), i)
			} else {
				fmt.Fprintf(&graph, "anullsrc=r=44100:cl=stereo,atrim=duration=%s[a%d];", Seconds(s.Duration), i)
			}
			fmt.Fprintf(&joined, "[v%d][a%d]", i, i)
		}
		if total > MaxSeconds {
			return nil, Failf("Together the videos are longer than %d minutes", MaxSeconds/60)
		}
		fmt.Fprintf(&graph, "%sconcat=n=%d:v=1:a=1[v][a]", joined.String(), len(urls))
		args = append(args, "-filter_complex", graph.String(), "-map", "[v]", "-map", "[a]")
		return w.EncodeVideo(ctx, total, "joined", args...)
	})
}
