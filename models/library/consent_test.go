//go:build !race

package library

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
	"atelier/models/space"
	"atelier/nodes/face/facetest"
	"atelier/nodes/kit"
)

func consentWorld(t *testing.T) *wordsWorld { t.Helper(); return newVoicesWorld(t, kit.Providers{}) }

func yes() *bool { v := true; return &v }

func basis() *string { v := "Release form in folder 7"; return &v }

// consentFace makes a face as a person, with the picture of no one.
func (w *wordsWorld) consentFace(ctx context.Context, in ConsentInput) (*Element, error) {
	w.t.Helper()
	return w.Elements().Create(ctx, CreateElementInput{Kind: Face, Name: "Face", Consent: &in})
}

func (w *wordsWorld) mustFace(ctx context.Context, in ConsentInput) *Element {
	w.t.Helper()
	e, err := w.consentFace(ctx, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

// consentPicture adds the picture of no one to an element.
func (w *wordsWorld) consentPicture(ctx context.Context, id models.ID, content []byte) (*Image, error) {
	w.t.Helper()
	return w.Images().AddFile(ctx, id, bytes.NewReader(content), AddImageInput{})
}

func (w *wordsWorld) consentTeam() {
	w.exec(`UPDATE organizations SET kind = 'team' WHERE id = ?`, w.org.ID)
}

func TestConsentWhoMaySaySo(t *testing.T) {
	w := consentWorld(t)
	soon, far := w.DB.Clock.Now().Add(100*24*time.Hour), w.DB.Clock.Now().Add(400*24*time.Hour)
	short := "short"
	minor := ConsentInput{Subject: Minor, Confirmed: yes(), Basis: basis(), ValidUntil: &soon}
	adult := ConsentInput{Subject: Adult, Confirmed: yes(), Basis: basis()}
	for name, c := range map[string]struct {
		as     context.Context
		in     *ConsentInput
		code   models.Code
		part   string
		status ConsentStatus
		awaits []string
	}{
		"nothing said":         {w.in(w.owner), nil, models.CodeValidation, "consent ", "", nil},
		"self of an admin":     {w.in(w.owner), &ConsentInput{Subject: Self, Confirmed: yes()}, "", "", Given, []string{}},
		"self unconfirmed":     {w.in(w.owner), &ConsentInput{Subject: Self}, models.CodeValidation, "consent.confirmed", "", nil},
		"self of a pupil":      {w.in(w.ann), &ConsentInput{Subject: Self, Confirmed: yes()}, "", "", Awaiting, []string{"admin"}},
		"member, a pupil":      {w.in(w.owner), &ConsentInput{Subject: Member, UserID: &w.ann}, "", "", Awaiting, []string{"subject", "admin"}},
		"member, an admin":     {w.in(w.ann), &ConsentInput{Subject: Member, UserID: &w.owner}, "", "", Awaiting, []string{"subject"}},
		"member, nobody":       {w.in(w.ann), &ConsentInput{Subject: Member}, models.CodeValidation, "consent.userId", "", nil},
		"member, a stranger":   {w.in(w.ann), &ConsentInput{Subject: Member, UserID: &w.stranger}, models.CodeValidation, "consent.userId", "", nil},
		"member, oneself":      {w.in(w.ann), &ConsentInput{Subject: Member, UserID: &w.ann}, models.CodeValidation, "consent.userId", "", nil},
		"adult by an admin":    {w.in(w.owner), &adult, "", "", Given, []string{}},
		"adult by a pupil":     {w.in(w.ann), &adult, models.CodeInsufficientRole, "", "", nil},
		"adult without basis":  {w.in(w.owner), &ConsentInput{Subject: Adult, Confirmed: yes()}, models.CodeValidation, "consent.basis", "", nil},
		"adult, a short basis": {w.in(w.owner), &ConsentInput{Subject: Adult, Confirmed: yes(), Basis: &short}, models.CodeValidation, "consent.basis", "", nil},
		"adult, alone":         {w.as(w.stranger), &adult, "", "", Given, []string{}},
		"minor by an admin":    {w.in(w.owner), &minor, "", "", Given, []string{}},
		"minor by a pupil":     {w.in(w.ann), &minor, models.CodeInsufficientRole, "", "", nil},
		"minor, alone":         {w.as(w.stranger), &minor, models.CodeInsufficientRole, "", "", nil},
		"minor without end":    {w.in(w.owner), &ConsentInput{Subject: Minor, Confirmed: yes(), Basis: basis()}, models.CodeValidation, "consent.validUntil", "", nil},
		"minor, too long":      {w.in(w.owner), &ConsentInput{Subject: Minor, Confirmed: yes(), Basis: basis(), ValidUntil: &far}, models.CodeValidation, "consent.validUntil", "", nil},
		"pupil, alone":         {w.as(w.ann), &ConsentInput{Subject: Self, Confirmed: yes()}, models.CodeInsufficientRole, "", "", nil},
		"unknown subject":      {w.in(w.owner), &ConsentInput{Subject: "pet", Confirmed: yes()}, models.CodeValidation, "consent.subject", "", nil},
	} {
		e, err := w.Elements().Create(c.as, CreateElementInput{Kind: Face, Name: name, Consent: c.in})
		if c.code != "" {
			if !models.HasCode(err, c.code) {
				t.Errorf("%s: %v, not %s", name, err, c.code)
			} else {
				w.refused(err, c.code, c.part)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if e.Consent.Status != c.status || !slices.Equal(e.Consent.Awaits, c.awaits) || e.Visibility != space.Private || !e.DepictsPerson {
			t.Errorf("%s: %+v, %s", name, e.Consent, e.Visibility)
		}
		if e.Consent.Providers != (c.in.Subject != Minor) || e.Consent.Statement != Statement {
			t.Errorf("%s: providers %v, statement %s", name, e.Consent.Providers, e.Consent.Statement)
		}
		if (e.Status == AwaitingConsent) != (c.status == Awaiting) {
			t.Errorf("%s: status %s", name, e.Status)
		}
	}
}

func TestConsentInATeam(t *testing.T) {
	w := consentWorld(t)
	w.consentTeam()
	if e := w.mustFace(w.in(w.ann), ConsentInput{Subject: Self, Confirmed: yes()}); e.Consent.Status != Given {
		t.Errorf("self in a team: %s", e.Consent.Status)
	}
	if e := w.mustFace(w.in(w.ann), ConsentInput{Subject: Adult, Confirmed: yes(), Basis: basis()}); e.Consent.Status != Given {
		t.Errorf("adult in a team: %s", e.Consent.Status)
	}
	if e := w.mustFace(w.in(w.owner), ConsentInput{Subject: Member, UserID: &w.ann}); !slices.Equal(e.Consent.Awaits, []string{"subject"}) {
		t.Errorf("member in a team: %v", e.Consent.Awaits)
	}
	if _, err := w.consentFace(w.as(w.ann), ConsentInput{Subject: Self, Confirmed: yes()}); err != nil {
		t.Errorf("self in the personal space of a member of a team: %v", err)
	}
}

func TestConsentIsGivenByThoseWhomItAwaits(t *testing.T) {
	w := consentWorld(t)
	e := w.mustFace(w.in(w.bob), ConsentInput{Subject: Member, UserID: &w.ann})
	if n := w.count(`SELECT count(*) FROM notifications WHERE recipient_id = ? AND kind = 'depicted' AND subject_id = ?`, w.ann, e.ID); n != 1 {
		t.Errorf("ann was told %d times", n)
	}
	if n := w.count(`SELECT count(*) FROM notifications WHERE recipient_id = ? AND kind = 'consent_awaited'`, w.owner); n != 1 {
		t.Errorf("the admin was told %d times", n)
	}
	_, err := w.Elements().GiveConsent(w.in(w.bob), e.ID, GiveConsentInput{Confirmed: true})
	w.refused(err, models.CodeInsufficientRole, "")
	_, err = w.Elements().GiveConsent(w.as(w.stranger), e.ID, GiveConsentInput{Confirmed: true})
	w.refused(err, models.CodeNotFound, "")
	after, err := w.Elements().GiveConsent(w.in(w.ann), e.ID, GiveConsentInput{Confirmed: true})
	if err != nil || after.Consent.Status != Awaiting || !slices.Equal(after.Consent.Awaits, []string{"admin"}) {
		t.Fatalf("%+v %v", after, err)
	}
	for range 2 {
		after, err = w.Elements().GiveConsent(w.in(w.owner), e.ID, GiveConsentInput{Confirmed: true})
		if err != nil || after.Consent.Status != Given || after.Status != Ready || after.Consent.GivenBy != w.owner {
			t.Fatalf("%+v %v", after, err)
		}
	}
	if n := w.count(`SELECT count(*) FROM consents WHERE about_id = ?`, e.ID); n != 3 {
		t.Errorf("%d rows of history", n)
	}
	if n := w.count(`SELECT count(*) FROM audit_entries WHERE action = 'consent.given' AND target_id = ?`, e.ID); n != 1 {
		t.Errorf("%d audit entries", n)
	}
}

func TestConsentWithdrawnTakesEverything(t *testing.T) {
	t.Run("withdrawn", func(t *testing.T) {
		withdrawnTakesEverything(t, func(w *wordsWorld, face *Element) error {
			gone, err := w.Elements().GiveConsent(w.in(w.owner), face.ID, GiveConsentInput{Confirmed: false})
			if gone != nil {
				t.Error(gone)
			}
			return err
		})
	})
	t.Run("deleted by who is depicted", func(t *testing.T) {
		withdrawnTakesEverything(t, func(w *wordsWorld, face *Element) error {
			_, err := w.Elements().Delete(w.in(w.owner), face.ID, false)
			return err
		})
	})
}

func withdrawnTakesEverything(t *testing.T, withdraw func(*wordsWorld, *Element) error) {
	w := consentWorld(t)
	e := w.mustFace(w.in(w.owner), ConsentInput{Subject: Self, Confirmed: yes()})
	if _, err := w.consentPicture(w.in(w.owner), e.ID, facetest.One()); err != nil {
		t.Fatal(err)
	}
	c, err := w.Elements().Create(w.in(w.owner), CreateElementInput{Kind: Character, Name: "Hero", FaceID: &e.ID})
	if err != nil {
		t.Fatal(err)
	}
	if c.Consent == nil || c.Consent.Status != Given || !c.DepictsPerson {
		t.Errorf("the character's consent is %+v", c.Consent)
	}
	if err := withdraw(w, e); err != nil {
		t.Fatal(err)
	}
	if n := w.count(`SELECT (SELECT count(*) FROM elements) + (SELECT count(*) FROM element_images) + (SELECT count(*) FROM media_files)`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	if n := w.count(`SELECT count(*) FROM consents WHERE about_id = ? AND status = 'withdrawn'`, e.ID); n != 1 {
		t.Errorf("%d rows say that it was withdrawn", n)
	}
	if n := w.count(`SELECT count(*) FROM element_cancels`); n != 2 {
		t.Errorf("%d are marked", n)
	}
	if err := w.SweepConsents(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := w.count(`SELECT count(*) FROM element_cancels`); n != 0 {
		t.Errorf("%d are marked still", n)
	}
}

func TestConsentStatusFollowsTheFace(t *testing.T) {
	w := consentWorld(t)
	face := w.mustFace(w.in(w.owner), ConsentInput{Subject: Self, Confirmed: yes()})
	if _, err := w.Elements().Create(w.in(w.owner), CreateElementInput{Kind: Character, Name: "Hero", FaceID: &face.ID}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		consent string
		status  Status
	}{{"given", Ready}, {"awaiting", AwaitingConsent}} {
		w.exec(`UPDATE elements SET consent = consent || jsonb_build_object('status', ?::text) WHERE id = ?`, c.consent, face.ID)
		for _, asked := range elementStatuses {
			found, err := w.Elements().List(w.in(w.owner), Character, &ElementFilter{Status: &asked}, models.Page{})
			if err != nil {
				t.Fatal(err)
			}
			if (len(found.Nodes) == 1) != (asked == c.status) || len(found.Nodes) == 1 && found.Nodes[0].Status != c.status {
				t.Errorf("under a consent that is %s, %d are %s", c.consent, len(found.Nodes), asked)
			}
		}
	}
}

func TestConsentExpires(t *testing.T) {
	w := consentWorld(t)
	clock, _ := w.DB.Clock.(*dbtest.Clock)
	until := clock.Now().Add(10 * 24 * time.Hour)
	e := w.mustFace(w.in(w.owner), ConsentInput{Subject: Minor, Confirmed: yes(), Basis: basis(), ValidUntil: &until})
	if _, err := w.consentPicture(w.in(w.owner), e.ID, facetest.One()); err != nil {
		t.Fatal(err)
	}
	sweep := func(pictures int) {
		t.Helper()
		if err := w.SweepConsents(context.Background()); err != nil {
			t.Fatal(err)
		}
		if n := w.count(`SELECT count(*) FROM element_images`); n != pictures {
			t.Errorf("%d pictures, want %d", n, pictures)
		}
	}
	read := func() *Element {
		t.Helper()
		e, err := w.Elements().Find(w.in(w.owner), e.ID)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	clock.Advance(11 * 24 * time.Hour)
	now := clock.Now()
	if got := read(); got.Consent.Status != Expired || usable(got, now) == nil {
		t.Errorf("%+v %v", got.Consent, usable(got, now))
	}
	sweep(1)
	_, err := w.Elements().GiveConsent(w.in(w.owner), e.ID, GiveConsentInput{Confirmed: true})
	w.refused(err, models.CodeValidation, "consent.validUntil")
	again := now.Add(5 * 24 * time.Hour)
	if got, err := w.Elements().GiveConsent(w.in(w.owner), e.ID, GiveConsentInput{Confirmed: true, ValidUntil: &again}); err != nil || got.Consent.Status != Given || usable(got, now) != nil {
		t.Errorf("%+v %v", got, err)
	}
	clock.Advance(36 * 24 * time.Hour)
	sweep(0)
	if got := read(); got.Name != "Face" {
		t.Error("the element is gone")
	}
}

func TestConsentWhoSeesAFace(t *testing.T) {
	w := consentWorld(t)
	e := w.mustFace(w.in(w.bob), ConsentInput{Subject: Member, UserID: &w.ann, Basis: basis()})
	for name, c := range map[string]struct {
		who                      models.ID
		sees, gives, basis, edit bool
	}{
		"who made it": {w.bob, true, false, true, true}, "who is depicted": {w.ann, true, true, false, false},
		"an admin": {w.owner, true, true, true, true}, "a stranger": {who: w.stranger},
	} {
		got, err := w.Elements().Find(w.as(c.who), e.ID)
		if (err == nil) != c.sees {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err != nil {
			w.refused(err, models.CodeNotFound, "")
			continue
		}
		if got.Can.GiveConsent != c.gives || (got.Consent.Basis != nil) != c.basis || got.Can.Edit != c.edit || !got.Can.SeeFace || !got.Can.Export {
			t.Errorf("%s: %+v %+v", name, got.Can, got.Consent)
		}
	}
	carl := w.addUser()
	w.exec(`INSERT INTO organization_members (organization_id, user_id, role, status, joined_at, updated_at) VALUES (?, ?, 'member', 'active', now(), now())`, w.org.ID, carl)
	w.exec(`INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, status, added_at, updated_at) VALUES (?, ?, ?, 'member', 'active', now(), now())`, w.room.ID, carl, w.org.ID)
	if _, err := w.Elements().Find(w.in(carl), e.ID); !models.HasCode(err, models.CodeNotFound) {
		t.Errorf("another member sees a private face: %v", err)
	}
	shared := space.WorkspaceShared
	if _, err := w.Elements().Update(w.in(w.bob), e.ID, UpdateElementInput{Visibility: models.Some(shared)}); err != nil {
		t.Fatal(err)
	}
	if got, err := w.Elements().Find(w.in(carl), e.ID); err != nil || got.Consent.Basis != nil || got.Can.Export {
		t.Errorf("%+v %v", got, err)
	}
	// Who left is depicted still, sees it and may withdraw; nothing new may use it.
	w.exec(`DELETE FROM workspace_members WHERE user_id = ?`, w.ann)
	got, err := w.Elements().Find(w.as(w.ann), e.ID)
	if err != nil || got.Access != space.CanView || !got.Can.GiveConsent {
		t.Fatalf("%+v %v", got, err)
	}
	if err := usable(got, w.DB.Clock.Now()); err != errDepictedGone {
		t.Errorf("usable: %v", err)
	}
	if _, err := w.Elements().GiveConsent(w.as(w.ann), e.ID, GiveConsentInput{}); err != nil {
		t.Error(err)
	}
}

func TestConsentOfAnotherStaysTheirs(t *testing.T) {
	w := consentWorld(t)
	w.consentTeam()
	e := w.mustFace(w.in(w.bob), ConsentInput{Subject: Member, UserID: &w.ann})
	_, err := w.Elements().Update(w.in(w.bob), e.ID, UpdateElementInput{Consent: &ConsentInput{Subject: Adult, Confirmed: yes(), Basis: basis()}})
	w.refused(err, models.CodeValidation, "consent.userId")
	no := false
	_, err = w.Elements().Update(w.in(w.bob), e.ID, UpdateElementInput{DepictsPerson: models.Some(no)})
	w.refused(err, models.CodeValidation, "depictsPerson")
	c, err := w.Elements().Create(w.in(w.bob), CreateElementInput{Kind: Character, Name: "Hero"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Elements().Update(w.in(w.bob), c.ID, UpdateElementInput{DepictsPerson: models.Some(true)})
	w.refused(err, models.CodeValidation, "consent")
	c, err = w.Elements().Update(w.in(w.bob), c.ID, UpdateElementInput{DepictsPerson: models.Some(true), Consent: &ConsentInput{Subject: Self, Confirmed: yes()}})
	if err != nil || !c.DepictsPerson || c.Consent.Status != Given {
		t.Errorf("%+v %v", c, err)
	}
}

func TestConsentList(t *testing.T) {
	w := consentWorld(t)
	mine := w.mustFace(w.in(w.ann), ConsentInput{Subject: Self, Confirmed: yes()})
	of := w.mustFace(w.in(w.bob), ConsentInput{Subject: Member, UserID: &w.ann})
	w.mustFace(w.in(w.owner), ConsentInput{Subject: Adult, Confirmed: yes(), Basis: basis()})
	for name, c := range map[string]struct {
		as      context.Context
		ids     []models.ID
		awaits  int
		depicts int
	}{
		"the depicted": {w.in(w.ann), []models.ID{of.ID, mine.ID}, 1, 2}, "elsewhere": {w.as(w.ann), []models.ID{of.ID, mine.ID}, 1, 2},
		"an admin": {w.in(w.owner), []models.ID{of.ID, mine.ID}, 2, 0}, "who made it": {w.in(w.bob), nil, 0, 0},
	} {
		got, err := w.ListConsents(c.as, models.Page{})
		if err != nil {
			t.Fatal(err)
		}
		var ids []models.ID
		awaits, depicts := 0, 0
		for _, item := range got.Nodes {
			ids = append(ids, item.ID)
			if item.AwaitsMe {
				awaits++
			}
			if item.DepictsMe {
				depicts++
			}
		}
		if !slices.Equal(ids, c.ids) || awaits != c.awaits || depicts != c.depicts {
			t.Errorf("%s: %v, %d await, %d depict", name, ids, awaits, depicts)
		}
	}
}

func TestConsentGoesWithTheAccount(t *testing.T) {
	w := consentWorld(t)
	kept := w.mustFace(w.in(w.owner), ConsentInput{Subject: Adult, Confirmed: yes(), Basis: basis()})
	w.mustFace(w.in(w.ann), ConsentInput{Subject: Self, Confirmed: yes()})
	w.mustFace(w.in(w.bob), ConsentInput{Subject: Member, UserID: &w.ann})
	plain, err := w.Elements().Create(w.in(w.ann), CreateElementInput{Kind: Character, Name: "Dragon tamer"})
	if err != nil {
		t.Fatal(err)
	}
	err = w.DB.Write(w.as(w.ann), func(tx *models.Tx) error { return w.removePersonOf(tx, &account.User{ID: w.ann}) })
	if err != nil {
		t.Fatal(err)
	}
	var left []models.ID
	if err := w.DB.Read(context.Background()).Raw(`SELECT id FROM elements ORDER BY id`).Scan(&left).Error; err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(left, []models.ID{kept.ID, plain.ID}) {
		t.Errorf("left are %v", left)
	}
}

func TestConsentPlainMemberOfASchool(t *testing.T) {
	w := consentWorld(t)
	for name, c := range map[string]struct {
		who   models.ID
		plain bool
	}{"a pupil": {w.ann, true}, "the owner": {w.owner, false}, "nobody's": {w.stranger, false}} {
		if plain, err := w.Orgs.PlainInActiveSchool(context.Background(), c.who); err != nil || plain != c.plain {
			t.Errorf("%s: %v %v", name, plain, err)
		}
	}
	w.exec(`UPDATE workspace_members SET role = 'admin' WHERE user_id = ?`, w.ann)
	if plain, _ := w.Orgs.PlainInActiveSchool(context.Background(), w.ann); plain {
		t.Error("a teacher is plain")
	}
	w.exec(`UPDATE organizations SET status = 'suspended' WHERE id = ?`, w.org.ID)
	if plain, _ := w.Orgs.PlainInActiveSchool(context.Background(), w.bob); plain {
		t.Error("a school that is not active binds")
	}
}

func TestConsentStatementsStandInTheDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/consent.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Statements {
		if !strings.Contains(string(page), "| `"+string(s.Subject)+"` | "+s.Text+" |") || !strings.Contains(string(page), "`"+s.Version()+"`") {
			t.Errorf("docs/consent.md has not the statement of %s in %s", s.Subject, s.Language)
		}
	}
}

// What is recorded is the text that was shown, in the language in which it was shown.
func TestConsentRecordsTheTextThatWasShown(t *testing.T) {
	w := consentWorld(t)
	german, french, none := "2026-1-de", "2026-1-fr", "2026-1-xx"
	_, err := w.consentFace(w.in(w.owner), ConsentInput{Subject: Self, Confirmed: yes(), Statement: &none})
	w.refused(err, models.CodeValidation, "consent.statement")
	for _, shown := range []*string{nil, &german} {
		e := w.mustFace(w.in(w.owner), ConsentInput{Subject: Self, Confirmed: yes(), Statement: shown})
		want := Statement
		if shown != nil {
			want = *shown
		}
		if e.Consent.Statement != want || w.count(`SELECT count(*) FROM consents WHERE about_id = ? AND statement = ?`, e.ID, want) != 1 {
			t.Errorf("%q was recorded, want %q", e.Consent.Statement, want)
		}
		if said := statementOf(e); said == nil || strings.Contains(*said, "Gesicht") != (shown != nil) {
			t.Errorf("%v is the text of %q", said, want)
		}
	}
	e := w.mustFace(w.in(w.bob), ConsentInput{Subject: Member, UserID: &w.ann, Statement: &german})
	_, err = w.Elements().GiveConsent(w.in(w.ann), e.ID, GiveConsentInput{Confirmed: true, Statement: &none})
	w.refused(err, models.CodeValidation, "statement")
	after, err := w.Elements().GiveConsent(w.in(w.ann), e.ID, GiveConsentInput{Confirmed: true, Statement: &french})
	if err != nil || after.Consent.Statement != french {
		t.Fatalf("%+v %v", after, err)
	}
}

// TestNewPicturesWaitForTheAdmin adds pictures to a face behind an admin's word: what was agreed to
// goes on, what is new waits, and without anything that was agreed to all of it waits.
func TestNewPicturesWaitForTheAdmin(t *testing.T) {
	w := consentWorld(t)
	pupil, teacher := w.in(w.ann), w.in(w.owner)
	face := w.mustFace(pupil, ConsentInput{Subject: Self, Confirmed: yes()})
	picture := func(ctx context.Context) *Image {
		t.Helper()
		image, err := w.consentPicture(ctx, face.ID, facetest.One())
		if err != nil {
			t.Fatal(err)
		}
		return image
	}
	stands := func(status ConsentStatus, waiting int, usable bool) *Element {
		t.Helper()
		e, err := w.Elements().Find(pupil, face.ID)
		if err != nil {
			t.Fatal(err)
		}
		waits := 0
		for _, image := range e.Images {
			if image.AwaitsConsent {
				waits++
			}
		}
		if e.Consent.Status != status || waits != waiting || (e.consentState().refusal(w.DB.Clock.Now()) == nil) != usable {
			t.Errorf("consent %s (goes on %v), %d wait, usable %v; want %s, %d, %v", e.Consent.Status, e.Consent.GoesOn, waits, e.consentState().refusal(w.DB.Clock.Now()), status, waiting, usable)
		}
		return e
	}
	agree := func(in GiveConsentInput) error {
		in.Confirmed = true
		_, err := w.Elements().GiveConsent(teacher, face.ID, in)
		return err
	}
	first := picture(pupil)
	seen := stands(Awaiting, 0, false)
	w.wait()
	second := picture(pupil)
	w.refused(agree(GiveConsentInput{UnchangedSince: &seen.UpdatedAt}), models.CodeStale, "")
	other := seen.Version + 1
	w.refused(agree(GiveConsentInput{Version: &other}), models.CodeStale, "")
	now := stands(Awaiting, 0, false)
	if err := agree(GiveConsentInput{UnchangedSince: &now.UpdatedAt, Version: &now.Version}); err != nil {
		t.Fatal(err)
	}
	stands(Given, 0, true)

	w.wait()
	third := picture(pupil)
	stands(Awaiting, 1, true)
	refs, err := w.pictureRefs(w.DB.Read(teacher), []*Element{face})
	if err != nil || len(refs[face.ID]) != 2 {
		t.Errorf("runs use %d pictures (%v)", len(refs[face.ID]), err)
	}
	for _, id := range []models.ID{first.ID, second.ID} {
		if err := w.Images().Delete(pupil, face.ID, id); err != nil {
			t.Fatal(err)
		}
	}
	stands(Awaiting, 1, false)
	if err := agree(GiveConsentInput{}); err != nil {
		t.Fatal(err)
	}
	stands(Given, 0, true)

	w.wait()
	fourth := picture(pupil)
	stands(Awaiting, 1, true)
	if err := w.Images().Delete(teacher, face.ID, fourth.ID); err != nil {
		t.Fatal(err)
	}
	stands(Given, 0, true)
	w.exec(`UPDATE workspace_members SET role = 'admin' WHERE user_id = ?`, w.ann)
	picture(pupil)
	stands(Given, 0, true)
	if third.ElementID != face.ID {
		t.Error("the picture is of another face")
	}
}
