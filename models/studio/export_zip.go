package studio

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"path"

	"atelier/models"
	"atelier/models/media"
)

// exportedFile is a file of an archive.
type exportedFile struct {
	name string
	file *media.File
}

// collectFiles finds what an archive holds: pictures, sounds and clips of shots by their numbers,
// and the film.
func (s *Service) collectFiles(ctx context.Context, x *Export) error {
	folders := map[StageName]string{ImageStage: "pictures", SpeechStage: "sounds", ClipStage: "clips"}
	type wanted struct{ name, url string }
	var all []wanted
	for i, shot := range x.production.Shots {
		for _, stage := range StageNames {
			if url := shot.ResultURL(stage); url != nil {
				all = append(all, wanted{fmt.Sprintf("%s/%02d", folders[stage], i+1), *url})
			}
		}
	}
	if film := x.production.VideoURL; film != nil {
		all = append(all, wanted{"film", *film})
	}
	urls := make([]string, len(all))
	for i, one := range all {
		urls[i] = one.url
	}
	found, err := s.Media.FilesAt(s.DB.Read(ctx), urls)
	if err != nil {
		return err
	}
	size := int64(0)
	for _, one := range all {
		file := found[one.url]
		if file == nil { // deleted since
			continue
		}
		if size += file.Size; size > MaxExport {
			return models.Invalid("format", "must be another: an archive of this production would be larger than %s; take the shots one by one", models.ByteSize(MaxExport))
		}
		x.files = append(x.files, exportedFile{one.name + path.Ext(s.Media.URL(file)), file})
	}
	return nil
}

// writeArchive writes the texts, and then the files as they lie in the bucket.
func (x *Export) writeArchive(ctx context.Context, out io.Writer) error {
	archive := zip.NewWriter(out)
	now := x.production.UpdatedAt
	for _, text := range []struct {
		name  string
		write func(context.Context, io.Writer) error
	}{{"production.json", x.writeJSON}, {"shots.csv", x.writeShots}, {"captions.srt", x.writeSRT}, {"captions.vtt", x.writeVTT}} {
		entry, err := media.CreateEntry(archive, text.name, now, zip.Deflate)
		if err != nil {
			return err
		}
		if err := text.write(ctx, entry); err != nil {
			return err
		}
	}
	for _, one := range x.files {
		if err := x.media.WriteEntry(ctx, archive, one.name, one.file, one.file.CreatedAt); err != nil {
			return err
		}
	}
	return archive.Close()
}
