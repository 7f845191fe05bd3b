package library

import (
	"context"
	"strings"
	"time"

	"atelier/models"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// libraryJob is a job that ends in the library.
type libraryJob struct {
	JobID       models.ID `gorm:"primaryKey"`
	ExecutionID models.ID
	Purpose     run.Purpose
	ElementID   *models.ID
	VoiceID     *models.ID
	CreatedAt   time.Time
}

func (libraryJob) TableName() string { return "library_jobs" }

// generators are the node types that make pictures of an element, by its kind. There is
// none for faces: a face is a person's.
var generators = map[Kind]string{
	Character: "generate-character", Object: "generate-object", Creature: "generate-creature", Location: "generate-location",
}

// Generate has pictures made of an element that is named, which its space pays, or of
// a new one in the selected space, which is committed together with the job. Refusals: not_found,
// insufficient_role, validation_error for settings and for a person who does not consent,
// limit_reached for a full space, a closed space, the money.
func (s Elements) Generate(ctx context.Context, in GenerateElementInput) (*Begun, error) {
	if err := s.library.Runs.AdmitRun(ctx); err != nil {
		return nil, err
	}
	nodeType := generators[in.Kind]
	if nodeType == "" {
		return nil, models.NotFound("Node type")
	}
	if strings.TrimSpace(in.Description) == "" {
		return nil, models.Invalid("description", "is required")
	}
	begun := &Begun{}
	err := s.library.DB.Write(ctx, func(tx *models.Tx) error {
		e, home, err := s.library.elementToGenerate(tx, in)
		if err != nil {
			return err
		}
		begin := run.NodeBegin{Type: nodeType, Settings: in.settings(e), Home: home, Purpose: run.ForPictures}
		if in.ID != nil {
			pictures, err := s.library.pictureRefs(tx.DB, []*Element{e})
			if err != nil {
				return err
			}
			begin.Refs = &kit.Refs{Elements: []kit.ElementRef{e.ref(pictures[e.ID])}}
		}
		started, err := s.library.Runs.Nodes().Begin(tx, begin)
		if err != nil {
			return err
		}
		begun.Job, begun.Element = started.Job, e
		return tx.Create(&libraryJob{JobID: begun.Job.ID, ExecutionID: begun.Job.ExecutionID, Purpose: run.ForPictures, ElementID: &e.ID, CreatedAt: tx.Now}).Error
	})
	if err != nil {
		return nil, err
	}
	begun.Element, err = s.Find(ctx, begun.Element.ID)
	return begun, err
}

// elementToGenerate is the element that pictures are made of, and the space that pays; nil is the selected one.
func (s *Service) elementToGenerate(tx *models.Tx, in GenerateElementInput) (*Element, *space.Viewer, error) {
	if in.ID == nil {
		e, err := s.beginElement(tx, in)
		return e, nil, err
	}
	seen, _, err := s.Elements().Reach(tx.Context(), *in.ID)
	if err == nil && seen.Kind != in.Kind {
		err = errNoElement
	}
	if err != nil {
		return nil, nil, err
	}
	if err := space.Hold(tx, seen.owned()); err != nil {
		return nil, nil, err
	}
	e, home, err := s.lockElement(tx, *in.ID)
	if err != nil {
		return nil, nil, err
	}
	if err := home.MayWorkAs(e.Access, string(e.Kind)); err != nil {
		return nil, nil, err
	}
	if why := usable(e, tx.Now); why != nil {
		return nil, nil, models.Invalid(in.Kind.idField(), "names a %s that %s", in.Kind, why)
	}
	if e.Status != Failed {
		return e, home, nil
	}
	e.Status = Generating
	return e, home, tx.Model(e).Where("id = ?", e.ID).UpdateColumns(map[string]any{"status": Generating, "updated_at": tx.Now}).Error
}

// beginElement makes the new element that a job is to make pictures of.
func (s *Service) beginElement(tx *models.Tx, in GenerateElementInput) (*Element, error) {
	create := CreateElementInput{
		Kind: in.Kind, Name: nameFor(in), Description: &in.Description, Attributes: in.Attributes, Tags: in.Tags, Seed: in.Seed,
		FaceID: in.FaceID, Visibility: in.Visibility, ProjectID: in.ProjectID,
	}
	e, err := newElement(create)
	if err != nil {
		return nil, err
	}
	e.Status = Generating
	viewer, err := s.placeNew(tx, e, create)
	if err != nil {
		return nil, err
	}
	return e, s.insertElement(tx, viewer, e, nil)
}

// maxNameWords bounds a name that is made of a description.
const maxNameWords = 3

// nameFor is the name that was sent, else one that is made of the description.
func nameFor(in GenerateElementInput) string {
	if in.Name != nil {
		return *in.Name
	}
	return models.Shortened(wordsForName(in.Description), 100)
}

// wordsForName are the first words of a description, without its article and up to what is said of it: "old lighthouse
// keeper" of "An old lighthouse keeper with a white beard".
func wordsForName(description string) string {
	words := strings.Fields(description)
	for len(words) > 1 && joining[plain(words[0])] {
		words = words[1:]
	}
	for i, word := range words {
		if i == maxNameWords || i > 0 && joining[plain(word)] {
			words = words[:i]
			break
		}
		if bare := strings.TrimRight(word, ".,;:!?"); bare != word && bare != "" {
			words[i], words = bare, words[:i+1]
			break
		}
	}
	return strings.Join(words, " ")
}

func plain(word string) string { return strings.ToLower(strings.Trim(word, ".,;:!?")) }

// joining are the words that no name begins or ends with.
var joining = func() map[string]bool {
	set := map[string]bool{"": true}
	for word := range strings.FieldsSeq("a an the some and or but with without in on at of by for from to as who which that whose wearing having is are") {
		set[word] = true
	}
	return set
}()

// settings are those of the node that makes the pictures.
func (in GenerateElementInput) settings(e *Element) map[string]any {
	settings := map[string]any{"description": in.Description, "seed": float64(e.Seed)}
	if attributes := e.Attributes.Map(); len(attributes) > 0 {
		settings["attributes"] = attributes
	}
	for name, value := range in.Attributes {
		all, _ := settings["attributes"].(map[string]any)
		if all == nil {
			all = map[string]any{}
			settings["attributes"] = all
		}
		all[name] = value
	}
	if in.Seed != nil {
		settings["seed"] = float64(*in.Seed)
	}
	if len(in.Views) > 0 {
		views := make([]any, len(in.Views))
		for i, view := range in.Views {
			views[i] = view
		}
		settings["views"] = views
	}
	for name, value := range map[string]*string{"background": in.Background, "provider": in.Provider, "model": in.Model} {
		if value != nil {
			settings[name] = *value
		}
	}
	if in.PresetID != nil {
		settings["presetId"] = in.PresetID.String()
	}
	if face := cmpID(in.FaceID, e.FaceID); face != nil && in.Kind == Character {
		settings["faceId"] = face.String()
	}
	if in.HoldForReview {
		settings["holdForReview"] = true
	}
	return settings
}

func cmpID(a, b *models.ID) *models.ID {
	if a != nil {
		return a
	}
	return b
}

// idField is how a body names an element of the kind, such as characterId.
func (k Kind) idField() string { return string(k) + "Id" }
