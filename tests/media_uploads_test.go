package tests

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"testing"
)

// upload sends content as a file whose name and header claim to be a picture.
func (c client) upload(field string, content []byte) *reply {
	c.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, _ := form.CreateFormFile(field, "claimed.png")
	_, _ = part.Write(content)
	_ = form.Close()
	request, err := http.NewRequest("POST", c.URL+"/v1/upload", &body)
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Authorization", "Bearer "+c.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	r := &reply{t: c.t, what: "POST /v1/upload", Status: response.StatusCode, Header: response.Header, Body: readAll(response.Body)}
	_ = json.Unmarshal(r.Body, &r.JSON)
	return r
}

// uploadPicture is the address of a new picture.
func (c client) uploadPicture() string {
	c.t.Helper()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 300, 300))); err != nil {
		c.t.Fatal(err)
	}
	return c.upload("file", picture.Bytes()).want(201).text("data.url")
}

func runAPIUploads(t *testing.T, p *program) {
	_, who := newcomer(t, p, "Uploads")
	var picture bytes.Buffer
	_ = png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2)))
	for name, c := range map[string]struct{ content, kind string }{
		"PNG": {picture.String(), "image/png"}, "Text": {"hello", "text/plain"}, "JSON": {`{"a":1}`, "application/json"},
		"Lottie": {`{"v":"5.5.7","fr":30,"ip":0,"op":30,"w":8,"h":8,"layers":[]}`, "application/json"},
	} {
		t.Run("Takes"+name, func(t *testing.T) {
			who.t = t
			file := who.upload("file", []byte(c.content)).want(201)
			file.is(map[string]any{"data.contentType": c.kind, "data.size": len(c.content)})
			if name == "PNG" {
				file.is(map[string]any{"data.width": 3, "data.height": 2})
			}
			if got := who.with("").get(file.text("data.url")).want(200); string(got.Body) != c.content {
				t.Error("the file comes back changed")
			}
		})
	}
	for name, content := range map[string]string{
		"SVG": `<svg xmlns="http://www.w3.org/2000/svg"/>`, "SVGBehindAComment": `<!-- a --><svg/>`, "HTML": "<html></html>", "PDF": "%PDF-1.4\n", "Zip": "PK\x03\x04\x00\x00", "Bytes": "\x00\x01\x02\xff",
	} {
		t.Run("Refuses"+name, func(t *testing.T) {
			who.t = t
			who.upload("file", []byte(content)).wantError(415, "unsupported_media_type")
		})
	}
	t.Run("OtherField", func(t *testing.T) {
		who.t = t
		who.upload("other", []byte("hello")).wantError(400, "validation_error")
	})
	hold(t,
		rule{"JSONBody", who, "POST", "/v1/upload", object{}, 415, "unsupported_media_type"},
		rule{"NoToken", who.with(""), "POST", "/v1/upload", nil, 401, "unauthorized"},
	)
}
