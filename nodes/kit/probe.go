package kit

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"atelier/nodes/program"
)

// probed is what ffprobe says about a file.
type probed struct {
	Streams []struct {
		Kind        string `json:"codec_type"`
		Width       int
		Height      int
		Disposition struct {
			Picture int `json:"attached_pic"`
		}
		SideData   []struct{ Rotation float64 } `json:"side_data_list"`
		SampleRate string                       `json:"sample_rate"`
		Channels   int
		Tags       map[string]string
	}
	Format struct {
		Duration string
		Tags     map[string]string
	}
}

// Examine reads what a file holds with ffprobe, which may open nothing else.
func (s *Source) Examine(ctx context.Context, dir string) error {
	out, err := program.Command{
		Name: "ffprobe", Package: ffmpegPackage, Dir: dir, Time: probeTime,
		Args: []string{
			"-v", "error", "-protocol_whitelist", "file", "-f", s.Demuxer,
			"-show_entries", "stream=codec_type,width,height,sample_rate,channels:stream_disposition=attached_pic:stream_side_data=rotation:stream_tags:format=duration:format_tags",
			"-of", "json", s.Path,
		},
	}.Run(ctx)
	if err != nil {
		return err
	}
	var found probed
	if err := json.Unmarshal(out, &found); err != nil {
		return err
	}
	s.Personal = found.personal()
	for _, stream := range found.Streams {
		switch {
		case stream.Kind == "audio":
			rate, _ := strconv.Atoi(stream.SampleRate)
			s.HasAudio, s.SampleRate, s.Channels = true, max(s.SampleRate, rate), max(s.Channels, stream.Channels)
		case stream.Kind == "video" && stream.Disposition.Picture == 0 && !s.HasVideo:
			s.HasVideo, s.Width, s.Height = true, stream.Width, stream.Height
			for _, side := range stream.SideData {
				if int(side.Rotation)%180 != 0 { // taken with the camera on its side
					s.Width, s.Height = stream.Height, stream.Width
				}
			}
		}
	}
	if s.Duration, err = strconv.ParseFloat(found.Format.Duration, 64); err != nil || !(s.Duration > 0) {
		return s.walk(ctx, dir)
	}
	return nil
}

// walk measures a file whose head states no length, such as a recording of a
// browser, by reading it through without decoding it.
func (s *Source) walk(ctx context.Context, dir string) error {
	s.Duration = 0
	_, err := program.Command{
		Name: "ffprobe", Package: ffmpegPackage, Dir: dir, Time: probeTime,
		Args: []string{
			"-v", "error", "-protocol_whitelist", "file", "-f", s.Demuxer,
			"-show_entries", "packet=pts_time,duration_time", "-of", "csv=p=0", s.Path,
		},
		Line: func(line string) {
			at, length, _ := strings.Cut(strings.TrimRight(line, ","), ",")
			if start, err := strconv.ParseFloat(at, 64); err == nil {
				lasts, _ := strconv.ParseFloat(length, 64)
				s.Duration = max(s.Duration, start+lasts)
			}
		},
	}.Run(ctx)
	return err
}
