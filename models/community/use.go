package community

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/library"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// mayUse refuses copies that the license, or the status, does not allow.
func (p *Post) mayUse() error {
	switch {
	case p.Status != Visible:
		return models.Err(models.CodeForbidden, "This post is not visible; it cannot be copied")
	case p.License == viewOnly:
		return models.Err(models.CodeForbidden, "Its author lets this be looked at, not copied")
	}
	return nil
}

// UsePost makes a private copy of what was posted in the selected space; of an app it tells the
// slug. A post counts each account once, its author not at all.
func (s *Service) UsePost(ctx context.Context, id models.ID, in UsePostInput) (*UsedPost, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	used := &UsedPost{}
	_, err := s.changePost(ctx, id, func(tx *models.Tx, p *Post) error {
		if err := p.mayUse(); err != nil {
			return err
		}
		if in.Name == nil {
			in.Name = &p.Title
		}
		used.Kind = p.Kind
		if err := s.copyPost(tx, p, in, used); err != nil || p.IsOwn {
			return err
		}
		fresh, err := mark(tx, p, markUse)
		if err != nil || !fresh {
			return err
		}
		return tx.Exec(`UPDATE community_posts SET uses = uses + 1 WHERE id = ?`, p.ID).Error
	})
	return used, err
}

func (s *Service) copyPost(tx *models.Tx, p *Post, in UsePostInput, used *UsedPost) (err error) {
	source, err := json.Marshal(copiedFrom{PostID: p.ID, Title: p.Title, License: p.License, Author: p.Author.DisplayName})
	if err != nil {
		return err
	}
	var id models.ID
	switch {
	case p.Kind == PostApp:
		_, err = s.Flows.Apps().Find(tx.Context(), p.Content.Slug)
		used.Slug = &p.Content.Slug
		return err
	case p.Kind == PostWorkflow:
		id, err = s.copyWorkflow(tx, p, in, source)
	case p.Kind == PostPreset:
		id, err = s.copyPreset(tx, p, in, source)
	case p.Kind == PostVoice:
		id, err = s.copyVoice(tx, p, in, source)
	case p.Kind.isElement():
		id, err = s.copyElement(tx, p, in, source)
	case p.Kind == PostPipeline:
		id, err = s.copyPipeline(tx, p, in, source)
	}
	used.ID = &id
	return err
}

func (s *Service) copyWorkflow(tx *models.Tx, p *Post, in UsePostInput, source []byte) (models.ID, error) {
	private := space.Private
	w, err := s.Flows.CreateWorkflow(tx.Context(), flow.CreateWorkflowInput{
		Name: *in.Name, Description: &p.Content.Description, ProjectID: in.ProjectID, Visibility: &private,
		Nodes: p.Content.Nodes, Edges: p.Content.Edges, PostID: &p.ID, Source: source,
	})
	if err != nil {
		return models.ID{}, err
	}
	return w.ID, nil
}

func (s *Service) copyPreset(tx *models.Tx, p *Post, in UsePostInput, source []byte) (models.ID, error) {
	c := p.Content
	return s.Library.Presets().InsertCopy(tx, library.CreatePresetInput{
		NodeType: c.NodeType, Name: *in.Name, Settings: c.Settings, Description: &c.Description, Tags: c.Tags, ProjectID: in.ProjectID, ImageURL: &c.ImageURL,
	}, source)
}

func (s *Service) copyVoice(tx *models.Tx, p *Post, in UsePostInput, source []byte) (models.ID, error) {
	c := p.Content
	v := &library.Voice{
		Source: library.DesignedVoice, Status: library.Ready, Provider: c.Provider, BaseVoice: c.BaseVoice, Language: c.Language, Gender: c.Gender,
		Settings: map[string]any{}, PostSource: source,
	}
	maps.Copy(v.Settings, c.Settings)
	err := s.Library.Voices().InsertCopy(tx, v, *in.Name, c.Description)
	return v.ID, err
}

func (s *Service) copyElement(tx *models.Tx, p *Post, in UsePostInput, source []byte) (models.ID, error) {
	name, err := models.CleanName("name", *in.Name)
	if err != nil {
		return models.ID{}, err
	}
	c := p.Content
	e := &library.Element{
		Kind: library.Kind(p.Kind), Name: name, Description: c.Description, Prompt: c.Prompt, NegativePrompt: c.NegativePrompt,
		Attributes: library.Attributes{}, Tags: slices.Clone(c.Tags), Seed: c.Seed, Palette: slices.Clone(c.Palette), Status: library.Ready, Source: source, Version: 1,
	}
	maps.Copy(e.Attributes, c.Attributes)
	files, err := s.Media.PrivateFiles(tx.DB, p.PictureIDs...)
	if err != nil {
		return models.ID{}, err
	}
	var pictures []library.CopiedPicture
	for i, picture := range c.Pictures {
		if of := files[p.PictureIDs[i]]; of != nil {
			like := library.Image{Role: picture.Role, Caption: picture.Caption, IsPrimary: picture.IsPrimary, Palette: picture.Palette}
			pictures = append(pictures, library.CopiedPicture{Image: like, File: of})
		}
	}
	err = s.Library.Elements().InsertCopy(tx, e, in.ProjectID, pictures)
	return e.ID, err
}

// judgePost works out what it takes to use a post, and what one run costs.
func (s *Service) judgePost(ctx context.Context, p *Post) error {
	p.Requires = []*Requirement{}
	c := p.Content
	switch p.Kind {
	case PostPipeline:
		needs, cost := s.judgePipeline(ctx, c)
		p.EstimatedCredits = &cost
		s.require(p, needs)
	case PostWorkflow:
		cost := s.Flows.EstimateCost(ctx, &flow.Workflow{Nodes: c.Nodes, Edges: c.Edges, OwnerID: p.AuthorID, WorkspaceID: p.WorkspaceID})
		p.EstimatedCredits = &cost
		s.require(p, c.Nodes)
	case PostApp:
		app, err := s.Flows.Apps().Find(ctx, c.Slug)
		var refusal *models.Error
		if errors.As(err, &refusal) {
			return nil // it was switched off or deleted since
		}
		if err != nil {
			return err
		}
		cost := app.Price()
		p.EstimatedCredits = &cost
		s.require(p, app.Latest.Nodes)
	case PostPreset:
		s.require(p, nodegraph.Nodes{{Type: c.NodeType, Data: c.Settings}})
	case PostVoice:
		s.require(p, nodegraph.Nodes{{Type: "text-to-speech", Data: map[string]any{"provider": c.Provider}}})
	}
	return nil
}

// require adds the node types of a graph, each once with each provider that it names.
func (s *Service) require(p *Post, all nodegraph.Nodes) {
	seen := map[string]bool{}
	for _, n := range all {
		r := &Requirement{NodeType: n.Type}
		if provider, named := n.Data["provider"].(string); named && provider != "" {
			r.Provider = &provider
		}
		key := n.Type + "\n" + models.Deref(r.Provider)
		if seen[key] {
			continue
		}
		seen[key] = true
		kind, known := s.Flows.Catalogue.Find(n.Type)
		r.Offered = known && kind.Unusable(n.Data) == ""
		p.Requires = append(p.Requires, r)
	}
}

// Shown is the snapshot as readers get it, with addresses of its pictures that end.
func (s *Service) Shown(ctx context.Context, p *Post) (map[string]any, error) {
	if p.Content == nil {
		return nil, nil
	}
	written, err := json.Marshal(p.Content)
	if err != nil {
		return nil, err
	}
	shown := map[string]any{}
	if err := json.Unmarshal(written, &shown); err != nil {
		return nil, err
	}
	if (p.Kind == PostWorkflow || p.Kind == PostPipeline) && shown["removed"] == nil {
		shown["removed"] = []string{}
	}
	if len(p.PictureIDs) == 0 {
		return shown, nil
	}
	files, err := s.Media.PrivateFiles(s.DB.Read(ctx), p.PictureIDs...)
	pictures, _ := shown["pictures"].([]any)
	for i, id := range p.PictureIDs {
		if picture, ok := pictures[i].(map[string]any); ok && files[id] != nil {
			address, until := s.Media.SignedURL(files[id], s.DB.Clock.Now())
			picture["url"], picture["urlExpiresAt"] = address, until
		}
	}
	return shown, err
}
