package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// pack makes an image of two programs.
func pack(t *testing.T, more ...string) []byte {
	t.Helper()
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	dir := t.TempDir()
	args := []string{"v1.2.3", filepath.Join(dir, "image.tar")}
	for _, architecture := range []string{"amd64", "arm64"} {
		path := filepath.Join(dir, architecture)
		if err := os.WriteFile(path, []byte("the program for "+architecture), 0o755); err != nil {
			t.Fatal(err)
		}
		args = append(args, architecture+"="+path)
	}
	if err := run(append(args, more...)); err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile(args[1])
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// unpack reads a tar.
func unpack(t *testing.T, packed io.Reader) (contents map[string][]byte, headers map[string]*tar.Header) {
	t.Helper()
	contents, headers = map[string][]byte{}, map[string]*tar.Header{}
	for r := tar.NewReader(packed); ; {
		h, err := r.Next()
		if err == io.EOF {
			return contents, headers
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		contents[h.Name], headers[h.Name] = body, h
	}
}

// TestImage walks from the index to the files, checking every digest and size on the way.
func TestImage(t *testing.T) {
	made := pack(t)
	if !bytes.Equal(made, pack(t)) {
		t.Error("the same programs give other bytes")
	}
	files, _ := unpack(t, bytes.NewReader(made))
	if string(files["oci-layout"]) != `{"imageLayoutVersion":"1.0.0"}` {
		t.Errorf("oci-layout: %s", files["oci-layout"])
	}
	read := func(d descriptor, into any) []byte {
		t.Helper()
		blob, there := files["blobs/sha256/"+d.Digest[len("sha256:"):]]
		if !there || digest(blob) != d.Digest || len(blob) != d.Size {
			t.Fatalf("%+v does not name a blob that is there", d)
		}
		if into != nil {
			if err := json.Unmarshal(blob, into); err != nil {
				t.Fatal(err)
			}
		}
		return blob
	}
	var index, image struct{ Manifests []descriptor }
	if err := json.Unmarshal(files["index.json"], &index); err != nil || len(index.Manifests) != 1 || index.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != "v1.2.3" {
		t.Fatalf("%v: %s", err, files["index.json"])
	}
	read(index.Manifests[0], &image)
	var seen []string
	for _, m := range image.Manifests {
		var manifest struct {
			Config descriptor
			Layers []descriptor
		}
		read(m, &manifest)
		var c config
		read(manifest.Config, &c)
		if c.Architecture != m.Platform.Architecture || c.Config.User != "10001:10001" || len(c.RootFS.DiffIDs) != len(manifest.Layers) || len(manifest.Layers) != 2 {
			t.Errorf("%+v, of %+v", c, manifest)
		}
		all := map[string][]byte{}
		for n, layer := range manifest.Layers {
			unzipped, err := gzip.NewReader(bytes.NewReader(read(layer, nil)))
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(unzipped)
			if err != nil || digest(body) != c.RootFS.DiffIDs[n] {
				t.Errorf("layer %d: %v, %s", n, err, digest(body))
			}
			contents, headers := unpack(t, bytes.NewReader(body))
			for name, body := range contents {
				all[name] = body
			}
			if h := headers["usr/bin/atelier"]; h != nil && h.Mode != 0o755 {
				t.Errorf("the program has the mode %o", h.Mode)
			}
			if h := headers["var/lib/atelier/"]; h != nil && (h.Uid != uid || h.Mode != 0o700) {
				t.Errorf("the data's folder: %+v", h)
			}
		}
		if string(all["usr/bin/atelier"]) != "the program for "+c.Architecture || len(all["etc/ssl/certs/ca-certificates.crt"]) == 0 || len(all["etc/passwd"]) == 0 {
			t.Errorf("the files of %s: %v", c.Architecture, len(all))
		}
		seen = append(seen, c.Architecture)
	}
	if !slices.Equal(seen, []string{"amd64", "arm64"}) {
		t.Errorf("images of %v", seen)
	}
}

// TestImageOnABase has the base below everything, and leaves its accounts as they are.
func TestImageOnABase(t *testing.T) {
	var base bytes.Buffer
	w := tar.NewWriter(&base)
	if err := w.WriteHeader(&tar.Header{Name: "usr/bin/ffmpeg", Mode: 0o755}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "base.tar")
	if err := os.WriteFile(path, base.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	files, _ := unpack(t, bytes.NewReader(pack(t, "base-amd64="+path)))
	bases, accounts := 0, 0
	for _, blob := range files {
		unzipped, err := gzip.NewReader(bytes.NewReader(blob))
		if err != nil {
			continue
		}
		contents, _ := unpack(t, unzipped)
		if _, there := contents["usr/bin/ffmpeg"]; there {
			bases++
		}
		if _, there := contents["etc/passwd"]; there {
			accounts++
		}
	}
	if bases != 1 || accounts != 1 { // the other architecture has none
		t.Errorf("%d bases, %d lists of accounts", bases, accounts)
	}
}
