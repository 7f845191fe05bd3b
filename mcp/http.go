package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"atelier/inbound"
	"atelier/models"
)

const (
	// maxBody bounds a message: a file in a call is a third longer than it is itself.
	maxBody = 12 << 20
	// heartbeat keeps a silent stream open through proxies.
	heartbeat = 15 * time.Second
	// sessionPrefix marks the ids of sessions.
	sessionPrefix = "mcp_"

	sessionHeader = "Mcp-Session-Id"
	eventStream   = "text/event-stream"
)

// errCancelled is why a call ended whose client does not want its answer any more.
var errCancelled = errors.New("the client cancelled the call")

// sessionForm is that of the ids that sessions get here.
var sessionForm = regexp.MustCompile(`^mcp_[A-Za-z0-9_-]{22,86}$`)

// message is what the face looks at in a message before the protocol does.
type message struct {
	Method string          `json:"method"`
	ID     json.RawMessage `json:"id"`
	Params struct {
		Name      string          `json:"name"`
		RequestID json.RawMessage `json:"requestId"`
	} `json:"params"`
}

// ServeHTTP hands on the messages of callers whose token counts. Of pages it serves
// those of this install and of the token's app alone.
func (f *face) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	actor := models.ActorFrom(r.Context())
	if err := f.admit(r, actor); err != nil {
		f.refuse(w, r, err)
		return
	}
	session := r.Header.Get(sessionHeader)
	if session != "" && !sessionForm.MatchString(session) {
		f.refuse(w, r, models.NotFound("Session"))
		return
	}
	if r.Method != http.MethodPost { // a session has nothing to stream, and ends by itself
		w.Header().Set("Allow", http.MethodPost)
		f.refuse(w, r, models.Err(models.CodeMethodNotAllowed, "Send each message with POST; there is nothing here for %s", r.Method))
		return
	}
	f.receive(w, r, actor, session)
}

// admit refuses the pages of other sites (forbidden), and callers without credentials
// that count (unauthorized).
func (f *face) admit(r *http.Request, actor models.Actor) error {
	if len(r.Header["Origin"]) > 0 && !f.MayRead(r) {
		return models.Err(models.CodeForbidden, "A page of another site sent this. Only pages of this install, and of the app that the token belongs to, may call %s.", Path)
	}
	if err := f.Refusal(r.Context()); err != nil {
		return err
	}
	return actor.RequireAccount(models.Unscoped)
}

// receive takes one message.
func (f *face) receive(w http.ResponseWriter, r *http.Request, actor models.Actor, session string) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		f.refuse(w, r, models.Err(models.CodeUnsupportedMediaType, "Send application/json"))
		return
	}
	raw, err := inbound.ReadJSON(r, maxBody)
	if err != nil {
		f.refuse(w, r, err)
		return
	}
	var m message
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) || models.ReadJSON(raw, &m) != nil {
		answerFault(w, -32600, "The body must be one JSON-RPC message, an object; lists of messages are not taken")
		return
	}
	if tool := f.tools[m.Params.Name]; tool != nil && m.Method == "tools/call" {
		if err := f.permit(w, actor, tool); err != nil {
			f.refuse(w, r, err)
			return
		}
	}
	switch m.Method {
	case "notifications/cancelled":
		f.work.cancel(callName{actor.UserID, session, string(m.Params.RequestID)})
	case "initialize":
		session = models.NewSecret(sessionPrefix, 24)
		w = &greeting{ResponseWriter: w, session: session}
	}
	f.serve(w, r, raw, m, session)
}

// permit refuses a connected app that lacks a scope of the tool (insufficient_scope).
// WWW-Authenticate names what its client is to ask the person for: what it lacks and what
// it has, as a new token holds only what was asked for.
func (f *face) permit(w http.ResponseWriter, actor models.Actor, tool *tool) error {
	for _, scope := range tool.needs {
		if err := actor.RequireScope(scope); err != nil {
			asked := []string{}
			for _, s := range models.Scopes {
				if slices.Contains(tool.needs, s) || slices.Contains(actor.Scopes, s) {
					asked = append(asked, string(s))
				}
			}
			w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="`+strings.Join(asked, " ")+
				`", resource_metadata="`+f.MetadataURL+`", error_description="`+tool.Name+` needs it"`)
			return err
		}
	}
	return nil
}

// serve hands a message to the protocol, with what its tool has to know.
func (f *face) serve(w http.ResponseWriter, r *http.Request, raw []byte, m message, session string) {
	beating := &beating{ResponseWriter: w}
	in := &incoming{
		context: r.Context(), session: session, id: string(m.ID), beat: beating.beat,
		modern: r.Header.Get("Mcp-Protocol-Version") >= "2026-07-28",
	}
	r = r.WithContext(context.WithValue(r.Context(), incomingKey{}, in))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	f.stream.ServeHTTP(beating, r)
}

// incoming is the request that a call came with.
type incoming struct {
	context     context.Context
	session, id string
	// modern clients cancel a call by closing its stream.
	modern bool
	// beat keeps the stream of the answer open.
	beat func()
}

type incomingKey struct{}

// refuse answers a request that is not served. Without credentials that count it names
// the scopes to begin with; a challenge of permit stays as it is.
func (f *face) refuse(w http.ResponseWriter, r *http.Request, err error) {
	challenge := w.Header().Get("WWW-Authenticate")
	if models.HasCode(err, models.CodeUnauthorized) {
		words := "Bearer "
		if r.Header.Get("Authorization") != "" {
			words = `Bearer error="invalid_token", `
		}
		challenge = words + `resource_metadata="` + f.MetadataURL + `", scope="` + string(models.ScopeExecute) + " " + string(models.ScopeJobsRead) + `"`
	}
	f.Refuse(&challenging{w, challenge}, r, err)
}

// challenging keeps a challenge that is there already.
type challenging struct {
	http.ResponseWriter
	challenge string
}

func (c *challenging) WriteHeader(status int) {
	if c.challenge != "" {
		c.Header().Set("WWW-Authenticate", c.challenge)
	}
	c.ResponseWriter.WriteHeader(status)
}

// answerFault answers, in the protocol's form, a body that is not a message.
func answerFault(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": text}})
}

// greeting adds the id of the session that an initialize message begins.
type greeting struct {
	http.ResponseWriter
	session string
}

func (g *greeting) WriteHeader(status int) {
	if status == http.StatusOK {
		g.Header().Set(sessionHeader, g.session)
	}
	g.ResponseWriter.WriteHeader(status)
}

func (g *greeting) Unwrap() http.ResponseWriter { return g.ResponseWriter }

// beating keeps a silent stream open by comments, none of them within an event.
type beating struct {
	http.ResponseWriter
	mu      sync.Mutex
	began   bool
	written time.Time
}

// beat writes a comment if nothing was written for a while. Calls that wait ask for it.
func (b *beating) beat() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.Header().Get("Content-Type") != eventStream || time.Since(b.written) < heartbeat {
		return
	}
	b.start(http.StatusOK)
	_, _ = b.ResponseWriter.Write([]byte(": still here\n\n"))
	_ = http.NewResponseController(b.ResponseWriter).Flush()
	b.written = time.Now()
}

func (b *beating) start(status int) {
	if !b.began {
		b.began = true
		if b.Header().Get("Content-Type") == eventStream {
			b.Header().Set("X-Accel-Buffering", "no")
		}
		b.ResponseWriter.WriteHeader(status)
	}
}

// WriteHeader begins the answer, once.
func (b *beating) WriteHeader(status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.start(status)
}

// Write writes whole events.
func (b *beating) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.start(http.StatusOK)
	b.written = time.Now()
	return b.ResponseWriter.Write(p)
}

// FlushError sends what is there.
func (b *beating) FlushError() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.start(http.StatusOK)
	return http.NewResponseController(b.ResponseWriter).Flush()
}
