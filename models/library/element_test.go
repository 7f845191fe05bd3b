//go:build !race

package library

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
	"atelier/models/org"
	"atelier/models/space"
	"atelier/nodes/kit"
)

func newElementsWorld(t *testing.T) *wordsWorld { return newVoicesWorld(t, kit.Providers{}) }

// elementPNG is a picture of two colors, the first of which fills three quarters.
func elementPNG(t testing.TB, first, second color.Color) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 40, 40))
	for i := range 40 * 40 {
		c := first
		if i%40 >= 30 {
			c = second
		}
		img.Set(i%40, i/40, c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var (
	elementRed  = color.NRGBA{R: 0xd0, A: 0xff}
	elementBlue = color.NRGBA{B: 0xd0, A: 0xff}
)

func (w *wordsWorld) addElement(ctx context.Context, in CreateElementInput) *Element {
	w.t.Helper()
	e, err := w.Elements().Create(ctx, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

func (w *wordsWorld) addPicture(ctx context.Context, id models.ID, content []byte) *Image {
	w.t.Helper()
	image, err := w.Images().AddFile(ctx, id, bytes.NewReader(content), AddImageInput{})
	if err != nil {
		w.t.Fatal(err)
	}
	return image
}

func elementRefused(t *testing.T, err error, code models.Code, field string) {
	t.Helper()
	refusal, known := models.AsError(err)
	if !known || refusal.Code != code || refusal.Field != field {
		t.Errorf("refused with %v, expected %s of %q", err, code, field)
	}
}

func ptr[T any](v T) *T { return &v }

func TestElementForms(t *testing.T) {
	w := newElementsWorld(t)
	ctx := w.in(w.ann)
	e := w.addElement(ctx, CreateElementInput{
		Kind: Character, Name: "  Zoë Müller-Øst ", Description: ptr("A brave\nchild"), Attributes: map[string]any{"hairColor": " red "},
		Tags: []string{"Heroine", "heroine", "Class 5B"},
	})
	if e.Handle != "zoe_muller_ost" || e.Name != "Zoë Müller-Øst" || e.Attributes["hairColor"] != "red" || !slices.Equal(e.Tags, []string{"heroine", "class 5b"}) {
		t.Errorf("made %+v", e)
	}
	if e.Status != Ready || e.Version != 1 || e.Seed < 0 || e.Access != space.IsCreator || !e.Can.Edit || !e.Can.Delete || !e.Can.Train || e.Consent != nil {
		t.Errorf("made %+v", e)
	}
	again := w.addElement(ctx, CreateElementInput{Kind: Object, Name: "Zoe Muller Ost"})
	third := w.addElement(ctx, CreateElementInput{Kind: Object, Name: "zoe muller ost"})
	if again.Handle != "zoe_muller_ost2" || third.Handle != "zoe_muller_ost3" {
		t.Errorf("handles %s and %s", again.Handle, third.Handle)
	}
	if nameless := w.addElement(ctx, CreateElementInput{Kind: Creature, Name: "猫"}); nameless.Handle != "creature" {
		t.Errorf("handle %s", nameless.Handle)
	}
	if long := w.addElement(ctx, CreateElementInput{Kind: Creature, Name: strings.Repeat("ab", 40)}); long.Handle != strings.Repeat("ab", 15) {
		t.Errorf("handle %s", long.Handle)
	}
	many := map[string]any{}
	for i := range 21 {
		many[fmt.Sprint("a", i)] = "x"
	}
	for field, in := range map[string]CreateElementInput{
		"kind": {Kind: "ghost", Name: "a"}, "name": {Kind: Object, Name: " "}, "handle": {Kind: Object, Name: "a", Handle: ptr("No")},
		"description": {Kind: Object, Name: "a", Description: ptr(strings.Repeat("x", 4_001))}, "prompt": {Kind: Object, Name: "a", Prompt: ptr(strings.Repeat("x", 2_001))},
		"negativePrompt": {Kind: Object, Name: "a", NegativePrompt: ptr("\x00")}, "tags": {Kind: Object, Name: "a", Tags: []string{""}},
		"seed": {Kind: Object, Name: "a", Seed: ptr(-1)}, "imageUrls": {Kind: Object, Name: "a", ImageUrls: make([]string, 11)},
		"voiceId": {Kind: Object, Name: "a", VoiceID: &e.ID}, "faceId": {Kind: Location, Name: "a", FaceID: &e.ID},
		"visibility": {Kind: Object, Name: "a", Visibility: ptr(space.Visibility("all"))},
	} {
		_, err := w.Elements().Create(ctx, in)
		elementRefused(t, err, models.CodeValidation, field)
	}
	for _, attributes := range []map[string]any{many, {"": "x"}, {"a": 1}, {"a": nil}, {strings.Repeat("k", 41): "x"}, {"a": strings.Repeat("v", 201)}} {
		_, err := w.Elements().Create(ctx, CreateElementInput{Kind: Object, Name: "a", Attributes: attributes})
		elementRefused(t, err, models.CodeValidation, "attributes")
	}
	_, err := w.Elements().Create(ctx, CreateElementInput{Kind: Object, Name: "a", Handle: &e.Handle})
	elementRefused(t, err, models.CodeNameTaken, "handle")
	_, err = w.Elements().Create(w.as(w.ann), CreateElementInput{Kind: Object, Name: "a", Visibility: ptr(space.WorkspaceShared)})
	elementRefused(t, err, models.CodeValidation, "visibility")
	_, err = w.Elements().Create(ctx, CreateElementInput{Kind: Object, Name: "a", ProjectID: &e.ID})
	elementRefused(t, err, models.CodeNotFound, "")
	if own := w.addElement(w.as(w.ann), CreateElementInput{Kind: Object, Name: "a", Handle: &e.Handle}); own.Handle != e.Handle || own.WorkspaceID != nil || own.Visibility != space.Private {
		t.Errorf("in the personal space: %+v", own)
	}
}

func TestElementChanges(t *testing.T) {
	w := newElementsWorld(t)
	ctx := w.in(w.ann)
	e := w.addElement(ctx, CreateElementInput{Kind: Character, Name: "Mina", Visibility: ptr(space.WorkspaceShared)})
	changed, err := w.Elements().Update(ctx, e.ID, UpdateElementInput{
		Name: models.Some("Mina B."), Handle: models.Some("mina_b"), Tags: models.Some([]string{"A"}), Attributes: models.OptMapOf(map[string]any{"age": "old"}), Version: ptr(1),
	})
	if err != nil || changed.Name != "Mina B." || changed.Handle != "mina_b" || changed.Version != 2 || changed.Attributes["age"] != "old" {
		t.Fatalf("changed to %+v, %v", changed, err)
	}
	_, err = w.Elements().Update(ctx, e.ID, UpdateElementInput{Name: models.Some("x"), Version: ptr(1)})
	elementRefused(t, err, models.CodeStale, "")
	if kept, err := w.Elements().Update(ctx, e.ID, UpdateElementInput{Name: models.Some("Mina B.")}); err != nil || kept.Version != 2 {
		t.Errorf("nothing changed: version %d, %v", kept.Version, err)
	}
	_, err = w.Elements().Update(ctx, e.ID, UpdateElementInput{Name: models.Null[string]()})
	elementRefused(t, err, models.CodeValidation, "name")
	// Another member looks; an admin of the workspace changes it as the settings say.
	_, err = w.Elements().Update(w.in(w.bob), e.ID, UpdateElementInput{Visibility: models.Some(space.Private)})
	elementRefused(t, err, models.CodeInsufficientRole, "")
	_, err = w.Elements().Delete(w.in(w.bob), e.ID, false)
	elementRefused(t, err, models.CodeInsufficientRole, "")
	if _, err := w.Elements().Find(w.as(w.stranger), e.ID); !models.HasCode(err, models.CodeNotFound) {
		t.Errorf("a stranger read it: %v", err)
	}
	if _, err := w.Elements().Update(ctx, e.ID, UpdateElementInput{Visibility: models.Some(space.Private)}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Elements().Find(w.in(w.bob), e.ID); !models.HasCode(err, models.CodeNotFound) {
		t.Errorf("a member read a private one: %v", err)
	}
	if n := w.count(`SELECT count(*) FROM audit_entries WHERE action IN ('character.created', 'character.updated', 'character.visibility_changed') AND details::text NOT LIKE '%Mina%'`); n != 3 {
		t.Errorf("%d audit entries without a name", n)
	}
	if _, err := w.Elements().Delete(ctx, e.ID, false); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Elements().Find(ctx, e.ID); !models.HasCode(err, models.CodeNotFound) {
		t.Errorf("a deleted one: %v", err)
	}
	w.addElement(ctx, CreateElementInput{Kind: Object, Name: "x", Handle: ptr("mina_b")}) // the handle is free
	restricted := models.WithActor(context.Background(), models.Actor{Kind: models.ByToken, UserID: w.ann, WorkflowIDs: []models.ID{e.ID}, Scopes: []models.Scope{models.ScopeExecute}})
	if _, err := w.Elements().List(restricted, Object, nil, models.Page{}); !models.HasCode(err, models.CodeForbidden) {
		t.Errorf("a restricted token: %v", err)
	}
}

func TestElementLists(t *testing.T) {
	w := newElementsWorld(t)
	ctx := w.in(w.ann)
	for _, name := range []string{"Red dragon", "Blue dragon", "Old owl"} {
		w.addElement(ctx, CreateElementInput{Kind: Creature, Name: name, Visibility: ptr(space.WorkspaceShared), Tags: []string{strings.Fields(name)[0]}, Description: ptr("lives in a *tower*")})
	}
	w.addElement(w.in(w.bob), CreateElementInput{Kind: Creature, Name: "Secret dragon", Visibility: ptr(space.Private)})
	w.addElement(ctx, CreateElementInput{Kind: Object, Name: "Dragon egg"})
	names := func(ctx context.Context, f *ElementFilter, page models.Page) (names []string) {
		t.Helper()
		found, err := w.Elements().List(ctx, Creature, f, page)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range found.Nodes {
			names = append(names, e.Name)
		}
		return names
	}
	for want, f := range map[string]*ElementFilter{
		"Old owl,Blue dragon,Red dragon": nil, "Blue dragon,Red dragon": {Query: ptr("DRAG")}, "Old owl": {Query: ptr("old_o")}, "Blue dragon": {Tag: ptr("BLUE")},
		"": {Status: ptr(Failed)},
	} {
		if got := strings.Join(names(ctx, f, models.Page{}), ","); got != want {
			t.Errorf("%+v finds %s, expected %s", f, got, want)
		}
	}
	if got := names(w.in(w.bob), &ElementFilter{Mine: ptr(true)}, models.Page{}); !slices.Equal(got, []string{"Secret dragon"}) {
		t.Errorf("own ones: %v", got)
	}
	if got := names(ctx, &ElementFilter{Query: ptr("tower")}, models.Page{Limit: ptr(2)}); len(got) != 2 {
		t.Errorf("a page: %v", got)
	}
	for field, try := range map[string]func() error{
		"limit": func() error {
			_, err := w.Elements().List(ctx, Creature, nil, models.Page{Limit: ptr(501)})
			return err
		},
		"status": func() error {
			_, err := w.Elements().List(ctx, Creature, &ElementFilter{Status: ptr(Status("x"))}, models.Page{})
			return err
		},
		"q": func() error {
			_, err := w.Elements().List(ctx, Creature, &ElementFilter{Query: ptr(strings.Repeat("x", 101))}, models.Page{})
			return err
		},
		"tag": func() error {
			_, err := w.Elements().List(ctx, Creature, &ElementFilter{Tag: ptr("")}, models.Page{})
			return err
		},
	} {
		elementRefused(t, try(), models.CodeValidation, field)
	}
}

// mediaName are the name and the query of a signed address.
func mediaName(t *testing.T, address string) (string, url.Values) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(u.Path, "/media/"), u.Query()
}

func TestElementPictures(t *testing.T) {
	w := newElementsWorld(t)
	ctx, clock, media := w.in(w.ann), w.DB.Clock.(*dbtest.Clock), w.Media
	e := w.addElement(ctx, CreateElementInput{Kind: Object, Name: "Cup", Visibility: ptr(space.WorkspaceShared)})
	red, blue := elementPNG(t, elementRed, elementBlue), elementPNG(t, elementBlue, elementRed)
	first := w.addPicture(ctx, e.ID, red)
	second := w.addPicture(ctx, e.ID, blue)
	found, err := w.Elements().Find(w.in(w.bob), e.ID)
	if err != nil || len(found.Images) != 2 || found.ImageCount != 2 || found.Primary.ID != first.ID || !slices.Equal(found.Palette, []string{"#0000d0", "#d00000"}) || !slices.Equal(first.Palette, []string{"#d00000", "#0000d0"}) {
		t.Fatalf("found %+v, %v", found, err)
	}
	name, query := mediaName(t, *found.PrimaryURL())
	if left := found.PrimaryExpiry().Sub(clock.Now()); left <= 15*time.Minute || left > 30*time.Minute {
		t.Errorf("the address ends in %v", left)
	}
	file, err := media.FindServed(ctx, name, query)
	if err != nil || file.WorkspaceID == nil || *file.WorkspaceID != w.room.ID || !file.Private {
		t.Fatalf("served %+v, %v", file, err)
	}
	forged := url.Values{"until": {fmt.Sprint(clock.Now().Add(time.Hour).Unix())}, "sig": query["sig"]}
	for _, q := range []url.Values{nil, forged, {"until": query["until"]}, {"until": query["until"], "sig": {"00"}}} {
		if _, err := media.FindServed(ctx, name, q); !models.HasCode(err, models.CodeNotFound) {
			t.Errorf("served with %v: %v", q, err)
		}
	}
	if _, err := media.Find(ctx, name); !models.HasCode(err, models.CodeNotFound) {
		t.Errorf("found by its key: %v", err)
	}
	if _, err := w.Media.SaveToStorage(w.in(w.bob), *found.PrimaryURL()); !models.HasCode(err, models.CodeValidation) {
		t.Errorf("kept in public: %v", err)
	}
	clock.Advance(31 * time.Minute)
	if _, err := media.FindServed(ctx, name, query); !models.HasCode(err, models.CodeNotFound) {
		t.Errorf("served past its end: %v", err)
	}
	if w.count(`SELECT files FROM storage_usage WHERE space = 'workspace' AND owner_id = ?`, w.room.ID) != len(red)+len(blue) {
		t.Error("the workspace's room does not count the pictures")
	}
	// The other one becomes the primary one, and the oldest when that goes.
	if image, err := w.Images().Update(ctx, e.ID, second.ID, UpdateImageInput{IsPrimary: ptr(true), Role: models.Some(Front), Caption: models.Some("A cup")}); err != nil || !image.IsPrimary || image.Role != Front || image.URL == "" {
		t.Fatalf("changed to %+v, %v", image, err)
	}
	third := w.addPicture(ctx, e.ID, red) // the same content again
	if err := w.Images().Delete(ctx, e.ID, second.ID); err != nil {
		t.Fatal(err)
	}
	if found, err = w.Elements().Find(ctx, e.ID); err != nil || found.Primary.ID != first.ID {
		t.Errorf("primary %+v, %v", found.Primary, err)
	}
	objects := func() (n int) {
		t.Helper()
		for list := media.Bucket.List(nil); ; n++ {
			if _, err := list.Next(ctx); err == io.EOF {
				return n
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := objects(); n != 1 {
		t.Errorf("%d contents are left of the picture that was deleted", n-1)
	}
	if err := w.Images().Delete(ctx, e.ID, first.ID); err != nil || objects() != 1 {
		t.Errorf("the content of another picture went: %v", err)
	}
	if _, err := w.Elements().Delete(ctx, e.ID, false); err != nil || objects() != 0 || w.count(`SELECT count(*) FROM media_files`)+w.count(`SELECT count(*) FROM content_removals`) != 0 {
		t.Errorf("files of a deleted element are left: %v, %v", third, err)
	}
	if w.count(`SELECT files FROM storage_usage WHERE space = 'workspace' AND owner_id = ?`, w.room.ID) != 0 {
		t.Error("the workspace's room counts what is gone")
	}
}

func TestElementPictureRefusals(t *testing.T) {
	w := newElementsWorld(t)
	ctx := w.in(w.ann)
	e := w.addElement(ctx, CreateElementInput{Kind: Object, Name: "Cup", Visibility: ptr(space.WorkspaceShared)})
	add := func(ctx context.Context, content string, in AddImageInput) error {
		_, err := w.Images().AddFile(ctx, e.ID, strings.NewReader(content), in)
		return err
	}
	picture := string(elementPNG(t, elementRed, elementBlue))
	elementRefused(t, add(ctx, "hello", AddImageInput{}), models.CodeUnsupportedMediaType, "")
	elementRefused(t, add(ctx, "", AddImageInput{}), models.CodeValidation, "file")
	elementRefused(t, add(ctx, picture, AddImageInput{Role: ptr(ImageRole("top"))}), models.CodeValidation, "role")
	elementRefused(t, add(ctx, picture, AddImageInput{Caption: ptr(strings.Repeat("x", 501))}), models.CodeValidation, "caption")
	elementRefused(t, add(ctx, picture, AddImageInput{Crop: &Crop{}}), models.CodeValidation, "crop")
	elementRefused(t, add(w.in(w.bob), picture, AddImageInput{}), models.CodeInsufficientRole, "")
	elementRefused(t, add(w.as(w.stranger), picture, AddImageInput{}), models.CodeNotFound, "")
	_, err := w.Images().Add(ctx, e.ID, AddImageInput{URL: "http://else.example/a.png"})
	elementRefused(t, err, models.CodeValidation, "url")
	_, err = w.Images().Add(ctx, e.ID, AddImageInput{URL: w.Flows.PublicURL + "/media/guessed.png"})
	elementRefused(t, err, models.CodeValidation, "url")
	for i := range MaxElementImages {
		w.exec(`INSERT INTO element_images (id, element_id, file_id, role, is_primary, created_at) VALUES (?, ?, gen_random_uuid(), 'reference', ?, now())`, models.NewID(w.DB.Clock.Now()), e.ID, i == 0)
	}
	elementRefused(t, add(ctx, picture, AddImageInput{}), models.CodeLimitReached, "")
	_, err = w.Images().Update(ctx, e.ID, e.ID, UpdateImageInput{})
	elementRefused(t, err, models.CodeNotFound, "")
	_, err = w.Images().Update(ctx, e.ID, e.ID, UpdateImageInput{IsPrimary: ptr(false)})
	elementRefused(t, err, models.CodeValidation, "isPrimary")
	w.exec(`INSERT INTO elements (id, kind, owner_id, visibility, name, handle, seed, status, created_at, updated_at)
		SELECT gen_random_uuid(), 'object', ?, 'private', 'x', 'x' || n, 1, 'ready', now(), now() FROM generate_series(1, ?) n`, w.bob, MaxElements)
	_, err = w.Elements().Create(w.as(w.bob), CreateElementInput{Kind: Object, Name: "one more"})
	elementRefused(t, err, models.CodeLimitReached, "")
}

func TestElementCopies(t *testing.T) {
	w := newElementsWorld(t)
	ctx := w.in(w.ann)
	upload, err := w.Media.Upload(ctx, bytes.NewReader(elementPNG(t, elementRed, elementBlue)))
	if err != nil {
		t.Fatal(err)
	}
	e := w.addElement(ctx, CreateElementInput{Kind: Object, Name: "Cup", Visibility: ptr(space.WorkspaceShared), ImageUrls: []string{w.Media.URL(upload)}})
	if len(e.Images) != 1 || !e.Images[0].File.Private || e.Primary == nil {
		t.Fatalf("made %+v", e)
	}
	if _, err := w.Elements().Duplicate(w.as(w.bob), e.ID); !models.HasCode(err, models.CodeNotFound) && err != nil {
		t.Fatal(err)
	}
	twin, err := w.Elements().Duplicate(w.in(w.bob), e.ID)
	if err != nil || twin.Handle != "cup2" || twin.OwnerID != w.bob || len(twin.Images) != 1 || twin.Images[0].FileID == e.Images[0].FileID || twin.Seed != e.Seed {
		t.Fatalf("copied as %+v, %v", twin, err)
	}
	if _, err := w.Elements().Delete(ctx, e.ID, false); err != nil {
		t.Fatal(err)
	}
	if r, _, err := w.Media.OpenPrivate(ctx, twin.Images[0].FileID); err != nil {
		t.Errorf("the copy's picture went with the original: %v", err)
	} else {
		r.Close()
	}
}

func TestElementExport(t *testing.T) {
	w := newElementsWorld(t)
	ctx := w.in(w.ann)
	e := w.addElement(ctx, CreateElementInput{Kind: Object, Name: "Cup", Visibility: ptr(space.WorkspaceShared)})
	w.addPicture(ctx, e.ID, elementPNG(t, elementRed, elementBlue))
	for _, user := range []models.ID{w.ann, w.bob} {
		w.exec(`INSERT INTO element_uses (element_id, execution_id, user_id, how, created_at) VALUES (?, ?, ?, '=drawn', now())`, e.ID, models.NewID(w.DB.Clock.Now()), user)
	}
	for user, want := range map[models.ID]int{w.ann: 2, w.bob: 1} {
		if uses, err := w.Elements().ListUses(w.in(user), e.ID, models.Page{}); err != nil || len(uses.Nodes) != want {
			t.Errorf("sees %d uses, expected %d: %v", len(uses.Nodes), want, err)
		}
	}
	_, err := w.Elements().Export(w.in(w.bob), Object, e.ID)
	elementRefused(t, err, models.CodeInsufficientRole, "")
	_, err = w.Elements().Export(ctx, Face, e.ID)
	elementRefused(t, err, models.CodeNotFound, "")
	x, err := w.Elements().Export(ctx, Object, e.ID)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := x.Write(ctx, &b); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, entry := range archive.File {
		r, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, _ := io.ReadAll(r)
		names[entry.Name] = string(content)
	}
	var about map[string]any
	if err := json.Unmarshal([]byte(names["element.json"]), &about); err != nil || about["handle"] != "cup" || len(about["images"].([]any)) != 1 {
		t.Errorf("element.json is %s, %v", names["element.json"], err)
	}
	if !strings.HasPrefix(names["pictures/1-reference.png"], "\x89PNG") || strings.Count(names["uses.csv"], "'=drawn") != 2 {
		t.Errorf("the archive holds %v", names)
	}
	if w.count(`SELECT count(*) FROM audit_entries WHERE action = 'object.exported'`) != 1 {
		t.Error("the export is not in the log")
	}
}

func TestElementsGo(t *testing.T) {
	w := newElementsWorld(t)
	own := w.addElement(w.as(w.bob), CreateElementInput{Kind: Object, Name: "Cup"})
	w.addPicture(w.as(w.bob), own.ID, elementPNG(t, elementRed, elementBlue))
	shared := w.addElement(w.in(w.bob), CreateElementInput{Kind: Object, Name: "Cup", Visibility: ptr(space.WorkspaceShared)})
	w.addPicture(w.in(w.bob), shared.ID, elementPNG(t, elementBlue, elementRed))
	for _, ctx := range []context.Context{w.as(w.bob), w.in(w.bob)} {
		if _, err := w.Presets().Create(ctx, presetOf("Ink")); err != nil {
			t.Fatal(err)
		}
	}
	// What a workspace has stays with it when an account goes, and its pictures, too.
	err := w.DB.Write(w.as(w.bob), func(tx *models.Tx) error { return w.removePersonOf(tx, &account.User{ID: w.bob}) })
	if err != nil || w.count(`SELECT count(*) FROM elements`) != 1 || w.count(`SELECT count(*) FROM media_files`) != 1 {
		t.Fatalf("an account went: %v", err)
	}
	if n := w.count(`SELECT count(*) FROM node_presets`); n != 1 || w.count(`SELECT count(*) FROM node_presets WHERE workspace_id IS NULL`) != 0 {
		t.Errorf("%d presets are left of an account that went, want that of the workspace", n)
	}
	err = w.DB.Write(w.as(w.owner), func(tx *models.Tx) error { return removeLater(tx, &org.Organization{ID: w.org.ID}) })
	if err != nil {
		t.Fatal(err)
	}
	if err := w.RemoveGone(context.Background()); err != nil || w.count(`SELECT count(*) FROM elements`)+w.count(`SELECT count(*) FROM media_files`)+w.count(`SELECT count(*) FROM node_presets`)+w.count(`SELECT count(*) FROM library_removals`) != 0 {
		t.Errorf("an organization went: %v", err)
	}
}
