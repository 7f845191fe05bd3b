package library

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes/kit"
	"atelier/nodes/phrase"
)

// finding is what the nodes of one run name, as it is found.
type finding struct {
	s       *Service
	q       *gorm.DB
	now     time.Time
	spaces  map[principalKey]*space.Viewer
	presets map[models.ID]*Preset
	voices  map[models.ID]*Voice
	byID    map[models.ID]*Element
	named   map[handleKey]*Element
	images  map[models.ID][]kit.PictureRef
	found   map[string]*run.LookedUp
	// first is the first refusal.
	first error
}

// principalKey is a space.Principal that can be compared.
type principalKey struct{ user, workspace models.ID }

type handleKey struct {
	place  principalKey
	handle string
}

func keyOf(by space.Principal) principalKey {
	if by.WorkspaceID == nil {
		return principalKey{user: by.UserID}
	}
	return principalKey{by.UserID, *by.WorkspaceID}
}

// FindReferences finds what the nodes of a new run name of the library, as it is now: a few
// statements for any number of nodes. Refusals are validation_error and name the field.
func (s *Service) FindReferences(tx *models.Tx, wanted []run.Reference) (run.JobRefs, error) {
	f, err := s.find(tx.DB, tx.Now, wanted)
	if err != nil {
		return nil, err
	}
	refs := run.JobRefs{}
	for path, found := range f.found {
		refs[path] = found.Refs
	}
	return refs, f.first
}

// LookUp is FindReferences for the one who wants to know all of it: what may not be used is
// told for each node.
func (s *Service) LookUp(q *gorm.DB, wanted []run.Reference) (map[string]*run.LookedUp, error) {
	f, err := s.find(q, s.DB.Clock.Now(), wanted)
	if err != nil {
		return nil, err
	}
	return f.found, nil
}

func (s *Service) find(q *gorm.DB, now time.Time, wanted []run.Reference) (*finding, error) {
	f := &finding{s: s, q: q, now: now, spaces: map[principalKey]*space.Viewer{}, presets: map[models.ID]*Preset{}, found: map[string]*run.LookedUp{}}
	wanted = slices.Clone(wanted)
	for i := range wanted {
		f.found[wanted[i].Path] = &run.LookedUp{Refs: &kit.Refs{}}
		if err := f.preset(&wanted[i]); err != nil {
			return nil, err
		}
	}
	if err := f.readElements(wanted); err != nil {
		return nil, err
	}
	if err := f.readVoices(wanted); err != nil {
		return nil, err
	}
	for i := range wanted {
		if err := f.node(&wanted[i]); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// refuse notes that a node may not use what its field names.
func (f *finding) refuse(w *run.Reference, field, message string, args ...any) {
	err := models.Invalid(field, message, args...)
	if f.first == nil {
		f.first = err
	}
	if found := f.found[w.Path]; found.Refusal == nil {
		found.Refusal = err
	}
}

// note tells what a node uses, whether it may or not.
func (f *finding) note(w *run.Reference, thing models.ID, facts ...any) {
	found := f.found[w.Path]
	found.Things = append(found.Things, thing)
	found.Facts = append(found.Facts, fmt.Sprint(append([]any{thing}, facts...)...))
}

// space is the reach by which something is judged; of a person who is not, or no more, in
// the workspace their personal one.
func (f *finding) space(by space.Principal) (*space.Viewer, error) {
	key := keyOf(by)
	if viewer := f.spaces[key]; viewer != nil {
		return viewer, nil
	}
	viewer, err := f.s.Spaces.ViewerFor(f.q.Statement.Context, by)
	if err == nil {
		f.spaces[key] = viewer
	}
	return viewer, err
}

// preset finds the preset of a node, and adds what its settings name to what the node does.
func (f *finding) preset(w *run.Reference) error {
	kind, ok := f.s.Flows.Catalogue.Find(w.Type)
	if !ok {
		return nil
	}
	for _, id := range w.IDs {
		if id.Kind != "preset" {
			continue
		}
		settings, err := f.findPreset(w, id)
		if err != nil || settings == nil {
			return err
		}
		refs := f.found[w.Path].Refs
		refs.Preset, refs.PresetID = settings, id.ID.String()
		laid := kind.LayPreset(w.Data, settings)
		for _, named := range kind.NamedIn(laid) {
			if !slices.ContainsFunc(w.IDs, func(own run.ReferenceID) bool { return own.Name == named.Name }) {
				w.IDs = append(w.IDs, run.ReferenceID{Named: named, By: id.By})
			}
		}
		for _, text := range kind.TextsWithHandles(settings) {
			for _, handle := range phrase.Handles(text) {
				if !slices.ContainsFunc(w.Handles, func(own run.ReferenceHandle) bool { return own.Handle == handle }) {
					w.Handles = append(w.Handles, run.ReferenceHandle{Handle: handle, By: id.By})
				}
			}
		}
		w.Provider = kind.ProviderOf(kind.LayPrice(w.Data, settings))
		return nil
	}
	return nil
}

// findPreset finds a preset in the space, or among the person's own; nil settings when it
// may not be used.
func (f *finding) findPreset(w *run.Reference, id run.ReferenceID) (map[string]any, error) {
	viewer, err := f.space(id.By)
	if err != nil {
		return nil, err
	}
	p, known := f.presets[id.ID]
	if !known {
		if p, err = f.s.presetOf(f.q, id.ID); err != nil {
			return nil, err
		}
		f.presets[id.ID] = p
	}
	why := f.s.whyNotPreset(viewer, p, w.AskedType)
	if why != "" && viewer.Workspace != nil {
		if f.s.whyNotPreset(space.Personal(id.By.UserID, false), p, w.AskedType) == "" {
			why = ""
		}
	}
	if p != nil {
		written, err := json.Marshal(p.Settings)
		if err != nil {
			return nil, err
		}
		f.note(w, p.ID, string(written))
	}
	if why != "" {
		f.refuse(w, w.At+id.Field, "%s", why)
		return nil, nil
	}
	return p.Settings, nil
}

// readElements reads all elements that nodes name by id or by handle, with their consents
// and the files of their pictures.
func (f *finding) readElements(wanted []run.Reference) error {
	var ids []models.ID
	handles := map[principalKey][]string{}
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
	q := f.q.Where("id IN ?", ids)
	for place, words := range handles {
		if place.workspace != (models.ID{}) {
			q = q.Or("workspace_id = ? AND handle IN ?", place.workspace, words)
		} else {
			q = q.Or("workspace_id IS NULL AND owner_id = ? AND handle IN ?", place.user, words)
		}
	}
	var found []*Element
	if err := f.q.Where(q).Find(&found).Error; err != nil || len(found) == 0 {
		return err
	}
	if err := f.s.loadConsents(f.q.Statement.Context, found...); err != nil {
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
	f.images, err = f.s.pictureRefs(f.q, found)
	return err
}

// node puts together what one node may use.
func (f *finding) node(w *run.Reference) error {
	refs := f.found[w.Path].Refs
	for _, id := range w.IDs {
		switch id.Kind {
		case "preset":
		case "voice":
			if err := f.voice(w, id, refs); err != nil {
				return err
			}
		default:
			e := f.byID[id.ID]
			reached, err := f.reachable(e, id.By)
			if err != nil {
				return err
			}
			if e != nil && string(e.Kind) == id.Kind {
				f.noteElement(w, e)
			}
			if reached == nil || string(e.Kind) != id.Kind {
				f.refuse(w, w.At+id.Field, "names no %s that this run may use", id.Kind)
				continue
			}
			f.use(w, w.At+id.Field, "names a "+id.Kind+" that ", e, true, refs)
		}
	}
	for _, h := range w.Handles {
		e := f.named[handleKey{keyOf(h.By), h.Handle}]
		if e == nil || e.Kind == Face {
			continue // stays text
		}
		f.noteElement(w, e)
		reached, err := f.reachable(e, h.By)
		if err != nil {
			return err
		}
		if reached != nil {
			f.use(w, w.At+"prompt", "names @"+h.Handle+", which ", e, false, refs)
		}
	}
	return nil
}

// noteElement tells what a node uses of an element: its pictures and its trained model
// change by themselves.
func (f *finding) noteElement(w *run.Reference, e *Element) {
	facts := []any{e.Version}
	for _, picture := range f.images[e.ID] {
		facts = append(facts, picture.Address, picture.Role)
	}
	if e.Training != nil && e.Training.Trained != nil {
		facts = append(facts, *e.Training.Trained)
	}
	f.note(w, e.ID, facts...)
}

// reachable is the element if the run may see it; nil otherwise.
func (f *finding) reachable(e *Element, by space.Principal) (*Element, error) {
	if e == nil {
		return nil, nil
	}
	viewer, err := f.space(by)
	if err != nil || !mayUse(viewer, e.owned(), e.grantOf(by.UserID)) {
		return nil, err
	}
	return e, nil
}

// use adds an element to what a node may use, once; it is refused when its person does not consent.
func (f *finding) use(w *run.Reference, field, saying string, e *Element, named bool, refs *kit.Refs) {
	if why := usable(e, f.now); why != nil {
		f.refuse(w, field, "%s%s", saying, why)
		return
	}
	ref := e.ref(f.images[e.ID])
	ref.Named = named
	if outside := w.Provider != "" && w.Provider != "local"; outside && ref.DepictsPerson && !ref.MayLeave && (len(ref.Pictures) > 0 || w.Type == "recast") {
		f.refuse(w, field, "%sdepicts a person whose pictures may not go to a provider", saying)
		return
	}
	if e.Kind == Face {
		refs.Face = &ref
		return
	}
	if !slices.ContainsFunc(refs.Elements, func(other kit.ElementRef) bool { return other.ID == ref.ID }) {
		refs.Elements = append(refs.Elements, ref)
	}
}

// readVoices reads all voices that nodes name, with their consents.
func (f *finding) readVoices(wanted []run.Reference) error {
	var ids []models.ID
	for _, w := range wanted {
		for _, id := range w.IDs {
			if id.Kind == "voice" && !slices.Contains(ids, id.ID) {
				ids = append(ids, id.ID)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var err error
	f.voices, err = f.s.voicesOf(f.q, ids)
	return err
}

func (f *finding) voice(w *run.Reference, id run.ReferenceID, refs *kit.Refs) error {
	viewer, err := f.space(id.By)
	if err != nil {
		return err
	}
	v := f.voices[id.ID]
	if v != nil {
		f.note(w, v.ID, v.Version)
	}
	if why := f.s.whyNotVoice(f.q.Statement.Context, viewer, v, f.now); why != "" {
		f.refuse(w, w.At+id.Field, "%s", why)
		return nil
	}
	refs.Voice = v.ref()
	return nil
}

// ref is the element as a run uses it, as it is now.
func (e *Element) ref(pictures []kit.PictureRef) kit.ElementRef {
	ref := kit.ElementRef{
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
