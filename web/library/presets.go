package library

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"
)

// presetsView is the list of settings that are worth keeping, by the type of their nodes.
type presetsView struct {
	At     frame.Place
	Locked string
	List   frame.Listing
	Search string
	Type   string
	Types  []ui.Option
	Groups []presetGroup
	kinds  nodeform.Kinds
}

// presetGroup are the presets of one type of nodes, those of the program first.
type presetGroup struct {
	Title string
	Rows  []query.PresetRow
}

// Presets lists the presets of the program and of the selected space.
func (c Pages) Presets(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, r.URL.Path, 50)
	filter := query.NodePresetFilter{NodeType: frame.Given(list.Values, "type"), Query: frame.Given(list.Values, "q"), Tag: frame.Given(list.Values, "tag")}
	factory := filter
	factory.Query = nil // their words are those of the page
	res, err := query.Presets(r.Context(), c.Client, list.After(), &filter, &factory, list.After() == nil)
	if err != nil {
		return err
	}
	list.Loaded(res.NodePresets.PageInfo, len(res.NodePresets.Nodes), res.NodePresets.TotalCount)
	v := presetsView{
		List: list, Search: strings.TrimSpace(list.Values.Get("q")), Type: list.Values.Get("type"), kinds: nodeform.KindsOf(res.NodeTypes),
		At: frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", ""),
	}
	v.Locked = frame.ClosedTo(r.Context(), v.At)
	v.Types = []ui.Option{{Value: "", Text: t(r.Context(), "Any"), Selected: v.Type == ""}}
	for _, k := range res.NodeTypes {
		v.Types = append(v.Types, ui.Option{Value: k.Type, Text: k.Label, Selected: k.Type == v.Type})
	}
	ours := slices.DeleteFunc(res.FactoryNodePresets.Nodes, func(p query.PresetRow) bool { return !presetFits(r.Context(), p, v.Search) })
	v.Groups = presetGroups(append(slices.Clip(ours), res.NodePresets.Nodes...), v.kinds)
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Presets"), Section: frame.SectionLibrary, List: "/presets"}, presetsContent(v))
}

// presetFits tells whether a preset of the program has a text in its name, its description or its tags, in the reader's
// language or in English.
func presetFits(ctx context.Context, p query.PresetRow, text string) bool {
	said := []string{
		p.Name, p.Description, strings.Join(p.Tags, ", "),
		frame.PresetNamed(ctx, p.Name, true), frame.PresetAbout(ctx, p.Description, true), frame.PresetTags(ctx, p.Tags, true),
	}
	return strings.Contains(strings.ToLower(strings.Join(said, "\n")), strings.ToLower(text))
}

func presetGroups(rows []query.PresetRow, k nodeform.Kinds) []presetGroup {
	var out []presetGroup
	for _, row := range rows {
		title := k.Label(row.NodeType)
		i := slices.IndexFunc(out, func(g presetGroup) bool { return g.Title == title })
		if i < 0 {
			i = len(out)
			out = append(out, presetGroup{Title: title})
		}
		out[i].Rows = append(out[i].Rows, row)
	}
	return out
}

// presetView is the page of a preset, or the form of a new one.
type presetView struct {
	query.PresetDetail
	Kind     query.NodeKind
	Controls []nodeform.Control
	Kinds    []query.NodeKind // to choose from, in a new one
	At       frame.Place
	Form     frame.Form
	New      bool
}

// PresetPage is the page of a preset.
func (c Pages) PresetPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.PresetPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	k := nodeform.KindsOf(res.NodeTypes)
	v := presetView{PresetDetail: res.NodePreset, Kind: k[res.NodePreset.NodeType], Form: frame.FormOf(r)}
	v.Controls = nodeform.SettingControls(v.NodeType, v.Settings, k)
	v.At = frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")
	if err := nodeform.AddThings(c.Console, r, v.Controls); err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: frame.PresetNamed(r.Context(), v.Name, v.IsFactory), Section: frame.SectionLibrary}, presetContent(v))
}

// NewPreset is the form of a new preset: of a type that is chosen, or of the settings of a node that a form sends.
func (c Pages) NewPreset(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Catalogue(r.Context(), c.Client)
	if err != nil {
		return err
	}
	k := nodeform.KindsOf(res.NodeTypes)
	v := presetView{New: true, Kinds: res.NodeTypes, Form: frame.FormOf(r), At: frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")}
	v.NodeType = r.FormValue("type")
	v.Kind = k[v.NodeType]
	if text := r.PostForm.Get("settings"); text != "" && v.Form.Err == nil {
		if err := frame.ReadJSON(text, &v.Settings); err != nil {
			return frame.Invalid("settings", t(r.Context(), "The fields cannot be read."))
		}
	}
	if v.Kind.Type != "" {
		v.Controls = nodeform.SettingControls(v.NodeType, v.Settings, k)
		if err := nodeform.AddThings(c.Console, r, v.Controls); err != nil {
			return err
		}
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "New preset"), Section: frame.SectionLibrary}, newPresetContent(v))
}

// CreatePreset keeps a preset.
func (c Pages) CreatePreset(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Catalogue(r.Context(), c.Client)
	if err != nil {
		return err
	}
	k, nodeType := nodeform.KindsOf(res.NodeTypes), frame.Text(r, "type")
	settings, err := nodeform.ReadSettings(r.Context(), nodeform.SettingControls(nodeType, nil, k), nil, r.PostForm)
	if err != nil {
		return frame.Again(w, r, err, c.NewPreset)
	}
	in := query.CreateNodePresetInput{NodeType: nodeType, Name: frame.Text(r, "name"), Settings: settings, Description: frame.TextOrNil(r, "description")}
	in.Tags = frame.SplitWords(frame.Text(r, "tags"))
	if v := query.WorkflowVisibility(frame.Text(r, "visibility")); v != "" {
		in.Visibility = &v
	}
	made, err := query.CreateNodePreset(r.Context(), c.Client, in)
	if err != nil {
		return frame.Again(w, r, settingRefusal(err, "in-"), c.NewPreset)
	}
	return c.Done(w, "/presets/"+made.CreateNodePreset.Id, t(r.Context(), "%s is kept.", made.CreateNodePreset.Name))
}

// UpdatePreset saves the form of a preset.
func (c Pages) UpdatePreset(w http.ResponseWriter, r *http.Request) error {
	res, err := query.PresetPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	p := res.NodePreset
	settings, err := nodeform.ReadSettings(r.Context(), nodeform.SettingControls(p.NodeType, p.Settings, nodeform.KindsOf(res.NodeTypes)), p.Settings, r.PostForm)
	if err != nil {
		return frame.Again(w, r, err, c.PresetPage)
	}
	name, description := frame.Text(r, "name"), frame.Text(r, "description")
	in := query.UpdateNodePresetInput{Name: &name, Description: &description, Settings: &settings, Tags: frame.SplitWords(frame.Text(r, "tags"))}
	if v := query.WorkflowVisibility(frame.Text(r, "visibility")); v != "" {
		in.Visibility = &v
	}
	if version, err := strconv.Atoi(frame.Text(r, "version")); err == nil {
		in.Version = &version
	}
	if _, err := query.UpdateNodePreset(r.Context(), c.Client, p.Id, in); err != nil {
		return frame.Again(w, r, settingRefusal(err, "in-"), c.PresetPage)
	}
	return c.Done(w, "/presets/"+p.Id, t(r.Context(), "%s is saved.", name))
}

// UsePreset makes a workflow of one node that has the preset, to be filled in and run.
func (c Pages) UsePreset(w http.ResponseWriter, r *http.Request) error {
	data := map[string]any{"presetId": frame.PathID(r)}
	nodeType := frame.Text(r, "type")
	in := query.CreateWorkflowInput{Name: frame.Text(r, "name"), Nodes: []query.WorkflowNodeInput{{Id: nodeType, Type: nodeType, Data: &data}}, Edges: []query.WorkflowEdgeInput{}}
	res, err := query.CreateWorkflow(r.Context(), c.Client, in)
	if err != nil {
		return frame.Again(w, r, err, c.PresetPage)
	}
	return c.Done(w, "/workflows/"+res.CreateWorkflow.Id, t(r.Context(), "This workflow has one node with the preset. Fill in the rest and run it."))
}

// DuplicatePreset makes an own copy of a preset.
func (c Pages) DuplicatePreset(w http.ResponseWriter, r *http.Request) error {
	res, err := query.DuplicateNodePreset(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return frame.Again(w, r, err, c.PresetPage)
	}
	return c.Done(w, "/presets/"+res.DuplicateNodePreset.Id, t(r.Context(), "This copy is yours."))
}

// AskDeletePreset says what goes with a preset.
func (c Pages) AskDeletePreset(w http.ResponseWriter, r *http.Request) error {
	res, err := query.PresetPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	p := res.NodePreset
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Delete %s", p.Name), Section: frame.SectionLibrary}, ui.ConfirmPage(ui.ConfirmProps{
		ID: "delete", Title: t(r.Context(), "Delete the preset %s?", p.Name), Danger: true, Confirm: t(r.Context(), "Delete %s", p.Name),
		CancelHref:   "/presets/" + p.Id,
		Consequences: []string{t(r.Context(), "What was made with it stays"), t(r.Context(), "Workflows that name it cannot run until another one is chosen")},
		Form:         ui.FormProps{Action: "/presets/" + p.Id + "/delete"},
	}))
}

// DeletePreset deletes a preset.
func (c Pages) DeletePreset(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteNodePreset(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.PresetPage)
	}
	return c.Done(w, "/presets", t(r.Context(), "The preset is deleted."))
}

// ImportPresetsPage takes presets out of a file.
func (c Pages) ImportPresetsPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Import presets"), Section: frame.SectionLibrary}, importPresetsContent(frame.FormOf(r)))
}

// ImportPresets keeps all presets of a file, or none.
func (c Pages) ImportPresets(w http.ResponseWriter, r *http.Request) error {
	var file struct {
		Presets []query.CreateNodePresetInput `json:"presets"`
	}
	text, err := frame.ChosenOrPasted(r, "file", "presets")
	if err != nil {
		return frame.Again(w, r, err, c.ImportPresetsPage)
	}
	if err := frame.ReadJSON(text, &file); err != nil || len(file.Presets) == 0 {
		return frame.Again(w, r, frame.Invalid("presets", t(r.Context(), "Choose a file, or paste presets as the form of it says.")), c.ImportPresetsPage)
	}
	res, err := query.ImportNodePresets(r.Context(), c.Client, file.Presets)
	if err != nil {
		return frame.Again(w, r, err, c.ImportPresetsPage)
	}
	to := frame.SpacePath(frame.SpaceOf(r).Workspace, "/presets")
	return c.Done(w, to, tn(r.Context(), "%d preset is kept.", "%d presets are kept.", len(res.ImportNodePresets)))
}
