package kit

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"atelier/jsontext"
	"atelier/mediatype"
	"atelier/models"
)

// The bounds of an archive of a Lottie (.lottie): its bytes, the files that it lists, the bytes of that list, and what the
// animation and its pictures may have together.
const (
	maxArchive       = 12 << 20
	maxArchiveFiles  = 1_000
	maxArchiveList   = 256 << 10
	maxArchiveImages = 100
	maxUnpacked      = 12 << 20 // what is drawn at most
)

// archive makes of a .lottie its animation as JSON, with its pictures inside. Any other ZIP is refused by its name.
func (d *door) archive(ctx context.Context) error {
	release, err := decoding.take(ctx, originOf(ctx))
	if err != nil {
		return err
	}
	defer release()
	if err := d.checkArchive(); err != nil {
		return err
	}
	files, err := zip.NewReader(d.file, d.size)
	if err != nil {
		return notUploadable("a ZIP archive that cannot be read")
	}
	name := animationOf(files)
	if name == "" {
		return notUploadable(archiveName(files))
	}
	if d.size > maxArchive {
		return models.Err(models.CodePayloadTooLarge, "An animation may have at most %d MiB as .lottie", maxArchive>>20)
	}
	text, err := unpack(files, name, maxUnpacked)
	if err != nil {
		return err
	}
	if text, err = withPictures(files, text); err != nil {
		return err
	}
	return d.rewrite(mediatype.JSON, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// notUploadable refuses a file by its name for people.
func notUploadable(what string) error {
	return models.Err(models.CodeUnsupportedMediaType, "%s can be uploaded; this is %s", Uploadable, what)
}

// Uploadable says what can be uploaded.
const Uploadable = "Images (no SVG), video, audio, plain text, JSON, Lottie and GLB"

// checkArchive refuses, before anything reads it, an archive whose list is long or not where it says.
func (d *door) checkArchive() error {
	tail := make([]byte, min(d.size, 66<<10))
	if _, err := d.file.ReadAt(tail, d.size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	at := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if at < 0 || at+22 > len(tail) {
		return notUploadable("a ZIP archive that is cut off")
	}
	end := tail[at:]
	count, length, from := binary.LittleEndian.Uint16(end[10:]), int64(binary.LittleEndian.Uint32(end[12:])), int64(binary.LittleEndian.Uint32(end[16:]))
	if count > maxArchiveFiles || length > maxArchiveList || from+length != d.size-int64(len(tail))+int64(at) {
		return notUploadable("a ZIP archive")
	}
	return nil
}

// animationOf is the file of the animation that an archive shows first; empty when it is no .lottie.
func animationOf(files *zip.Reader) string {
	raw, err := unpack(files, "manifest.json", 1<<20)
	if err != nil {
		return ""
	}
	var manifest struct {
		Animations []struct{ ID string }
		Initial    struct{ Animation string }
		Active     string `json:"activeAnimationId"`
	}
	if jsontext.Read(raw, &manifest) != nil || len(manifest.Animations) == 0 {
		return ""
	}
	ids := []string{manifest.Initial.Animation, manifest.Active}
	for _, animation := range manifest.Animations {
		ids = append(ids, animation.ID)
	}
	for _, id := range ids {
		for _, folder := range []string{"animations/", "a/"} {
			if name := folder + id + ".json"; id != "" && find(files, name) != nil {
				return name
			}
		}
	}
	return ""
}

func find(files *zip.Reader, name string) *zip.File {
	i := slices.IndexFunc(files.File, func(f *zip.File) bool { return strings.EqualFold(f.Name, name) })
	if i < 0 {
		return nil
	}
	return files.File[i]
}

// unpack reads a file of an archive up to a number of bytes.
func unpack(files *zip.Reader, name string, limit int64) ([]byte, error) {
	file := find(files, name)
	if file == nil {
		return nil, models.Invalid("file", "is a .lottie without %s", name)
	}
	damaged := models.Invalid("file", "is a .lottie that is damaged")
	r, err := file.Open()
	if err != nil {
		return nil, damaged
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, damaged
	}
	if int64(len(data)) > limit {
		return nil, models.Err(models.CodePayloadTooLarge, "An animation may have at most %d MiB, unpacked", maxUnpacked>>20)
	}
	return data, nil
}

// withPictures puts the pictures of an archive into its animation, which else would look for them in files.
func withPictures(files *zip.Reader, text []byte) ([]byte, error) {
	var document map[string]any
	if err := jsontext.Read(text, &document); err != nil {
		return nil, models.Invalid("file", "is a .lottie whose animation is no JSON that can be read")
	}
	assets, _ := document["assets"].([]any)
	size, count := int64(len(text)), 0
	for _, asset := range assets {
		fields, _ := asset.(map[string]any)
		name, _ := fields["p"].(string)
		if name == "" || strings.HasPrefix(name, "data:") {
			continue
		}
		picture := pictureOf(files, name)
		if picture == nil {
			continue
		}
		if count++; count > maxArchiveImages {
			return nil, models.Invalid("file", "is a .lottie of more than %d pictures", maxArchiveImages)
		}
		data, err := unpack(files, picture.Name, max(maxUnpacked-size, 0)*3/4)
		if err != nil {
			return nil, err
		}
		if data, err = cleaned(data); err != nil {
			return nil, err
		}
		inside := "data:" + mediatype.Sniff(data[:min(len(data), sniffLength)]) + ";base64," + base64.StdEncoding.EncodeToString(data)
		size += int64(len(inside))
		fields["p"], fields["u"], fields["e"] = inside, "", 1
	}
	if count == 0 {
		return text, nil
	}
	return json.Marshal(document)
}

// pictureOf is the file of a picture of an animation.
func pictureOf(files *zip.Reader, name string) *zip.File {
	for _, folder := range []string{"images/", "i/", "animations/images/"} {
		if file := find(files, folder+path.Base(name)); file != nil {
			return file
		}
	}
	return nil
}

// archiveNames are kinds of ZIP by what they hold.
var archiveNames = []struct{ holds, name string }{
	{"word/", "a Word document (.docx)"}, {"xl/", "an Excel workbook (.xlsx)"}, {"ppt/", "a PowerPoint presentation (.pptx)"},
	{"META-INF/container.xml", "an e-book (.epub)"}, {"content.xml", "an OpenDocument file"}, {"AndroidManifest.xml", "an Android app (.apk)"},
	{"META-INF/", "a Java archive (.jar)"},
}

// archiveName names a ZIP for people.
func archiveName(files *zip.Reader) string {
	for _, known := range archiveNames {
		if slices.ContainsFunc(files.File, func(f *zip.File) bool { return strings.HasPrefix(f.Name, known.holds) }) {
			return known.name
		}
	}
	return "a ZIP archive: unpack it, and send what is in it"
}
