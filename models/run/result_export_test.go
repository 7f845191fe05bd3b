package run

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"

	"atelier/models"
	"atelier/models/org"
)

// unpacked are the files of an archive of results, and their beginnings.
func (w *world) unpacked(ctx context.Context, ids ...models.ID) (map[string]string, error) {
	w.t.Helper()
	x, err := w.Results().Export(ctx, ids)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := x.Write(ctx, &b); err != nil {
		w.t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		w.t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			w.t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			w.t.Fatal(err)
		}
		found[f.Name] = string(content[:min(len(content), 20)])
	}
	return found, nil
}

func TestExportOfResults(t *testing.T) {
	w := newWorld(t, org.School)
	w.withMedia(t)
	w.Grant(w.Ann, 100*models.Credit)
	ann := w.In(w.Room, w.Ann)
	text, secret := w.makeText(ann, "Two foxes, <b>one</b> den"), w.makeText(w.In(w.Room, w.Bob), "Bob's")
	painted, err := w.Nodes().Run(ann, "generate-image", map[string]any{"prompt": "a fox"})
	if err != nil {
		t.Fatal(err)
	}
	w.work()
	picture := painted.Job.ExecutionID
	found, err := w.unpacked(ann, picture, text, picture, secret, w.DB.NewID(w.DB.Clock.Now()))
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(found))
	if want := []string{"01-a-fox.png", "02-two-foxes-b-one-b-den.txt"}; !slices.Equal(names, want) {
		t.Fatalf("the archive holds %q, want %q", names, want)
	}
	if found[names[0]][1:4] != "PNG" || found[names[1]] != "Two foxes, <b>one</b" {
		t.Errorf("the archive holds %q", found)
	}

	w.Exec(`UPDATE media_files SET size = size + ?`, int64(MaxResultExport))
	_, err = w.unpacked(ann, picture)
	wantError(t, err, models.CodeValidation, "larger than 2 GiB")
	_, err = w.unpacked(ann, slices.Repeat([]models.ID{text}, MaxExportedResults+1)...)
	wantError(t, err, models.CodeValidation, fmt.Sprint("at most ", MaxExportedResults))
	w.Exec(`UPDATE media_files SET size = size - ?`, int64(MaxResultExport))
	w.Exec(`DELETE FROM media_files`)
	if found, err := w.unpacked(ann, picture, text); err != nil || len(found) != 1 {
		t.Errorf("of what was deleted meanwhile: %q, %v", found, err)
	}
}

// TestWhoExportsResults: the archive holds what its reader may see, and nothing else, in every role and for other tenants.
func TestWhoExportsResults(t *testing.T) {
	w := newWorld(t, org.School)
	w.withMedia(t)
	people := w.FurtherPeople()
	people["owner"], people["ann"], people["bob"], people["stranger"] = w.Owner, w.Ann, w.Bob, w.Stranger
	ann := w.In(w.Room, w.Ann)
	private, shared := w.makeText(ann, "Mine"), w.makeText(ann, "Ours")
	if _, err := w.Results().Share(ann, shared); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"owner": 2, "orgadmin": 2, "admin": 2, "ann": 2, "bob": 1} // all others see none
	refused := map[string]models.Code{"benched": models.CodeMemberSuspended, "suspended": models.CodeMemberSuspended}
	for name, id := range people {
		found, err := w.unpacked(w.As(id), private, shared)
		if want[name] == 0 {
			if !models.HasCode(err, cmp.Or(refused[name], models.CodeNotFound)) {
				t.Errorf("%s: %q, %v", name, found, err)
			}
			continue
		}
		if err != nil || len(found) != want[name] {
			t.Errorf("%s: %q, %v; want %d", name, found, err, want[name])
		}
	}
	for name, ctx := range map[string]context.Context{
		"a restricted token": w.ByToken(w.Ann, private), "an app without the scope": w.ByApp(w.Ann, models.ScopeWorkspacesRead), "no one": context.Background(),
	} {
		if found, err := w.unpacked(ctx, shared); err == nil {
			t.Errorf("%s: %q", name, found)
		}
	}
	if found, err := w.unpacked(w.ByApp(w.Ann, models.ScopeJobsRead), shared); !models.HasCode(err, models.CodeNotFound) {
		t.Errorf("an app that did not run it: %q, %v", found, err)
	}
}
