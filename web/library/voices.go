package library

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// voicesView is the list of voices.
type voicesView struct {
	At     frame.Place
	Locked string
	List   frame.Listing
	Rows   []voiceRow
	Search string
}

type voiceRow struct {
	query.VoiceRow
	Src string
}

// Voices lists the personal and shared voices, then those of the program.
func (c Pages) Voices(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, r.URL.Path, 50)
	filter := query.VoiceFilter{
		Query: frame.Given(list.Values, "q"), Language: frame.Given(list.Values, "language"), Gender: known(list.Values, "gender", "female", "male", "neutral"),
		Provider: frame.Given(list.Values, "provider"),
	}
	for _, s := range query.AllVoiceSource {
		if list.Values.Get("source") == string(s) {
			filter.Source = &s
		}
	}
	res, err := query.Voices(r.Context(), c.Client, list.After(), &filter)
	if err != nil {
		return err
	}
	list.Loaded(res.Voices.PageInfo, len(res.Voices.Nodes), res.Voices.TotalCount)
	v := voicesView{List: list, Search: strings.TrimSpace(list.Values.Get("q")), At: frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")}
	v.Locked = frame.ClosedTo(r.Context(), v.At)
	for _, row := range res.Voices.Nodes {
		row.Name = frame.VoiceNamed(r.Context(), row.Name, row.Source)
		v.Rows = append(v.Rows, voiceRow{row, c.ShownMedia(row.PreviewUrl)})
	}
	frame.AllowMedia(w)
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Voices"), Section: frame.SectionLibrary, List: "/voices"}, voicesContent(v))
}

// known is a value of an address when it is one of those.
func known(values url.Values, name string, of ...string) *string {
	if s := values.Get(name); slices.Contains(of, s) {
		return &s
	}
	return nil
}

// voiceView is the page of a voice.
type voiceView struct {
	query.VoiceRow
	At        frame.Place
	Src       string
	Exports   bool
	Confirmed string // the text that was confirmed with the consent
	Texts     []frame.Statement
	Variants  []ui.Option
	Form      frame.Form
}

func (v voiceView) path() string { return "/voices/" + v.Id }

// VoicePage is the page of a voice.
func (c Pages) VoicePage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.VoicePage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	v := voiceView{VoiceRow: res.Voice, Src: c.ShownMedia(res.Voice.PreviewUrl), Form: frame.FormOf(r), At: c.spaceOf(r, res.Shell, res.Voice.WorkspaceId)}
	v.Name = frame.VoiceNamed(r.Context(), v.Name, v.Source)
	v.Variants, v.Confirmed = variantOptions(r.Context(), res.VoiceVariants), c.statement(v.Consent)
	v.Texts = c.statements(r.Context())
	v.Exports = c.Config.Export != nil && v.Source != query.VoiceSourceFactory
	frame.AllowMedia(w)
	at := frame.Page{Title: v.Name, Section: frame.SectionLibrary, Workspace: frame.Value(v.WorkspaceId)}
	return c.Page(w, r, res.Shell, at, voiceContent(v, c.Now()))
}

func variantOptions(ctx context.Context, names []string) []ui.Option {
	out := []ui.Option{{Value: "", Text: t(ctx, "As it is")}}
	for _, name := range names {
		out = append(out, ui.Option{Value: name, Text: name})
	}
	return out
}

// newVoiceView is the page on which voices are designed and cloned.
type newVoiceView struct {
	At       frame.Place
	Locked   string
	Form     frame.Form
	Base     string
	Bases    []ui.Option
	Variants []ui.Option
	Cloning  query.Cloning
	Operator bool
	Members  []ui.Option
	Texts    []frame.Statement // of consents
	Uploads  bool
}

// NewVoice is the page on which a voice is designed, or cloned.
func (c Pages) NewVoice(w http.ResponseWriter, r *http.Request) error {
	workspace := frame.SpaceOf(r).Workspace
	res, err := query.NewVoice(r.Context(), c.Client, workspace != "", workspace)
	if err != nil {
		return err
	}
	v := newVoiceView{Form: frame.FormOf(r), Base: r.URL.Query().Get("base"), Cloning: res.VoiceCloning, Uploads: c.Config.Upload != nil, Operator: res.Shell.Me.IsOperator}
	v.At, v.Texts = frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", ""), c.statements(r.Context())
	v.Locked, v.Variants, v.Members = frame.ClosedTo(r.Context(), v.At), variantOptions(r.Context(), res.VoiceVariants),
		memberOptions(r.Context(), res.Workspace.Members.Nodes, res.Me.Id)
	for _, one := range res.Voices.Nodes {
		if v.Base == "" && strings.HasPrefix(frame.Value(one.Language), "en") {
			v.Base = one.Id
		}
		v.Bases = append(v.Bases, ui.Option{Value: one.Id, Text: frame.VoiceChoice(r.Context(), one.Name, one.Language, one.Source), Selected: one.Id == v.Base})
	}
	if v.Base != "" {
		v.Bases = withChosen(r.Context(), v.Bases, &v.Base)
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "New voice"), Section: frame.SectionLibrary}, newVoiceContent(v))
}

// readVoiceSettings are the settings of a designed voice; what is empty stays as the voice has it.
func readVoiceSettings(r *http.Request) (map[string]any, error) {
	out := map[string]any{}
	if variant := frame.Text(r, "variant"); variant != "" {
		out["variant"] = variant
	}
	for _, name := range []string{"speed", "pitch", "pitchShift", "echo"} {
		text := frame.Text(r, name)
		if text == "" {
			continue
		}
		n, err := strconv.ParseFloat(strings.ReplaceAll(text, "−", "-"), 64)
		if err != nil {
			return nil, frame.Invalid(name, mark("Write a number, or leave it empty."))
		}
		out[name] = n
	}
	return out, nil
}

// CreateVoice designs a voice.
func (c Pages) CreateVoice(w http.ResponseWriter, r *http.Request) error {
	settings, err := readVoiceSettings(r)
	if err != nil {
		return frame.Again(w, r, err, c.NewVoice)
	}
	in := query.CreateVoiceInput{Name: frame.Text(r, "name"), BaseVoiceId: frame.Text(r, "baseVoiceId"), Settings: &settings, Visibility: visibilityIn(r)}
	in.Description = frame.TextOrNil(r, "description")
	res, err := query.CreateVoice(r.Context(), c.Client, in)
	if err != nil {
		return frame.Again(w, r, settingRefusal(err, ""), c.NewVoice)
	}
	return c.Done(w, "/voices/"+res.CreateVoice.Id, t(r.Context(), "%s is kept. Hear it.", res.CreateVoice.Name))
}

// CloneVoice makes a voice of a recording.
func (c Pages) CloneVoice(w http.ResponseWriter, r *http.Request) error {
	in := query.CloneVoiceInput{Name: frame.Text(r, "name"), Language: frame.Text(r, "language"), Visibility: visibilityIn(r)}
	consent, err := readConsent(r, true)
	in.Consent = consent
	if err == nil {
		in.SampleUrl, err = c.recording(r, "sample")
	}
	if err == nil {
		in.ConsentRecordingUrl, err = c.recording(r, "recording")
	}
	if err != nil {
		return frame.Again(w, r, err, c.NewVoice)
	}
	res, err := query.CloneVoice(r.Context(), c.Client, in)
	if err != nil {
		return frame.Again(w, r, err, c.NewVoice)
	}
	return c.Done(w, "/voices/"+res.CloneVoice.Voice.Id, t(r.Context(), "%s is being cloned.", res.CloneVoice.Voice.Name))
}

// recording keeps a sound of a form and says its address, nil when there is none.
func (c Pages) recording(r *http.Request, name string) (*string, error) {
	if r.MultipartForm == nil || c.Config.Upload == nil || len(r.MultipartForm.File[name]) == 0 || r.MultipartForm.File[name][0].Size == 0 {
		return nil, nil
	}
	file, err := r.MultipartForm.File[name][0].Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	address, err := c.Config.Upload(r.Context(), file)
	if e, known := frame.Refused(err); err != nil && known {
		return nil, frame.Invalid(name, e.Message)
	}
	return &address, err
}

// UpdateVoice saves the form of a voice.
func (c Pages) UpdateVoice(w http.ResponseWriter, r *http.Request) error {
	settings, err := readVoiceSettings(r)
	if err != nil {
		return frame.Again(w, r, err, c.VoicePage)
	}
	name, description := frame.Text(r, "name"), frame.Text(r, "description")
	in := query.UpdateVoiceInput{Name: &name, Description: &description, Visibility: visibilityIn(r)}
	if r.PostForm.Has("speed") {
		in.Settings = &settings
	}
	if version, err := strconv.Atoi(frame.Text(r, "version")); err == nil {
		in.Version = &version
	}
	if _, err := query.UpdateVoice(r.Context(), c.Client, frame.PathID(r), in); err != nil {
		return frame.Again(w, r, settingRefusal(err, ""), c.VoicePage)
	}
	return c.Done(w, "/voices/"+frame.PathID(r), t(r.Context(), "%s is saved.", name))
}

// PreviewVoice has a voice say something, to be heard on its page.
func (c Pages) PreviewVoice(w http.ResponseWriter, r *http.Request) error {
	res, err := query.PreviewVoice(r.Context(), c.Client, frame.PathID(r), frame.TextOrNil(r, "text"))
	if err != nil {
		return frame.Again(w, r, err, c.VoicePage)
	}
	return frame.SeeOther(w, "/runs/"+res.PreviewVoice.Job.ExecutionId)
}

// AskDeleteVoice says what goes with a voice.
func (c Pages) AskDeleteVoice(w http.ResponseWriter, r *http.Request) error {
	res, err := query.VoicePage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	v := res.Voice
	gone := []string{
		t(r.Context(), "What was spoken with it stays"), t(r.Context(), "Workflows and characters that name it cannot speak until another one is chosen"),
	}
	if v.Source == query.VoiceSourceCloned {
		gone = append(gone, t(r.Context(), "Its recordings, at once"), t(r.Context(), "Its copy at %s", frame.ProviderNamed(r.Context(), v.Provider)))
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Delete %s", v.Name), Section: frame.SectionLibrary, Workspace: frame.Value(v.WorkspaceId)},
		ui.ConfirmPage(ui.ConfirmProps{
			ID: "delete", Title: t(r.Context(), "Delete the voice %s?", v.Name), Consequences: gone, Danger: true, Confirm: t(r.Context(), "Delete %s", v.Name),
			CancelHref: "/voices/" + v.Id,
			Form: ui.FormProps{
				Action: "/voices/" + v.Id + "/delete", Hidden: []ui.Hidden{{Name: "return", Value: frame.SpacePath(frame.Value(v.WorkspaceId), "/voices")}},
			},
		}))
}

// DeleteVoice deletes a voice.
func (c Pages) DeleteVoice(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteVoice(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.VoicePage)
	}
	return c.Done(w, frame.Return(r, "/voices"), t(r.Context(), "The voice is deleted."))
}

// ExportVoice is everything that is kept of a voice, as one file.
func (c Pages) ExportVoice(w http.ResponseWriter, r *http.Request) error {
	return c.export(w, r, "voice", c.VoicePage)
}
