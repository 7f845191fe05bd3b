package server

import (
	"atelier/models"
	"atelier/models/community"
	"atelier/models/library"
	"atelier/models/space"
	"atelier/models/studio"
)

// demoScript is what the film lab films.
const demoScript = `EXT. HARBOUR – EVENING

A small boat comes in through the mist.

MIRA: The lamp is out!

INT. LIGHTHOUSE – NIGHT

KEEPER: Then help me light it.`

// film is what the film lab does in its lesson: a character, a script, its shots and the film. One
// student posts the character to the class, which waits for the teacher.
func (d *demonstration) film(room *demoRoom) error {
	teacher, student := d.in(room.workspace, room.teacher), d.in(room.workspace, room.members[4]) // one without a cap
	visible, name := space.WorkspaceShared, "Mira"
	hero, err := d.Library.Elements().Generate(student, library.GenerateElementInput{
		Kind: library.Character, Name: &name, Description: "A girl with braids, a yellow coat and a backpack", Views: []string{"portrait"}, Visibility: &visible,
	})
	if short(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := d.work(); err != nil {
		return err
	}
	if _, err := d.Community.Post(student, community.PostInput{Kind: community.PostCharacter, SourceID: hero.Element.ID, Category: to("storytelling")}); err != nil {
		return err
	}
	p, err := d.Studio.CreateProduction(teacher, studio.CreateProductionInput{
		Name: "The lamp", Description: to("Our first film together"), Script: to(demoScript), Resolution: to("480p"), Visibility: &visible,
	})
	if err != nil {
		return err
	}
	seconds := 3.0
	if _, err := d.Studio.BreakDownScript(teacher, p.ID, studio.BreakDownInput{SecondsPerShot: &seconds}); err != nil {
		return err
	}
	if _, err := d.Studio.RenderProduction(teacher, p.ID, studio.RenderInput{}); err != nil {
		if short(err) {
			return nil
		}
		return err
	}
	return d.work()
}

// short tells whether a class lacks the credits for something, as classes do.
func short(err error) bool {
	return models.HasCode(err, models.CodeBudgetExceeded) || models.HasCode(err, models.CodeMemberCapExceeded)
}
