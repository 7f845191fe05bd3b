package nodes

import (
	"context"
	"io"

	"atelier/mediatype"
)

var downloadVideoNode = &Node{
	Type: "download-video", Label: "Import video", Category: "input", OutputType: "video",
	Description:  "Brings a video from a public https address here and keeps it.",
	Capabilities: []string{"import"},
	InputSchema: Object(
		Address("url", "URL", "An https address of the video file itself: MP4, MOV, WebM or MKV of at most 500 MiB.", "").Required(),
	),
	MainInput: "url", MainOutput: "videoUrl", Pool: Import,
	Run: downloadVideo,
}

// downloadVideo keeps the file once it is sure that it is a video, without tags that tell of people and places.
// A page with a player, or a playlist, is none.
func downloadVideo(ctx context.Context, in *Call) (Output, error) {
	body, info, err := in.OpenSized(ctx, in.Text("url"), "", MaxMediaBytes)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	if KindOf(info.ContentType) != "video" || mediatype.Demuxer(info.ContentType) == "" {
		return nil, Failf("The address does not lead to a video but to %s", TypeName(info.ContentType)).
			WithHint("Give the address of the video file itself (%s), not of a page or a playlist.", mediatype.Labels("video"))
	}
	return in.OnWorkbench(func(w *Workbench) (Output, error) {
		s, err := w.Copy(&counted{from: body, size: info.Size, tell: in.Report}, info.ContentType)
		if err != nil {
			return nil, NotOpened(err, "video")
		}
		if err := s.Examine(ctx, w.Dir); err != nil {
			return nil, ProgramFailure(err, "video")
		}
		switch {
		case !s.HasVideo:
			return nil, Failf("The file holds no video").WithHint("It holds sound alone. %s", KindFormats["video"])
		case s.Duration > LongestFile:
			return nil, Failf("The video claims to be longer than a week")
		}
		contentType, err := s.WithoutTags(ctx, w.Dir, info.ContentType)
		if err != nil {
			return nil, err
		}
		return in.SaveSource(ctx, "imported", contentType, s)
	})
}

// counted tells how much of an announced size has come, up to 90 percent.
type counted struct {
	from       io.Reader
	size, done int64
	tell       func(percent int)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	before := c.done
	c.done += int64(n)
	if c.size > 0 && c.done*90/c.size > before*90/c.size {
		c.tell(int(min(c.done*90/c.size, 90)))
	}
	return n, err
}
