//go:build !race

package tests

import (
	"bytes"
	"image"
	"image/png"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"atelier/models/dbtest"
)

// TestFilesInS3 keeps files in a bucket of a server that speaks S3: an upload
// is read whole and in part, a node works on it, and the disk holds no file.
func TestFilesInS3(t *testing.T) {
	t.Parallel()
	backend := s3mem.New()
	if err := backend.CreateBucket("media"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	folder := t.TempDir()
	p := startOn(t, dbtest.NewURL(t), folder, []string{"serve"}, "LOG_LEVEL=error",
		"STORAGE_URL=s3://media?region=us-east-1&use_path_style=true&endpoint="+server.URL,
		"AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret")
	_, owner := newcomer(t, p, "Stored")

	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 40, 20))); err != nil {
		t.Fatal(err)
	}
	made := owner.upload("file", picture.Bytes()).want(201)
	address := made.text("data.url")
	if whole := owner.get(address).want(200); !bytes.Equal(whole.Body, picture.Bytes()) || whole.Header.Get("Content-Type") != "image/png" {
		t.Errorf("read back %d bytes of %s", len(whole.Body), whole.Header.Get("Content-Type"))
	}
	if part := owner.sending("Range", "bytes=1-3").get(address).want(206); string(part.Body) != "PNG" {
		t.Errorf("a part reads %q", part.Body)
	}
	if head := owner.do("HEAD", address, nil).want(200); head.Header.Get("Content-Length") == "" || len(head.Body) != 0 {
		t.Errorf("HEAD answers %v", head.Header)
	}

	job := owner.post("/v1/resize-image", object{"imageUrl": address, "width": 10, "height": 5, "fit": "fill"}).want(202).text("jobId")
	result := ended(owner, "/v1/jobs/"+job, "data.status")
	small, err := png.DecodeConfig(bytes.NewReader(owner.get(result.text("data.output_data.imageUrl")).want(200).Body))
	if err != nil || small.Width != 10 || small.Height != 5 {
		t.Errorf("the result is %v, %v", small, err)
	}
	objects, err := backend.ListBucket("media", nil, gofakes3.ListBucketPage{})
	if err != nil || len(objects.Contents) != 2 {
		t.Errorf("the bucket holds %v, %v", objects, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "media")); !os.IsNotExist(err) {
		t.Errorf("files were kept on the disk too: %v", err)
	}
}
