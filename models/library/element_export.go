package library

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
	"path"
	"strconv"
	"time"

	"atelier/csvtext"
	"atelier/models"
	"atelier/models/media"
	"atelier/models/space"
)

// maxExportedUses is how many uses an export lists, the newest.
const maxExportedUses = 10_000

// Export is an element with everything that is known of it, to be written as an archive.
type Export struct {
	Element *Element
	images  []*Image
	uses    []*Use
	media   *media.Store
	// statement is the text that was confirmed; nil where no one is depicted.
	statement *string
}

// Export admits who may take an element of a kind with them: who may edit
// it, and the person who is depicted (insufficient_role). It is audited.
func (s Elements) Export(ctx context.Context, kind Kind, id models.ID) (*Export, error) {
	e, r, err := s.Reach(ctx, id)
	if err != nil {
		return nil, err
	}
	if e.Kind != kind {
		return nil, errNoElement
	}
	if !e.Can.Export {
		return nil, models.InsufficientRole("Only who may edit this %s, or is the person whom it shows, may take it along", e.Kind)
	}
	images, err := s.library.Images().ByElement(ctx, []models.ID{id})
	if err != nil {
		return nil, err
	}
	uses, err := s.library.exportedUses(ctx, e, r)
	if err != nil {
		return nil, err
	}
	x := &Export{Element: e, images: images[id], uses: uses, media: s.library.Media.Store, statement: statementOf(e)}
	return x, s.library.DB.Write(ctx, func(tx *models.Tx) error { return auditElement(tx, e, "exported", nil) })
}

// Name is what the archive's file is called.
func (x *Export) Name() string { return x.Element.Handle + ".zip" }

func (s *Service) exportedUses(ctx context.Context, e *Element, r *space.Viewer) (uses []*Use, err error) {
	err = s.usesOf(ctx, e, r).Order("element_uses.execution_id DESC").Limit(maxExportedUses).Find(&uses).Error
	return uses, err
}

// Write writes the archive: element.json, the pictures and uses.csv.
func (x *Export) Write(ctx context.Context, out io.Writer) error {
	archive := zip.NewWriter(out)
	now := x.Element.UpdatedAt
	names := x.pictureNames()
	about, err := media.CreateEntry(archive, "element.json", now, zip.Deflate)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(about)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(x.view(names)); err != nil {
		return err
	}
	for i, image := range x.images {
		if err := x.media.WriteEntry(ctx, archive, names[i], image.File, image.CreatedAt); err != nil {
			return err
		}
	}
	table, err := media.CreateEntry(archive, "uses.csv", now, zip.Deflate)
	if err != nil {
		return err
	}
	if err := csvtext.Write(table, x.table()...); err != nil {
		return err
	}
	return archive.Close()
}

// pictureNames are the names of the pictures in the archive.
func (x *Export) pictureNames() []string {
	names := make([]string, len(x.images))
	for i, image := range x.images {
		names[i] = "pictures/" + strconv.Itoa(i+1) + "-" + string(image.Role) + path.Ext(x.media.URL(image.File))
	}
	return names
}

// table are the uses as rows of uses.csv.
func (x *Export) table() [][]string {
	rows := [][]string{{"executionId", "jobId", "workflowId", "userId", "how", "createdAt"}}
	for _, use := range x.uses {
		how := ""
		if use.How != nil {
			how = *use.How
		}
		rows = append(rows, []string{
			use.ExecutionID.String(), idText(use.JobID), idText(use.WorkflowID), use.UserID.String(), how, use.CreatedAt.UTC().Format(time.RFC3339),
		})
	}
	return rows
}

func idText(id *models.ID) string {
	if id == nil {
		return ""
	}
	return id.String()
}

// exportedImage is a picture in element.json, with its name in the archive.
type exportedImage struct {
	ID          models.ID  `json:"id"`
	File        string     `json:"file"`
	Role        ImageRole  `json:"role"`
	Caption     string     `json:"caption"`
	Width       *int       `json:"width"`
	Height      *int       `json:"height"`
	ContentType string     `json:"contentType"`
	IsPrimary   bool       `json:"isPrimary"`
	JobID       *models.ID `json:"jobId"`
	CreatedAt   time.Time  `json:"createdAt"`
}

// exportedConsent is a consent with the text that was confirmed.
type exportedConsent struct {
	*Consent
	StatementText *string `json:"statementText"`
}

// view is what element.json holds.
func (x *Export) view(names []string) map[string]any {
	e := x.Element
	images := make([]exportedImage, len(x.images))
	for i, image := range x.images {
		images[i] = exportedImage{
			ID: image.ID, File: names[i], Role: image.Role, Caption: image.Caption, Width: image.File.Width, Height: image.File.Height,
			ContentType: image.File.ContentType, IsPrimary: image.IsPrimary, JobID: image.JobID, CreatedAt: image.CreatedAt.UTC(),
		}
	}
	var consent *exportedConsent
	if e.Consent != nil {
		consent = &exportedConsent{e.Consent, x.statement}
	}
	return map[string]any{
		"id": e.ID, "kind": e.Kind, "name": e.Name, "handle": e.Handle, "description": e.Description, "prompt": e.Prompt,
		"negativePrompt": e.NegativePrompt, "attributes": e.Attributes, "tags": e.Tags, "seed": e.Seed, "palette": e.Palette,
		"images": images, "status": e.Status, "voiceId": e.VoiceID, "faceId": e.FaceID, "depictsPerson": e.DepictsPerson,
		"consent": consent, "training": e.Training, "source": e.Source, "useCount": e.UseCount, "visibility": e.Visibility,
		"workspaceId": e.WorkspaceID, "projectId": e.ProjectID, "createdBy": e.OwnerID, "createdAt": e.CreatedAt.UTC(),
		"updatedAt": e.UpdatedAt.UTC(), "version": e.Version,
	}
}
