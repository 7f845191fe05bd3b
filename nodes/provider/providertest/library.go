package providertest

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
)

// library answers what is asked about voices, files, models and trainings; false for
// anything else.
func (s *Server) library(w http.ResponseWriter, call Call) bool {
	path := strings.TrimPrefix(call.Path, "/v1")
	switch {
	case path == "/images/edits":
		reply(w, 200, map[string]any{"created": 1, "data": []any{map[string]any{"b64_json": base64.StdEncoding.EncodeToString(Picture())}}})
	case path == "/audio/voice_consents":
		reply(w, 200, map[string]any{"id": s.keep("cons"), "object": "audio.voice_consent", "name": call.Form["name"], "language": call.Form["language"], "created_at": 1})
	case path == "/audio/voices":
		reply(w, 200, map[string]any{"id": s.keep("voice"), "object": "audio.voice", "name": call.Form["name"], "type": "audio_sample", "created_at": 1})
	case path == "/files" && call.Method == "POST":
		id := s.keep("file")
		reply(w, 201, map[string]any{"id": id, "urls": map[string]any{"get": s.URL + "/v1/files/" + id}})
	case path == "/account":
		reply(w, 200, map[string]any{"username": "school", "type": "organization"})
	case path == "/models":
		name := fmt.Sprint(call.Body["owner"], "/", call.Body["name"])
		if !s.put(name) {
			reply(w, 409, map[string]any{"detail": "the model exists"})
			return true
		}
		reply(w, 201, map[string]any{"owner": call.Body["owner"], "name": call.Body["name"]})
	case strings.HasSuffix(path, "/trainings") && call.Method == "POST":
		s.train(w, call)
	case strings.HasPrefix(path, "/trainings/"):
		s.training(w, strings.TrimPrefix(path, "/trainings/"))
	case strings.HasPrefix(path, "/models/") && call.Method == "GET":
		reply(w, 200, map[string]any{"latest_version": map[string]any{"id": "v0"}})
	case call.Method == "DELETE":
		s.remove(w, path)
	default:
		return false
	}
	return true
}

// keep gives something a new id, under which it is there until it is deleted.
func (s *Server) keep(kind string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made++
	id := fmt.Sprintf("%s_%d", kind, s.made)
	s.kept[id] = true
	return id
}

// put keeps something under a name; false when it is there.
func (s *Server) put(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept[name] {
		return false
	}
	s.kept[name] = true
	return true
}

// Kept tells whether something is there: a voice, a consent, a file, a model owner/name or a
// version owner/name:version.
func (s *Server) Kept(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept[name]
}

// KeptAll is how many things are there whose names begin so.
func (s *Server) KeptAll(prefix string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, there := range s.kept {
		if there && strings.HasPrefix(name, prefix) {
			n++
		}
	}
	return n
}

func (s *Server) remove(w http.ResponseWriter, path string) {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if model, version, found := strings.Cut(strings.TrimPrefix(path, "/models/"), "/versions/"); found {
		name = model + ":" + version
	} else if strings.HasPrefix(path, "/models/") {
		name = model
	}
	s.mu.Lock()
	there := s.kept[name]
	delete(s.kept, name)
	s.mu.Unlock()
	if !there {
		reply(w, 404, map[string]any{"detail": "not found", "error": map[string]any{"message": "not found", "code": "not_found"}})
		return
	}
	reply(w, 200, map[string]any{"id": name, "deleted": true, "object": "deleted"})
}

func (s *Server) train(w http.ResponseWriter, call Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := fmt.Sprintf("t%d", len(s.predictions)+1)
	s.predictions[id] = &prediction{status: "starting", kind: fmt.Sprint(call.Body["destination"])}
	reply(w, 201, map[string]any{"id": id, "status": "starting"})
}

func (s *Server) training(w http.ResponseWriter, rest string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, cancel, _ := strings.Cut(rest, "/")
	p := s.predictions[id]
	if p == nil {
		reply(w, 404, map[string]any{"detail": "no such training"})
		return
	}
	if cancel == "cancel" {
		p.status = "canceled"
	}
	if p.asked++; s.Polls >= 0 && p.asked > s.Polls && p.status == "starting" {
		p.status = "succeeded"
	}
	view := map[string]any{"id": id, "status": p.status}
	switch p.status {
	case "succeeded":
		version := p.kind + ":v" + id
		s.kept[version] = true
		view["output"] = map[string]any{"version": version, "weights": "https://elsewhere.example/w"}
	case "failed":
		view["error"] = "out of memory"
	}
	reply(w, 200, view)
}
