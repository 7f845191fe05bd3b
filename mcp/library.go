package mcp

import (
	"context"
	"encoding/json"

	"atelier/models"
)

// libraryTools show what must look and sound the same everywhere.
func (f *face) libraryTools() {
	add(f, tool{
		Name: "search_library", Title: "Search the library", Reads: true,
		Operations:  []string{"Elements", "Element", "Voices", "Voice", "Presets", "Preset"},
		Description: "Characters, objects, creatures, locations and faces (named in prompts by @handle), voices and presets of the space; with id one of them in full, with its pictures.",
	}, searchLibrary)
}

type searchLibraryInput struct {
	Space
	Paged
	Kind  string `json:"kind" jsonschema:"character, object, creature, location, face, voice or preset."`
	Query string `json:"query,omitempty" jsonschema:"A part of the name, the handle, the description or the tags."`
	ID    string `json:"id,omitempty" jsonschema:"Shows this one in full instead."`
}

// LibraryItem is a thing of the library; which fields it has goes by its kind.
type LibraryItem struct {
	ID             string          `json:"id"`
	Kind           string          `json:"kind"`
	Name           string          `json:"name"`
	Handle         string          `json:"handle,omitempty" jsonschema:"@handle names it in prompts."`
	Description    string          `json:"description,omitempty"`
	Prompt         string          `json:"prompt,omitempty"`
	NegativePrompt string          `json:"negativePrompt,omitempty"`
	Attributes     map[string]any  `json:"attributes,omitempty"`
	Tags           []string        `json:"tags,omitempty"`
	Status         string          `json:"status,omitempty"`
	Language       string          `json:"language,omitempty"`
	Gender         string          `json:"gender,omitempty"`
	NodeType       string          `json:"nodeType,omitempty" jsonschema:"The type of node that a preset is for."`
	Settings       json.RawMessage `json:"settings,omitempty" jsonschema:"Of a preset or a voice."`
	ImageURL       string          `json:"imageUrl,omitempty"`
	PreviewURL     string          `json:"previewUrl,omitempty"`
	Reason         string          `json:"reason,omitempty" jsonschema:"Why it cannot be used here."`
	Images         []LibraryImage  `json:"images,omitempty"`
}

// LibraryImage is a picture of an element.
type LibraryImage struct {
	URL     string `json:"url" jsonschema:"It ends after a while."`
	Role    string `json:"role"`
	Caption string `json:"caption,omitempty"`
}

type libraryList struct {
	Items      []LibraryItem `json:"items"`
	NextCursor string        `json:"nextCursor,omitempty"`
}

// libraryReads are the operations that list and show a kind.
func libraryReads(kind string) (list, one string, err error) {
	switch kind {
	case "character", "object", "creature", "location", "face":
		return "Elements", "Element", nil
	case "voice":
		return "Voices", "Voice", nil
	case "preset":
		return "Presets", "Preset", nil
	}
	return "", "", models.Invalid("kind", "must be character, object, creature, location, face, voice or preset")
}

func searchLibrary(ctx context.Context, c *call, in searchLibraryInput) (*libraryList, error) {
	list, one, err := libraryReads(in.Kind)
	if err != nil {
		return nil, err
	}
	if in.ID != "" {
		return c.libraryItem(ctx, in, one)
	}
	variables, err := in.variables()
	if err != nil {
		return nil, err
	}
	if list == "Elements" {
		variables["kind"] = in.Kind
	}
	if in.Query != "" {
		variables["filter"] = map[string]any{"query": in.Query}
	}
	var found struct {
		Page struct {
			Nodes    []LibraryItem
			PageInfo pageInfo
		}
	}
	if err := c.ask(ctx, list, variables, &found); err != nil {
		return nil, err
	}
	shown := &libraryList{Items: []LibraryItem{}, NextCursor: found.Page.PageInfo.next()}
	for _, item := range found.Page.Nodes {
		item.Kind = in.Kind
		shown.Items = append(shown.Items, item)
	}
	return shown, nil
}

// libraryItem shows one thing with its pictures, or how it sounds.
func (c *call) libraryItem(ctx context.Context, in searchLibraryInput, operation string) (*libraryList, error) {
	var found struct{ Item LibraryItem }
	if err := c.ask(ctx, operation, map[string]any{"id": in.ID}, &found); err != nil {
		return nil, err
	}
	item := found.Item
	if item.Kind != "" && item.Kind != in.Kind {
		return nil, models.NotFound("Element")
	}
	item.Kind = in.Kind
	files := newFiles(c)
	files.add(ctx, item.ImageURL)
	files.add(ctx, item.PreviewURL)
	for _, image := range item.Images {
		files.add(ctx, image.URL)
	}
	c.contents = files.contents
	return &libraryList{Items: []LibraryItem{item}}, nil
}
