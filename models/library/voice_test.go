//go:build !race

package library

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/lane"
	"atelier/models/media"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes/kit"
	"atelier/nodes/provider/providertest"
)

// newVoicesWorld has a place for files, and money for runs.
func newVoicesWorld(t *testing.T, providers kit.Providers) *wordsWorld {
	t.Helper()
	w := newWordsWorld(t, providers)
	bucket, err := media.OpenBucket(context.Background(), "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { bucket.Close() })
	w.Media = &media.Service{Store: &media.Store{DB: w.DB, Bucket: bucket, PublicURL: w.Flows.PublicURL}, Accounts: w.Accounts, Spaces: w.Spaces}
	w.Runs.Media = w.Media
	w.exec(`INSERT INTO workspace_budgets (workspace_id, organization_id, allocated) VALUES (?, ?, 100000)
		ON CONFLICT (workspace_id) DO UPDATE SET allocated = 100000`, w.room.ID, w.org.ID)
	return w
}

// runVoices runs due jobs until nothing waits.
func runVoices(w *wordsWorld) {
	w.t.Helper()
	clock, _ := w.DB.Clock.(*dbtest.Clock)
	for range 100 {
		var due []lane.Lease
		for _, pool := range run.Pools {
			leases, err := lane.Claim(context.Background(), w.DB, pool.Kind, "test", 1)
			if err != nil {
				w.t.Fatal(err)
			}
			due = append(due, leases...)
		}
		if len(due) == 0 {
			if w.count(`SELECT count(*) FROM lane_items WHERE kind LIKE 'node.%'`) == 0 {
				return
			}
			clock.Advance(5 * time.Second)
		}
		for _, lease := range due {
			if err := w.Runs.RunJob(context.Background(), lease); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	w.t.Fatal("the work does not end")
}

func factoryNamed(t *testing.T, w *wordsWorld, provider, name string) *Voice {
	t.Helper()
	for _, v := range w.factoryVoices(context.Background()) {
		if v.Provider == provider && v.BaseVoice == name {
			return v
		}
	}
	t.Fatalf("no voice %s of %s", name, provider)
	return nil
}

// toneOf is a sound of so many seconds as WAV.
func toneOf(seconds int) []byte {
	const rate = 8000
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt ")
	b = binary.LittleEndian.AppendUint32(b, 16)
	for _, v := range []uint16{1, 1, rate, 0, 2 * rate, 0, 2, 16} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(2*rate*seconds))
	for i := range rate * seconds {
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(8000*math.Sin(float64(i)/3))))
	}
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	return b
}

func arrived(t *testing.T, w *wordsWorld, sound []byte) *media.Incoming {
	t.Helper()
	in, err := w.Media.TakeMade(context.Background(), bytes.NewReader(sound))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func voiceProvidersOf(s *providertest.Server) kit.Providers {
	return kit.Providers{OpenAI: s.OpenAI(), Replicate: s.Replicate(), Models: []kit.Model{
		{Provider: "openai", NodeType: "text-to-speech", ID: "tts", Cost: 2000},
		{Provider: "openai", NodeType: "clone-voice", ID: "custom", Cost: 5000},
		{Provider: "replicate", NodeType: "text-to-speech", ID: "a/speech", Cost: 1000, Fields: map[string]string{"voice": "voice_id"}},
		{Provider: "replicate", NodeType: "clone-voice", ID: "a/clone", Cost: 3000, Fields: map[string]string{"audioUrl": "voice_file"}},
	}}
}

func TestVoicesOfTheProgram(t *testing.T) {
	server := providertest.New(t)
	w := newVoicesWorld(t, voiceProvidersOf(server))
	german := factoryNamed(t, w, "local", "de")
	own, err := w.Voices().Create(w.in(w.ann), CreateVoiceInput{Name: "Narrator", BaseVoiceID: german.ID, Settings: map[string]any{"variant": "f3", "speed": 120, "nonsense": 1}})
	if err != nil {
		t.Fatal(err)
	}
	if own.Language == nil || *own.Language != "de" || !own.Usable || len(own.Settings) != 2 || own.Access != space.IsCreator {
		t.Errorf("made %+v", own)
	}
	var all []*Voice
	page, size := models.Page{}, 50
	page.Limit = &size
	for {
		c, err := w.Voices().List(w.in(w.ann), nil, page)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c.Nodes...)
		if page.Cursor = c.Next(); page.Cursor == nil {
			break
		}
	}
	if len(all) < 120 || all[0].ID != own.ID || all[1].Source != FactoryVoice {
		t.Fatalf("%d voices, the first %+v", len(all), all[0])
	}
	sorted := slices.IsSortedFunc(all[1:], func(a, b *Voice) int { return strings.Compare(a.place(), b.place()) })
	if last := all[len(all)-1]; !sorted || last.Provider != "openai" || last.Language != nil {
		t.Errorf("in order: %v, the last %+v", sorted, last)
	}
	language, source := "DE", FactoryVoice
	found, err := w.Voices().List(w.in(w.ann), &VoiceFilter{Language: &language, Source: &source}, models.Page{})
	if err != nil || len(found.Nodes) != 1 || found.Nodes[0].ID != german.ID {
		t.Errorf("filtered %+v, %v", found, err)
	}
	_, err = w.Voices().List(w.in(w.ann), &VoiceFilter{Gender: &language}, models.Page{})
	w.refused(err, models.CodeValidation, "gender")
	if hidden, err := w.Voices().List(w.in(w.bob), &VoiceFilter{Query: &own.Name}, models.Page{}); err != nil || len(hidden.Nodes) != 0 && own.Visibility == space.Private {
		t.Errorf("another member lists %+v, %v", hidden, err)
	}
	if variants, err := w.Voices().Variants(w.as(w.ann)); err != nil || !slices.Contains(variants, "f3") || len(variants) < 90 {
		t.Errorf("variants %v, %v", variants, err)
	}
	if got, err := w.Voices().Find(w.as(w.stranger), german.ID); err != nil || got.Can.Edit || got.Access != space.CanView {
		t.Errorf("one of the program: %+v, %v", got, err)
	}
	_, err = w.Voices().Update(w.as(w.ann), german.ID, UpdateVoiceInput{Name: models.Some("Mine")})
	w.refused(err, models.CodeForbidden, "program")
	w.refused(w.Voices().Delete(w.as(w.ann), german.ID), models.CodeForbidden, "program")
}

func TestVoicesAreDesigned(t *testing.T) {
	server := providertest.New(t)
	w := newVoicesWorld(t, voiceProvidersOf(server))
	german, alloy := factoryNamed(t, w, "local", "de"), factoryNamed(t, w, "openai", "alloy")
	for field, value := range map[string]any{"speed": 79, "pitch": 100, "pitchShift": 1.5, "echo": "much", "variant": "../x"} {
		_, err := w.Voices().Create(w.in(w.ann), CreateVoiceInput{Name: "V", BaseVoiceID: german.ID, Settings: map[string]any{field: value}})
		w.refused(err, models.CodeValidation, "settings."+field)
	}
	_, err := w.Voices().Create(w.in(w.ann), CreateVoiceInput{Name: "V", BaseVoiceID: w.ann})
	w.refused(err, models.CodeValidation, "baseVoiceId")
	shared := space.WorkspaceShared
	v, err := w.Voices().Create(w.in(w.ann), CreateVoiceInput{Name: "V", BaseVoiceID: alloy.ID, Visibility: &shared, Settings: map[string]any{"speed": 100, "pitchShift": -3, "echo": 9999, "variant": "f3"}})
	if err != nil || len(v.Settings) != 2 || v.Provider != "openai" {
		t.Fatalf("of a provider: %+v, %v", v, err)
	}
	_, err = w.Voices().Update(w.in(w.stranger), v.ID, UpdateVoiceInput{})
	w.refused(err, models.CodeNotFound, "")
	old := 7
	_, err = w.Voices().Update(w.in(w.ann), v.ID, UpdateVoiceInput{Name: models.Some("W"), Version: &old})
	w.refused(err, models.CodeStale, "version 1")
	changed, err := w.Voices().Update(w.in(w.ann), v.ID, UpdateVoiceInput{Name: models.Some("W"), Settings: models.OptMapOf(map[string]any{"pitchShift": 2}), Visibility: models.Some(space.Private)})
	if err != nil || changed.Name != "W" || changed.Version != 2 || len(changed.Settings) != 1 || changed.Visibility != space.Private {
		t.Errorf("changed %+v, %v", changed, err)
	}
	_, err = w.Voices().Find(w.in(w.bob), v.ID)
	w.refused(err, models.CodeNotFound, "Voice")
	w.exec(`INSERT INTO voices (id, owner_id, workspace_id, organization_id, visibility, name, source, provider, status, created_at, updated_at)
		SELECT gen_random_uuid(), ?, ?, ?, 'private', 'X', 'designed', 'local', 'ready', now(), now() FROM generate_series(1, 99)`, w.bob, w.room.ID, w.org.ID)
	_, err = w.Voices().Create(w.in(w.ann), CreateVoiceInput{Name: "V", BaseVoiceID: german.ID})
	w.refused(err, models.CodeLimitReached, "100 voices")
	if err := w.Voices().Delete(w.in(w.ann), v.ID); err != nil {
		t.Fatal(err)
	}
	for _, action := range []string{"voice.created", "voice.updated", "voice.visibility_changed", "voice.deleted"} {
		if n := w.count(`SELECT count(*) FROM audit_entries WHERE action = ? AND target_id = ?`, action, v.ID); n != 1 {
			t.Errorf("%d entries of %s", n, action)
		}
	}
}

func TestVoicePreviews(t *testing.T) {
	w := newVoicesWorld(t, kit.Providers{})
	english := factoryNamed(t, w, "local", "en-us")
	v, err := w.Voices().Create(w.in(w.ann), CreateVoiceInput{Name: "V", BaseVoiceID: english.ID, Settings: map[string]any{"variant": "whisper", "pitchShift": 4, "echo": 30, "speed": 300}})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a", 501)
	_, err = w.Voices().Preview(w.in(w.ann), v.ID, &long)
	w.refused(err, models.CodeValidation, "text")
	said := "Hello."
	begun, err := w.Voices().Preview(w.in(w.ann), v.ID, &said)
	if err != nil {
		t.Fatal(err)
	}
	if begun.Job.JobType != "text-to-speech" || begun.Voice.ID != v.ID {
		t.Errorf("begun %+v", begun.Job)
	}
	runVoices(w)
	first, err := w.Voices().Find(w.in(w.ann), v.ID)
	if err != nil || first.PreviewURL == nil || !strings.Contains(*first.PreviewURL, "sig=") || first.URLExpiresAt == nil {
		t.Fatalf("the preview: %+v, %v", first, err)
	}
	if _, err := w.Voices().Preview(w.in(w.ann), v.ID, nil); err != nil {
		t.Fatal(err)
	}
	runVoices(w)
	if again, err := w.Voices().Find(w.in(w.ann), v.ID); err != nil || *again.PreviewFileID == *first.PreviewFileID {
		t.Errorf("the second preview: %+v, %v", again, err)
	}
	if n := w.count(`SELECT count(*) FROM media_files WHERE private`); n != 1 {
		t.Errorf("%d private files", n)
	}
	if _, err := w.Voices().Preview(w.in(w.ann), english.ID, &said); err != nil {
		t.Errorf("one of the program: %v", err)
	}
	runVoices(w)
	if err := w.Voices().Delete(w.in(w.ann), v.ID); err != nil {
		t.Fatal(err)
	}
	if n := w.count(`SELECT count(*) FROM media_files WHERE private`); n != 0 {
		t.Errorf("%d private files after the deletion", n)
	}
}

func TestVoicesAreCloned(t *testing.T) {
	plain := newVoicesWorld(t, kit.Providers{})
	_, err := plain.Voices().Clone(plain.as(plain.stranger), CloneVoiceInput{Name: "Me", Language: "en"})
	plain.refused(err, models.CodeValidation, "No provider of this install clones voices; its operator must set OPENAI_API_KEY, or REPLICATE_API_TOKEN with a model of type clone-voice in PROVIDER_MODELS")
	server := providertest.New(t)
	w := newVoicesWorld(t, voiceProvidersOf(server))
	yes, no := true, false
	self := &ConsentInput{Subject: Self, Confirmed: &yes}
	clone := func(change func(*CloneVoiceInput)) (*Begun, error) {
		in := CloneVoiceInput{Name: "Me", Language: "de-DE", Consent: self, Sample: arrived(t, w, toneOf(5)), Recording: arrived(t, w, toneOf(4))}
		if change != nil {
			change(&in)
		}
		return w.Voices().Clone(w.in(w.owner), in)
	}
	for part, change := range map[string]func(*CloneVoiceInput){
		"consent":           func(in *CloneVoiceInput) { in.Consent = nil },
		"consent.providers": func(in *CloneVoiceInput) { in.Consent = &ConsentInput{Subject: Self, Confirmed: &yes, Providers: &no} },
		"Ich bin der Eigen": func(in *CloneVoiceInput) { in.Recording = nil },
		"3 to 120 seconds":  func(in *CloneVoiceInput) { in.Sample = arrived(t, w, toneOf(2)) },
		"sample":            func(in *CloneVoiceInput) { in.Sample = nil },
		"language":          func(in *CloneVoiceInput) { in.Language = "German!" },
	} {
		_, err := clone(change)
		w.refused(err, models.CodeValidation, part)
	}
	begun, err := clone(nil)
	if err != nil {
		t.Fatal(err)
	}
	if begun.Job == nil || begun.Job.JobType != "clone-voice" || begun.Voice.Status != CloningVoice || begun.Voice.Visibility != space.Private {
		t.Fatalf("begun %+v, %+v", begun.Job, begun.Voice)
	}
	runVoices(w)
	v, err := w.Voices().Find(w.in(w.owner), begun.Voice.ID)
	if err != nil || v.Status != Ready || v.BaseVoice != "voice_2" || v.Cloning.Consent != "cons_1" || !v.Usable || v.SampleFileID != nil {
		t.Fatalf("cloned %+v, %s, %v", v, textOf(v.ErrorMessage), err)
	}
	if n := w.count(`SELECT count(*) FROM media_files WHERE private`); n != 0 {
		t.Errorf("%d recordings are kept", n)
	}
	if call := server.Calls("POST", "/audio/voice_consents")[0]; call.Form["language"] != "de" || !strings.HasPrefix(call.Form["recording"], "consent.wav of") {
		t.Errorf("the consent: %+v", call)
	}
	said := "Hallo."
	if _, err := w.Voices().Preview(w.in(w.owner), v.ID, &said); err != nil {
		t.Fatal(err)
	}
	runVoices(w)
	if call := server.Calls("POST", "/audio/speech")[0]; call.Body["voice"].(map[string]any)["id"] != "voice_2" {
		t.Errorf("spoken by %+v", call.Body)
	}
	clock, _ := w.DB.Clock.(*dbtest.Clock)
	clock.Advance(32 * 24 * time.Hour)
	if err := w.SweepConsents(context.Background()); err != nil || w.count(`SELECT count(*) FROM media_files WHERE private`) != 1 {
		t.Errorf("of a consent without an end the preview is gone: %v", err)
	}
	w.exec(`UPDATE voices SET consent = consent || jsonb_build_object('validUntil', ?::text)`, clock.Now().Add(-31*24*time.Hour).Format(time.RFC3339))
	if err := w.SweepConsents(context.Background()); err != nil || w.count(`SELECT count(*) FROM media_files WHERE private`) != 0 {
		t.Errorf("thirty days after the end of the consent the preview is there: %v", err)
	}
	if err := w.Voices().Delete(w.in(w.owner), v.ID); err != nil {
		t.Fatal(err)
	}
	server.Answer(func(rw http.ResponseWriter, c providertest.Call) bool {
		if c.Method == "DELETE" {
			rw.WriteHeader(500)
		}
		return c.Method == "DELETE"
	})
	if err := w.RemoveAtProviders(context.Background()); err != nil || w.count(`SELECT count(*) FROM provider_removals WHERE attempts = 1 AND error IS NOT NULL`) != 2 {
		t.Errorf("after a failed removal: %v", err)
	}
	server.Answer(nil)
	clock.Advance(2 * time.Minute)
	if err := w.RemoveAtProviders(context.Background()); err != nil || w.count(`SELECT count(*) FROM provider_removals`) != 0 || server.Kept("voice_2") || server.Kept("cons_1") {
		t.Errorf("after the removal: %v, the voice is there: %v", err, server.Kept("voice_2"))
	}
}

func TestVoicesAreClonedOnceTheConsentIsGiven(t *testing.T) {
	server := providertest.New(t)
	w := newVoicesWorld(t, voiceProvidersOf(server))
	yes, replicate := true, "replicate"
	begun, err := w.Voices().Clone(w.in(w.ann), CloneVoiceInput{
		Name: "Me", Language: "en", Provider: &replicate, KeepSample: &yes, Consent: &ConsentInput{Subject: Self, Confirmed: &yes}, Sample: arrived(t, w, toneOf(5)),
	})
	if err != nil || begun.Job != nil || begun.Voice.Status != AwaitingConsent || begun.Voice.Usable {
		t.Fatalf("begun %+v, %v", begun, err)
	}
	if _, err := w.Voices().GiveConsent(w.in(w.owner), begun.Voice.ID, GiveConsentInput{Confirmed: true}); err != nil {
		t.Fatal(err)
	}
	runVoices(w)
	v, err := w.Voices().Find(w.in(w.ann), begun.Voice.ID)
	if err != nil || v.Status != Ready || v.BaseVoice != "R8_p1" || v.SampleFileID == nil {
		t.Fatalf("cloned %+v, %v", v, err)
	}
	call := server.Calls("POST", "/models/a/clone/predictions")[0]
	if file, _ := call.Body["input"].(map[string]any)["voice_file"].(string); !strings.HasPrefix(file, server.URL) || server.KeptAll("file_") != 0 {
		t.Errorf("sent %+v, %d files are there", call.Body, server.KeptAll("file_"))
	}
	server.Answer(func(rw http.ResponseWriter, c providertest.Call) bool {
		if strings.HasSuffix(c.Path, "/predictions") {
			rw.WriteHeader(422)
			return true
		}
		return false
	})
	failed, err := w.Voices().Clone(w.in(w.owner), CloneVoiceInput{Name: "Me", Language: "en", Provider: &replicate, Consent: &ConsentInput{Subject: Self, Confirmed: &yes}, Sample: arrived(t, w, toneOf(5))})
	if err != nil {
		t.Fatal(err)
	}
	runVoices(w)
	if v, err = w.Voices().Find(w.in(w.owner), failed.Voice.ID); err != nil || v.Status != Failed || v.ErrorMessage == nil || v.Usable || v.SampleFileID != nil {
		t.Errorf("failed %+v, %v", v, err)
	}
}
