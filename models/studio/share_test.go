//go:build !race

package studio

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"net/url"
	"path"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
	"atelier/models/library"
	"atelier/models/org"
	"atelier/models/space"
)

// made puts a picture into the install, and writes it down as what renders made of a shot.
func (w *world) made(shot *Shot, stage StageName, things ...models.ID) string {
	w.t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 16+w.count(`SELECT count(*) FROM media_files`), 9))); err != nil {
		w.t.Fatal(err)
	}
	file, err := w.Media.Upload(w.as(w.stranger), &b)
	if err != nil {
		w.t.Fatal(err)
	}
	address := w.Media.URL(file)
	w.exec(`INSERT INTO shot_results (shot_id, stage, fingerprint, url, width, height, duration, job_id, credits, things, created_at) VALUES (?, ?, 'f', ?, 1280, 720, ?, ?, 0, ?, now())
		ON CONFLICT (shot_id, stage) DO UPDATE SET url = EXCLUDED.url`, shot.ID, stage, address, map[StageName]any{ClipStage: 4.5}[stage], models.NewID(w.DB.Clock.Now()), models.IDs(things))
	return address
}

// serves tells whether a signed address leads to a file.
func (w *world) serves(address *string) bool {
	w.t.Helper()
	if address == nil {
		return false
	}
	u, err := url.Parse(*address)
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = w.Media.FindServed(context.Background(), path.Base(u.Path), u.Query())
	return err == nil
}

// no one is who looks at a shared shot, from an address.
func nobody(ip string) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.Anonymous, IP: ip})
}

func (w *world) gone(id models.ID, why string) {
	w.t.Helper()
	if _, err := w.FindPublicShot(nobody(""), id); !models.HasCode(err, models.CodeNotFound) || err.Error() != errNoShot.Error() {
		w.t.Errorf("%s: %v", why, err)
	}
}

// A shared shot shows what it was, to everyone, until its time is over or a person ends it.
func TestShareShot(t *testing.T) {
	w := newWorld(t)
	clock := w.DB.Clock.(*dbtest.Clock)
	owner := w.in(w.owner)
	p := w.production(owner, CreateProductionInput{Name: "The well", Script: ptr("Secret script")})
	shot := w.shot(owner, p.ID, CreateShotInput{Title: ptr("One"), Dialogue: ptr("Hush!"), Notes: ptr("Secret notes"), Prompt: ptr("Secret prompt")})
	_, err := w.ShareShot(owner, p.ID, shot.ID, ShareShotInput{Shared: true})
	w.refused(err, models.CodeValidation, "shared")
	w.gone(shot.ID, "never shared")
	w.gone(p.ID, "no shot at all")
	w.made(shot, ImageStage)
	clip := w.made(shot, ClipStage)
	for _, until := range []time.Time{clock.Now(), clock.Now().Add(-time.Hour), clock.Now().Add(maxShare + time.Second), {}} {
		_, err := w.ShareShot(owner, p.ID, shot.ID, ShareShotInput{Shared: true, Until: &until})
		w.refused(err, models.CodeValidation, "until")
	}
	shared, err := w.ShareShot(owner, p.ID, shot.ID, ShareShotInput{Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	if shared.Share == nil || !shared.Share.Until.Equal(clock.Now().Add(usualShare)) || *shared.SharedURL != "https://atelier.example/shots/"+shot.ID.String() {
		t.Errorf("shared is %+v", shared)
	}
	seen, err := w.FindPublicShot(nobody("203.0.113.7"), shot.ID)
	if err != nil {
		t.Fatal(err)
	}
	if seen.Title != "One" || seen.Production != "The well" || seen.Dialogue != "Hush!" || seen.By != "North School" || *seen.Width != 1280 || *seen.Duration != 4.5 || seen.AudioURL != nil {
		t.Errorf("everybody sees %+v", seen)
	}
	if !w.serves(seen.ImageURL) || !w.serves(seen.VideoURL) || *seen.VideoURL == clip || !seen.URLExpiresAt.After(clock.Now()) {
		t.Error("its addresses lead nowhere")
	}
	if text := jsonOf(t, seen); strings.Contains(text, "Secret") || strings.Contains(text, w.owner.String()) || strings.Contains(text, w.room.ID.String()) || strings.Contains(text, p.ID.String()) {
		t.Errorf("everybody sees %s", text)
	}

	// Later changes do not show until it is shared again.
	if _, err := w.UpdateShot(owner, p.ID, shot.ID, UpdateShotInput{Title: models.Some("Two")}); err != nil {
		t.Fatal(err)
	}
	w.made(shot, ClipStage)
	if again, err := w.FindPublicShot(nobody(""), shot.ID); err != nil || again.Title != "One" || *again.VideoURL != *seen.VideoURL {
		t.Errorf("after a change everybody sees %+v, %v", again, err)
	}
	until := clock.Now().Add(maxShare)
	if _, err := w.ShareShot(owner, p.ID, shot.ID, ShareShotInput{Shared: true, Until: &until}); err != nil {
		t.Fatal(err)
	}
	again, err := w.FindPublicShot(nobody(""), shot.ID)
	if err != nil || again.Title != "Two" || *again.VideoURL == *seen.VideoURL || !again.SharedUntil.Equal(until) {
		t.Errorf("shared again everybody sees %+v, %v", again, err)
	}
	if w.serves(seen.VideoURL) || w.count(`SELECT count(*) FROM media_files WHERE private`) != 2 {
		t.Error("the files of before are still there")
	}

	unshared, err := w.ShareShot(owner, p.ID, shot.ID, ShareShotInput{})
	if err != nil || unshared.Share != nil || unshared.SharedURL != nil {
		t.Errorf("unshared is %+v, %v", unshared, err)
	}
	w.gone(shot.ID, "unshared")
	if w.serves(again.VideoURL) || w.count(`SELECT count(*) FROM media_files WHERE private`) != 0 {
		t.Error("an address of a shot that is shared no more leads somewhere")
	}
	if _, err := w.ShareShot(owner, p.ID, shot.ID, ShareShotInput{}); err != nil {
		t.Errorf("ending it twice: %v", err)
	}
	if w.count(`SELECT count(*) FROM audit_entries WHERE action = 'shot.shared'`) != 2 || w.count(`SELECT count(*) FROM audit_entries WHERE action = 'shot.unshared'`) != 1 {
		t.Error("the audit log does not tell of it")
	}

	// The end of its time ends it, and a chore removes what it showed.
	if _, err := w.ShareShot(owner, p.ID, shot.ID, ShareShotInput{Shared: true}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(usualShare)
	w.gone(shot.ID, "expired")
	if got := w.find(owner, p.ID).Shots[0]; got.Share != nil {
		t.Error("an expired share is shown")
	}
	if err := w.Sweep(context.Background()); err != nil {
		t.Fatal(err)
	}
	if w.count(`SELECT count(*) FROM shot_shares`) != 0 || w.count(`SELECT count(*) FROM media_files WHERE private`) != 0 {
		t.Error("an expired share is kept")
	}
}

// Who shares: editors; in a school admins of the workspace alone.
func TestWhoShares(t *testing.T) {
	w := newWorld(t)
	ann := w.in(w.ann)
	p := w.production(ann, CreateProductionInput{Visibility: ptr(space.WorkspaceShared)})
	shot := w.shot(ann, p.ID, CreateShotInput{})
	w.made(shot, ImageStage)
	_, err := w.ShareShot(ann, p.ID, shot.ID, ShareShotInput{Shared: true})
	w.refused(err, models.CodeInsufficientRole, "")
	w.exec(`UPDATE workspaces SET settings = '{"admin_access": "edit"}' WHERE id = ?`, w.room.ID)
	if _, err := w.ShareShot(w.in(w.owner), p.ID, shot.ID, ShareShotInput{Shared: true}); err != nil {
		t.Error(err)
	}
	_, err = w.ShareShot(ann, p.ID, shot.ID, ShareShotInput{})
	w.refused(err, models.CodeInsufficientRole, "")

	_, team := w.addRoom(w.stranger, org.Team, "Team")
	w.addMember(team, w.bob)
	bob := w.inRoom(w.bob, team)
	p = w.production(bob, CreateProductionInput{})
	shot = w.shot(bob, p.ID, CreateShotInput{Dialogue: ptr("Hush!")})
	w.made(shot, SpeechStage)
	if _, err := w.ShareShot(bob, p.ID, shot.ID, ShareShotInput{Shared: true}); err != nil {
		t.Fatal(err)
	}
	if seen, err := w.FindPublicShot(nobody(""), shot.ID); err != nil || seen.By != "Bob" || seen.AudioURL == nil || seen.ImageURL != nil {
		t.Errorf("of a team everybody sees %+v, %v", seen, err)
	}
	_, err = w.ShareShot(bob, p.ID, p.ID, ShareShotInput{})
	w.refused(err, models.CodeNotFound, "")
	w.exec(`DELETE FROM media_files WHERE NOT private`)
	_, err = w.ShareShot(bob, p.ID, shot.ID, ShareShotInput{Shared: true})
	w.refused(err, models.CodeValidation, "shared")
	if seen, err := w.FindPublicShot(nobody(""), shot.ID); err != nil || !w.serves(seen.AudioURL) {
		t.Errorf("a refused share ended the one before: %v", err)
	}
}

// Minors are not shown to everyone; who is shown can end it.
func TestSharedPersons(t *testing.T) {
	w := newWorld(t)
	owner := w.in(w.owner)
	p := w.production(owner, CreateProductionInput{})
	person := func(subject library.Subject) *library.Element {
		t.Helper()
		valid := w.DB.Clock.Now().Add(100 * 24 * time.Hour)
		e, err := w.Library.Elements().Create(owner, library.CreateElementInput{
			Kind: library.Character, Name: string(subject), DepictsPerson: ptr(true),
			Consent: &library.ConsentInput{Subject: subject, Confirmed: ptr(true), Basis: ptr("signed on paper, in the office"), ValidUntil: &valid},
		})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	child, grown := person(library.Minor), person(library.Adult)
	named := w.shot(owner, p.ID, CreateShotInput{CharacterIDs: []models.ID{child.ID}})
	w.made(named, ImageStage)
	_, err := w.ShareShot(owner, p.ID, named.ID, ShareShotInput{Shared: true})
	w.refused(err, models.CodeForbidden, "")
	shown := w.shot(owner, p.ID, CreateShotInput{})
	w.made(shown, ImageStage, child.ID) // it names no one now, and was made of a minor
	_, err = w.ShareShot(owner, p.ID, shown.ID, ShareShotInput{Shared: true})
	w.refused(err, models.CodeForbidden, "")
	if w.count(`SELECT count(*) FROM shot_shares`) != 0 || w.count(`SELECT count(*) FROM media_files WHERE private`) != 0 {
		t.Error("a refused share left something")
	}

	adult, other := w.shot(owner, p.ID, CreateShotInput{}), w.shot(owner, p.ID, CreateShotInput{})
	w.made(adult, ImageStage, grown.ID)
	w.made(other, ImageStage)
	for _, shot := range []*Shot{adult, other} {
		if _, err := w.ShareShot(owner, p.ID, shot.ID, ShareShotInput{Shared: true}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Library.Elements().Delete(owner, grown.ID, false); err != nil {
		t.Fatal(err)
	}
	w.gone(adult.ID, "who was shown is deleted")
	if _, err := w.FindPublicShot(nobody(""), other.ID); err != nil {
		t.Errorf("a shot without them: %v", err)
	}
}

// What is shared ends with what it lies in.
func TestSharesEnd(t *testing.T) {
	w := newWorld(t)
	owner := w.in(w.owner)
	share := func(ctx contextType) (*Production, *Shot) {
		t.Helper()
		p := w.production(ctx, CreateProductionInput{})
		shot := w.shot(ctx, p.ID, CreateShotInput{})
		w.made(shot, ImageStage)
		if _, err := w.ShareShot(ctx, p.ID, shot.ID, ShareShotInput{Shared: true}); err != nil {
			t.Fatal(err)
		}
		return p, shot
	}
	p, shot := share(owner)
	if err := w.DeleteShot(owner, p.ID, shot.ID); err != nil {
		t.Fatal(err)
	}
	w.gone(shot.ID, "the shot is deleted")
	p, shot = share(owner)
	if err := w.DeleteProduction(owner, p.ID); err != nil {
		t.Fatal(err)
	}
	w.gone(shot.ID, "the production is deleted")
	p, shot = share(owner)
	if _, err := w.BreakDownScript(owner, p.ID, BreakDownInput{Script: ptr("Once."), Replace: ptr(true)}); err != nil {
		t.Fatal(err)
	}
	w.gone(shot.ID, "the shot gave way")
	if n := w.count(`SELECT count(*) FROM media_files WHERE private`); n != 0 {
		t.Errorf("%d files of shares are kept", n)
	}

	_, personal := share(w.as(w.ann))
	_, team := w.addRoom(w.stranger, org.Team, "Team")
	w.addMember(team, w.ann)
	_, atWork := share(w.inRoom(w.ann, team))
	err := w.DB.Write(w.as(w.ann), func(tx *models.Tx) error { return w.removeOf(tx, &account.User{ID: w.ann}) })
	if err != nil {
		t.Fatal(err)
	}
	w.gone(personal.ID, "the account is deleted")
	w.gone(atWork.ID, "the account that made it is deleted")
	if w.count(`SELECT count(*) FROM productions WHERE owner_id = ?`, w.ann) != 1 {
		t.Error("what the account made in a workspace went with it, or what was personal stayed")
	}

	_, shot = share(owner)
	w.pipelineOf(owner, CreatePipelineInput{})
	if err := w.DB.Write(owner, func(tx *models.Tx) error { return w.removeLater(tx, w.org) }); err != nil {
		t.Fatal(err)
	}
	w.gone(shot.ID, "the school is deleted")
	if err := w.Tidy(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"productions", "pipelines"} {
		if n := w.count(`SELECT count(*) FROM `+table+` WHERE organization_id = ?`, w.org.ID); n != 0 {
			t.Errorf("%d %s of a deleted school stay", n, table)
		}
	}
	if w.count(`SELECT count(*) FROM studio_removals`) != 0 || w.count(`SELECT count(*) FROM media_files WHERE private`) != 0 {
		t.Error("something of it stays")
	}
}

// An address may look sixty times a minute, whatever it finds.
func TestPublicShotLimit(t *testing.T) {
	w := newWorld(t)
	clock := w.DB.Clock.(*dbtest.Clock)
	for range publicLimit.Max {
		_, err := w.FindPublicShot(nobody("198.51.100.9"), w.room.ID)
		w.refused(err, models.CodeNotFound, "")
	}
	_, err := w.FindPublicShot(nobody("198.51.100.9"), w.room.ID)
	w.refused(err, models.CodeRateLimitExceeded, "")
	if refusal, _ := models.AsError(err); refusal.RetryAfter <= 0 {
		t.Error("it does not say when to come back")
	}
	_, err = w.FindPublicShot(nobody("198.51.100.10"), w.room.ID)
	w.refused(err, models.CodeNotFound, "")
	clock.Advance(time.Minute)
	_, err = w.FindPublicShot(nobody("198.51.100.9"), w.room.ID)
	w.refused(err, models.CodeNotFound, "")
}
