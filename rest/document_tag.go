package rest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"atelier/models"
)

// documentOf is the document of the routes of one group alone, with the schemas that
// they use. A group that the document does not have is a validation_error.
func (a *API) documentOf(tag string) (*madeDocument, error) {
	if !slices.ContainsFunc(tags, func(known *tagOfRoutes) bool { return known.Name == tag }) {
		return nil, models.Invalid("tag", "names no group of routes, such as Workflows")
	}
	made, _ := a.byTag.LoadOrStore(tag, sync.OnceValues(func() (*madeDocument, error) { return a.makeDocumentOf(tag) }))
	return made.(func() (*madeDocument, error))()
}

func (a *API) makeDocumentOf(tag string) (*madeDocument, error) {
	whole, err := a.made()
	if err != nil {
		return nil, err
	}
	var document map[string]any
	if err := json.Unmarshal(whole.plain, &document); err != nil {
		return nil, err
	}
	ofTag := func(described any) bool {
		operation, _ := described.(map[string]any)
		names, _ := operation["tags"].([]any)
		return slices.Contains(names, any(tag))
	}
	paths, _ := document["paths"].(map[string]any)
	maps.DeleteFunc(paths, func(_ string, item any) bool {
		operations, _ := item.(map[string]any)
		maps.DeleteFunc(operations, func(_ string, operation any) bool { return !ofTag(operation) })
		return len(operations) == 0
	})
	groups, _ := document["tags"].([]any)
	document["tags"] = slices.DeleteFunc(groups, func(group any) bool { return group.(map[string]any)["name"] != tag })
	components, _ := document["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	used := map[string]bool{}
	collectSchemas(paths, schemas, used)
	maps.DeleteFunc(schemas, func(name string, _ any) bool { return !used[name] })
	plain, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	return pack(plain)
}

// collectSchemas notes which schemas a part of the document refers to, and those to
// which they refer.
func collectSchemas(part any, schemas map[string]any, used map[string]bool) {
	switch p := part.(type) {
	case []any:
		for _, each := range p {
			collectSchemas(each, schemas, used)
		}
	case map[string]any:
		for key, each := range p {
			reference, _ := each.(string)
			name, ok := strings.CutPrefix(reference, schemaRef)
			if key == "$ref" && ok && !used[name] {
				used[name] = true
				collectSchemas(schemas[name], schemas, used)
			}
			collectSchemas(each, schemas, used)
		}
	}
}
