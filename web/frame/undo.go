package frame

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"atelier/web/ui"
)

// Undo takes back what an action did: the form that does so, with its fields.
type Undo struct {
	Action string      `json:"a,omitempty"`
	Fields []ui.Hidden `json:"f,omitempty"`
}

// Outcome is what the next page says of an action, and what takes it back.
type Outcome struct {
	Sentence string
	Tone     ui.Tone // fine when empty
	Undo     *Undo
}

// undoCookie has a name that no neighbouring host can set, wherever the install is served by https.
func undoCookie(secure bool) string {
	if secure {
		return "__Host-atelier_undo"
	}
	return "atelier_undo"
}

// maxUndone is what a cookie holds; a way back that needs more is left out.
const maxUndone = 3600

// keptOutcome is what stands beside the sentence until the next page.
type keptOutcome struct {
	Tone ui.Tone `json:"t,omitempty"`
	Undo *Undo   `json:"u,omitempty"`
}

// DoneWith is Done for an action with an outcome that is more than a sentence.
func (c *Console) DoneWith(w http.ResponseWriter, path string, o Outcome) error {
	c.flash(w, o.Sentence)
	if o.Tone != ui.Plain || o.Undo != nil {
		value := packOutcome(keptOutcome{o.Tone, o.Undo})
		if len(value) > maxUndone {
			value = packOutcome(keptOutcome{Tone: o.Tone})
		}
		c.SetCookie(w, undoCookie(c.Config.SecureCookies), value, time.Minute)
	}
	return SeeOther(w, path)
}

// takeUndo returns what the last action left beside its sentence, once.
func (c *Console) takeUndo(w http.ResponseWriter, r *http.Request) (ui.Tone, *ui.Undo) {
	name := undoCookie(c.Config.SecureCookies)
	value := CookieValue(r, name)
	if value == "" {
		return ui.Plain, nil
	}
	c.SetCookie(w, name, "", 0)
	kept := unpackOutcome(value)
	if kept.Undo == nil || SafePath(kept.Undo.Action) == "" {
		return kept.Tone, nil
	}
	return kept.Tone, &ui.Undo{Form: ui.FormProps{Action: kept.Undo.Action, Hidden: kept.Undo.Fields}}
}

func packOutcome(o keptOutcome) string {
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, flate.BestCompression)
	_ = json.NewEncoder(z).Encode(o)
	_ = z.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

func unpackOutcome(value string) (o keptOutcome) {
	packed, err := base64.RawURLEncoding.DecodeString(value)
	if err == nil {
		_ = json.NewDecoder(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), 64<<10)).Decode(&o)
	}
	return o
}
