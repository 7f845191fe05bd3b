package nodes

import (
	"context"
	"io"

	"atelier/mediatype"
	"atelier/nodes/kit"
)

var downloadVideoNode = &kit.Node{
	Type: "download-video", Label: "Import video", Category: "input", OutputType: "video",
	Description:  "Brings a video from a public https address here and keeps it.",
	Capabilities: []string{"import"},
	InputSchema: kit.Object(
		kit.Address("url", "URL", "An https address of the video file itself: MP4, MOV, WebM or MKV of at most 500 MiB.", "").Required(),
	),
	MainInput: "url", MainOutput: "videoUrl", Pool: kit.Import,
	Run: downloadVideo,
}

// downloadVideo keeps the file once it is sure that it is a video, without tags that tell of people and places.
// A page with a player, or a playlist, is none.
func downloadVideo(ctx context.Context, in *kit.Call) (kit.Output, error) {
	body, info, err := in.OpenSized(ctx, in.Text("url"), "", kit.MaxMediaBytes)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	if kit.KindOf(info.ContentType) != "video" || mediatype.Demuxer(info.ContentType) == "" {
		return nil, kit.Failf("The address does not lead to a video but to %s", kit.TypeName(info.ContentType)).
			WithHint("Give the address of the video file itself (%s), not of a page or a playlist.", mediatype.Labels("video"))
	}
	return in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
		s, err := w.Copy(&counted{from: body, size: info.Size, tell: in.Report}, info.ContentType)
		if err != nil {
			return nil, kit.NotOpened(err, "video")
		}
		if err := s.Examine(ctx, w.Dir); err != nil {
			return nil, kit.ProgramFailure(ctx, err, "video")
		}
		switch {
		case !s.HasVideo:
			return nil, kit.Failf("The file holds no video").WithHint("It holds sound alone. %s", kit.KindFormats["video"])
		case s.Duration > kit.MaxFile:
			return nil, kit.Failf("The video claims to be longer than a week")
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
