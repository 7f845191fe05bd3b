package library

import (
	"atelier/models"
	"atelier/models/run"
)

// followers are what areas above do when something happens to things of the library.
type followers = models.Hooks[func(tx *models.Tx, ids ...models.ID) error]

type hooks struct {
	changed, subjectRemoved followers
	// removal removes more of an organization that is gone.
	removal models.Hooks[func(tx *models.Tx, organizationID models.ID) (left bool, err error)]
}

// HookPoints lists who follows what.
func (s *Service) HookPoints() []models.HookPoint {
	return []models.HookPoint{
		{Event: "an element, a preset or a voice changes, or is gone", Hooks: s.hooks.changed.Names()},
		{Event: "what a deleted organization kept in the library is removed", Hooks: s.hooks.removal.Names()},
		{Event: "what depicts a person is deleted, or the consent to it is withdrawn", Hooks: s.hooks.subjectRemoved.Names()},
	}
}

// RegisterHooks has the other areas ask the library where their work touches it: what a run may
// use, what a job that ended brings, and what goes with an account or an organization.
func (s *Service) RegisterHooks() {
	s.Runs.SetLibrary(s)
	s.Runs.OnJobEnded(run.ForPictures, "library: keep the pictures", s.generationEnded)
	s.Runs.OnJobEnded(run.ForPreview, "library: keep the preview of a voice", s.previewEnded)
	s.Runs.OnJobEnded(run.ForCloning, "library: keep the cloned voice", s.cloneEnded)
	s.Accounts.OnDelete("library: faces and voices of the person, and the personal library", s.removePersonOf)
	s.Runs.OnJobEnded(run.ForTraining, "library: keep the trained model", s.trainingEnded)
	s.Orgs.OnDelete("library: soon what its workspaces keep", removeLater)
}

// OnChanged registers what else happens when elements, presets or voices have changed or
// are gone, in the same transaction, with their rows locked.
func (s *Service) OnChanged(name string, do func(tx *models.Tx, ids ...models.ID) error) {
	s.hooks.changed.Add(name, do)
}

// OnSubjectRemoved registers what else happens when what depicts a person is deleted, or the
// consent to it is withdrawn.
func (s *Service) OnSubjectRemoved(name string, do func(tx *models.Tx, ids ...models.ID) error) {
	s.hooks.subjectRemoved.Add(name, do)
}

// OnOrganizationRemoval registers what else is removed, some of it in each transaction, when what a
// deleted organization kept is: until nothing is left, which do tells.
func (s *Service) OnOrganizationRemoval(name string, do func(tx *models.Tx, organizationID models.ID) (left bool, err error)) {
	s.hooks.removal.Add(name, do)
}

// removeWith removes some of what areas above keep of an organization that is gone.
func (s *Service) removeWith(tx *models.Tx, organizationID models.ID) (left bool, err error) {
	for _, hook := range s.hooks.removal {
		more, err := hook.Do(tx, organizationID)
		if err != nil {
			return false, hook.Failed(err)
		}
		left = left || more
	}
	return left, nil
}

func (s *Service) touched(tx *models.Tx, ids ...models.ID) error {
	return tell(s.hooks.changed, tx, ids)
}

func (s *Service) subjectRemoved(tx *models.Tx, ids ...models.ID) error {
	return tell(s.hooks.subjectRemoved, tx, ids)
}

func tell(all followers, tx *models.Tx, ids []models.ID) error {
	if len(ids) == 0 {
		return nil
	}
	for _, hook := range all {
		if err := hook.Do(tx, ids...); err != nil {
			return hook.Failed(err)
		}
	}
	return nil
}
