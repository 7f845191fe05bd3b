package library

import (
	"slices"

	"atelier/models"
	"atelier/models/flow"
	"atelier/nodes"
	"atelier/nodes/phrase"
)

// registerRuns has runs ask the library what they may use, and tell it what they did.
func (s *Service) registerRuns() {
	s.Flows.SetLibrary(s)
	s.Flows.OnJobEnded(flow.ForPictures, s.generationEnded)
}

// finding is what the nodes of one run name, as it is found.
type finding struct {
	s       *Service
	tx      *models.Tx
	spaces  map[judgedKey]*flow.Reach
	presets map[models.ID]presetFound
	byID    map[models.ID]*Element
	named   map[handleKey]*Element
	images  map[models.ID][]nodes.PictureRef
	refs    flow.JobRefs
}

type presetFound struct {
	settings map[string]any
	why      string
}

// judgedKey is a flow.Judged that can be compared.
type judgedKey struct{ user, workspace models.ID }

type handleKey struct {
	place  judgedKey
	handle string
}

func keyOf(by flow.Judged) judgedKey {
	if by.WorkspaceID == nil {
		return judgedKey{user: by.UserID}
	}
	return judgedKey{by.UserID, *by.WorkspaceID}
}

// FindReferences finds what the nodes of a new run name of the library, as it is now: a few
// statements for any number of nodes. Refusals are validation_error and name the field.
func (s *Service) FindReferences(tx *models.Tx, wanted []flow.Wanted) (flow.JobRefs, error) {
	f := &finding{s: s, tx: tx, spaces: map[judgedKey]*flow.Reach{}, presets: map[models.ID]presetFound{}, refs: flow.JobRefs{}}
	wanted = slices.Clone(wanted)
	for i := range wanted {
		f.refs[wanted[i].Path] = &nodes.Refs{}
		if err := f.preset(&wanted[i]); err != nil {
			return nil, err
		}
	}
	if err := f.readElements(wanted); err != nil {
		return nil, err
	}
	for i := range wanted {
		if err := f.node(&wanted[i]); err != nil {
			return nil, err
		}
	}
	return f.refs, nil
}

// space is the reach by which something is judged; of somebody who is not, or no more, in
// the workspace their personal one.
func (f *finding) space(by flow.Judged) (*flow.Reach, error) {
	key := keyOf(by)
	if space := f.spaces[key]; space != nil {
		return space, nil
	}
	space, err := f.s.Flows.ReachOf(f.tx.Context(), by)
	if err == nil {
		f.spaces[key] = space
	}
	return space, err
}

// preset finds the preset of a node, and adds what its settings name to what the node does.
func (f *finding) preset(w *flow.Wanted) error {
	kind, ok := f.s.Flows.Catalogue.Find(w.Type)
	if !ok {
		return nil
	}
	for _, id := range w.IDs {
		if id.Kind != "preset" {
			continue
		}
		found, err := f.findPreset(id, w.AskedType)
		if err != nil {
			return err
		}
		if found.why != "" {
			return models.Invalid(w.At+id.Field, "%s", found.why)
		}
		refs := f.refs[w.Path]
		refs.Preset, refs.PresetID = found.settings, id.ID.String()
		laid := kind.LayPreset(w.Data, found.settings)
		for _, named := range kind.NamedIn(laid) {
			if !slices.ContainsFunc(w.IDs, func(own flow.WantedID) bool { return own.Name == named.Name }) {
				w.IDs = append(w.IDs, flow.WantedID{Named: named, By: id.By})
			}
		}
		for _, text := range kind.TextsWithHandles(found.settings) {
			for _, handle := range phrase.Handles(text) {
				if !slices.ContainsFunc(w.Handles, func(own flow.WantedHandle) bool { return own.Handle == handle }) {
					w.Handles = append(w.Handles, flow.WantedHandle{Handle: handle, By: id.By})
				}
			}
		}
		w.Provider = kind.ProviderOf(kind.LayPrice(w.Data, found.settings))
		return nil
	}
	return nil
}

// findPreset finds a preset in the space, or among the person's own.
func (f *finding) findPreset(id flow.WantedID, nodeType string) (presetFound, error) {
	space, err := f.space(id.By)
	if err != nil {
		return presetFound{}, err
	}
	settings, why, err := f.s.presetRef(f.tx.DB, space, id.ID, nodeType)
	if err == nil && why != "" && space.Workspace != nil {
		own := &flow.Reach{UserID: id.By.UserID}
		if settings2, why2, err := f.s.presetRef(f.tx.DB, own, id.ID, nodeType); err == nil && why2 == "" {
			return presetFound{settings2, ""}, nil
		}
	}
	return presetFound{settings, why}, err
}

// readElements reads all elements that nodes name by id or by handle, with their consents
// and the files of their pictures.
func (f *finding) readElements(wanted []flow.Wanted) error {
	var ids []models.ID
	handles := map[judgedKey][]string{}
	for _, w := range wanted {
		for _, id := range w.IDs {
			if id.Kind != "preset" && id.Kind != "voice" {
				ids = append(ids, id.ID)
			}
		}
		for _, h := range w.Handles {
			key := keyOf(h.By)
			handles[key] = append(handles[key], h.Handle)
		}
	}
	if len(ids) == 0 && len(handles) == 0 {
		return nil
	}
	q := f.tx.Where("id IN ?", ids)
	for place, words := range handles {
		if place.workspace != (models.ID{}) {
			q = q.Or("workspace_id = ? AND handle IN ?", place.workspace, words)
		} else {
			q = q.Or("workspace_id IS NULL AND owner_id = ? AND handle IN ?", place.user, words)
		}
	}
	var found []*Element
	if err := f.tx.Where(q).Find(&found).Error; err != nil || len(found) == 0 {
		return err
	}
	if err := f.s.loadConsents(f.tx.Context(), found...); err != nil {
		return err
	}
	f.byID, f.named = map[models.ID]*Element{}, map[handleKey]*Element{}
	for _, e := range found {
		f.byID[e.ID] = e
		for place := range handles {
			if e.WorkspaceID != nil && *e.WorkspaceID == place.workspace || e.WorkspaceID == nil && place.workspace == (models.ID{}) && e.OwnerID == place.user {
				f.named[handleKey{place, e.Handle}] = e
			}
		}
	}
	return f.readPictures(found)
}

// readPictures reads the files of elements' pictures, the primary one first.
func (f *finding) readPictures(found []*Element) (err error) {
	f.images, err = f.s.pictureRefs(f.tx, found)
	return err
}

// node puts together what one node may use.
func (f *finding) node(w *flow.Wanted) error {
	refs := f.refs[w.Path]
	for _, id := range w.IDs {
		switch id.Kind {
		case "preset":
		case "voice":
			if err := f.voice(w, id, refs); err != nil {
				return err
			}
		default:
			e, err := f.reachable(f.byID[id.ID], id.By)
			if err != nil {
				return err
			}
			if e == nil || string(e.Kind) != id.Kind {
				return models.Invalid(w.At+id.Field, "names no %s that this run may use", id.Kind)
			}
			if err := f.use(w, w.At+id.Field, "names a "+id.Kind+" that ", e, true, refs); err != nil {
				return err
			}
		}
	}
	for _, h := range w.Handles {
		e, err := f.reachable(f.named[handleKey{keyOf(h.By), h.Handle}], h.By)
		if err != nil {
			return err
		}
		if e == nil || e.Kind == Face {
			continue // stays text
		}
		if err := f.use(w, w.At+"prompt", "names @"+h.Handle+", which ", e, false, refs); err != nil {
			return err
		}
	}
	return nil
}

// reachable is the element if the run may see it; nil otherwise.
func (f *finding) reachable(e *Element, by flow.Judged) (*Element, error) {
	if e == nil {
		return nil, nil
	}
	space, err := f.space(by)
	if err != nil {
		return nil, err
	}
	if e.WorkspaceID == nil {
		if e.OwnerID == by.UserID {
			return e, nil
		}
		return nil, nil
	}
	if space.Workspace == nil || space.Workspace.ID != *e.WorkspaceID || space.AccessTo(e.owned(), e.grantOf(by.UserID)) == "" {
		return nil, nil
	}
	return e, nil
}

// use adds an element to what a node may use, once; it is refused when its person does not consent.
func (f *finding) use(w *flow.Wanted, field, saying string, e *Element, named bool, refs *nodes.Refs) error {
	if why := usable(e, f.tx.Now); why != nil {
		return models.Invalid(field, "%s%s", saying, why)
	}
	ref := e.ref(f.images[e.ID])
	ref.Named = named
	if outside := w.Provider != "" && w.Provider != "local"; outside && ref.DepictsPerson && !ref.MayLeave && (len(ref.Pictures) > 0 || w.Type == "recast") {
		return models.Invalid(field, "%sdepicts a person whose pictures may not go to a provider", saying)
	}
	if e.Kind == Face {
		refs.Face = &ref
		return nil
	}
	if !slices.ContainsFunc(refs.Elements, func(other nodes.ElementRef) bool { return other.ID == ref.ID }) {
		refs.Elements = append(refs.Elements, ref)
	}
	return nil
}

func (f *finding) voice(w *flow.Wanted, id flow.WantedID, refs *nodes.Refs) error {
	space, err := f.space(id.By)
	if err != nil {
		return err
	}
	ref, why, err := f.s.voiceRef(f.tx.DB, space, id.ID, f.tx.Now)
	if err != nil {
		return err
	}
	if why != "" {
		return models.Invalid(w.At+id.Field, "%s", why)
	}
	refs.Voice = ref
	return nil
}

// ref is the element as a run uses it, as it is now.
func (e *Element) ref(pictures []nodes.PictureRef) nodes.ElementRef {
	ref := nodes.ElementRef{
		ID: e.ID.String(), Kind: string(e.Kind), Name: e.Name, Handle: e.Handle,
		Words:          phrase.Words(string(e.Kind), e.Name, e.Prompt, e.Description, e.Attributes),
		NegativePrompt: e.NegativePrompt, Attributes: e.Attributes, Seed: e.Seed, Palette: e.Palette,
		Pictures: pictures, DepictsPerson: e.DepictsPerson, MayLeave: e.mayLeave(),
	}
	if e.Training != nil {
		ref.Trained = e.Training.Trained
	}
	return ref
}
