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
	InputSchema: object(
		address("url", "URL", "An https address of the video file itself: MP4, MOV, WebM or MKV of at most 500 MiB.", "").required(),
	),
	MainInput: "url", MainOutput: "videoUrl", Pool: Import,
	Run: downloadVideo,
}

// downloadVideo keeps the file once it is sure that it is a video, without tags that tell of people and places.
// A page with a player, or a playlist, is none.
func downloadVideo(ctx context.Context, in *Call) (Output, error) {
	body, info, err := in.openSized(ctx, in.text("url"), "", maxMediaBytes)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	if kindOf(info.ContentType) != "video" || mediatype.Demuxer(info.ContentType) == "" {
		return nil, failf("The address does not lead to a video but to %s", typeName(info.ContentType)).
			hint("Give the address of the video file itself (%s), not of a page or a playlist.", mediatype.Labels("video"))
	}
	return in.onWorkbench(func(w *workbench) (Output, error) {
		s, err := w.copy(&counted{from: body, size: info.Size, tell: in.progress}, info.ContentType)
		if err != nil {
			return nil, notOpened(err, "video")
		}
		if err := s.examine(ctx, w.dir); err != nil {
			return nil, programFailure(err, "video")
		}
		switch {
		case !s.HasVideo:
			return nil, failf("The file holds no video").hint("It holds sound alone. %s", kindFormats["video"])
		case s.Duration > longestFile:
			return nil, failf("The video claims to be longer than a week")
		}
		contentType, err := s.withoutTags(ctx, w.dir, info.ContentType)
		if err != nil {
			return nil, err
		}
		return in.saveSource(ctx, "imported", contentType, s)
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
