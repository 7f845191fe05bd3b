package library

import "atelier/models"

// What may be posted in the community: nothing that comes with the program, depicts a person or is
// not finished.

// ErrFromProgram refuses to post what comes with the program.
var ErrFromProgram = models.Invalid("sourceId", "names something that comes with the program; everyone has it")

// CheckPostable refuses voices that are never posted.
func (v *Voice) CheckPostable() error {
	switch v.Source {
	case FactoryVoice:
		return ErrFromProgram
	case ClonedVoice:
		return models.Invalid("sourceId", "names the voice of a person, which is never posted")
	}
	return nil
}

// CheckPostable refuses elements that are never posted.
func (e *Element) CheckPostable() error {
	switch {
	case e.Kind == Face || e.DepictsPerson || e.FaceID != nil:
		return models.Invalid("sourceId", "names what depicts a person, which is never posted")
	case e.Status != Ready:
		return models.Invalid("sourceId", "names what is still being made, or reviewed")
	}
	return nil
}
