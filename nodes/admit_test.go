//go:build !race

package nodes

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/tiff"

	"atelier/mediatype"
	"atelier/models"
	"atelier/nodes/kit"
)

// admitted is what becomes of a file at the door, with its content.
func admitted(t *testing.T, data []byte) (*kit.Admitted, []byte, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sent")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	got, err := kit.Admit(context.Background(), file, int64(len(data)), kit.SniffType(data[:min(len(data), mediatype.SniffLength)]))
	if err != nil || got.File == nil {
		return got, data, err
	}
	defer os.Remove(got.File.Name())
	defer got.File.Close()
	kept, err := io.ReadAll(io.NewSectionReader(got.File, 0, 1<<30))
	return got, kept, err
}

const secret = "N 52.5200 E 13.4050"

// exif is a block that states an orientation, and a place in words.
func exif(orientation byte) []byte {
	b := []byte("MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00")
	b[19] = orientation
	return append(b, secret...)
}

func segment(marker byte, body []byte) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2)), body...)
}

func pngChunk(name string, body []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	b = append(append(b, name...), body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

func joined(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func testJPEG(t *testing.T, width, height int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width / 2 {
		for y := range height {
			img.Set(x, y, color.RGBA{255, 0, 0, 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func testPNG(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// personalPictures are pictures that tell where they were taken, by format.
func personalPictures(t *testing.T) map[string][]byte {
	photo, plain := testJPEG(t, 30, 20), testPNG(t)
	profile := segment(0xe2, append([]byte("ICC_PROFILE\x00\x01\x01"), append(make([]byte, 16), "RGB rest"...)...))
	var animation bytes.Buffer
	frame := image.NewPaletted(image.Rect(0, 0, 30, 20), color.Palette{color.Black, color.White})
	if err := gif.EncodeAll(&animation, &gif.GIF{Image: []*image.Paletted{frame, frame}, Delay: []int{1, 1}}); err != nil {
		t.Fatal(err)
	}
	comment := append([]byte{0x21, 0xfe, byte(len(secret))}, append([]byte(secret), 0)...)
	moving := animation.Bytes()
	still := made(t, "-f", "lavfi", "-i", "color=c=red:s=30x20", "-frames:v", "1", "-c:v", "libwebp", "-lossless", "1", "-f", "image2pipe", "-")
	extended := joined([]byte("VP8X\x0a\x00\x00\x00\x0c\x00\x00\x00\x1d\x00\x00\x13\x00\x00"), still[12:], []byte("XMP \x14\x00\x00\x00"), []byte(secret+" "))
	webp := joined([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(len(extended)+4)), []byte("WEBP"), extended)
	return map[string][]byte{
		"jpeg": joined(photo[:2], segment(0xe1, append([]byte("Exif\x00\x00"), exif(1)...)), segment(0xe1, []byte("http://ns.adobe.com/xap/1.0/\x00"+secret)),
			segment(0xed, []byte("Photoshop 3.0\x00"+secret)), segment(0xfe, []byte(secret)), profile, photo[2:], []byte("a film follows "+secret)),
		"png":  joined(plain[:33], pngChunk("eXIf", exif(1)), pngChunk("tEXt", []byte("Comment\x00"+secret)), pngChunk("iTXt", []byte("XML:com.adobe.xmp\x00\x00\x00\x00\x00"+secret)), plain[33:], []byte(secret)),
		"gif":  joined(moving[:len(moving)-1], comment, []byte{0x3b}, []byte(secret)),
		"webp": webp,
	}
}

func TestPicturesTellNothingOfPlaces(t *testing.T) {
	for format, data := range personalPictures(t) {
		if !bytes.Contains(data, []byte(secret)) {
			t.Fatal(format, "holds no secret")
		}
		got, kept, err := admitted(t, data)
		if err != nil || got.ContentType != "image/"+format || got.Width != 30 || got.Height != 20 || got.Size != int64(len(kept)) {
			t.Errorf("%s: %+v, %v", format, got, err)
			continue
		}
		if bytes.Contains(kept, []byte(secret)) || bytes.Contains(kept, []byte("Exif")) || bytes.Contains(kept, []byte("eXIf")) {
			t.Errorf("%s still tells it", format)
		}
		if format == "jpeg" && !bytes.Contains(kept, []byte("ICC_PROFILE")) {
			t.Error("the color profile is gone")
		}
		if again, _, err := admitted(t, kept); err != nil || again.File != nil {
			t.Errorf("%s is rewritten twice, %v", format, err)
		}
		if format == "gif" {
			if all, err := gif.DecodeAll(bytes.NewReader(kept)); err != nil || len(all.Image) != 2 {
				t.Errorf("the animation does not move any more: %v", err)
			}
		} else if _, _, err := image.Decode(bytes.NewReader(kept)); err != nil && format != "webp" {
			t.Errorf("%s: %v", format, err)
		}
	}
}

func TestPicturesAreTurnedUprightAtTheDoor(t *testing.T) {
	photo := testJPEG(t, 40, 20)
	data := joined(photo[:2], segment(0xe1, append([]byte("Exif\x00\x00"), exif(6)...)), photo[2:])
	got, kept, err := admitted(t, data)
	if err != nil || got.ContentType != mediatype.JPEG || got.Width != 20 || got.Height != 40 {
		t.Fatalf("%+v, %v", got, err)
	}
	img, err := jpeg.Decode(bytes.NewReader(kept))
	if err != nil || img.Bounds().Dx() != 20 {
		t.Fatal(img, err)
	}
	wantColor(t, img.At(10, 3), 255, 0, 0) // what was left is above
}

func TestWhatBrowsersDoNotShowBecomesAPicture(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var scan bytes.Buffer
	if err := tiff.Encode(&scan, image.NewGray(image.Rect(0, 0, 80, 40)), nil); err != nil {
		t.Fatal(err)
	}
	avif := filepath.Join(t.TempDir(), "still.avif")
	made(t, "-f", "lavfi", "-i", "color=c=red:s=80x40", "-frames:v", "1", "-c:v", "libaom-av1", "-still-picture", "1", "-cpu-used", "8", avif)
	still, err := os.ReadFile(avif)
	if err != nil {
		t.Fatal(err)
	}
	s := newShelf()
	for name, data := range map[string][]byte{"heic": read("photo.heic"), "tiff": scan.Bytes(), "avif": still} {
		got, kept, err := admitted(t, data)
		if err != nil || got.ContentType != mediatype.JPEG && got.ContentType != mediatype.PNG || got.Width != 80 || got.Height != 40 {
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		if got.ContentType != kit.SniffType(kept) {
			t.Errorf("%s is called %s", name, got.ContentType)
		}
		wantSize(t, seen(t, s, must(t, s, "convert-image", map[string]any{"imageUrl": s.put(name, data)})), 80, 40)
	}
	t.Setenv("PATH", t.TempDir())
	_, _, err = admitted(t, read("photo.heic"))
	if refusal, _ := models.AsError(err); refusal == nil || refusal.Code != models.CodeUnsupportedMediaType || !strings.Contains(refusal.Message, "JPEG") {
		t.Errorf("without a program: %v", err)
	}
}

func TestSoundsAreToldByTheirStreams(t *testing.T) {
	memo, err := os.ReadFile("testdata/voice-memo.webm")
	if err != nil {
		t.Fatal(err)
	}
	file := func(name string, args ...string) []byte {
		path := filepath.Join(t.TempDir(), name)
		made(t, append(append([]string{"-f", "lavfi", "-i", testTone}, args...), path)...)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	film := filepath.Join(t.TempDir(), "film.mp4")
	made(t, "-f", "lavfi", "-i", testPicture, "-metadata", "location=+52.5200+013.4050/", "-metadata", "artist="+secret, film)
	told, err := os.ReadFile(film)
	if err != nil || !bytes.Contains(told, []byte(secret)) {
		t.Fatal("the film tells nothing", err)
	}
	s := newShelf()
	for name, c := range map[string]struct {
		data []byte
		kind string
	}{
		"a memo": {memo, "audio/webm"}, "mp4": {file("a.mp4"), "audio/mp4"}, "mkv": {file("a.mkv"), "audio/x-matroska"},
		"mov": {file("a.mov"), "audio/mp4"}, "m4a": {file("a.m4a"), "audio/mp4"}, "mp3": {file("a.mp3", "-metadata", "artist="+secret), "audio/mpeg"},
		"flac": {file("a.flac", "-metadata", "comment="+secret), "audio/flac"}, "wav": {file("a.wav", "-metadata", "artist="+secret), "audio/wav"},
		"ogg": {file("a.ogg", "-metadata", "artist="+secret), "audio/ogg"}, "a film": {told, "video/mp4"}, "on its side": {onItsSide(t), "video/mp4"},
	} {
		got, kept, err := admitted(t, c.data)
		if err != nil || got.ContentType != c.kind || got.Duration == 0 || bytes.Contains(kept, []byte(secret)) || bytes.Contains(kept, []byte("+52.5200")) {
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		if again, _, err := admitted(t, kept); err != nil || again.File != nil || again.Width != got.Width {
			t.Errorf("%s is rewritten twice: %+v, %v", name, again, err)
		}
		if mediatype.Kind(c.kind) == "audio" {
			if out := must(t, s, "upload-audio", map[string]any{"audioUrl": s.put(name, kept)}); out["contentType"] != c.kind {
				t.Errorf("upload-audio says %v of %s", out["contentType"], name)
			}
			_, err := try(t, s, "upload-video", map[string]any{"videoUrl": s.put(name, kept)})
			wantFailure(t, err, "")
		}
	}
}

func TestTheFirstPictureOfAMovingWebPIsUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "moving.webp")
	made(t, "-f", "lavfi", "-i", testPicture, "-c:v", "libwebp_anim", path)
	data, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(data, []byte("ANMF")) {
		t.Fatal("it does not move", err)
	}
	got, kept, err := admitted(t, data)
	if err != nil || got.ContentType != mediatype.WebP || got.Width != 64 || !bytes.Equal(kept, data) {
		t.Errorf("%+v, %v", got, err)
	}
	s := newShelf()
	wantSize(t, seen(t, s, must(t, s, "convert-image", map[string]any{"imageUrl": s.put("moving.webp", data)})), 64, 48)
}

// archived is a ZIP of files.
func archived(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		part, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(part, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAnArchiveOfALottieBecomesItsAnimation(t *testing.T) {
	animation := `{"v":"5.7.0","w":10,"h":10,"fr":25,"ip":0,"op":25,"layers":[],"assets":[{"id":"a","w":30,"h":20,"u":"/images/","p":"a.png","e":0}]}`
	manifest := `{"version":"1.0","animations":[{"id":"one"}]}`
	for _, folder := range []string{"animations/", "a/"} {
		got, kept, err := admitted(t, archived(t, map[string]string{"manifest.json": manifest, folder + "one.json": animation, "images/a.png": string(testPNG(t))}))
		if err != nil || got.ContentType != mediatype.JSON || !bytes.Contains(kept, []byte(`"p":"data:image/png;base64,`)) {
			t.Errorf("%+v, %s, %v", got, kept, err)
		}
	}
	for name, c := range map[string]struct {
		files map[string]string
		code  models.Code
		says  string
	}{
		"word":    {map[string]string{"[Content_Types].xml": "", "word/document.xml": ""}, models.CodeUnsupportedMediaType, "Word document"},
		"excel":   {map[string]string{"xl/workbook.xml": ""}, models.CodeUnsupportedMediaType, "Excel"},
		"plain":   {map[string]string{"a.txt": "x"}, models.CodeUnsupportedMediaType, "ZIP"},
		"a bomb":  {map[string]string{"manifest.json": manifest, "animations/one.json": strings.Repeat(" ", 13<<20)}, models.CodePayloadTooLarge, "12 MiB"},
		"no JSON": {map[string]string{"manifest.json": manifest, "animations/one.json": "{"}, models.CodeValidation, "JSON"},
	} {
		_, _, err := admitted(t, archived(t, c.files))
		if refusal, _ := models.AsError(err); refusal == nil || refusal.Code != c.code || !strings.Contains(refusal.Message, c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPicturesThatAreRefusedAtTheDoor(t *testing.T) {
	frame := pngChunk("fcTL", joined([]byte{0, 0, 0, 1}, []byte{0, 0, 0x40, 0, 0, 0, 0x10, 0}, make([]byte, 14)))
	plain := testPNG(t)
	for name, c := range map[string]struct {
		data []byte
		code models.Code
		says string
	}{
		"thin":           {bombPNG(60_000_000, 1), models.CodeValidation, "16,384"},
		"tall":           {bombPNG(1, 16_385), models.CodeValidation, "16,384"},
		"broken":         {[]byte("\x89PNG\r\n\x1a\nnothing of a picture"), models.CodeValidation, "damaged"},
		"many frames":    {joined(plain[:33], bytes.Repeat(frame, 100), plain[33:]), models.CodeValidation, "animation"},
		"too many bytes": {joined(plain[:33], pngChunk("IDAT", make([]byte, 33<<20)), plain[33:]), models.CodePayloadTooLarge, "32 MiB"},
	} {
		_, _, err := admitted(t, c.data)
		if refusal, _ := models.AsError(err); refusal == nil || refusal.Code != c.code || !strings.Contains(refusal.Message, c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A text of 95 MiB within a small picture goes, and the picture stays.
	got, kept, err := admitted(t, joined(plain[:33], pngChunk("tEXt", make([]byte, 95<<20)), plain[33:]))
	if err != nil || !bytes.Equal(kept, plain) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestThinPicturesFailTheirJob(t *testing.T) {
	s := newShelf()
	thin := s.put("thin.png", bombPNG(60_000_000, 1))
	_, err := try(t, s, "compose-image", map[string]any{"imageUrl": thin, "overlayUrl": thin})
	wantFailure(t, err, "16,384")
	_, err = try(t, s, "resize-image", map[string]any{"imageUrl": picture(t, s, 4, 1000), "width": 8192.0})
	wantFailure(t, err, "16,384")
}
