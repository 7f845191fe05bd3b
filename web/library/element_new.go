package library

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// newView is the page of a new element: described and drawn, or brought as pictures.
type newView struct {
	Kind    Kind
	At      frame.Place
	Form    frame.Form
	Prefill url.Values
	Price   *float64 // of drawing it, nil where that is not known
	Uploads bool
	Brought string            // where the picture is that was refused, for another try
	Members []ui.Option       // of the workspace, to ask for their consent
	Texts   []frame.Statement // of consents
	Locked  string
}

// NewElement is the page on which an element is made.
func (c Pages) NewElement(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		workspace := frame.SpaceOf(r).Workspace
		res, err := query.NewElement(r.Context(), c.Client, workspace != "", workspace)
		if err != nil {
			return err
		}
		v := newView{Kind: k, At: frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", ""), Form: frame.FormOf(r), Prefill: r.URL.Query()}
		v.Texts, v.Brought = c.statements(r.Context()), c.brought(v.Form)
		v.Uploads, v.Locked, v.Members = c.Config.Upload != nil, frame.ClosedTo(r.Context(), v.At), memberOptions(r.Context(), res.Workspace.Members.Nodes, res.Me.Id)
		for _, n := range res.NodeTypes {
			if n.Type == k.NodeType && k.NodeType != "" {
				v.Price = &n.EstimatedCredits
			}
		}
		return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), k.New), Section: frame.SectionLibrary}, newContent(v))
	}
}

func memberOptions(ctx context.Context, members []query.ConsentMember, self string) []ui.Option {
	out := []ui.Option{{Value: "", Text: t(ctx, "Choose…")}}
	for _, m := range members {
		if m.User.Id != self {
			out = append(out, ui.Option{Value: m.User.Id, Text: m.User.DisplayName})
		}
	}
	return out
}

// value is what was typed, else what came with the address.
func (v newView) value(form, name, fallback string) string {
	if s := v.Prefill.Get(name); s != "" {
		fallback = s
	}
	return frame.FormIf(v.Form, form).Value(name, fallback)
}

// GenerateElement has a new element drawn from its description.
func (c Pages) GenerateElement(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		in := query.GenerateElementInput{Kind: k.Kind, Description: frame.Text(r, "description"), Name: frame.TextOrNil(r, "name")}
		in.Views, in.Background, in.Tags = r.PostForm["views"], frame.TextOrNil(r, "background"), frame.SplitWords(frame.Text(r, "tags"))
		in.Visibility = visibilityIn(r)
		res, err := query.GenerateElement(r.Context(), c.Client, in)
		if err != nil {
			return frame.Again(w, r, err, c.NewElement(k))
		}
		made := res.GenerateElement
		return frame.SeeOther(w, itemPath(k.Kind, made.Element.Id)+"?run="+made.Job.ExecutionId)
	}
}

func visibilityIn(r *http.Request) *query.WorkflowVisibility {
	if v := query.WorkflowVisibility(frame.Text(r, "visibility")); v != "" {
		return &v
	}
	return nil
}

// CreateElement keeps an element with the pictures that a person brought.
func (c Pages) CreateElement(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		in := query.CreateElementInput{Kind: k.Kind, Name: frame.Text(r, "name"), Description: frame.TextOrNil(r, "description")}
		in.Handle, in.Tags, in.Visibility = frame.TextOrNil(r, "handle"), frame.SplitWords(frame.Text(r, "tags")), visibilityIn(r)
		consent, err := readConsent(r, k.isFace())
		if err == nil && consent != nil {
			depicts := true
			in.Consent, in.DepictsPerson = consent, &depicts
		}
		if err == nil {
			in.ImageUrls, err = c.broughtPictures(r)
		}
		if err == nil && k.isFace() && len(in.ImageUrls) == 0 {
			err = frame.Invalid("file", t(r.Context(), "Choose a picture of the face."))
		}
		if err != nil {
			return frame.Again(w, r, err, c.NewElement(k))
		}
		id, name, err := c.keepElement(r, in)
		if err != nil {
			if k.isFace() {
				keepBrought(r, in.ImageUrls[0])
			}
			return frame.Again(w, r, pictureRefusal(err), c.NewElement(k))
		}
		return c.Done(w, itemPath(k.Kind, id), t(r.Context(), "%s is kept.", name))
	}
}

// keepElement keeps an element, and of a picture with several faces the one that was pointed at.
func (c Pages) keepElement(r *http.Request, in query.CreateElementInput) (id, name string, err error) {
	x, y, err := placeIn(r)
	if err != nil {
		return "", "", err
	}
	if in.Kind == query.ElementKindFace && x != nil {
		return c.chosenFace(r, in, x, y)
	}
	res, err := query.CreateElement(r.Context(), c.Client, in)
	if err != nil {
		return "", "", err
	}
	return res.CreateElement.Id, res.CreateElement.Name, nil
}

// broughtPictures keeps the files of a form and adds the addresses that were typed.
func (c Pages) broughtPictures(r *http.Request) ([]string, error) {
	var out []string
	if r.MultipartForm != nil && c.Config.Upload != nil {
		for _, header := range r.MultipartForm.File["file"] {
			if header.Size == 0 {
				continue
			}
			file, err := header.Open()
			if err != nil {
				return nil, err
			}
			address, err := c.Config.Upload(r.Context(), file)
			_ = file.Close()
			if e, known := frame.Refused(err); err != nil && known {
				return nil, frame.Invalid("file", e.Message)
			} else if err != nil {
				return nil, err
			}
			out = append(out, address)
		}
	}
	return append(out, frame.PastedLinks(r, "url")...), nil
}

// pictureRefusal makes a refusal of an address one of the field that holds the file.
func pictureRefusal(err error) error {
	e, known := frame.Refused(err)
	if known && (e.Field == "url" || strings.HasPrefix(e.Field, "imageUrls")) {
		out := *e
		out.Field = "file"
		if strings.Contains(e.Said, "say which with x and y") {
			out.Field, out.Message = "place", mark("The picture shows several faces. Say which.")
		}
		return &out
	}
	return err
}

// readConsent is what a person said about who is depicted, nil when no one is.
func readConsent(r *http.Request, always bool) (*query.ConsentInput, error) {
	if !always && r.PostForm.Get("depicts") == "" {
		return nil, nil
	}
	subject := query.ConsentSubject(frame.Text(r, "subject"))
	if subject == "" {
		return nil, frame.Invalid("subject", t(r.Context(), "Say who is depicted."))
	}
	confirmed, providers := r.PostForm.Get("confirmed") != "", r.PostForm.Get("providers") != ""
	in := &query.ConsentInput{Subject: subject, Confirmed: &confirmed, UserId: frame.TextOrNil(r, "userId"), Basis: frame.TextOrNil(r, "basis"), Providers: &providers, Statement: frame.TextOrNil(r, statementField)}
	if subject != query.ConsentSubjectMember {
		in.UserId = nil
	}
	until, err := dayIn(r, "validUntil")
	in.ValidUntil = until
	return in, err
}

// dayIn is the end of a day of a form in UTC, nil when the field is empty.
func dayIn(r *http.Request, name string) (*time.Time, error) {
	text := frame.Text(r, name)
	if text == "" {
		return nil, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return nil, frame.Invalid(name, mark("Write the day as year, month and day, such as 2027-07-31."))
	}
	end := day.AddDate(0, 0, 1).Add(-time.Second)
	return &end, nil
}
