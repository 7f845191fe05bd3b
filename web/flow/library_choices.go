package flow

import (
	"net/http"
	"slices"

	"atelier/web/frame"
	"atelier/web/query"
)

// thing is what a field may name out of the library, by its x-control.
type thing string

const (
	thingCharacter thing = "character"
	thingCreature  thing = "creature"
	thingObject    thing = "object"
	thingLocation  thing = "location"
	thingFace      thing = "face"
	thingPreset    thing = "preset"
	thingVoice     thing = "voice"
)

// things are all of them.
var things = []thing{thingCharacter, thingCreature, thingObject, thingLocation, thingFace, thingPreset, thingVoice}

// libraryChoice is something of the library, by the name that people know it by.
type libraryChoice struct {
	ID, Name string
	// NodeType is that of a preset; it serves nodes of that type alone.
	NodeType string
}

// libraryChoices are what fields may name in the space of the context.
func (c Pages) libraryChoices(r *http.Request, space *string, wanted func(thing) bool) (map[thing][]libraryChoice, error) {
	ctx := r.Context()
	if space != nil && c.Config.InWorkspace != nil {
		var err error
		if ctx, err = c.Config.InWorkspace(ctx, *space); err != nil {
			return nil, err
		}
	}
	res, err := query.LibraryChoices(ctx, c.Client, wanted(thingCharacter), wanted(thingCreature), wanted(thingObject), wanted(thingLocation),
		wanted(thingFace), wanted(thingPreset), wanted(thingVoice))
	if err != nil {
		return nil, err
	}
	out := map[thing][]libraryChoice{}
	for of, list := range map[thing]query.LibraryNames{
		thingCharacter: res.Characters, thingCreature: res.Creatures, thingObject: res.Objects, thingLocation: res.Locations, thingFace: res.Faces,
	} {
		for _, e := range list.Nodes {
			out[of] = append(out[of], libraryChoice{ID: e.Id, Name: e.Name + " (@" + e.Handle + ")"})
		}
	}
	for _, p := range append(slices.Clip(res.FactoryNodePresets.Nodes), res.NodePresets.Nodes...) {
		if p.Usable {
			out[thingPreset] = append(out[thingPreset], libraryChoice{ID: p.Id, Name: p.Name, NodeType: p.NodeType})
		}
	}
	for _, v := range res.Voices.Nodes {
		name := v.Name
		if v.Language != nil {
			name += " (" + *v.Language + ")"
		}
		if v.Usable {
			out[thingVoice] = append(out[thingVoice], libraryChoice{ID: v.Id, Name: name})
		}
	}
	return out, nil
}

// addThings gives fields that name something of the library what there is to choose from in the space of the page.
func (c Pages) addThings(r *http.Request, controls []control) error {
	return c.addThingsOf(r, nil, pointers(controls))
}

func (c Pages) addThingsOf(r *http.Request, space *string, controls []*control) error {
	wanted := map[thing]bool{}
	for _, one := range controls {
		if one.Thing != "" && one.Kind != controlSelect {
			wanted[one.Thing] = true
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	found, err := c.libraryChoices(r, space, func(t thing) bool { return wanted[t] })
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

// EditorChoices are what fields may name out of the library, for the editor.
func (c Pages) EditorChoices(r *http.Request) (answer, error) {
	found, err := c.libraryChoices(r, nil, func(thing) bool { return true })
	if err != nil {
		return nil, err
	}
	out := answer{}
	for _, t := range things {
		list := []map[string]string{}
		for _, one := range found[t] {
			entry := map[string]string{"id": one.ID, "name": one.Name}
			if one.NodeType != "" {
				entry["type"] = one.NodeType
			}
			list = append(list, entry)
		}
		out[string(t)] = list
	}
	return out, nil
}

// chosenThings are the ids that a list of a form holds.
func chosenThings(c control, f frame.Form) []string {
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
