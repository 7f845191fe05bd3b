package flow

import (
	"context"
	"net/http"
	"slices"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"
)

// keepView keeps a picture that was made with an element, a new one or one that is there.
type keepView struct {
	At       frame.Place
	Job      jobView
	Pictures []outputFile
	Elements []ui.Option
	Form     frame.Form
	Locked   string
}

// KeepPage asks what a picture of a job is kept as.
func (c Pages) KeepPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.KeepPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	v := keepView{Form: frame.FormOf(r), At: frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")}
	v.Job = c.jobViewOf(r.Context(), res.Job, nodeform.KindsOf(res.NodeTypes))
	v.Pictures = v.Job.pictures(r.Context())
	v.Locked = frame.ClosedTo(r.Context(), v.At)
	for _, list := range []struct {
		kind string
		of   query.KeepElements
	}{{mark("Character"), res.Characters}, {mark("Creature"), res.Creatures}, {mark("Object"), res.Objects}, {mark("Location"), res.Locations}} {
		for _, e := range list.of.Nodes {
			if e.Access != query.WorkflowAccessView {
				v.Elements = append(v.Elements, ui.Option{Value: e.Id, Text: t(r.Context(), "%s: %s (@%s)", t(r.Context(), list.kind), e.Name, e.Handle)})
			}
		}
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Keep a picture"), Section: frame.SectionLibrary, List: "/library/characters"}, keepContent(v))
}

// Keep keeps a picture of a job with an element.
func (c Pages) Keep(w http.ResponseWriter, r *http.Request) error {
	res, err := query.KeepPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	job := c.jobViewOf(r.Context(), res.Job, nodeform.KindsOf(res.NodeTypes))
	picture := frame.Text(r, "picture")
	if !slices.ContainsFunc(job.pictures(r.Context()), func(p outputFile) bool { return p.Href == picture }) {
		return frame.Again(w, r, frame.Invalid("picture", mark("Choose one of the pictures.")), c.KeepPage)
	}
	address := c.Config.PublicURL + picture
	if frame.Text(r, "form") == "add" {
		return c.addTo(w, r, res, address)
	}
	kind := query.ElementKind(frame.Text(r, "kind"))
	if !slices.Contains(keptKinds, kind) {
		return frame.Again(w, r, frame.Invalid("kind", mark("Choose what it is.")), c.KeepPage)
	}
	in := query.CreateElementInput{Kind: kind, Name: frame.Text(r, "name"), Description: frame.TextOrNil(r, "description"), ImageUrls: []string{address}}
	made, err := query.CreateElement(r.Context(), c.Client, in)
	if err != nil {
		return frame.Again(w, r, err, c.KeepPage)
	}
	return c.Done(w, shelfPath(string(kind))+"/"+made.CreateElement.Id, t(r.Context(), "%s is kept.", made.CreateElement.Name))
}

// addTo adds a picture to an element that is there.
func (c Pages) addTo(w http.ResponseWriter, r *http.Request, res *query.KeepPageResponse, address string) error {
	id := frame.Text(r, "element")
	kind := query.ElementKind("")
	for of, list := range map[query.ElementKind]query.KeepElements{
		query.ElementKindCharacter: res.Characters, query.ElementKindCreature: res.Creatures, query.ElementKindObject: res.Objects, query.ElementKindLocation: res.Locations,
	} {
		if slices.ContainsFunc(list.Nodes, func(e query.KeepElement) bool { return e.Id == id }) {
			kind = of
		}
	}
	if kind == "" {
		return frame.Again(w, r, frame.Invalid("element", mark("Choose what the picture shows.")), c.KeepPage)
	}
	if _, err := query.AddElementImage(r.Context(), c.Client, id, query.AddElementImageInput{Url: address}); err != nil {
		return frame.Again(w, r, err, c.KeepPage)
	}
	return c.Done(w, shelfPath(string(kind))+"/"+id, t(r.Context(), "The picture is added."))
}

// keptKinds are what a picture may be kept as; a face comes with a person's consent, on its own page.
var keptKinds = []query.ElementKind{query.ElementKindCharacter, query.ElementKindCreature, query.ElementKindObject, query.ElementKindLocation}

func keptOptions(ctx context.Context) []ui.Option {
	out := []ui.Option{{Value: "", Text: t(ctx, "Choose…")}}
	for _, k := range keptKinds {
		out = append(out, ui.Option{Value: string(k), Text: elementWord(ctx, string(k))})
	}
	return out
}
