package nodeform

import (
	"net/http"
	"slices"

	"atelier/web/frame"
	"atelier/web/query"
)

// Thing is what a field may name out of the library, by its x-control.
type Thing string

const (
	Character Thing = "character"
	Creature  Thing = "creature"
	Object    Thing = "object"
	Location  Thing = "location"
	Face      Thing = "face"
	Preset    Thing = "preset"
	Voice     Thing = "voice"
)

// Things are all of them.
var Things = []Thing{Character, Creature, Object, Location, Face, Preset, Voice}

// LibraryChoice is something of the library, by the name that people know it by.
type LibraryChoice struct {
	ID, Name string
	// NodeType is that of a preset; it serves nodes of that type alone.
	NodeType string
}

// LibraryChoices finds what fields may name in a space; nil is that of the page.
func LibraryChoices(c *frame.Console, r *http.Request, space *string, wanted func(Thing) bool) (map[Thing][]LibraryChoice, error) {
	ctx := r.Context()
	if space != nil && c.Config.InWorkspace != nil {
		var err error
		if ctx, err = c.Config.InWorkspace(ctx, *space); err != nil {
			return nil, err
		}
	}
	res, err := query.LibraryChoices(ctx, c.Client, wanted(Character), wanted(Creature), wanted(Object), wanted(Location),
		wanted(Face), wanted(Preset), wanted(Voice))
	if err != nil {
		return nil, err
	}
	out := map[Thing][]LibraryChoice{}
	for of, list := range map[Thing]query.LibraryNames{
		Character: res.Characters, Creature: res.Creatures, Object: res.Objects, Location: res.Locations, Face: res.Faces,
	} {
		for _, e := range list.Nodes {
			out[of] = append(out[of], LibraryChoice{ID: e.Id, Name: e.Name + " (@" + e.Handle + ")"})
		}
	}
	for _, p := range append(slices.Clip(res.FactoryNodePresets.Nodes), res.NodePresets.Nodes...) {
		if p.Usable {
			out[Preset] = append(out[Preset], LibraryChoice{ID: p.Id, Name: frame.PresetNamed(ctx, p.Name, p.IsFactory), NodeType: p.NodeType})
		}
	}
	for _, v := range res.Voices.Nodes {
		if v.Usable {
			out[Voice] = append(out[Voice], LibraryChoice{ID: v.Id, Name: frame.VoiceChoice(ctx, v.Name, v.Language, v.Source)})
		}
	}
	return out, nil
}

// AddThings gives fields that name something of the library what there is to choose from in the space of the page.
func AddThings(c *frame.Console, r *http.Request, controls []Control) error {
	return AddThingsOf(c, r, nil, Pointers(controls))
}

// AddThingsOf gives the fields what there is to choose from in a space; nil is that of the page.
func AddThingsOf(c *frame.Console, r *http.Request, space *string, controls []*Control) error {
	wanted := map[Thing]bool{}
	for _, one := range controls {
		if one.Thing != "" && one.Kind != ControlSelect {
			wanted[one.Thing] = true
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	found, err := LibraryChoices(c, r, space, func(t Thing) bool { return wanted[t] })
	if err != nil {
		return err
	}
	for _, one := range controls {
		for _, choice := range found[one.Thing] {
			if choice.NodeType == "" || choice.NodeType == one.NodeType {
				one.Picks = append(one.Picks, query.WorkflowChoice{Id: choice.ID, Name: choice.Name})
			}
		}
	}
	return nil
}

// chosenThings are the ids that a list of a form holds.
func chosenThings(c Control, f frame.Form) []string {
	if f.Err != nil {
		return f.Values[c.Name]
	}
	var out []string
	list, _ := c.Value.([]any)
	for _, v := range list {
		if id, ok := v.(string); ok {
			out = append(out, id)
		}
	}
	return out
}
