// Package mediatype is the one list of the files that the service takes, and how they are told by
// their content. The door (uploads, pictures of elements, recordings), the nodes, the console's
// forms and the documents all read it, so that none of them takes what another cannot use.
package mediatype

import (
	"slices"
	"strings"
)

// Type is one kind of file.
type Type struct {
	// Name is the media type, such as image/png.
	Name string
	// Label is the format's name for people.
	Label string
	// Extension is how addresses of such files end, without a dot.
	Extension string
	// Endings are further endings of the files of people, for forms.
	Endings []string
	// Demuxer is ffmpeg's reader of a video or a sound. Naming one keeps ffmpeg from taking a file
	// for a playlist that leads to other files.
	Demuxer string
	// Becomes is the type into which such a file is turned when it arrives; empty: it stays as it is.
	Becomes string
	// SoundAlone is the type of a file of this container without a video, VideoInside that of one
	// with a video; empty where the container tells by itself.
	SoundAlone, VideoInside string
	// Made is a type that nodes make and no client sends.
	Made bool
}

// JPEG and the others are names that code asks for.
const (
	JPEG = "image/jpeg"
	PNG  = "image/png"
	GIF  = "image/gif"
	WebP = "image/webp"
	BMP  = "image/bmp"
	HEIC = "image/heic"
	AVIF = "image/avif"
	TIFF = "image/tiff"
	JSON = "application/json"
	Text = "text/plain"
	GLB  = "model/gltf-binary"
	ZIP  = "application/zip"
)

// All is the list.
var All = []Type{
	{Name: JPEG, Label: "JPEG", Extension: "jpg", Endings: []string{"jpeg"}},
	{Name: PNG, Label: "PNG", Extension: "png"},
	{Name: GIF, Label: "GIF", Extension: "gif"},
	{Name: WebP, Label: "WebP", Extension: "webp"},
	{Name: BMP, Label: "BMP", Extension: "bmp"},
	{Name: HEIC, Label: "HEIC", Extension: "heic", Endings: []string{"heif"}, Becomes: JPEG},
	{Name: AVIF, Label: "AVIF", Extension: "avif", Becomes: JPEG},
	{Name: TIFF, Label: "TIFF", Extension: "tiff", Endings: []string{"tif"}, Becomes: JPEG},

	{Name: "video/mp4", Label: "MP4", Extension: "mp4", Endings: []string{"m4v", "3gp"}, Demuxer: "mov", SoundAlone: "audio/mp4"},
	{Name: "video/quicktime", Label: "MOV", Extension: "mov", Demuxer: "mov", SoundAlone: "audio/mp4"},
	{Name: "video/webm", Label: "WebM", Extension: "webm", Demuxer: "matroska", SoundAlone: "audio/webm"},
	{Name: "video/x-matroska", Label: "MKV", Extension: "mkv", Demuxer: "matroska", SoundAlone: "audio/x-matroska"},
	{Name: "video/avi", Label: "AVI", Extension: "avi", Demuxer: "avi"},
	{Name: "video/ogg", Label: "Ogg", Extension: "ogv", Demuxer: "ogg", SoundAlone: "audio/ogg"},

	{Name: "audio/mpeg", Label: "MP3", Extension: "mp3", Demuxer: "mp3"},
	{Name: "audio/wav", Label: "WAV", Extension: "wav", Demuxer: "wav"},
	{Name: "audio/ogg", Label: "Ogg", Extension: "ogg", Endings: []string{"opus", "oga"}, Demuxer: "ogg", VideoInside: "video/ogg"},
	{Name: "audio/flac", Label: "FLAC", Extension: "flac", Demuxer: "flac"},
	{Name: "audio/aac", Label: "AAC", Extension: "aac", Demuxer: "aac"},
	{Name: "audio/mp4", Label: "M4A", Extension: "m4a", Endings: []string{"m4b"}, Demuxer: "mov", VideoInside: "video/mp4"},
	{Name: "audio/webm", Label: "WebM", Extension: "weba", Endings: []string{"webm"}, Demuxer: "matroska", VideoInside: "video/webm"},
	{Name: "audio/x-matroska", Label: "MKA", Extension: "mka", Demuxer: "matroska", VideoInside: "video/x-matroska"},
	{Name: "audio/aiff", Label: "AIFF", Extension: "aiff", Endings: []string{"aif"}, Demuxer: "aiff"},

	{Name: Text, Label: "plain text", Extension: "txt"},
	{Name: JSON, Label: "JSON and Lottie", Extension: "json", Endings: []string{"lottie"}},
	{Name: GLB, Label: "GLB", Extension: "glb"},

	{Name: "text/vtt", Label: "VTT", Extension: "vtt", Made: true},
	{Name: "model/stl", Label: "STL", Extension: "stl", Made: true},
}

var byName = func() map[string]Type {
	found := make(map[string]Type, len(All))
	for _, t := range All {
		found[t.Name] = t
	}
	return found
}()

// Find is the entry of a media type.
func Find(name string) (Type, bool) {
	t, ok := byName[name]
	return t, ok
}

// Taken tells whether files of a type may be sent.
func Taken(name string) bool {
	t, ok := byName[name]
	return ok && !t.Made
}

// Kind is the first half of a media type: image, video, audio, text, …
func Kind(name string) string {
	kind, _, _ := strings.Cut(name, "/")
	return kind
}

// KindOf is the kind of the files whose names end so, without a dot; empty for none of these.
func KindOf(extension string) string {
	for _, t := range All {
		if t.Extension == extension || slices.Contains(t.Endings, extension) {
			return Kind(t.Name)
		}
	}
	return ""
}

// Extension is how the address of a file of a type ends.
func Extension(name string) string {
	if t, ok := byName[name]; ok {
		return t.Extension
	}
	return "bin"
}

// Demuxer is ffmpeg's reader of a type; empty for what is neither a video nor a sound.
func Demuxer(name string) string {
	if name == "application/ogg" {
		return "ogg"
	}
	return byName[name].Demuxer
}

// ByStreams is the type of a file of a container, by whether it holds a video.
func ByStreams(name string, video bool) string {
	t := byName[name]
	if video && t.VideoInside != "" {
		return t.VideoInside
	}
	if !video && t.SoundAlone != "" {
		return t.SoundAlone
	}
	return name
}

// SameContainer tells whether two types may be of the same bytes, which one judged by the head and
// the other by the streams.
func SameContainer(a, b string) bool {
	return a == b || Demuxer(a) != "" && Demuxer(a) == Demuxer(b)
}

// Accept is the attribute accept of a form that takes files of some kinds: types and endings, since
// browsers know some types by their endings alone.
func Accept(kinds ...string) string {
	var all []string
	for _, t := range All {
		if t.Made || !slices.Contains(kinds, Kind(t.Name)) {
			continue
		}
		for _, one := range append([]string{t.Name, "." + t.Extension}, dotted(t.Endings)...) {
			if !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return strings.Join(all, ",")
}

func dotted(endings []string) (all []string) {
	for _, ending := range endings {
		all = append(all, "."+ending)
	}
	return all
}

// Labels are the formats of a kind for a sentence: "PNG, JPEG and WebP".
func Labels(kind string) string {
	var all []string
	for _, t := range All {
		if !t.Made && Kind(t.Name) == kind && !slices.Contains(all, t.Label) {
			all = append(all, t.Label)
		}
	}
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}
