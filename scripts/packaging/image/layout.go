package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"time"
)

// The account that the program has, and where it keeps its files.
const (
	uid     = 10001
	dataDir = "/var/lib/atelier"
)

// layout is an OCI image layout that is being made.
type layout struct {
	version   string
	made      time.Time
	blobs     map[string][]byte // by digest
	manifests []descriptor
}

// descriptor names a blob (OCI image specification, "Content Descriptors").
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// config is what the program of an image is started with.
type config struct {
	Created      time.Time `json:"created"`
	Architecture string    `json:"architecture"`
	OS           string    `json:"os"`
	Config       struct {
		User         string
		ExposedPorts map[string]struct{}
		Env          []string
		Entrypoint   []string
		Cmd          []string
		Volumes      map[string]struct{}
		WorkingDir   string
		Labels       map[string]string
		StopSignal   string
	} `json:"config"`
	RootFS struct {
		Type    string   `json:"type"`
		DiffIDs []string `json:"diff_ids"`
	} `json:"rootfs"`
	History []history `json:"history"`
}

type history struct {
	Created   time.Time `json:"created"`
	CreatedBy string    `json:"created_by"`
}

// file is one of a layer; a name that ends with a stroke is a folder.
type file struct {
	name    string
	mode    int64
	owner   int
	content []byte
}

// add makes the image of an architecture. base is a root file system as a tar, or nothing.
func (l *layout) add(architecture string, base, roots, program []byte) error {
	c := config{Created: l.made, Architecture: architecture, OS: "linux"}
	c.RootFS.Type = "layers"
	var layers []descriptor
	put := func(uncompressed []byte, how string) error {
		packed, err := compressed(uncompressed)
		if err != nil {
			return err
		}
		layers = append(layers, l.blob(typeLayer, packed))
		c.RootFS.DiffIDs = append(c.RootFS.DiffIDs, digest(uncompressed))
		c.History = append(c.History, history{l.made, how})
		return nil
	}
	if len(base) > 0 {
		if err := put(base, "the base that was given"); err != nil {
			return err
		}
	}
	around := []file{
		{"etc/ssl/certs/", 0o755, 0, nil}, {"etc/ssl/certs/ca-certificates.crt", 0o644, 0, roots},
		{"tmp/", 0o1777, 0, nil}, {"var/lib/atelier/", 0o700, uid, nil},
	}
	if len(base) == 0 { // a base has its own
		around = append(around,
			file{"etc/passwd", 0o644, 0, []byte("root:x:0:0:root:/root:/sbin/nologin\natelier:x:10001:10001::/var/lib/atelier:/sbin/nologin\n")},
			file{"etc/group", 0o644, 0, []byte("root:x:0:\natelier:x:10001:\n")},
			file{"etc/nsswitch.conf", 0o644, 0, []byte("hosts: files dns\n")})
	}
	for _, part := range []struct {
		how   string
		files []file
	}{{"certificates, account and folders", around}, {"the program", []file{{"usr/bin/", 0o755, 0, nil}, {"usr/bin/atelier", 0o755, 0, program}}}} {
		packed, err := l.tar(part.files)
		if err != nil {
			return err
		}
		if err := put(packed, part.how); err != nil {
			return err
		}
	}
	c.Config.User = "10001:10001"
	c.Config.ExposedPorts = map[string]struct{}{"8080/tcp": {}}
	c.Config.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "DATA_DIR=" + dataDir, "LISTEN_ADDR=0.0.0.0:8080", "LOG_FORMAT=json"}
	c.Config.Entrypoint, c.Config.Cmd = []string{"/usr/bin/atelier"}, []string{"serve"}
	c.Config.Volumes = map[string]struct{}{dataDir: {}}
	c.Config.WorkingDir, c.Config.StopSignal = dataDir, "SIGTERM"
	c.Config.Labels = map[string]string{"org.opencontainers.image.title": "atelier", "org.opencontainers.image.version": l.version}
	set, err := json.Marshal(c)
	if err != nil {
		return err
	}
	manifest, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": typeManifest, "config": l.blob(typeConfig, set), "layers": layers})
	if err != nil {
		return err
	}
	made := l.blob(typeManifest, manifest)
	made.Platform = &platform{architecture, "linux"}
	l.manifests = append(l.manifests, made)
	return nil
}

// write writes the layout; its one reference is the version.
func (l *layout) write(w io.Writer) error {
	all, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": typeIndex, "manifests": l.manifests})
	if err != nil {
		return err
	}
	image := l.blob(typeIndex, all)
	image.Annotations = map[string]string{"org.opencontainers.image.ref.name": l.version}
	index, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": typeIndex, "manifests": []descriptor{image}})
	if err != nil {
		return err
	}
	files := []file{{"oci-layout", 0o644, 0, []byte(`{"imageLayoutVersion":"1.0.0"}`)}, {"index.json", 0o644, 0, index}, {"blobs/sha256/", 0o755, 0, nil}}
	for _, name := range slices.Sorted(maps.Keys(l.blobs)) {
		files = append(files, file{"blobs/sha256/" + name, 0o644, 0, l.blobs[name]})
	}
	packed, err := l.tar(files)
	if err != nil {
		return err
	}
	_, err = w.Write(packed)
	return err
}

// blob keeps a blob.
func (l *layout) blob(mediaType string, content []byte) descriptor {
	d := descriptor{MediaType: mediaType, Digest: digest(content), Size: len(content)}
	l.blobs[d.Digest[len("sha256:"):]] = content
	return d
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// tar packs files at the time of the layout.
func (l *layout) tar(files []file) ([]byte, error) {
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	for _, f := range files {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: f.mode, Uid: f.owner, Gid: f.owner, Size: int64(len(f.content)), ModTime: l.made, Format: tar.FormatPAX}
		if f.name[len(f.name)-1] == '/' {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

func compressed(content []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
