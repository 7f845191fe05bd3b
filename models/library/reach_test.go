//go:build !race

package library

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/space"
	"atelier/nodes/face/facetest"
	"atelier/nodes/provider/providertest"
)

// upload keeps an ordinary file of an account, at its public address.
func (w *wordsWorld) upload(ctx context.Context, content []byte) (address string) {
	w.t.Helper()
	in, err := w.Media.ReceiveFile(ctx, bytes.NewReader(content))
	if err != nil {
		w.t.Fatal(err)
	}
	defer in.Close()
	file, err := w.Media.KeepFile(ctx, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.Media.URL(file)
}

// What depicts a member is in the lists of that member, no matter who made it and how private it is, and in no other member's.
func TestListsHoldWhatDepictsTheCaller(t *testing.T) {
	server := providertest.New(t)
	w := newVoicesWorld(t, voiceProvidersOf(server))
	face := w.mustFace(w.in(w.owner), ConsentInput{Subject: Member, UserID: &w.ann})
	if _, err := w.Elements().GiveConsent(w.in(w.ann), face.ID, GiveConsentInput{Confirmed: true}); err != nil {
		t.Fatal(err)
	}
	hero, err := w.Elements().Create(w.in(w.owner), CreateElementInput{Kind: Character, Name: "Hero", FaceID: &face.ID})
	if err != nil {
		t.Fatal(err)
	}
	voice, err := w.Voices().Clone(w.in(w.owner), CloneVoiceInput{
		Name: "Hers", Language: "en", Consent: &ConsentInput{Subject: Member, UserID: &w.ann}, Sample: arrived(t, w, toneOf(5)), Recording: arrived(t, w, toneOf(4)),
	})
	if err != nil {
		t.Fatal(err)
	}
	own, everything := OwnVoices, models.Page{}
	for name, c := range map[string]struct {
		who  models.ID
		seen bool
	}{"who is depicted": {w.ann, true}, "who made it": {w.owner, true}, "another member": {w.bob, false}} {
		ctx := w.in(c.who)
		for kind, id := range map[Kind]models.ID{Face: face.ID, Character: hero.ID} {
			found, err := w.Elements().List(ctx, kind, nil, everything)
			if err != nil {
				t.Fatal(err)
			}
			if there := slices.ContainsFunc(found.Nodes, func(e *Element) bool { return e.ID == id }); there != c.seen {
				t.Errorf("%s sees the %s: %v", name, kind, there)
			}
			if found, err := w.Elements().List(ctx, kind, &ElementFilter{Mine: yes()}, everything); err != nil || (len(found.Nodes) > 0) != (c.who == w.owner) {
				t.Errorf("%s has made %d, %v", name, len(found.Nodes), err)
			}
		}
		voices, err := w.Voices().List(ctx, &VoiceFilter{Source: &own}, everything)
		if err != nil {
			t.Fatal(err)
		}
		if there := slices.ContainsFunc(voices.Nodes, func(v *Voice) bool { return v.ID == voice.Voice.ID }); there != c.seen || slices.ContainsFunc(voices.Nodes, func(v *Voice) bool { return v.Source == FactoryVoice }) {
			t.Errorf("%s hears the voice: %v, of %d", name, there, len(voices.Nodes))
		}
	}
	if e, err := w.Elements().Find(w.in(w.ann), face.ID); err != nil || e.Access != space.CanView || !e.Can.Export {
		t.Errorf("who is depicted may %+v, %v", e, err)
	}
}

// Where something of a person came from an own upload, the upload's public address ends with it, in the same
// transaction; what was refused ends nothing, and files of others stay.
func TestSourcesOfPersonsEnd(t *testing.T) {
	server := providertest.New(t)
	w := newVoicesWorld(t, voiceProvidersOf(server))
	ctx, public := w.in(w.owner), `SELECT count(*) FROM media_files WHERE NOT private`
	self := &ConsentInput{Subject: Self, Confirmed: yes()}
	sample, recording, picture := w.upload(ctx, toneOf(5)), w.upload(ctx, toneOf(4)), w.upload(ctx, facetest.One())
	foreign := w.upload(w.in(w.ann), toneOf(6))
	_, err := w.Voices().Clone(ctx, CloneVoiceInput{Name: "Me", Language: "en", Consent: nil, SampleURL: &sample, ConsentRecordingURL: &recording})
	w.refused(err, models.CodeValidation, "consent")
	if w.count(public) != 4 {
		t.Error("a refused cloning ends uploads")
	}
	if _, err := w.Voices().Clone(ctx, CloneVoiceInput{Name: "Me", Language: "en", Consent: self, SampleURL: &sample, ConsentRecordingURL: &recording}); err != nil {
		t.Fatal(err)
	}
	if w.count(public) != 2 || w.count(`SELECT count(*) FROM media_files WHERE private`) != 2 {
		t.Error("the recordings stay readable at their public addresses")
	}
	if _, err := w.Voices().Clone(ctx, CloneVoiceInput{Name: "Me", Language: "en", Consent: self, SampleURL: &foreign, Recording: arrived(t, w, toneOf(4))}); err != nil {
		t.Fatal(err)
	}
	depicts := CreateElementInput{Kind: Character, Name: "Me", DepictsPerson: yes(), Consent: self, ImageUrls: []string{picture}}
	if _, err := w.Elements().Create(ctx, depicts); err != nil {
		t.Fatal(err)
	}
	if w.count(public) != 1 {
		t.Error("the picture of a person stays readable at its public address, or a file of another member went")
	}
	plain := w.upload(ctx, facetest.PNG(300, 300))
	if _, err := w.Elements().Create(ctx, CreateElementInput{Kind: Object, Name: "Cup", ImageUrls: []string{plain}}); err != nil || w.count(public) != 2 {
		t.Errorf("the upload of what depicts nobody ends, or %v", err)
	}
}

// An address of this install at which nothing lies is a refusal of the field that names it.
func TestOwnAddressesThatLeadNowhere(t *testing.T) {
	server := providertest.New(t)
	w := newVoicesWorld(t, voiceProvidersOf(server))
	ctx, nowhere := w.in(w.owner), w.Flows.PublicURL+"/media/nothing.png"
	e := w.trainCharacter()
	self := &ConsentInput{Subject: Self, Confirmed: yes()}
	for field, do := range map[string]func() error{
		"url": func() error { _, err := w.Images().Add(ctx, e.ID, AddImageInput{URL: nowhere}); return err },
		"imageUrls": func() error {
			_, err := w.Elements().Create(ctx, CreateElementInput{Kind: Object, Name: "Cup", ImageUrls: []string{nowhere}})
			return err
		},
		"sampleUrl": func() error {
			_, err := w.Voices().Clone(ctx, CloneVoiceInput{Name: "Me", Language: "en", Consent: self, SampleURL: &nowhere})
			return err
		},
		"consentRecordingUrl": func() error {
			_, err := w.Voices().Clone(ctx, CloneVoiceInput{Name: "Me", Language: "en", Consent: self, Sample: arrived(t, w, toneOf(5)), ConsentRecordingURL: &nowhere})
			return err
		},
		"url ": func() error { _, err := w.Media.SaveToStorage(ctx, nowhere); return err },
	} {
		w.refused(do(), models.CodeValidation, field)
	}
}

// What starts work in an archived workspace is refused as what is created there, behind the role.
func TestWorkInAnArchivedWorkspace(t *testing.T) {
	w := consentWorld(t)
	shared := space.WorkspaceShared
	e := w.trainCharacter(facetest.One())
	if _, err := w.Elements().Update(w.in(w.owner), e.ID, UpdateElementInput{Visibility: models.Some(shared)}); err != nil {
		t.Fatal(err)
	}
	v, err := w.Voices().Create(w.in(w.owner), CreateVoiceInput{Name: "V", BaseVoiceID: factoryNamed(t, w, "local", "en-us").ID})
	if err != nil {
		t.Fatal(err)
	}
	w.exec(`UPDATE workspaces SET archived_at = now()`)
	for what, do := range map[string]func(context.Context) error{
		"training": func(ctx context.Context) error {
			_, err := w.Elements().Train(ctx, e.ID, TrainElementInput{})
			return err
		},
		"checking": func(ctx context.Context) error {
			_, err := w.Elements().CheckTraining(ctx, e.ID, TrainElementInput{})
			return err
		},
		"further views": func(ctx context.Context) error {
			_, err := w.Elements().Generate(ctx, GenerateElementInput{Kind: Character, ID: &e.ID, Description: "A hero"})
			return err
		},
	} {
		if err := do(w.in(w.owner)); !models.HasCode(err, models.CodeWorkspaceArchived) {
			t.Errorf("%s: %v", what, err)
		} else if refusal, _ := models.AsError(err); refusal.HTTPStatus() != 409 {
			t.Errorf("%s is %d", what, refusal.HTTPStatus())
		}
	}
	if _, err := w.Voices().Preview(w.in(w.owner), v.ID, nil); !models.HasCode(err, models.CodeWorkspaceArchived) {
		t.Errorf("a preview: %v", err)
	}
}

// Signs are found as they are typed, in every list, and mean nothing else.
func TestSignsAreFound(t *testing.T) {
	w := consentWorld(t)
	ctx := w.in(w.owner)
	for _, name := range []string{"50% off", "50 ways", "my_file v2", "my file", `back\slash`, "C++", "L'Été *", "plain"} {
		if _, err := w.Elements().Create(ctx, CreateElementInput{Kind: Object, Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	for typed, want := range map[string][]string{
		"%": {"50% off"}, "50%": {"50% off"}, "0%": nil, "50": {"50 ways", "50% off"}, `\`: {`back\slash`}, `back\s`: {`back\slash`},
		"C+": {"C++"}, "c": {"C++"}, "ete *": {"L'Été *"}, "% ways": nil, "%' OR 1=1": nil, "plain": {"plain"}, "file_v": {"my_file v2"}, "my_f": {"my file", "my_file v2"}, // handles have the sign, too
		"_file v": {"my_file v2"},
	} {
		found, err := w.Elements().List(ctx, Object, &ElementFilter{Query: &typed}, models.Page{})
		if err != nil {
			t.Fatalf("%q: %v", typed, err)
		}
		var names []string
		for _, e := range found.Nodes {
			names = append(names, e.Name)
		}
		if slices.Sort(names); !slices.Equal(names, want) {
			t.Errorf("%q finds %q, not %q", typed, names, want)
		}
	}
	for typed, want := range map[string]int{"a_b@": 1, "_b": 1, "@a_b": 1, "b%": 0} {
		addresses := w.count(`SELECT count(*) FROM (SELECT search_index('Somebody', 'a_b@example.com') AS search) row WHERE search @@ search_query(?, true)`, typed)
		names := w.count(`SELECT count(*) FROM (SELECT search_index('Somebody', 'a_b@example.com') AS search) row WHERE search @@ search_query(?, false)`, typed)
		if addresses != want || names != 0 {
			t.Errorf("%q finds %d by the address and %d without it", typed, addresses, names)
		}
	}
	long := w.count(`SELECT length(search_index(repeat('_a%', 1500), NULL))`)
	if long == 0 || long > 210 {
		t.Errorf("a text of signs is found by %d words", long)
	}
}

// A reason that was kept as a sentence has its code.
func TestOldReasons(t *testing.T) {
	var kept SkippedImage
	if err := json.Unmarshal([]byte(`{"imageId":"`+models.NewID(time.Now()).String()+`","reason":"It is blurred."}`), &kept); err != nil || kept.Reason != skipBlurred {
		t.Errorf("an old reason is %+v, %v", kept, err)
	}
}
