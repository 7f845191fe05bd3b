package library

import (
	"regexp"
	"strings"

	"atelier/humantext"
	"atelier/models"
)

// The bounds of what an element says, in characters; see docs/security.md.
const (
	maxElementText    = 4_000
	maxElementPrompt  = 2_000
	maxAttributes     = 20
	maxAttributeName  = 40
	maxAttributeValue = 200
	maxSeed           = 1<<31 - 1
	maxCaption        = 500
)

// handleForm is 2 to 30 small letters, digits and underscores.
var handleForm = regexp.MustCompile(`^[a-z0-9_]{2,30}$`)

func checkHandle(handle string) (string, error) {
	if !handleForm.MatchString(handle) {
		return "", models.Invalid("handle", "must have 2 to 30 of the characters a-z, 0-9 and _")
	}
	return handle, nil
}

// cleanAttributes takes texts by name; of faces there are none.
func cleanAttributes(kind Kind, sent map[string]any) (Attributes, error) {
	kept := Attributes{}
	if len(sent) > maxAttributes {
		return nil, models.Invalid("attributes", "must be at most %d", maxAttributes)
	}
	if kind == Face && len(sent) > 0 {
		return nil, models.Invalid("attributes", "must be empty for a face")
	}
	for name, value := range sent {
		name = strings.TrimSpace(humantext.Name(name))
		text, isText := value.(string)
		if !isText {
			return nil, models.Invalid("attributes", "must be texts by name: %s is none", models.Shortened(name, maxAttributeName))
		}
		if name == "" {
			return nil, models.Invalid("attributes", "must have names")
		}
		if _, err := models.CleanText("attributes", name, maxAttributeName); err != nil {
			return nil, models.Invalid("attributes", "must have names of at most %d characters without control characters", maxAttributeName)
		}
		text, err := models.CleanText("attributes", strings.TrimSpace(text), maxAttributeValue)
		if err != nil {
			return nil, models.Invalid("attributes", "must have values of at most %d characters without control characters: %s has not", maxAttributeValue, name)
		}
		kept[name] = text
	}
	return kept, nil
}

// Text reads an optional text of something new.
func Text(field string, sent *string, most int) (string, error) {
	if sent == nil {
		return "", nil
	}
	return models.CleanText(field, *sent, most)
}

// newElement is the element of an input, its form checked.
func newElement(in CreateElementInput) (*Element, error) {
	if err := in.Kind.check(); err != nil {
		return nil, err
	}
	name, err := models.CleanName("name", in.Name)
	if err != nil {
		return nil, err
	}
	e := &Element{Kind: in.Kind, Name: name, Status: Ready, Version: 1, Palette: models.Strings{}, FaceID: in.FaceID, VoiceID: in.VoiceID}
	if in.Handle != nil {
		if e.Handle, err = checkHandle(*in.Handle); err != nil {
			return nil, err
		}
	}
	if e.Description, err = Text("description", in.Description, maxElementText); err != nil {
		return nil, err
	}
	if e.Prompt, err = Text("prompt", in.Prompt, maxElementPrompt); err != nil {
		return nil, err
	}
	if e.NegativePrompt, err = Text("negativePrompt", in.NegativePrompt, maxElementPrompt); err != nil {
		return nil, err
	}
	if e.Attributes, err = cleanAttributes(in.Kind, in.Attributes); err != nil {
		return nil, err
	}
	if e.Tags, err = CleanTags(in.Tags); err != nil {
		return nil, err
	}
	if e.Seed, err = SeedOf(in.Seed); err != nil {
		return nil, err
	}
	e.DepictsPerson = in.DepictsPerson != nil && *in.DepictsPerson
	if e.Kind == Face && in.DepictsPerson != nil && !*in.DepictsPerson {
		return nil, models.Invalid("depictsPerson", "is always true for a face")
	}
	return e, e.checkCharacterOnly()
}

// checkCharacterOnly refuses what only characters have.
func (e *Element) checkCharacterOnly() error {
	switch {
	case e.Kind == Character:
	case e.VoiceID != nil:
		return models.Invalid("voiceId", "is for characters")
	case e.FaceID != nil:
		return models.Invalid("faceId", "is for characters")
	}
	return nil
}
