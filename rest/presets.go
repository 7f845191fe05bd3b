package rest

import (
	"context"
	"encoding/json"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

// libraryTag groups what people keep to use in their runs.
const libraryTag = "Library"

// maxImportBody is of an import of presets, in bytes.
const maxImportBody = 5 << 20

// presetRoutes keep settings of node types.
func (a *API) presetRoutes() {
	const tag, all, each = libraryTag, "/v1/node-presets", "/v1/node-presets/{id}"
	const scope = models.ScopeExecute
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "List the presets of the selected space, newest first", Scope: scope}, a.listPresets)
	handle(a, route{Method: "GET", Path: all + "/factory", Tag: tag, Summary: "List the presets that come with the program, by node type and name", Scope: scope}, a.listFactoryPresets)
	handle(a, route{Method: "POST", Path: all, Tag: tag, Summary: "Keep settings of a node type under a name", Scope: scope, Status: 201}, a.createPreset)
	handle(a, route{Method: "POST", Path: all + "/import", Tag: tag, Summary: "Keep up to 100 presets, all of them or none", Scope: scope, Status: 201, MaxBody: maxImportBody}, a.importPresets)
	handle(a, route{Method: "GET", Path: each, Tag: tag, Summary: "One preset", Scope: scope}, a.getPreset)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Change a preset", Scope: scope}, a.updatePreset)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Delete a preset", Scope: scope}, a.deletePreset)
	handle(a, route{Method: "POST", Path: each + "/duplicate", Tag: tag, Summary: "Copy a preset into the selected space", Scope: scope, Status: 201}, a.duplicatePreset)
}

type presetView struct {
	ID          models.ID         `json:"id"`
	NodeType    string            `json:"nodeType"`
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Settings    map[string]any    `json:"settings" doc:"{{field}} in a text is the node's own value of that field."`
	Tags        []string          `json:"tags"`
	ImageURL    *string           `json:"imageUrl"`
	IsFactory   bool              `json:"isFactory" doc:"It comes with the program."`
	Usable      bool              `json:"usable"`
	Reason      *string           `json:"reason" doc:"Why it cannot be used on this install."`
	UseCount    int               `json:"useCount"`
	Source      json.RawMessage   `json:"source" doc:"What it is a copy of."`
	Visibility  *space.Visibility `json:"visibility" enum:"private,workspace"`
	WorkspaceID *models.ID        `json:"workspaceId"`
	ProjectID   *models.ID        `json:"projectId"`
	CreatedBy   *models.ID        `json:"createdBy"`
	CreatedAt   timestamp         `json:"createdAt"`
	UpdatedAt   timestamp         `json:"updatedAt"`
	Version     int               `json:"version"`
	Access      space.Access      `json:"access" enum:"view,edit,creator"`
}

func viewPreset(p *library.Preset) presetView {
	v := presetView{
		ID: p.ID, NodeType: p.NodeType, Name: p.Name, Description: p.Description, Settings: p.Settings, Tags: append([]string{}, p.Tags...),
		ImageURL: p.ImageURL, IsFactory: p.IsFactory, Usable: p.Usable, Reason: p.Reason, UseCount: p.UseCount, Source: p.Source,
		WorkspaceID: p.WorkspaceID, ProjectID: p.ProjectID, CreatedAt: timestamp(p.CreatedAt), UpdatedAt: timestamp(p.UpdatedAt),
		Version: p.Version, Access: p.Access,
	}
	if !p.IsFactory {
		v.Visibility, v.CreatedBy = &p.Visibility, &p.OwnerID
	}
	return v
}

// presetBack answers with one preset.
func presetBack(p *library.Preset, err error) (*single[presetView], error) {
	if err != nil {
		return nil, err
	}
	return one(viewPreset(p)), nil
}

type presetListInput struct {
	PageQuery
	NodeType queryString `query:"nodeType" doc:"Those of one node type."`
	Query    queryString `query:"q" doc:"What stands in the name, the description or the tags."`
	Tag      queryString `query:"tag" doc:"Those with this tag."`
	Mine     queryBool   `query:"mine" doc:"Those that the caller made."`
}

func (in *presetListInput) filter() *library.PresetFilter {
	return &library.PresetFilter{NodeType: in.NodeType.Value, Query: in.Query.Value, Tag: in.Tag.Value, Mine: in.Mine.Value}
}

func (a *API) listPresets(ctx context.Context, in *presetListInput) (*many[presetView], error) {
	presets, err := a.query().NodePresets(ctx, in.first(), in.after(), in.filter())
	if err != nil {
		return nil, err
	}
	return page(presets, viewPreset), nil
}

type factoryListInput struct {
	PageQuery
	NodeType queryString `query:"nodeType" doc:"Those of one node type."`
	Query    queryString `query:"q" doc:"What stands in the name, the description or the tags."`
}

func (a *API) listFactoryPresets(ctx context.Context, in *factoryListInput) (*many[presetView], error) {
	filter := &library.PresetFilter{NodeType: in.NodeType.Value, Query: in.Query.Value}
	presets, err := a.query().FactoryNodePresets(ctx, in.first(), in.after(), filter)
	if err != nil {
		return nil, err
	}
	return page(presets, viewPreset), nil
}

// PresetBody is a new preset.
type PresetBody struct {
	NodeType    string            `json:"nodeType"`
	Name        string            `json:"name"`
	Settings    map[string]any    `json:"settings" doc:"Of the node type, see inputSchema of GET /v1/nodes/{type}; those that it does not know are dropped."`
	Description *string           `json:"description,omitempty"`
	Tags        []string          `json:"tags,omitempty"`
	ImageURL    *string           `json:"imageUrl,omitempty"`
	Visibility  *space.Visibility `json:"visibility,omitempty" doc:"private or workspace; the default is the workspace's setting."`
	ProjectID   *models.ID        `json:"projectId,omitempty"`
}

func (b PresetBody) input() *library.CreatePresetInput {
	return &library.CreatePresetInput{
		NodeType: b.NodeType, Name: b.Name, Settings: b.Settings, Description: b.Description, Tags: b.Tags,
		ImageURL: b.ImageURL, Visibility: b.Visibility, ProjectID: b.ProjectID,
	}
}

type createPresetInput struct{ Body PresetBody }

func (a *API) createPreset(ctx context.Context, in *createPresetInput) (*single[presetView], error) {
	return presetBack(a.mutation().CreateNodePreset(ctx, *in.Body.input()))
}

type importPresetsInput struct {
	Body struct {
		Presets []PresetBody `json:"presets"`
	}
}

func (a *API) importPresets(ctx context.Context, in *importPresetsInput) (*single[[]presetView], error) {
	made, err := a.mutation().ImportNodePresets(ctx, mapAll(in.Body.Presets, PresetBody.input))
	if err != nil {
		return nil, err
	}
	return one(mapAll(made, viewPreset)), nil
}

func (a *API) getPreset(ctx context.Context, in *IDPath) (*single[presetView], error) {
	return presetBack(a.query().NodePreset(ctx, in.ID))
}

type updatePresetInput struct {
	IDPath
	Body struct {
		Name        models.Opt[string]    `json:"name,omitzero"`
		Settings    models.OptMap         `json:"settings,omitzero" doc:"In place of the old ones."`
		Description models.Opt[string]    `json:"description,omitzero"`
		Tags        models.Opt[[]string]  `json:"tags,omitzero"`
		ImageURL    models.Opt[string]    `json:"imageUrl,omitzero"`
		Visibility  models.Opt[string]    `json:"visibility,omitzero"`
		ProjectID   models.Opt[models.ID] `json:"projectId,omitzero"`
		Version     *int                  `json:"version,omitempty" doc:"The version that the change was made on; another current one is refused as stale_version."`
	}
}

func (a *API) updatePreset(ctx context.Context, in *updatePresetInput) (*single[presetView], error) {
	change := library.UpdatePresetInput{
		Name: in.Body.Name, Settings: in.Body.Settings, Description: in.Body.Description, Tags: in.Body.Tags,
		ImageURL: in.Body.ImageURL, ProjectID: in.Body.ProjectID, Version: in.Body.Version,
	}
	if v, sent := in.Body.Visibility.ValueOK(); sent {
		change.Visibility = models.Null[space.Visibility]()
		if v != nil {
			change.Visibility = models.Some(space.Visibility(*v))
		}
	}
	return presetBack(a.mutation().UpdateNodePreset(ctx, in.ID, change))
}

func (a *API) deletePreset(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().DeleteNodePreset(ctx, in.ID)
	return succeeded(err)
}

func (a *API) duplicatePreset(ctx context.Context, in *IDPath) (*single[presetView], error) {
	return presetBack(a.mutation().DuplicateNodePreset(ctx, in.ID))
}
