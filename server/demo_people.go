package server

import (
	"bytes"
	"context"
	"fmt"
	"image/jpeg"
	"slices"
	"strings"

	"atelier/models"
	"atelier/models/account"
	"atelier/nodes/kit"
	"atelier/nodes/paint"
)

// The people of the demo. Those with a picture have one that the local painter made.
type demoPerson struct{ name, picture string }

var (
	demoTeachers = []demoPerson{
		{"Daniel Okafor", "a blue sea"}, {"Helen Brandt", "warm autumn mosaic"},
	}
	demoStudents = []demoPerson{
		{"Jonas Reuter", "a night skyline"}, {"Mina Lang", "pink blossoms"}, {"Tomás Ortega", ""}, {"Yuki Kimura", "misty hills"},
		{"Sara Bello", ""}, {"Leyla Demir", "a nebula"}, {"Emil Novak", ""}, {"Anna Fischer", ""}, {"Noah Berger", "green marble"},
		{"Zoe Marchand", ""}, {"Ivan Petrov", ""}, {"Amara Diallo", "gold sunset"}, {"Felix Krüger", ""}, {"Priya Nair", ""},
		{"Lukas Hoffmann", ""}, {"Ella Sørensen", "ice and snow"},
	}
	demoTeam = []demoPerson{{"Lee Park", "violet waves"}, {"Ada Lindqvist", ""}, {"Rui Costa", ""}}
)

// address is a person's address: the first name, plain, at the school or the team.
func address(name string) string {
	first, _, _ := strings.Cut(strings.ToLower(name), " ")
	first = strings.NewReplacer("á", "a", "é", "e").Replace(first)
	switch {
	case name == "Operator":
		return operatorAddress
	case isOf(demoTeam, name):
		return first + "@brightline.example"
	}
	return first + "@northgate.example"
}

func isOf(people []demoPerson, name string) bool {
	for _, p := range people {
		if p.name == name {
			return true
		}
	}
	return false
}

func namesOf(people []demoPerson) []string {
	names := make([]string, len(people))
	for i, p := range people {
		names[i] = p.name
	}
	return names
}

// operatorAddress is the address of the demo's operator.
const operatorAddress = "operator@atelier.example"

// everyone are all people of the demo.
func everybody() []demoPerson {
	first := []demoPerson{{"Operator", ""}, {"Mara Weiss", "a calm sunrise"}}
	return slices.Concat(first, demoTeachers, demoStudents, demoTeam)
}

// gather makes the accounts of everyone.
func (d *demonstration) gather() error {
	for i, p := range everybody() {
		if err := d.join(p.name); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if p.picture == "" {
			continue
		}
		if err := d.portray(p, int64(i)); err != nil {
			return err
		}
	}
	return nil
}

// join makes an account.
func (d *demonstration) join(name string) error {
	result, err := d.Accounts.SignUp(d.ctx, account.SignUpInput{Email: address(name), Password: demoPassword, DisplayName: name, OperatorCode: &d.OperatorCode})
	if err != nil {
		return err
	}
	credentials, err := d.Accounts.Authenticate(d.ctx, result.SignedIn.Token)
	if err != nil {
		return err
	}
	d.people[name] = models.WithActor(d.ctx, credentials.Actor)
	return nil
}

// as is a context in which a person acts who has just confirmed that it is them: the clock moves by months
// without another sign-in.
func (d *demonstration) as(name string) context.Context {
	ctx := d.people[name]
	actor := models.ActorFrom(ctx)
	actor.ConfirmedAt = d.clock.Now()
	return models.WithActor(ctx, actor)
}

// portray gives a person a picture.
func (d *demonstration) portray(p demoPerson, seed int64) error {
	img, _ := paint.Picture(paint.Brief{Prompt: p.picture, Seed: seed, Width: 256, Height: 256})
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		return err
	}
	small, err := kit.Portrait(d.ctx, &b)
	if err != nil {
		return err
	}
	return d.Accounts.SetPicture(d.as(p.name), small)
}
