// Package providertest is a service that speaks as OpenAI and Replicate do, on
// a loopback address, and counts what it is asked.
package providertest

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"atelier/nodes/provider"
)

// Key is the key that the server wants.
const Key = "sk-secret-of-the-tests"

// Call is one request that arrived.
type Call struct {
	Method, Path, Idempotency string
	Body                      map[string]any
	Form                      map[string]string
}

// Server is the service.
type Server struct {
	*httptest.Server
	// Polls is how often a prediction is asked for before it has succeeded;
	// below 0 it never does.
	Polls int

	mu          sync.Mutex
	calls       []Call
	answer      func(w http.ResponseWriter, call Call) bool
	predictions map[string]*prediction
	// result is the file of every prediction, nil for one of its kind; refusals is how often files are not there yet.
	result   []byte
	refusals int
	// kept is what is there until it is deleted; made counts it.
	kept map[string]bool
	made int
}

type prediction struct {
	asked  int
	status string
	kind   string
}

// New starts a server, which ends with the test.
func New(t testing.TB) *Server {
	s := &Server{Polls: 1, predictions: map[string]*prediction{}, kept: map[string]bool{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

// OpenAI is the server as a provider.
func (s *Server) OpenAI() *provider.OpenAI {
	return &provider.OpenAI{Service: provider.Service{BaseURL: s.URL + "/v1", Key: Key}}
}

// Replicate is the server as a provider.
func (s *Server) Replicate() *provider.Replicate {
	return &provider.Replicate{Service: provider.Service{BaseURL: s.URL + "/v1", Key: Key}}
}

// Answer has f answer what it wants to; false leaves it to the server. nil takes f away.
func (s *Server) Answer(f func(w http.ResponseWriter, call Call) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
}

// Calls are the requests of a method whose path ends so.
func (s *Server) Calls(method, end string) (found []Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		if c.Method == method && strings.HasSuffix(c.Path, end) {
			found = append(found, c)
		}
	}
	return found
}

// End gives every prediction a status, such as succeeded or failed.
func (s *Server) End(status string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.predictions {
		p.status = status
	}
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/files/") {
		s.file(w, r)
		return
	}
	call := Call{Method: r.Method, Path: r.URL.Path, Idempotency: r.Header.Get("Idempotency-Key")}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
		call.Form = map[string]string{}
		_ = r.ParseMultipartForm(64 << 20)
		for name := range r.MultipartForm.Value {
			call.Form[name] = r.FormValue(name)
		}
		for name, files := range r.MultipartForm.File {
			call.Form[name] = fmt.Sprintf("%s of %d bytes", files[0].Filename, files[0].Size)
			if len(files) > 1 {
				call.Form[name] += fmt.Sprintf(" and %d more", len(files)-1)
			}
		}
	} else {
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &call.Body)
	}
	s.mu.Lock()
	s.calls = append(s.calls, call)
	answer := s.answer
	s.mu.Unlock()
	if r.Header.Get("Authorization") != "Bearer "+Key {
		reply(w, 401, map[string]any{"error": map[string]any{"message": "Incorrect API key provided: " + r.Header.Get("Authorization"), "code": "invalid_api_key"}})
		return
	}
	if answer != nil && answer(w, call) {
		return
	}
	if !s.library(w, call) {
		s.usual(w, call)
	}
}

// usual is what the service answers when all is well.
func (s *Server) usual(w http.ResponseWriter, call Call) {
	switch {
	case strings.HasSuffix(call.Path, "/chat/completions"):
		messages, _ := call.Body["messages"].([]any)
		last, _ := messages[len(messages)-1].(map[string]any)
		reply(w, 200, map[string]any{
			"id": "c", "object": "chat.completion", "created": 1, "model": call.Body["model"],
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": fmt.Sprint("Said: ", last["content"])}}},
			"usage":   map[string]any{"prompt_tokens": 7, "completion_tokens": 250, "total_tokens": 257},
		})
	case strings.HasSuffix(call.Path, "/images/generations"):
		reply(w, 200, map[string]any{"created": 1, "data": []any{map[string]any{"b64_json": base64.StdEncoding.EncodeToString(Picture())}}})
	case strings.HasSuffix(call.Path, "/audio/speech"):
		w.Header().Set("Content-Type", "audio/wav")
		_, _ = w.Write(Sound())
	case strings.HasSuffix(call.Path, "/audio/transcriptions"):
		reply(w, 200, map[string]any{"text": "What was said."})
	case call.Method == "POST" && strings.HasSuffix(call.Path, "/predictions"):
		s.create(w, call)
	case strings.Contains(call.Path, "/predictions/"):
		s.find(w, call)
	default:
		reply(w, 404, map[string]any{"detail": "nothing here"})
	}
}

func (s *Server) create(w http.ResponseWriter, call Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, kind := fmt.Sprintf("p%d", len(s.predictions)+1), "png"
	switch {
	case strings.Contains(call.Path, "video"):
		kind = "mp4"
	case strings.Contains(call.Path, "speech"):
		kind = "wav"
	case strings.Contains(call.Path, "clone"):
		kind = "voice"
	case strings.Contains(call.Path, "3d"):
		kind = "glb"
	}
	s.predictions[id] = &prediction{status: "starting", kind: kind}
	reply(w, 201, map[string]any{"id": id, "status": "starting"})
}

func (s *Server) find(w http.ResponseWriter, call Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, rest, _ := strings.Cut(call.Path, "/predictions/")
	id, cancel, _ := strings.Cut(rest, "/")
	p := s.predictions[id]
	if p == nil {
		reply(w, 404, map[string]any{"detail": "no such prediction"})
		return
	}
	if cancel == "cancel" {
		p.status = "canceled"
	}
	if p.asked++; s.Polls >= 0 && p.asked > s.Polls && p.status == "starting" {
		p.status = "succeeded"
	}
	view := map[string]any{"id": id, "status": p.status}
	if p.status == "succeeded" {
		view["output"] = []string{s.URL + "/files/" + id + "." + p.kind}
		if p.kind == "voice" {
			view["output"] = map[string]any{"voice_id": "R8_" + id, "preview": "https://elsewhere.example/p.mp3"}
		}
	}
	if p.status == "failed" {
		view["error"] = "out of memory"
	}
	reply(w, 200, view)
}

// Result is the file that every prediction makes from now on.
func (s *Server) Result(file []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.result = file
}

// Refuse has so many requests for files fail.
func (s *Server) Refuse(times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals = times
}

func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	result, refused := s.result, s.refusals > 0
	s.refusals--
	s.mu.Unlock()
	if refused {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if result != nil {
		_, _ = w.Write(result)
		return
	}
	if strings.HasSuffix(r.URL.Path, ".glb") {
		_, _ = w.Write(Model())
		return
	}
	if strings.HasSuffix(r.URL.Path, ".mp4") {
		_, _ = w.Write(Film())
		return
	}
	if strings.HasSuffix(r.URL.Path, ".wav") {
		_, _ = w.Write(Sound())
		return
	}
	_, _ = w.Write(Picture())
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// Picture is a small PNG.
func Picture() []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, 4, 2)))
	return b.Bytes()
}

// Film is as much of an MP4 as shows what it is.
func Film() []byte {
	return append([]byte("\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isomiso2"), make([]byte, 64)...)
}

// Model is a triangle as GLB.
func Model() []byte {
	var points []byte
	for _, v := range []float32{0, 0, 0, 1, 0, 0, 0, 1, 0} {
		points = binary.LittleEndian.AppendUint32(points, math.Float32bits(v))
	}
	text := []byte(`{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],` +
		`"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36}]}`)
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	glb := []byte("glTF")
	for _, n := range []int{2, 12 + 8 + len(text) + 8 + len(points), len(text), 0x4e4f534a} {
		glb = binary.LittleEndian.AppendUint32(glb, uint32(n))
	}
	glb = append(glb, text...)
	for _, n := range []int{len(points), 0x004e4942} {
		glb = binary.LittleEndian.AppendUint32(glb, uint32(n))
	}
	return append(glb, points...)
}

// Sound is a tenth of a second of silence as WAV.
func Sound() []byte {
	const samples = 800
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt ")
	b = binary.LittleEndian.AppendUint32(b, 16)
	for _, v := range []uint16{1, 1, 8000 & 0xffff, 0, 16000 & 0xffff, 0, 2, 16} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, samples*2)
	b = append(b, make([]byte, samples*2)...)
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	return b
}
