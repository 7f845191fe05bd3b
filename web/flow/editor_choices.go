package flow

import (
	"net/http"

	"atelier/web/nodeform"
)

// EditorChoices are what fields may name out of the library, for the editor.
func (c Pages) EditorChoices(r *http.Request) (answer, error) {
	found, err := nodeform.LibraryChoices(c.Console, r, nil, func(nodeform.Thing) bool { return true })
	if err != nil {
		return nil, err
	}
	out := answer{}
	for _, t := range nodeform.Things {
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
