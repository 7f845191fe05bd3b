package kit

import "slices"

// Refs are the things of the library that a node of a run uses, as they were
// when the run was accepted. Later changes of them do not touch the run.
type Refs struct {
	// Elements are those that the node's fields and the @handles of its texts
	// name, in the order in which they are named, the location too.
	Elements []ElementRef `json:"elements,omitempty"`
	// Face is the face that a generated character is to have.
	Face *ElementRef `json:"face,omitempty"`
	// Preset are settings that lie under the node's own.
	Preset   map[string]any `json:"preset,omitempty"`
	PresetID string         `json:"presetId,omitempty"`
	Voice    *VoiceRef      `json:"voice,omitempty"`
}

// ElementRef is an element as a node uses it.
type ElementRef struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Handle string `json:"handle"`
	// Words stand for it in a prompt; NegativePrompt is what is to be avoided.
	Words          string            `json:"words"`
	NegativePrompt string            `json:"negativePrompt,omitempty"`
	Attributes     map[string]string `json:"attributes,omitempty"`
	Seed           int               `json:"seed"`
	Palette        []string          `json:"palette,omitempty"`
	Pictures       []PictureRef      `json:"pictures,omitempty"`
	Trained        *TrainedRef       `json:"trained,omitempty"`
	// DepictsPerson: it shows a person real. MayLeave: pictures of it may go to a provider.
	DepictsPerson bool `json:"depictsPerson,omitempty"`
	MayLeave      bool `json:"mayLeave,omitempty"`
	// Named: a field of the node names it; else a @handle of its texts may.
	Named bool `json:"named,omitempty"`
}

// PictureRef is a picture of an element. MediaStore.Open takes its Address, in this job alone.
type PictureRef struct {
	Address     string `json:"address"` // kept:<id of the file>
	Role        string `json:"role"`
	ContentType string `json:"contentType"`
	Width       int    `json:"width"`
	Height      int    `json:"height"`
}

// TrainedRef is a model that was trained for one element alone.
type TrainedRef struct {
	Provider    string `json:"provider"`
	Model       string `json:"model"`
	Version     string `json:"version"`
	TriggerWord string `json:"triggerWord"`
}

// VoiceRef is a voice as text-to-speech uses it.
type VoiceRef struct {
	ID       string         `json:"id"`
	Provider string         `json:"provider"`
	Voice    string         `json:"voice"`
	Language string         `json:"language,omitempty"`
	Settings map[string]any `json:"settings,omitempty"`
	// DepictsPerson: it is a person's own voice.
	DepictsPerson bool `json:"depictsPerson,omitempty"`
	// Sample and Recording, of a voice that is to be cloned, are the sound that it
	// is made of and the spoken consent, as addresses like those of pictures.
	Sample    string `json:"sample,omitempty"`
	Recording string `json:"recording,omitempty"`
}

// Has tells whether the job may open a private file by its address, such as kept:<id>.
func (r *Refs) Has(address string) bool { return slices.Contains(r.Addresses(), address) }
