package library

import (
	"context"
	"net/http"
	"net/url"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// elementView is the page of an element.
type elementView struct {
	query.ElementDetail
	Kind     Kind
	At       frame.Place
	Pictures []picture
	Uses     query.ElementUses
	Check    *query.TrainingFound
	Run      *query.ElementRun // what was begun last from this page
	Form     frame.Form
	Prefill  url.Values
	Uploads  bool
	Exports  bool
	VoiceSrc string
	Brought  string // where the picture is that was refused, for another try
	// Confirmed is the text that was confirmed with the consent.
	Confirmed string
	Texts     []frame.Statement
}

// picture is one of an element, with the path that shows it.
type picture struct {
	query.ElementPicture
	Src string
}

func (v elementView) path() string { return itemPath(v.ElementDetail.Kind, v.Id) }

// within is an address beneath the element's that works in the space of the element, which pays.
func (v elementView) within(beneath string) string {
	return frame.Within(v.path()+beneath, frame.Value(v.WorkspaceId))
}

// drawing tells whether something is being made that the page waits for.
func (v elementView) drawing() bool { return v.Run != nil && !over(v.Run.Status) }

// livePath streams how far the run is that draws it.
func (v elementView) livePath() string { return v.path() + "/live?run=" + v.Run.Id }

// learning tells whether what the page waits for is a training.
func (v elementView) learning() bool {
	return v.Training != nil && (v.Training.Status == "queued" || v.Training.Status == "running")
}

// maxUnclear is how many words are told that a drawing did not know.
const maxUnclear = 24

// unclear are the words of the description that the drawing did not know.
func (v elementView) unclear() (words []string) {
	if v.Run == nil || !over(v.Run.Status) {
		return nil
	}
	for _, node := range v.Run.NodeStates {
		list, _ := frame.Value(node.Output)["notUnderstood"].([]any)
		for _, one := range list {
			if word, ok := one.(string); ok && word != "" && len(words) < maxUnclear {
				words = append(words, ui.Short(word, 40))
			}
		}
	}
	return words
}

// whyNotPost is why it cannot be posted, where that is not for lack of a right; else "".
func (v elementView) whyNotPost(ctx context.Context) string {
	switch {
	case v.ViewerCan.Post || !v.ViewerCan.Delete:
		return ""
	case v.Kind.isFace() || v.DepictsPerson || v.FaceId != nil:
		return t(ctx, "What shows a person is never posted.")
	case v.Status == query.ElementStatusGenerating:
		return t(ctx, "It can be posted once it is drawn.")
	case v.Status != query.ElementStatusReady:
		return t(ctx, "It can be posted once it is ready.")
	}
	return ""
}

// ElementPage is the page of an element.
func (c Pages) ElementPage(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		run, check := r.URL.Query().Get("run"), r.URL.Query().Get("check") != ""
		res, err := query.ElementPage(r.Context(), c.Client, frame.PathID(r), check, query.TrainElementInput{}, run != "", run)
		if err != nil && (run != "" || check) { // a run that is gone, or a set that cannot be measured: the page is there all the same
			refused := err
			res, err = query.ElementPage(r.Context(), c.Client, frame.PathID(r), false, query.TrainElementInput{}, false, "")
			if err == nil && check {
				r = frame.WithRefused(r, refused)
			}
			run, check = "", false
		}
		if err != nil {
			return err
		}
		if k.Kind != res.Element.Kind {
			return ownPage(w, res.Element)
		}
		v := c.elementView(r.Context(), res.Element)
		v.At, v.Uses, v.Form, v.Prefill = c.spaceOf(r, res.Shell, v.WorkspaceId), res.ElementUses, frame.FormOf(r), r.URL.Query()
		v.Brought = c.brought(v.Form)
		if run != "" {
			v.Run = &res.Execution
		}
		if check {
			v.Check = &res.TrainingCheck
		}
		frame.AllowMedia(w)
		at := frame.Page{Title: v.Name, Section: frame.SectionLibrary, Workspace: frame.Value(v.WorkspaceId)}
		return c.Page(w, r, res.Shell, at, elementContent(v, c.Now()))
	}
}

// ownPage leads to the page of an element from an address that names another kind.
func ownPage(w http.ResponseWriter, e query.ElementDetail) error {
	return frame.SeeOther(w, itemPath(e.Kind, e.Id))
}

func (c Pages) elementView(ctx context.Context, e query.ElementDetail) elementView {
	v := elementView{ElementDetail: e, Kind: kindOf(e.Kind), Uploads: c.Config.Upload != nil, Exports: c.Config.Export != nil}
	for _, p := range e.Images {
		v.Pictures = append(v.Pictures, picture{p, c.ShownMedia(&p.Url)})
	}
	if e.Voice != nil {
		v.VoiceSrc = c.ShownMedia(e.Voice.PreviewUrl)
	}
	v.Confirmed, v.Texts = c.statement(e.Consent), c.statements(ctx)
	return v
}

// ElementLive follows what is being made of an element.
func (c Pages) ElementLive(w http.ResponseWriter, r *http.Request) error {
	run := r.URL.Query().Get("run")
	return c.Live(w, r, events(run), func() (templ.Component, bool, error) {
		res, err := query.ElementState(r.Context(), c.Client, frame.PathID(r), run)
		if err != nil {
			return nil, false, err
		}
		v := c.elementView(r.Context(), res.Element)
		v.Run = &res.Execution
		if r.URL.Query().Get("part") == "post" {
			return postPart(v), !v.drawing(), nil
		}
		return workPart(v), !v.drawing(), nil
	})
}

// AddPicture adds a picture that a person brought. Where a picture shows several faces, they say which.
func (c Pages) AddPicture(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		in, err := c.readPicture(r)
		if err == nil {
			_, err = query.AddElementImage(r.Context(), c.Client, frame.PathID(r), in)
		}
		if err != nil {
			keepBrought(r, in.Url)
			return frame.Again(w, r, pictureRefusal(err), c.ElementPage(k))
		}
		return c.Done(w, itemPath(k.Kind, frame.PathID(r)), t(r.Context(), "The picture is added."))
	}
}

func (c Pages) readPicture(r *http.Request) (query.AddElementImageInput, error) {
	var in query.AddElementImageInput
	brought, err := c.broughtPictures(r)
	if err != nil {
		return in, err
	}
	if len(brought) == 0 {
		return in, frame.Invalid("file", t(r.Context(), "Choose a picture."))
	}
	in.Url, in.Caption = brought[0], frame.TextOrNil(r, "caption")
	if role := query.ElementImageRole(frame.Text(r, "role")); role != "" {
		in.Role = &role
	}
	in.X, in.Y, err = placeIn(r)
	return in, err
}

// ChangePicture makes a picture the first one, or takes it away.
func (c Pages) ChangePicture(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		image, said := pathImage(r), t(r.Context(), "It is the first picture now.")
		var err error
		if frame.Text(r, "do") == "delete" {
			said = t(r.Context(), "The picture is deleted.")
			_, err = query.DeleteElementImage(r.Context(), c.Client, frame.PathID(r), image)
		} else {
			first := true
			_, err = query.UpdateElementImage(r.Context(), c.Client, frame.PathID(r), image, query.UpdateElementImageInput{IsPrimary: &first})
		}
		if err != nil {
			return frame.Again(w, r, err, c.ElementPage(k))
		}
		return c.Done(w, itemPath(k.Kind, frame.PathID(r)), said)
	}
}

// MoreViews has more pictures drawn of an element.
func (c Pages) MoreViews(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		id := frame.PathID(r)
		in := query.GenerateElementInput{Kind: k.Kind, Id: &id, Description: frame.Text(r, "description"), Views: r.PostForm["views"]}
		res, err := query.GenerateElement(r.Context(), c.Client, in)
		if err != nil {
			return frame.Again(w, r, err, c.ElementPage(k))
		}
		return frame.SeeOther(w, itemPath(k.Kind, id)+"?run="+res.GenerateElement.Job.ExecutionId)
	}
}

// TrainElement trains an element on its pictures.
func (c Pages) TrainElement(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		res, err := query.TrainElement(r.Context(), c.Client, frame.PathID(r), query.TrainElementInput{})
		if err != nil {
			return frame.Again(w, r, err, c.ElementPage(k))
		}
		return c.Done(w, itemPath(k.Kind, frame.PathID(r))+"?run="+res.TrainElement.Job.ExecutionId, t(r.Context(), "The training has begun."))
	}
}

// elementField is the field of a picture that names elements of the kind.
func elementField(k query.ElementKind, id string) (string, any) {
	switch k {
	case query.ElementKindCharacter:
		return "characterIds", []string{id}
	case query.ElementKindCreature:
		return "creatureIds", []string{id}
	case query.ElementKindObject:
		return "objectIds", []string{id}
	}
	return "locationId", id
}

// MakePicture makes a picture with an element, and leads to it.
func (c Pages) MakePicture(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		field, value := elementField(k.Kind, frame.PathID(r))
		res, err := query.MakeNow(r.Context(), c.Client, "generate-image", map[string]any{"prompt": frame.Text(r, "prompt"), field: value})
		if err != nil {
			return frame.Again(w, r, err, c.ElementPage(k))
		}
		return frame.SeeOther(w, "/runs/"+res.RunNode.Job.ExecutionId)
	}
}

// Speak has a text spoken by the voice of a character.
func (c Pages) Speak(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		res, err := query.MakeNow(r.Context(), c.Client, "text-to-speech", map[string]any{"text": frame.Text(r, "text"), "voiceId": frame.Text(r, "voice")})
		if err != nil {
			return frame.Again(w, r, err, c.ElementPage(k))
		}
		return frame.SeeOther(w, "/runs/"+res.RunNode.Job.ExecutionId)
	}
}

// ShareElement shows an element to the workspace, or to its owner alone.
func (c Pages) ShareElement(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		visibility, said := query.WorkflowVisibilityPrivate, t(r.Context(), "Only you see it now.")
		if frame.Text(r, "shared") == "1" {
			visibility, said = query.WorkflowVisibilityWorkspace, t(r.Context(), "Everyone here sees it now, and can use it.")
		}
		if _, err := query.ShareElement(r.Context(), c.Client, frame.PathID(r), visibility); err != nil {
			return frame.Again(w, r, err, c.ElementPage(k))
		}
		return c.Done(w, itemPath(k.Kind, frame.PathID(r)), said)
	}
}

// DuplicateElement makes a copy in the space of the page.
func (c Pages) DuplicateElement(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		res, err := query.DuplicateElement(r.Context(), c.Client, frame.PathID(r))
		if err != nil {
			return frame.Again(w, r, err, c.ElementPage(k))
		}
		return c.Done(w, itemPath(k.Kind, res.DuplicateElement.Id), t(r.Context(), "This is the copy."))
	}
}
