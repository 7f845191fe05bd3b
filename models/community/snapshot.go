package community

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/media"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// taken is a new snapshot, with where its thing lives.
type taken struct {
	*Snapshot
	space *space.Viewer
	owned space.Owned
	// pictures are the files of Snapshot.Pictures, in their order.
	pictures []*media.File
	// source is what the thing is a copy of.
	source json.RawMessage
}

// takeSnapshot reads a thing for a post: of the one who made it, and of admins who may edit
// members' work. What is never posted is a validation_error on sourceId.
func (s *Service) takeSnapshot(ctx context.Context, kind PostKind, id models.ID) (t *taken, err error) {
	var access space.Access
	switch {
	case kind == PostWorkflow:
		t, access, err = s.takeWorkflow(ctx, id)
	case kind == PostApp:
		t, access, err = s.takeApp(ctx, id)
	case kind == PostPreset:
		t, access, err = s.takePreset(ctx, id)
	case kind == PostVoice:
		t, access, err = s.takeVoice(ctx, id)
	case kind.isElement():
		t, access, err = s.takeElement(ctx, library.Kind(kind), id)
	case kind == PostPipeline:
		t, access, err = s.takePipeline(ctx, id)
	default:
		err = errPostKind
	}
	if err != nil {
		return nil, err
	}
	if t.space, err = s.Spaces.Of(ctx, t.owned); models.HasCode(err, models.CodeNotFound) {
		return nil, models.InsufficientRole("Only who made this, or an admin of its workspace, may post it")
	} else if err != nil {
		return nil, err
	}
	err = t.space.MayManageAs(access, string(kind))
	if models.HasCode(err, models.CodeWorkspaceArchived) {
		return t, nil // posting is judged as creating, refreshing as a change
	}
	return t, err
}

func (s *Service) takeWorkflow(ctx context.Context, id models.ID) (*taken, space.Access, error) {
	w, err := s.Flows.FindWorkflow(ctx, id)
	if err != nil {
		return nil, "", err
	}
	t := &taken{owned: space.Owned{OwnerID: w.OwnerID, WorkspaceID: w.WorkspaceID, OrganizationID: w.OrganizationID, Visibility: w.Visibility}}
	t.Snapshot = &Snapshot{Name: w.Name, Description: w.Description, Edges: w.Edges}
	t.Nodes, t.Removed = s.withoutOwn(w.Nodes)
	if w.PostID != nil {
		t.source, err = json.Marshal(copiedFrom{PostID: *w.PostID})
	}
	return t, w.Access, err
}

// ownFields name a secret or a workflow of one account.
var ownFields = []string{"credentialId", "workflowId"}

// withoutOwn is a graph without what belongs to one account: credentials, destinations, the
// workflows of components, and what of the library does not come with the program. Timetables
// are paused. removed are the places.
func (s *Service) withoutOwn(all nodegraph.Nodes) (kept nodegraph.Nodes, removed []string) {
	removed = []string{}
	for i, n := range nodegraph.WithoutDestinations(all) {
		for _, name := range slices.Sorted(maps.Keys(all[i].Data)) {
			if _, shown := n.Data[name]; !shown || s.isOwn(n, name) {
				delete(n.Data, name)
				removed = append(removed, "nodes."+n.ID+".data."+name)
			}
		}
		if n.Type == nodegraph.ScheduleTriggerType {
			delete(n.Data, "active")
		}
		kept = append(kept, n)
	}
	return kept, removed
}

// settingsWithoutOwn are the settings of a preset without what belongs to one account.
func (s *Service) settingsWithoutOwn(p *library.Preset) (kept map[string]any, removed []string) {
	nodes, taken := s.withoutOwn(nodegraph.Nodes{{ID: "preset", Type: p.NodeType, Data: p.Settings}})
	for _, place := range taken {
		removed = append(removed, "settings."+strings.TrimPrefix(place, "nodes.preset.data."))
	}
	return nodes[0].Data, removed
}

func (s *Service) isOwn(n *nodegraph.Node, field string) bool {
	if slices.Contains(ownFields, field) {
		return true
	}
	kind, known := s.Flows.Catalogue.Find(n.Type)
	if !known || kind.LibraryKind(field) == "" {
		return false
	}
	text, _ := n.Data[field].(string)
	id, err := models.ParseID(field, text)
	return err != nil || id.Version() != 5 // what comes with the program is the same everywhere
}

func (s *Service) takeApp(ctx context.Context, id models.ID) (*taken, space.Access, error) {
	app, err := s.Flows.Apps().FindManaged(ctx, id)
	if err != nil {
		return nil, "", err
	}
	w, err := s.Flows.FindWorkflowAccess(ctx, app.WorkflowID)
	if err != nil {
		return nil, "", err
	}
	if !app.IsActive {
		return nil, "", models.Invalid("sourceId", "names an app that is switched off")
	}
	t := &taken{owned: space.Owned{OwnerID: w.OwnerID, WorkspaceID: w.WorkspaceID, OrganizationID: w.OrganizationID, Visibility: w.Visibility}}
	t.Snapshot = &Snapshot{Name: app.Name, Description: app.Description, Slug: app.Slug, ImageURL: app.IconURL}
	return t, w.Access, nil
}

func (s *Service) takePreset(ctx context.Context, id models.ID) (*taken, space.Access, error) {
	p, _, err := s.Library.Presets().Reach(ctx, s.DB.Read(ctx), id)
	if err != nil {
		return nil, "", err
	}
	if p.IsFactory {
		return nil, "", library.ErrFromProgram
	}
	settings, removed := s.settingsWithoutOwn(p)
	if len(settings) == 0 {
		return nil, "", models.Invalid("sourceId", "names a preset of which nothing is left without what is yours alone")
	}
	t := &taken{owned: p.Owned(), source: p.Source}
	t.Snapshot = &Snapshot{Name: p.Name, Description: p.Description, NodeType: p.NodeType, Settings: settings, Tags: p.Tags, Removed: removed}
	if p.ImageURL != nil {
		t.ImageURL = *p.ImageURL
	}
	return t, p.Access, nil
}

func (s *Service) takeVoice(ctx context.Context, id models.ID) (*taken, space.Access, error) {
	v, _, err := s.Library.Voices().Reach(ctx, s.DB.Read(ctx), id)
	if err != nil {
		return nil, "", err
	}
	if err := v.CheckPostable(); err != nil {
		return nil, "", err
	}
	t := &taken{owned: v.Owned(), source: v.PostSource}
	t.Snapshot = &Snapshot{Name: v.Name, Description: v.Description, Provider: v.Provider, BaseVoice: v.BaseVoice, Language: v.Language, Gender: v.Gender, Settings: v.Settings}
	return t, v.Access, nil
}

func (s *Service) takeElement(ctx context.Context, kind library.Kind, id models.ID) (*taken, space.Access, error) {
	e, _, err := s.Library.Elements().Reach(ctx, id)
	if err != nil {
		return nil, "", err
	}
	if e.Kind != kind {
		return nil, "", models.NotFound("Element")
	}
	if err := e.CheckPostable(); err != nil {
		return nil, "", err
	}
	t := &taken{owned: e.Owned(), source: e.Source}
	t.Snapshot = &Snapshot{
		Name: e.Name, Description: e.Description, Prompt: e.Prompt, NegativePrompt: e.NegativePrompt,
		Attributes: maps.Clone(e.Attributes), Tags: slices.Clone(e.Tags), Seed: e.Seed, Palette: slices.Clone(e.Palette),
	}
	return t, e.Access, s.photograph(ctx, e, t)
}

func (s *Service) photograph(ctx context.Context, e *library.Element, t *taken) error {
	images, err := library.ImagesOf(s.DB.Read(ctx), e.ID)
	if err != nil || len(images) == 0 {
		return err
	}
	ids := make([]models.ID, len(images))
	for i, image := range images {
		ids[i] = image.FileID
	}
	files, err := s.Media.PrivateFiles(s.DB.Read(ctx), ids...)
	for _, image := range images {
		if file := files[image.FileID]; file != nil {
			t.pictures = append(t.pictures, file)
			t.Pictures = append(t.Pictures, SnapshotPicture{Role: image.Role, Caption: image.Caption, IsPrimary: image.IsPrimary, Palette: image.Palette})
		}
	}
	return err
}

// remixed is the post that the thing is a copy of; nil for none.
func (t *taken) remixed() *models.ID {
	var from copiedFrom
	if len(t.source) == 0 || json.Unmarshal(t.source, &from) != nil || from.PostID == (models.ID{}) {
		return nil
	}
	return &from.PostID
}

// keepSnapshot lays a snapshot into a post, with files of its own.
func (s *Service) keepSnapshot(tx *models.Tx, p *Post, t *taken) error {
	if err := s.dropFiles(tx, p); err != nil {
		return err
	}
	p.Content, p.RemixOf = t.Snapshot, t.remixed()
	for _, picture := range t.pictures {
		file, err := s.Media.CopyPrivate(tx, p.AuthorID, p.WorkspaceID, picture)
		if err != nil {
			return err
		}
		p.PictureIDs = append(p.PictureIDs, file.ID)
	}
	return nil
}

// dropFiles removes the files of a post.
func (s *Service) dropFiles(tx *models.Tx, p *Post) error {
	if err := s.conceal(tx, p); err != nil || len(p.PictureIDs) == 0 {
		return err
	}
	err := s.Media.RemovePrivate(tx, p.PictureIDs...)
	p.PictureIDs = models.IDs{}
	return err
}

// reveal gives a visible post its public picture, conceal takes it away.
func (s *Service) reveal(tx *models.Tx, p *Post) error {
	if p.PublishedAt == nil {
		p.PublishedAt = &tx.Now
	}
	if len(p.PictureIDs) == 0 {
		if p.ImageURL = nil; p.Content.ImageURL != "" {
			p.ImageURL = &p.Content.ImageURL
		}
		return nil
	}
	shown := max(0, slices.IndexFunc(p.Content.Pictures, func(picture SnapshotPicture) bool { return picture.IsPrimary }))
	files, err := s.Media.PrivateFiles(tx.DB, p.PictureIDs[shown])
	if err != nil || files[p.PictureIDs[shown]] == nil {
		return err
	}
	file, err := s.Media.CopyPublic(tx, p.AuthorID, p.WorkspaceID, files[p.PictureIDs[shown]])
	if err != nil {
		return err
	}
	address := s.Media.URL(file)
	p.ShownFileID, p.ImageURL = &file.ID, &address
	return nil
}

func (s *Service) conceal(tx *models.Tx, p *Post) error {
	file := p.ShownFileID
	p.ShownFileID, p.ImageURL = nil, nil
	if file == nil {
		return nil
	}
	return s.Media.RemovePublic(tx, *file)
}

// setStatus shows a post, or takes it away, with its public picture.
func (s *Service) setStatus(tx *models.Tx, p *Post, status PostStatus) error {
	if err := s.conceal(tx, p); err != nil {
		return err
	}
	if p.Status = status; status != Visible {
		return nil
	}
	return s.reveal(tx, p)
}
