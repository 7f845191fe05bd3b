package studio

import (
	"context"
	"net/http"
	"strconv"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// shotForm is the form of a shot, or of a new one.
type shotForm struct {
	loaded
	Shot query.ShotRow
	New  bool
	Src  string // path of its own picture
	// Prompt is what came with the address, from the prompt helper, else the shot's.
	Prompt string
}

// here is the address of this very form.
func (v shotForm) here() string {
	if v.New {
		return v.path("/shots/new")
	}
	return v.action()
}

func (v shotForm) action() string {
	if v.New {
		return v.path("/shots")
	}
	return v.path("/shots/" + v.Shot.Id)
}

func (v shotForm) title(ctx context.Context) string {
	if v.New {
		return t(ctx, "New shot")
	}
	return nameOf(ctx, v.Shot)
}

// ShotPage is the form of a shot.
func (c Pages) ShotPage(w http.ResponseWriter, r *http.Request) error {
	p, err := c.load(r, wanted{Voices: true})
	if err != nil {
		return err
	}
	s, found := p.shot(r)
	if !found {
		return frame.ErrNotFound
	}
	v := shotForm{loaded: p, Shot: s, Src: c.ShownMedia(s.OwnImageUrl), Prompt: frame.Or(r.URL.Query().Get("prompt"), s.Prompt)}
	return c.show(w, r, p, v.title(r.Context()), shotContent(v, c.shotView(r.Context(), p, s)))
}

// NewShot is the form of a shot that is added.
func (c Pages) NewShot(w http.ResponseWriter, r *http.Request) error {
	p, err := c.load(r, wanted{Voices: true})
	if err != nil {
		return err
	}
	v := shotForm{loaded: p, New: true, Prompt: r.URL.Query().Get("prompt"), Shot: query.ShotRow{
		Position: len(p.Shots) + 1, Camera: query.Camera{Size: "medium", Angle: "eye", Movement: "static"},
	}}
	return c.show(w, r, p, v.title(r.Context()), shotContent(v, shotView{}))
}

// fields are what the form of a shot says.
func (c Pages) fields(r *http.Request) (query.UpdateShotInput, error) {
	text := func(name string) *string {
		s := frame.Text(r, name)
		return &s
	}
	on := func(name string) *bool {
		b := r.PostForm.Get(name) != ""
		return &b
	}
	ids := func(name string) []string { return append([]string{}, r.PostForm[name]...) }
	in := query.UpdateShotInput{
		Title: text("title"), Action: text("action"), Dialogue: text("dialogue"), SpeakerId: frame.TextOrNil(r, "speakerId"), SpeakerName: text("speakerName"), VoiceId: frame.TextOrNil(r, "voiceId"),
		CharacterIds: ids("characterIds"), CreatureIds: ids("creatureIds"), ObjectIds: ids("objectIds"), LocationId: frame.TextOrNil(r, "locationId"),
		Camera: &query.ShotCameraInput{Size: text("size"), Angle: text("angle"), Movement: text("movement")},
		Prompt: text("prompt"), NegativePrompt: text("negativePrompt"), Skip: on("skip"), Locked: on("locked"), Notes: text("notes"),
	}
	var err error
	if in.Duration, err = decimal(r, "duration"); err != nil {
		return in, err
	}
	address, err := c.keptFile(r, "picture-file")
	switch {
	case err != nil:
		return in, err
	case address != "":
		in.OwnImageUrl = &address
	case r.PostForm.Get("picture-remove") == "":
		in.OwnImageUrl = frame.PastedLinkOrNil(r, "ownImageUrl")
	}
	if address != "" { // another try of a refused form keeps what was brought
		r.PostForm.Set("ownImageUrl", address)
	}
	if version, err := strconv.Atoi(frame.Text(r, "version")); err == nil {
		in.Version = &version
	}
	return in, nil
}

// UpdateShot saves the form of a shot.
func (c Pages) UpdateShot(w http.ResponseWriter, r *http.Request) error {
	in, err := c.fields(r)
	if err == nil {
		_, err = query.UpdateShot(r.Context(), c.Client, frame.PathID(r), pathShot(r), in)
	}
	if err != nil {
		return frame.Again(w, r, shotRefusal(err), c.ShotPage)
	}
	return c.Done(w, back(r)+"#shot-"+pathShot(r), t(r.Context(), "The shot is saved."))
}

// CreateShot adds a shot.
func (c Pages) CreateShot(w http.ResponseWriter, r *http.Request) error {
	f, err := c.fields(r)
	if err != nil {
		return frame.Again(w, r, err, c.NewShot)
	}
	in := query.CreateShotInput{
		Title: f.Title, Action: f.Action, Dialogue: f.Dialogue, SpeakerId: f.SpeakerId, SpeakerName: f.SpeakerName, VoiceId: f.VoiceId, CharacterIds: f.CharacterIds,
		CreatureIds: f.CreatureIds, ObjectIds: f.ObjectIds, LocationId: f.LocationId, Camera: f.Camera, Duration: f.Duration, Prompt: f.Prompt,
		NegativePrompt: f.NegativePrompt, OwnImageUrl: f.OwnImageUrl, Skip: f.Skip, Locked: f.Locked, Notes: f.Notes,
	}
	if at, err := strconv.Atoi(frame.Text(r, "position")); err == nil {
		in.Position = &at
	}
	res, err := query.CreateShot(r.Context(), c.Client, frame.PathID(r), in)
	if err != nil {
		return frame.Again(w, r, shotRefusal(err), c.NewShot)
	}
	return c.Done(w, back(r)+"#shot-"+res.CreateShot.Id, t(r.Context(), "The shot is added."))
}

// shotRefusal makes a refusal of a part one of the field that it stands in.
func shotRefusal(err error) error {
	e, known := frame.Refused(listRefusal(err))
	if !known {
		return err
	}
	switch e.Field {
	case "camera.size", "camera.angle", "camera.movement":
		e.Field = e.Field[len("camera."):]
	}
	return e
}

// positions are where a new shot may stand.
func positions(ctx context.Context, v loaded) []ui.Option {
	out := []ui.Option{{Value: "", Text: t(ctx, "At the end")}, {Value: "1", Text: t(ctx, "At the beginning")}}
	for _, s := range v.Shots {
		if s.Position < len(v.Shots) {
			out = append(out, ui.Option{Value: strconv.Itoa(s.Position + 1), Text: t(ctx, "After %s", nameOf(ctx, s))})
		}
	}
	return out
}

// AskDeleteShot says what goes with a shot.
func (c Pages) AskDeleteShot(w http.ResponseWriter, r *http.Request) error {
	p, err := c.load(r, wanted{})
	if err != nil {
		return err
	}
	s, found := p.shot(r)
	if !found {
		return frame.ErrNotFound
	}
	ctx := r.Context()
	out := []string{t(ctx, "Its words, and the picture, sound and clip of it")}
	if s.IsShared {
		out = append(out, t(ctx, "No one sees it any more at its public address, at once"))
	}
	return c.show(w, r, p, t(ctx, "Delete %s", nameOf(ctx, s)), ui.ConfirmPage(ui.ConfirmProps{
		ID: "delete", Title: t(ctx, "Delete %s?", nameOf(ctx, s)), Danger: true, Confirm: t(ctx, "Delete the shot"), CancelHref: p.path() + "#shot-" + s.Id,
		Consequences: append(out, t(ctx, "The film stays as it is until it is rendered again")), Form: ui.FormProps{Action: p.path("/shots/" + s.Id + "/delete")},
	}))
}

// DeleteShot deletes a shot.
func (c Pages) DeleteShot(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteShot(r.Context(), c.Client, frame.PathID(r), pathShot(r)); err != nil {
		return frame.Again(w, r, err, c.AskDeleteShot)
	}
	return c.Done(w, back(r)+"#shots", t(r.Context(), "The shot is deleted."))
}
