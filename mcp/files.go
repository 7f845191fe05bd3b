package mcp

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"atelier/inbound"
	"atelier/models"
	"atelier/models/media"
)

const (
	// maxContent and maxContents bound what pictures and sounds an answer holds, in bytes:
	// one, and all together. Others are links.
	maxContent, maxContents = 2 << 20, 4 << 20
	// maxLinks is how many files an answer shows or links to.
	maxLinks = 20
	// maxUpload is the largest file that a call brings along.
	maxUpload = 8 << 20
)

// files collects the files that an answer shows.
type files struct {
	c        *call
	seen     []string
	bytes    int64
	contents []sdk.Content
}

func newFiles(c *call) *files { return &files{c: c} }

// addAll adds the files that stand in an output, by their addresses.
func (f *files) addAll(ctx context.Context, output json.RawMessage) {
	var value any
	if len(f.seen) < maxLinks && json.Unmarshal(output, &value) == nil {
		f.walk(ctx, value)
	}
}

func (f *files) walk(ctx context.Context, value any) {
	switch v := value.(type) {
	case string:
		f.add(ctx, v)
	case []any:
		for _, each := range v {
			f.walk(ctx, each)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) { // the same files each time
			f.walk(ctx, v[name])
		}
	}
}

// add shows a picture or a sound of this install, or links to another file of it. What
// is no address of a file here is left out.
func (f *files) add(ctx context.Context, address string) {
	inside, ok := strings.CutPrefix(address, f.c.PublicURL+"/media/")
	if !ok || len(f.seen) >= maxLinks || slices.Contains(f.seen, address) {
		return
	}
	f.seen = append(f.seen, address)
	name, rawQuery, _ := strings.Cut(inside, "?")
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return
	}
	file, err := f.c.Resolver.Media.FindServed(ctx, name, query)
	if err != nil {
		return
	}
	if content := f.content(ctx, file); content != nil {
		f.contents = append(f.contents, content)
		return
	}
	size := file.Size
	f.contents = append(f.contents, &sdk.ResourceLink{URI: address, Name: name, MIMEType: file.ContentType, Size: &size})
}

// content is a file as part of an answer; nil where it is too large, or none that a
// model looks at or listens to, or where there is no memory for it now.
func (f *files) content(ctx context.Context, file *media.File) sdk.Content {
	kind, _, _ := strings.Cut(file.ContentType, "/")
	if kind != "image" && kind != "audio" || file.ContentType == "image/svg+xml" || file.Size > maxContent || f.bytes+file.Size > maxContents {
		return nil
	}
	memory := file.Size + int64(base64.StdEncoding.EncodedLen(int(file.Size))) // as it is, and as the answer has it
	if inbound.From(ctx).Hold(memory) != nil {
		return nil
	}
	reader, err := f.c.Resolver.Media.Content(ctx, file)
	if err != nil {
		return nil
	}
	defer reader.Close()
	data, err := io.ReadAll(io.LimitReader(reader, file.Size+1))
	if err != nil || int64(len(data)) != file.Size {
		return nil
	}
	f.bytes += int64(len(data))
	if kind == "audio" {
		return &sdk.AudioContent{Data: data, MIMEType: file.ContentType}
	}
	return &sdk.ImageContent{Data: data, MIMEType: file.ContentType}
}

// fileTools keep files.
func (f *face) fileTools() {
	add(f, tool{
		Name: "upload_file", Title: "Upload a file", Outside: true, Operations: []string{"SaveFile"},
		Description: "Keeps a picture, sound, video or document and returns its address, which settings and inputs take: from a public https address, or as base64 of at most 8 MiB.",
	}, uploadFile)
}

type uploadInput struct {
	Space
	URL  string `json:"url,omitempty" jsonschema:"A public https address to copy from. Either this or data."`
	Data string `json:"data,omitempty" jsonschema:"The file itself as base64."`
}

// File is a kept file.
type File struct {
	URL         string   `json:"url" jsonschema:"It lets everyone who has it download the file."`
	ContentType string   `json:"contentType" jsonschema:"As found in the file itself."`
	Size        int64    `json:"size"`
	Width       *int     `json:"width,omitempty"`
	Height      *int     `json:"height,omitempty"`
	Duration    *float64 `json:"duration,omitempty" jsonschema:"In seconds."`
}

func uploadFile(ctx context.Context, c *call, in uploadInput) (*File, error) {
	if (in.URL == "") == (in.Data == "") {
		return nil, models.Invalid("url", "or data is needed, one of the two")
	}
	incoming, err := c.arrive(ctx, in)
	if err != nil {
		return nil, err
	}
	defer incoming.Close()
	file, err := c.Resolver.Media.KeepFile(ctx, incoming)
	if err != nil {
		return nil, err
	}
	return &File{
		URL: c.Resolver.Media.URL(file), ContentType: file.ContentType, Size: file.Size, Width: file.Width, Height: file.Height, Duration: file.Duration,
	}, nil
}

// arrive takes the file of an upload.
func (c *call) arrive(ctx context.Context, in uploadInput) (*media.Incoming, error) {
	if in.URL != "" {
		return c.Resolver.Media.FetchFile(ctx, in.URL)
	}
	data := in.Data
	if strings.HasPrefix(data, "data:") { // as pages write files
		_, data, _ = strings.Cut(data, ",")
	}
	content, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return nil, models.Invalid("data", "must be base64 with the standard alphabet and padding")
	}
	if len(content) > maxUpload {
		return nil, models.Err(models.CodePayloadTooLarge, "A call brings at most %d MiB", maxUpload>>20)
	}
	if err := c.Resolver.Media.CheckRoomForFile(ctx, int64(len(content))); err != nil {
		return nil, err
	}
	return c.Resolver.Media.ReceiveFile(ctx, bytes.NewReader(content))
}
