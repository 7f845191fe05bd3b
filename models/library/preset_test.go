//go:build !race

package library

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/space"
	"atelier/nodes/kit"
)

func presetOf(name string) CreatePresetInput {
	return CreatePresetInput{NodeType: "generate-image", Name: name, Settings: map[string]any{"prompt": "{{prompt}}, wild", "resolution": "2K", "nonsense": 1, "seed": nil}, Tags: []string{"Style", "style "}}
}

func TestPresetsLiveInTheirSpace(t *testing.T) {
	w := newWordsWorld(t, kit.Providers{})
	shared := space.WorkspaceShared
	in := presetOf(" Wild ")
	in.Visibility = &shared
	p, err := w.Presets().Create(w.in(w.ann), in)
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "Wild" || len(p.Settings) != 2 || !slices.Equal(p.Tags, models.Strings{"style"}) || !p.Usable || p.Access != space.IsCreator || !p.Can.Delete || !p.Can.Share {
		t.Errorf("made: %+v", p)
	}
	hidden, err := w.Presets().Create(w.in(w.ann), func() CreatePresetInput { c := presetOf("Hidden"); v := space.Private; c.Visibility = &v; return c }())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := w.Presets().Find(w.as(w.bob), p.ID); err != nil || got.Access == space.IsCreator || got.Can.Delete {
		t.Errorf("another member: %+v, %v", got, err)
	}
	for _, id := range []models.ID{hidden.ID} {
		_, err = w.Presets().Find(w.as(w.bob), id)
		w.refused(err, models.CodeNotFound, "Preset")
	}
	_, err = w.Presets().Find(w.as(w.stranger), p.ID)
	w.refused(err, models.CodeNotFound, "Preset")
	w.refused(w.Presets().Delete(w.as(w.stranger), p.ID), models.CodeNotFound, "Preset")
	if err := w.Presets().Delete(w.in(w.bob), p.ID); !models.HasCode(err, models.CodeInsufficientRole) {
		t.Errorf("deleting another's: %v", err)
	}
	names := func(ctx models.ID, filter *PresetFilter) string {
		found, err := w.Presets().List(w.in(ctx), filter, models.Page{})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, p := range found.Nodes {
			all = append(all, p.Name)
		}
		return strings.Join(all, " ")
	}
	yes, tag, query, percent, kind := true, "STYLE", "wil", "%", "text-card"
	for want, f := range map[string]*PresetFilter{"Hidden Wild": nil, "Wild": {Query: &query, Tag: &tag, Mine: &yes}, "": {Query: &percent}} {
		if got := names(w.ann, f); got != want {
			t.Errorf("list %+v: %q, not %q", f, got, want)
		}
	}
	if got := names(w.bob, nil); got != "Wild" {
		t.Errorf("list of another member: %q", got)
	}
	if got := names(w.bob, &PresetFilter{Mine: &yes}) + names(w.ann, &PresetFilter{NodeType: &kind}); got != "" {
		t.Errorf("filtered lists: %q", got)
	}
	_, err = w.Presets().List(w.in(w.ann), &PresetFilter{NodeType: &query}, models.Page{})
	w.refused(err, models.CodeValidation, "nodeType")
	if own, _ := w.Presets().List(w.as(w.ann), nil, models.Page{}); len(own.Nodes) != 0 {
		t.Error("presets of a workspace are in the personal space")
	}
	if n := w.count(`SELECT count(*) FROM audit_entries WHERE action = 'preset.created' AND details::text NOT LIKE '%wild%'`); n != 2 {
		t.Errorf("%d audit entries", n)
	}
}

func TestPresetSettingsAreJudged(t *testing.T) {
	w := newWordsWorld(t, kit.Providers{})
	for _, c := range []struct {
		nodeType string
		settings map[string]any
		code     models.Code
		part     string
	}{
		{"unknown", map[string]any{"a": 1}, models.CodeValidation, "nodeType"},
		{"group", map[string]any{"a": 1}, models.CodeValidation, "nodeType"},
		{"generate-image", nil, models.CodeValidation, "settings must hold"},
		{"generate-image", map[string]any{"nonsense": 1, "seed": nil}, models.CodeValidation, "settings must hold"},
		{"generate-image", map[string]any{"resolution": "9K"}, models.CodeValidation, "settings.resolution"},
		{"generate-image", map[string]any{"prompt": 3}, models.CodeValidation, "settings.prompt"},
		{"generate-image", map[string]any{"prompt": "{{subject}}"}, models.CodeValidation, "settings.prompt holds {{subject}}"},
		{"generate-image", map[string]any{"prompt": "a\x00b"}, models.CodeValidation, "settings.prompt"},
		{"generate-image", map[string]any{"seed": -1}, models.CodeValidation, "settings.seed must be between"},
		{"generate-image", map[string]any{"prompt": "a", "presetId": "x"}, models.CodeValidation, "settings.presetId"},
		{"generate-image", map[string]any{"prompt": "a", "fieldMappings": map[string]any{}}, models.CodeValidation, "settings.fieldMappings"},
		{"generate-image", map[string]any{"prompt": "a", "holdForReview": true}, models.CodeValidation, "settings.holdForReview"},
		{"generate-image", map[string]any{"faceId": "x"}, models.CodeValidation, "settings.faceId"},
		{"generate-image", map[string]any{"provider": "nobody"}, models.CodeValidation, "settings.provider"},
		{"generate-image", map[string]any{"prompt": strings.Repeat("a", MaxPresetSettings)}, models.CodeValidation, "settings must be at most"},
		{"freecut-export", map[string]any{"fps": 0}, models.CodeValidation, "settings.fps"},
		{"freecut-export", map[string]any{"clips": []any{map[string]any{"url": "{{bad}}"}}}, models.CodeValidation, "settings.clips[0].url"},
		{"http-request", map[string]any{"url": "https://a.example"}, models.CodeLockedField, "settings.url"},
		{"http-request", map[string]any{"credentialId": "x"}, models.CodeLockedField, "settings.credentialId"},
	} {
		_, err := w.Presets().Create(w.as(w.ann), CreatePresetInput{NodeType: c.nodeType, Name: "P", Settings: c.settings})
		w.refused(err, c.code, c.part)
	}
	ok := map[string]any{"template": "{{animal}} in the snow"}
	if _, err := w.Presets().Create(w.as(w.ann), CreatePresetInput{NodeType: "template-text", Name: "P", Settings: ok}); err != nil {
		t.Errorf("placeholders of a template: %v", err)
	}
	p, err := w.Presets().Create(w.as(w.ann), CreatePresetInput{NodeType: "generate-image", Name: "P", Settings: map[string]any{"provider": "openai", "model": "gpt-image-1"}})
	if err != nil || p.Usable || p.Reason == nil || !strings.Contains(*p.Reason, "OPENAI_API_KEY") {
		t.Errorf("a provider that is not set up: %+v, %v", p, err)
	}
	p, err = w.Presets().Create(w.as(w.ann), CreatePresetInput{NodeType: "generate-video", Name: "P", Settings: map[string]any{"prompt": "{{prompt}}!"}})
	if err != nil || p.Usable || p.Reason == nil || !strings.Contains(*p.Reason, "REPLICATE_API_TOKEN") {
		t.Errorf("a type that is not offered: %+v, %v", p, err)
	}
	for part, change := range map[string]func(*CreatePresetInput){
		"name": func(in *CreatePresetInput) { in.Name = " " }, "tags": func(in *CreatePresetInput) { in.Tags = []string{strings.Repeat("x", 31)} },
		"imageUrl":   func(in *CreatePresetInput) { a := "javascript:alert(1)"; in.ImageURL = &a },
		"visibility": func(in *CreatePresetInput) { v := space.WorkspaceShared; in.Visibility = &v },
	} {
		in := presetOf("P")
		change(&in)
		_, err := w.Presets().Create(w.as(w.ann), in)
		w.refused(err, models.CodeValidation, part)
	}
	in := presetOf("P")
	in.ProjectID = &w.ann
	_, err = w.Presets().Create(w.as(w.ann), in)
	w.refused(err, models.CodeNotFound, "Project")
}

func TestPresetChanges(t *testing.T) {
	w := newWordsWorld(t, kit.Providers{})
	p, err := w.Presets().Create(w.in(w.ann), presetOf("Wild"))
	if err != nil {
		t.Fatal(err)
	}
	shared, one := space.WorkspaceShared, 1
	in := UpdatePresetInput{Name: models.Some("Tame"), Visibility: models.Some(shared), Settings: models.OptMapOf(map[string]any{"seed": 7}), Version: &one}
	if p, err = w.Presets().Update(w.in(w.ann), p.ID, in); err != nil || p.Version != 2 || p.Name != "Tame" || len(p.Settings) != 1 {
		t.Fatalf("changed: %+v, %v", p, err)
	}
	_, err = w.Presets().Update(w.in(w.ann), p.ID, in)
	w.refused(err, models.CodeStale, "version 2")
	_, err = w.Presets().Update(w.in(w.ann), p.ID, UpdatePresetInput{Settings: models.OptMapOf(map[string]any{"seed": "x"})})
	w.refused(err, models.CodeValidation, "settings.seed")
	_, err = w.Presets().Update(w.in(w.ann), p.ID, UpdatePresetInput{Name: models.Null[string]()})
	w.refused(err, models.CodeValidation, "name")
	_, err = w.Presets().Update(w.in(w.bob), p.ID, UpdatePresetInput{Visibility: models.Some(space.Private)})
	w.refused(err, models.CodeInsufficientRole, "")
	if n := w.count(`SELECT count(*) FROM audit_entries WHERE action IN ('preset.updated', 'preset.visibility_changed')`); n != 2 {
		t.Errorf("%d audit entries", n)
	}
	copied, err := w.Presets().Duplicate(w.as(w.ann), p.ID)
	if err != nil || copied.Name != "Tame (copy)" || copied.WorkspaceID != nil || copied.ID == p.ID {
		t.Errorf("copy: %+v, %v", copied, err)
	}
	if err := w.Presets().Delete(w.in(w.ann), p.ID); err != nil {
		t.Fatal(err)
	}
	_, err = w.Presets().Find(w.in(w.ann), p.ID)
	w.refused(err, models.CodeNotFound, "")
	w.exec(`UPDATE workspaces SET archived_at = now()`)
	_, err = w.Presets().Create(w.in(w.ann), presetOf("Late"))
	w.refused(err, models.CodeWorkspaceArchived, "")
}

func TestPresetImportIsAllOrNone(t *testing.T) {
	w := newWordsWorld(t, kit.Providers{})
	good, bad := presetOf("A"), presetOf("B")
	bad.Settings = map[string]any{"seed": "x"}
	_, err := w.Presets().Import(w.as(w.ann), []*CreatePresetInput{&good, &bad})
	w.refused(err, models.CodeValidation, "presets[1].settings.seed")
	bad = presetOf("B")
	bad.Tags = []string{""}
	_, err = w.Presets().Import(w.as(w.ann), []*CreatePresetInput{&good, &bad})
	w.refused(err, models.CodeValidation, "presets[1].tags")
	_, err = w.Presets().Import(w.as(w.ann), nil)
	w.refused(err, models.CodeValidation, "presets")
	if n := w.count(`SELECT count(*) FROM node_presets`); n != 0 {
		t.Errorf("%d presets of an import that was refused", n)
	}
	full := slices.Repeat([]*CreatePresetInput{&good}, MaxImported)
	_, err = w.Presets().Import(w.as(w.ann), append(full, &good))
	w.refused(err, models.CodeValidation, "presets")
	for range MaxPresets / MaxImported {
		if made, err := w.Presets().Import(w.as(w.ann), full); err != nil || len(made) != MaxImported {
			t.Fatal(err)
		}
	}
	_, err = w.Presets().Create(w.as(w.ann), good)
	w.refused(err, models.CodeLimitReached, "500")
	if _, err = w.Presets().Create(w.as(w.bob), good); err != nil {
		t.Error(err)
	}
}

func TestFactoryPresets(t *testing.T) {
	w := newWordsWorld(t, kit.Providers{})
	page := models.Page{}
	two := 20
	page.Limit = &two
	seen, kinds := map[models.ID]bool{}, map[string]int{}
	for {
		found, err := w.Presets().ListFactory(w.as(w.ann), nil, page)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range found.Nodes {
			if seen[p.ID] || p.ID.Version() != 5 || !p.Usable || !p.IsFactory || p.Access != space.CanView {
				t.Errorf("%+v", p)
			}
			seen[p.ID] = true
			kinds[p.NodeType]++
		}
		if page.Cursor = found.Next(); page.Cursor == nil {
			break
		}
	}
	if len(seen) < 34 || kinds["generate-image"] != 16 || kinds["text-card"] != 6 || kinds["text-to-speech"] != 4 || kinds["animate-image"] != 4 {
		t.Errorf("%d presets: %v", len(seen), kinds)
	}
	for _, p := range factoryPresets {
		kind, _ := w.Flows.Catalogue.Find(p.NodeType)
		kept, err := kind.PresetSettings("settings.", p.Settings)
		if err != nil || !maps.Equal(kept, p.Settings) {
			t.Errorf("%s %s: %v, %v", p.NodeType, p.Name, kept, err)
		}
	}
	first := factoryPresets[0]
	if got, err := w.Presets().Find(w.as(w.ann), first.ID); err != nil || got.Name != first.Name {
		t.Errorf("%+v, %v", got, err)
	}
	w.refused(w.Presets().Delete(w.as(w.ann), first.ID), models.CodeForbidden, "duplicate")
	_, err := w.Presets().Update(w.as(w.ann), first.ID, UpdatePresetInput{})
	w.refused(err, models.CodeForbidden, "duplicate")
	if copied, err := w.Presets().Duplicate(w.as(w.ann), first.ID); err != nil || copied.IsFactory || copied.OwnerID != w.ann {
		t.Errorf("%+v, %v", copied, err)
	}
	query, kind := "WATER", "generate-image"
	if found, err := w.Presets().ListFactory(w.as(w.ann), &PresetFilter{Query: &query, NodeType: &kind}, models.Page{}); err != nil || len(found.Nodes) != 1 {
		t.Errorf("sought: %+v, %v", found, err)
	}
}
