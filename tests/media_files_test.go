//go:build !race

package tests

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// library is a person's https server with files; below /held/ it answers once
// it is let go, below /away/ it sends on to the file.
type library struct {
	*httptest.Server
	roots string
	letGo func()
}

func newLibrary(t *testing.T, files map[string][]byte) *library {
	held := make(chan struct{})
	l := &library{letGo: func() { close(held) }, roots: filepath.Join(t.TempDir(), "roots.pem")}
	l.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/held/") {
			select {
			case <-held:
			case <-r.Context().Done():
				return
			}
		}
		if strings.HasPrefix(r.URL.Path, "/away/") {
			http.Redirect(w, r, "/"+filepath.Base(r.URL.Path), http.StatusFound)
			return
		}
		content, ok := files[filepath.Base(r.URL.Path)]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(content)
	}))
	t.Cleanup(l.Close)
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: l.Certificate().Raw})
	if err := os.WriteFile(l.roots, block, 0o600); err != nil {
		t.Fatal(err)
	}
	return l
}

// film is a second of moving pictures with sound.
func film(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "film.mp4")
	out, err := exec.Command("ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:d=1:r=10", "-f", "lavfi", "-i", "sine=d=1",
		"-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", path).CombinedOutput()
	if err != nil {
		t.Fatalf("ffmpeg: %v: %s", err, out)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// form is a form of parts, name and content by turns, and its type.
func form(parts ...string) (contentType, body string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		part, _ := w.CreateFormFile(parts[i], "name.png")
		_, _ = part.Write([]byte(parts[i+1]))
	}
	_ = w.Close()
	return w.FormDataContentType(), b.String()
}

// send uploads a form.
func (c client) send(contentType, body string) *reply {
	c.t.Helper()
	return c.sending("Content-Type", contentType).post("/v1/upload", body)
}

// TestFiles drives uploads, saved files, imports and exports, and how
// files are served.
func TestFiles(t *testing.T) {
	t.Parallel()
	var picture bytes.Buffer
	_ = png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2)))
	video := film(t)
	l := newLibrary(t, map[string][]byte{"film.mp4": video, "picture.png": picture.Bytes(), "page.html": []byte("<!DOCTYPE html><p>")})
	p := startService(t, "SSL_CERT_FILE="+l.roots)
	_, who := newcomer(t, p, "Files")
	for name, part := range map[string]func(*testing.T, client){
		"Forms": filesForms, "Idempotency": filesIdempotency,
		"Serving":  func(t *testing.T, who client) { filesServing(t, who, video) },
		"Saving":   func(t *testing.T, who client) { filesSaving(t, who, l) },
		"Imports":  func(t *testing.T, who client) { filesImports(t, who, l) },
		"Timeline": func(t *testing.T, who client) { filesTimeline(t, who, video, picture.String()) },
		"Costs":    filesCosts,
		"Motion":   filesMotion,
		"Sending":  func(t *testing.T, who client) { filesSending(t, who, l) },
	} {
		t.Run(name, func(t *testing.T) {
			who.t = t
			part(t, who)
		})
	}
}

func filesForms(t *testing.T, who client) {
	kind, whole := form("file", "hello")
	_, two := form("file", "hello", "file", "again")
	_, besides := form("note", "first", "file", "hello", "note", "last")
	_, none := form("other", "hello")
	_, empty := form("file", "")
	boundary := strings.TrimPrefix(kind, "multipart/form-data; boundary=")
	again := func(body string) (string, string) {
		other := body[2:strings.Index(body, "\r\n")]
		return kind, strings.ReplaceAll(body, other, boundary)
	}
	who.send(kind, whole).want(201)
	who.send(again(besides)).want(201).is(map[string]any{"data.size": 5, "data.contentType": "text/plain"})
	for name, body := range map[string]string{
		"two files": two, "no file": none, "an empty file": empty, "cut": whole[:len(whole)-len(boundary)-4], "no body": " ", "a broken head": "--" + boundary + "\r\nnonsense\r\n\r\nx\r\n--" + boundary + "--\r\n",
	} {
		if name != "cut" && name != "no body" && name != "a broken head" {
			_, body = again(body)
		}
		if r := who.send(kind, body); r.Status != 400 || r.text("error.code") != "validation_error" {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
	who.send("multipart/form-data", whole).wantError(400, "validation_error")
	who.send("multipart/form-data; boundary=other", whole).wantError(400, "validation_error")
	who.send("text/plain", whole).wantError(415, "unsupported_media_type")
	const most = 100 << 20
	if testing.Short() {
		return
	}
	who.send(form("file", strings.Repeat("a", most))).want(201).is(map[string]any{"data.size": float64(most)})
	for _, size := range []int{most + 1, most + 2<<20} {
		who.send(form("file", strings.Repeat("a", size))).wantError(413, "payload_too_large")
	}
}

// filesIdempotency sends forms again: the boundary is another one each time.
func filesIdempotency(t *testing.T, who client) {
	keyed := who.sending("Idempotency-Key", "upload")
	first := keyed.send(form("file", "once")).want(201)
	again := keyed.send(form("file", "once")).want(201)
	if string(first.Body) != string(again.Body) || first.Header.Get("Idempotency-Replayed") != "" || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("first %s, again %s", first.Body, again.Body)
	}
	keyed.send(form("file", "twice")).wantError(409, "idempotency_key_reused")
	refused := who.sending("Idempotency-Key", "refused upload")
	refused.send(form("file", "<svg/>")).wantError(415, "unsupported_media_type")
	if r := refused.send(form("file", "<svg/>")).wantError(415, "unsupported_media_type"); r.Header.Get("Idempotency-Replayed") != "true" {
		t.Error("a refusal is not replayed")
	}
}

func filesServing(t *testing.T, who client, video []byte) {
	file := who.send(form("file", string(video))).want(201)
	file.is(map[string]any{"data.contentType": "video/mp4", "data.width": 64, "data.height": 48, "data.duration": 1})
	url, visitor := file.text("data.url"), who.with("")
	whole := visitor.get(url).want(200)
	if !bytes.Equal(whole.Body, video) {
		t.Error("the file comes back changed")
	}
	for name, value := range map[string]string{
		"Content-Type": "video/mp4", "X-Content-Type-Options": "nosniff", "Content-Disposition": "inline", "Accept-Ranges": "bytes",
		"Access-Control-Allow-Origin": "*",
		"Cache-Control":               "public, max-age=31536000, immutable", "Content-Length": fmt.Sprint(len(video)),
	} {
		if got := whole.Header.Get(name); got != value {
			t.Errorf("%s is %q, not %q", name, got, value)
		}
	}
	if policy := whole.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "sandbox") || !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("the policy is %q", policy)
	}
	part := visitor.sending("Range", "bytes=4-7").get(url).want(206)
	if string(part.Body) != "ftyp" || part.Header.Get("Content-Range") != fmt.Sprintf("bytes 4-7/%d", len(video)) {
		t.Errorf("a part: %q, %v", part.Body, part.Header)
	}
	visitor.sending("Range", "bytes=99999999-").get(url).want(416)
	visitor.sending("If-None-Match", whole.Header.Get("ETag")).get(url).want(304)
	if head := visitor.do("HEAD", url, nil).want(200); len(head.Body) != 0 || head.Header.Get("Content-Length") != fmt.Sprint(len(video)) {
		t.Errorf("the head: %v", head.Header)
	}
	visitor.do("DELETE", url, nil).wantError(405, "method_not_allowed")
	text := visitor.get(who.send(form("file", "hello <script>alert(1)</script>")).want(201).text("data.url")).want(200)
	if text.Header.Get("Content-Type") != "text/plain; charset=utf-8" || text.Header.Get("Content-Disposition") != "attachment" {
		t.Errorf("a text: %v", text.Header)
	}
	visitor.get("/media/guessed.png").wantError(404, "not_found")
}

func filesSaving(t *testing.T, who client, l *library) {
	saved := who.post("/v1/save-to-storage", object{"url": l.URL + "/picture.png"}).want(201)
	saved.holds("data", true, "id", "url", "contentType", "size", "width", "height")
	saved.is(map[string]any{"data.contentType": "image/png", "data.width": 3, "data.height": 2})
	again := who.post("/v1/save-to-storage", object{"url": saved.text("data.url")}).want(201)
	if again.text("data.url") == saved.text("data.url") || again.text("data.id") == saved.text("data.id") {
		t.Error("the same address was given out twice")
	}
	keyed := who.sending("Idempotency-Key", "save")
	first, replayed := keyed.post("/v1/save-to-storage", object{"url": l.URL + "/film.mp4"}).want(201), keyed.post("/v1/save-to-storage", object{"url": l.URL + "/film.mp4"}).want(201)
	if string(first.Body) != string(replayed.Body) || replayed.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("first %s, again %s", first.Body, replayed.Body)
	}
	keyed.post("/v1/save-to-storage", object{"url": l.URL + "/other.mp4"}).wantError(409, "idempotency_key_reused")
	const path, invalid = "/v1/save-to-storage", "validation_error"
	hold(t,
		rule{"Page", who, "POST", path, object{"url": l.URL + "/page.html"}, 415, "unsupported_media_type"},
		rule{"Gone", who, "POST", path, object{"url": l.URL + "/gone"}, 400, invalid}, rule{"Private", who, "POST", path, object{"url": "https://10.0.0.1/a.png"}, 400, invalid},
		rule{"Plain", who, "POST", path, object{"url": "http://example.com/a.png"}, 400, invalid}, rule{"NoURL", who, "POST", path, object{}, 400, invalid},
		rule{"Number", who, "POST", path, object{"url": 5}, 400, invalid}, rule{"UnknownOwn", who, "POST", path, object{"url": who.URL + "/media/guessed.png"}, 400, invalid},
		rule{"Visitor", who.with(""), "POST", path, object{"url": l.URL + "/picture.png"}, 401, "unauthorized"},
	)
	made := who.graphql(`mutation($url: String!) { saveToStorage(url: $url) { url contentType size width duration } }`, object{"url": l.URL + "/film.mp4"})
	made.is(map[string]any{"data.saveToStorage.contentType": "video/mp4", "data.saveToStorage.width": 64, "data.saveToStorage.duration": 1})
}

// filesImports holds four imports back, is refused the fifth, and sees all of them end.
func filesImports(t *testing.T, who client, l *library) {
	var jobs []string
	for i := range 4 {
		jobs = append(jobs, who.post("/v1/download-video", object{"url": fmt.Sprintf("%s/held/%d/film.mp4", l.URL, i)}).want(202).text("jobId"))
	}
	refused := who.post("/v1/download-video", object{"url": l.URL + "/film.mp4"}).wantError(429, "too_many_downloads")
	if refused.Header.Get("Retry-After") == "" || refused.Header.Get("RateLimit-Limit") != "4" || refused.Header.Get("RateLimit-Remaining") != "0" {
		t.Errorf("refused with %v", refused.Header)
	}
	l.letGo()
	for _, id := range jobs {
		ended(who, "/v1/jobs/"+id, "data.status").is(map[string]any{
			"data.status": "completed", "data.output_data.contentType": "video/mp4", "data.output_data.width": 64, "data.output_data.duration": 1, "data.progress": 100,
		})
	}
	page := who.post("/v1/download-video", object{"url": l.URL + "/page.html"}).want(202).text("jobId")
	failed := ended(who, "/v1/jobs/"+page, "data.status")
	failed.is(map[string]any{"data.status": "failed", "data.error_message": "The address does not lead to a video but to a web page"})
	if failed.text("data.error_hint") == "" {
		t.Error("no hint")
	}
	who.post("/v1/download-video", object{}).wantError(400, "validation_error")
}

// filesSending asks an address that answers with a file, and addresses that
// send on: a file may lie behind such a one, but what a node sends goes to the
// address that it names and nowhere else.
func filesSending(t *testing.T, who client, l *library) {
	ends := func(kind, url string) *reply {
		return ended(who, "/v1/jobs/"+who.post("/v1/"+kind, object{"url": url}).want(202).text("jobId"), "data.status")
	}
	picture := ends("http-request", l.URL+"/picture.png")
	picture.is(map[string]any{"data.status": "completed", "data.output_data.status": 200, "data.output_data.contentType": "image/png"})
	if url := picture.text("data.output_data.imageUrl"); url == "" || url != picture.text("data.output_data.data") {
		t.Errorf("the picture was not kept: %s", picture.Body)
	}
	who.post("/v1/save-to-storage", object{"url": l.URL + "/away/picture.png"}).want(201)
	for kind, who := range map[string]string{"http-request": "address", "webhook-output": "receiver"} {
		ends(kind, l.URL+"/away/picture.png").is(map[string]any{
			"data.status": "failed", "data.error_message": "The " + who + " answered with status 302", "data.credits_charged": 0,
		})
	}
}

func filesTimeline(t *testing.T, who client, video []byte, picture string) {
	clip := who.send(form("file", string(video))).want(201).text("data.url")
	still := who.send(form("file", picture)).want(201).text("data.url")
	started := who.post("/v1/freecut-export", object{
		"clips": []object{{"url": clip, "start": 0.2, "end": 0.7}, {"url": still, "duration": 0.5}}, "audio": object{"url": clip}, "width": 64, "height": 8, "fps": 10,
	}).want(202)
	started.is(map[string]any{"adjustments.0.field": "height", "adjustments.0.from": 8, "adjustments.0.to": 16})
	if started.Header.Get("RateLimit-Limit") != "10" || started.Header.Get("RateLimit-Reset") == "" {
		t.Errorf("started with %v", started.Header)
	}
	job := ended(who, "/v1/jobs/"+started.text("jobId"), "data.status")
	job.is(map[string]any{"data.status": "completed", "data.output_data.width": 64, "data.output_data.height": 16, "data.output_data.duration": 1, "data.credits_charged": 2})
	who.with("").get(job.text("data.output_data.videoUrl")).want(200)
	who.post("/v1/freecut-export", object{"clips": []object{{"url": clip, "end": -1}}}).wantError(400, "validation_error").is(map[string]any{"error.field": "clips[0].end"})
}

func filesCosts(t *testing.T, who client) {
	const path = "/v1/credits/model-costs"
	for _, name := range []string{"models", "ids"} {
		who.post(path, object{name: []string{"generate-image", "unknown", "resize-image"}}).want(200).is(map[string]any{
			"data.0.model": "generate-image", "data.0.credits": 2, "data.1.model": "resize-image", "data.1.credits": 0.5, "data.2": nil,
		})
	}
	hold(t,
		rule{"Fifty", who, "POST", path, object{"models": make([]string, 50)}, 200, ""}, rule{"TooMany", who, "POST", path, object{"models": make([]string, 51)}, 400, "validation_error"},
		rule{"None", who, "POST", path, object{}, 400, "validation_error"}, rule{"Text", who, "POST", path, object{"models": "text"}, 400, "validation_error"},
		rule{"Visitor", who.with(""), "POST", path, object{"models": []string{}}, 401, "unauthorized"},
		rule{"LimitTooHigh", who, "GET", "/v1/credits/transactions?limit=51", nil, 400, "validation_error"}, rule{"LimitZero", who, "GET", "/v1/credits/transactions?limit=0", nil, 400, "validation_error"},
		rule{"LimitHighest", who, "GET", "/v1/credits/transactions?limit=50", nil, 200, ""},
	)
	who.get("/v1/credits/balance").want(200).holds("data", true, "balance", "reserved", "available")
}
