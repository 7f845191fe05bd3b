package library

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
	"path"

	"atelier/models"
	"atelier/models/media"
)

// VoiceExport is a voice with everything that is kept of it, to be written as an archive.
type VoiceExport struct {
	Voice  *Voice
	sounds map[string]*media.File
	media  *media.Store
	// statement is the text that was confirmed; nil where it is no one's voice.
	statement *string
}

// Export admits who may take a voice with them: who may edit it, and the person who is heard
// (insufficient_role). It is audited.
func (s Voices) Export(ctx context.Context, id models.ID) (*VoiceExport, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	v, err := s.Find(ctx, id)
	if err != nil {
		return nil, err
	}
	if v.Source == FactoryVoice {
		return nil, models.Err(models.CodeForbidden, "A voice of the program holds nothing to take along")
	}
	if !v.Can.Export {
		return nil, models.InsufficientRole("Only who may edit this voice, or is the person who is heard, may take it along")
	}
	kept := map[string]*models.ID{"preview": v.PreviewFileID, "sample": v.SampleFileID, "recording": v.RecordingFileID}
	var ids []models.ID
	for _, file := range kept {
		if file != nil {
			ids = append(ids, *file)
		}
	}
	files, err := s.library.previewsOf(s.library.DB.Read(ctx), ids)
	if err != nil {
		return nil, err
	}
	x := &VoiceExport{Voice: v, media: s.library.Media.Store, sounds: map[string]*media.File{}}
	for name, file := range kept {
		if file != nil && files[*file] != nil {
			x.sounds[name] = files[*file]
		}
	}
	if v.Consent != nil {
		x.statement = statementOf(&Element{DepictsPerson: true, Consent: v.Consent})
	}
	return x, s.library.DB.Write(ctx, func(tx *models.Tx) error { return auditVoice(tx, v, "voice.exported", nil) })
}

// Name is what the archive's file is called.
func (x *VoiceExport) Name() string { return "voice.zip" }

// Write writes the archive: voice.json, and the sounds that are kept.
func (x *VoiceExport) Write(ctx context.Context, out io.Writer) error {
	archive := zip.NewWriter(out)
	about, err := media.CreateEntry(archive, "voice.json", x.Voice.UpdatedAt, zip.Deflate)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(about)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(x.view()); err != nil {
		return err
	}
	for _, name := range []string{"preview", "sample", "recording"} {
		if file := x.sounds[name]; file != nil {
			if err := x.media.WriteEntry(ctx, archive, name+path.Ext(x.media.URL(file)), file, file.CreatedAt); err != nil {
				return err
			}
		}
	}
	return archive.Close()
}

func (x *VoiceExport) view() map[string]any {
	v := x.Voice
	var consent *exportedConsent
	if v.Consent != nil {
		consent = &exportedConsent{v.Consent, x.statement}
	}
	return map[string]any{
		"id": v.ID, "name": v.Name, "description": v.Description, "source": v.Source, "provider": v.Provider, "language": v.Language,
		"gender": v.Gender, "settings": v.Settings, "status": v.Status, "useCount": v.UseCount, "visibility": v.Visibility,
		"workspaceId": v.WorkspaceID, "createdBy": v.OwnerID, "createdAt": v.CreatedAt.UTC(), "updatedAt": v.UpdatedAt.UTC(),
		"version": v.Version, "consent": consent,
	}
}
