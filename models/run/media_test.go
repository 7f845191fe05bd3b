package run

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/media"
	"atelier/models/nodegraph"
)

// withMedia gives the engine a place for files; the folder is the bucket.
func (e *engine) withMedia(t *testing.T) string {
	folder := t.TempDir()
	bucket, err := media.OpenBucket(context.Background(), "", folder)
	if err != nil {
		t.Fatal(err)
	}
	e.Media = &media.Service{Store: &media.Store{DB: e.DB, Bucket: bucket, PublicURL: e.Flows.PublicURL}, Accounts: e.Accounts, Spaces: e.Spaces}
	t.Cleanup(func() {
		bucket.Close()
		e.Media = nil
	})
	return filepath.Join(folder, "media")
}

func files(t *testing.T, folder string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func pngBytes(t *testing.T, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func testMedia(t *testing.T, e *engine) {
	folder := e.withMedia(t)
	ctx := e.As(e.user)
	picture := pngBytes(t, 3, 5)
	for _, c := range []struct {
		name, content, contentType string
		code                       models.Code
	}{
		{"png", string(picture), "image/png", ""},
		{"text", "hello\n", "text/plain", ""},
		{"json", ` {"v": "5.5"}`, "application/json", ""},
		{"svg", `<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`, "", models.CodeUnsupportedMediaType},
		{"html", `<!DOCTYPE html><script>alert(1)</script>`, "", models.CodeUnsupportedMediaType},
		{"elf", "\x7fELF\x02\x01\x01\x00\x00\x00", "", models.CodeUnsupportedMediaType},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, err := e.Media.Upload(ctx, strings.NewReader(c.content))
			if c.code != "" {
				wantCode(t, err, c.code)
				return
			}
			if err != nil || file.ContentType != c.contentType || file.Size != int64(len(c.content)) {
				t.Fatalf("kept as %+v, %v", file, err)
			}
			found, err := e.Media.Find(ctx, strings.TrimPrefix(e.Media.URL(file), e.Flows.PublicURL+"/media/"))
			if err != nil {
				t.Fatal(err)
			}
			r, err := e.Media.Content(ctx, found)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if got, err := io.ReadAll(r); err != nil || string(got) != c.content {
				t.Errorf("read back %q, %v", got, err)
			}
		})
	}
	before := len(files(t, folder))
	again, err := e.Media.Upload(ctx, bytes.NewReader(picture))
	if err != nil || *again.Width != 3 || *again.Height != 5 {
		t.Errorf("kept as %+v, %v", again, err)
	}
	if after := len(files(t, folder)); after != before {
		t.Errorf("equal files are stored %d times", after-before+1)
	}
	largest, err := e.Media.Upload(ctx, io.LimitReader(letters{}, media.MaxUploadBytes))
	if err != nil || largest.Size != 100<<20 {
		t.Errorf("the largest file: %+v, %v", largest, err)
	}
	for code, content := range map[models.Code]io.Reader{
		models.CodePayloadTooLarge: io.LimitReader(letters{}, media.MaxUploadBytes+1), models.CodeValidation: strings.NewReader(""),
	} {
		_, err = e.Media.Upload(ctx, content)
		wantCode(t, err, code)
	}
	_, err = e.Media.Upload(ctx, bytes.NewReader(hugePNG(60_000, 60_000)))
	wantCode(t, err, models.CodeValidation)
	_, err = e.Media.Upload(context.Background(), bytes.NewReader(picture))
	wantCode(t, err, models.CodeUnauthorized)
	_, err = e.Media.Find(ctx, "guessed.png")
	wantCode(t, err, models.CodeNotFound)
}

type letters struct{}

func (letters) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte("a"), len(p))), nil }

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// testMediaOfNodes paints a picture and gives it to the next node, without HTTP.
func testMediaOfNodes(t *testing.T, e *engine) {
	e.withMedia(t)
	exec := e.start(nodegraph.Nodes{
		{ID: "paint", Type: "generate-image", Data: map[string]any{"prompt": "a fox"}},
		{ID: "small", Type: "resize-image", Data: map[string]any{"width": 20.0, "height": 10.0, "fit": "fill"}},
	}, nodegraph.Edges{edge("paint", "small")})
	e.work()
	job := e.jobs(exec.ID)["small"]
	if job.Status != JobCompleted || job.OutputData["width"] != 20.0 || job.OutputData["height"] != 10.0 {
		t.Fatalf("the job is %+v", job)
	}
	if done := e.execution(exec.ID); done.Charged != 2500 {
		t.Errorf("charged %d", done.Charged)
	}
	if n := e.Count(`SELECT count(*) FROM media_files WHERE account_id = ? AND execution_id = ?`, e.user, exec.ID); n != 2 {
		t.Errorf("%d files belong to the run", n)
	}
}

func testSweepMedia(t *testing.T, e *engine) {
	folder := e.withMedia(t)
	kept, err := e.Media.Upload(e.As(e.user), strings.NewReader("kept"))
	if err != nil {
		t.Fatal(err)
	}
	gone, err := e.Media.Upload(e.As(e.user), strings.NewReader("gone"))
	if err != nil {
		t.Fatal(err)
	}
	e.Exec(`DELETE FROM media_files WHERE id = ?`, gone.ID)
	if removed, err := e.Media.Sweep(context.Background()); err != nil || removed != 0 {
		t.Errorf("young files: %d, %v", removed, err)
	}
	old := time.Now().Add(-25 * time.Hour)
	for _, path := range files(t, folder) {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if removed, err := e.Media.Sweep(context.Background()); err != nil || removed != 1 {
		t.Errorf("old files: %d, %v", removed, err)
	}
	if r, err := e.Media.Content(context.Background(), kept); err != nil {
		t.Error(err)
	} else {
		r.Close()
	}
	_, err = e.Media.Content(context.Background(), gone)
	wantCode(t, err, models.CodeNotFound)
}
