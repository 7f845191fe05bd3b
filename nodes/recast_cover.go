package nodes

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"slices"

	"atelier/nodes/face"
	"atelier/nodes/figure"
	"atelier/nodes/kit"
)

// The bounds of videos whose faces are covered.
const (
	maxCover  = 60.0 // seconds
	coverSide = 720  // pixels of the shorter side
	coverRate = 25   // frames a second
	coverGap  = coverRate / 2
	headSide  = 512
)

// cover lays a head over faces.
type cover struct {
	in     *kit.Call
	head   image.Image
	scale  float64
	target recastTarget
}

// headOf is the head of a character as a square: the face of its primary picture, else
// its drawing.
func headOf(ctx context.Context, in *kit.Call, e *kit.ElementRef) (head image.Image, how string, err error) {
	if len(e.Pictures) == 0 {
		all, _ := figure.Complete(figure.Character, e.Attributes, int64(e.Seed), e.Palette)
		drawn := figure.Draw(figure.Brief{
			Kind: figure.Character, Attributes: all, Seed: int64(e.Seed), Palette: e.Palette, View: "portrait", Background: figure.Plain, Size: headSide,
		})
		return face.HeadOfPortrait(drawn), "drawn", nil
	}
	img, err := in.ReadImage(ctx, e.Pictures[0].Address)
	if err != nil {
		return nil, "", err
	}
	if boxes := face.Find(img, 0); len(boxes) > 0 {
		if cut, err := face.Cut(img, boxes[0]); err == nil {
			return cut, "pictures", nil
		}
	}
	return face.HeadOfPortrait(img), "pictures", nil
}

func (c *cover) none() error {
	if c.target.at != nil {
		return kit.Failf("No face was found at this point").WithHint("Nothing was charged. Choose all, or the middle of a face that detect-faces finds.")
	}
	return kit.Failf("No face was found").WithHint("Nothing was charged. Faces must look into the camera, and be large enough.")
}

// picture covers the faces of a picture. It is written again: nothing of the file itself stays.
func (c *cover) picture(ctx context.Context) (kit.Output, error) {
	img, err := c.in.ReadImage(ctx, c.in.Text("imageUrl"))
	if err != nil {
		return nil, err
	}
	c.in.Report(20)
	tracks := face.Follow([][]face.Box{face.Find(img, 0)}, 0)
	chosen := c.target.of(tracks)
	if len(chosen) == 0 {
		return nil, c.none()
	}
	dst := kit.AsNRGBA(img)
	for _, t := range chosen {
		face.Cover(dst, t.Boxes[0], c.head, c.scale)
	}
	out, err := c.in.SaveImage(ctx, "recast", dst)
	if err == nil {
		out["faces"], out["covered"] = len(tracks), len(chosen)
	}
	return out, err
}

// film covers the faces of a video, frame by frame.
func (c *cover) film(ctx context.Context) (kit.Output, error) {
	return c.in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
		s, err := w.Fetch(ctx, c.in.Text("videoUrl"), "video")
		if err != nil {
			return nil, err
		}
		if s.Duration > maxCover {
			return nil, kit.Failf("The video is longer than %.0f seconds", maxCover).WithHint("It is %.1f seconds long. Cut it first.", s.Duration)
		}
		frames, err := c.takeApart(ctx, w, s)
		if err != nil {
			return nil, err
		}
		tracks, err := c.search(ctx, w, frames)
		if err != nil {
			return nil, err
		}
		chosen := c.target.of(tracks)
		if len(chosen) == 0 {
			return nil, c.none()
		}
		changed, err := c.redraw(ctx, w, frames, chosen)
		if err != nil {
			return nil, err
		}
		args := []string{"-protocol_whitelist", "file", "-f", "image2", "-framerate", fmt.Sprint(coverRate), "-i", w.Path(framePattern)}
		if c.in.Flag("keepAudio") && s.HasAudio {
			args = slices.Concat(args, s.Input(), []string{"-map", "0:v:0", "-map", "1:a:0"})
		}
		out, err := w.EncodeVideo(ctx, float64(frames)/coverRate, "recast", args...)
		if err == nil {
			out["faces"], out["covered"], out["frames"] = len(tracks), len(chosen), changed
		}
		return out, err
	})
}

const framePattern = "frame%05d.jpg"

func framePath(w *kit.Workbench, n int) string { return w.Path(fmt.Sprintf(framePattern, n+1)) }

// takeApart writes the frames of a video as pictures, and says how many there are.
func (c *cover) takeApart(ctx context.Context, w *kit.Workbench, s kit.Source) (int, error) {
	filter := fmt.Sprintf("fps=%d,scale='if(gt(iw,ih),-2,min(iw,%d))':'if(gt(iw,ih),min(ih,%d),-2)',%s,setsar=1", coverRate, coverSide, coverSide, kit.EvenSize)
	args := slices.Concat(s.Input(), []string{"-map", "0:v:0", "-vf", filter, "-t", kit.Seconds(maxCover), "-map_metadata", "-1", "-q:v", "2", "-pix_fmt", "yuvj420p", "-f", "image2", w.Path(framePattern)})
	if err := w.Ffmpeg(ctx, 0, args...); err != nil {
		return 0, err
	}
	n := 0
	for ; n <= maxCover*coverRate+1; n++ {
		if _, err := os.Stat(framePath(w, n)); err != nil {
			break
		}
	}
	if n == 0 {
		return 0, kit.Failf("The video has no pictures").WithHint("It may be damaged or cut off.")
	}
	return n, nil
}

// search finds the faces of all frames, joined over time.
func (c *cover) search(ctx context.Context, w *kit.Workbench, frames int) ([]*face.Track, error) {
	found := make([][]face.Box, frames)
	for n := range frames {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		img, err := readFrame(w, n)
		if err != nil {
			return nil, err
		}
		found[n] = face.Find(img, 0)
		c.in.Report(5 + 60*n/frames)
	}
	return face.Follow(found, coverGap), nil
}

// redraw lays the head over every face of the tracks, and says in how many frames.
func (c *cover) redraw(ctx context.Context, w *kit.Workbench, frames int, tracks []*face.Track) (changed int, err error) {
	for n := range frames {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		var dst *image.NRGBA
		for _, t := range tracks {
			b, there := t.At(n)
			if !there {
				continue
			}
			if dst == nil {
				img, err := readFrame(w, n)
				if err != nil {
					return 0, err
				}
				dst = kit.AsNRGBA(img)
			}
			face.Cover(dst, b, c.head, c.scale)
		}
		if dst == nil {
			continue
		}
		changed++
		if err := writeFrame(w, n, dst); err != nil {
			return 0, err
		}
	}
	return changed, nil
}

func readFrame(w *kit.Workbench, n int) (image.Image, error) {
	file, err := os.Open(framePath(w, n))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return jpeg.Decode(file)
}

func writeFrame(w *kit.Workbench, n int, img image.Image) error {
	file, err := os.Create(framePath(w, n))
	if err != nil {
		return err
	}
	return errors.Join(jpeg.Encode(file, img, &jpeg.Options{Quality: 95}), file.Close())
}
