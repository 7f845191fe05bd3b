package provider

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"

	"atelier/models"
)

// Replicate is Replicate, or any service with the same API: a prediction is
// made, gets an id, and is asked for until it has ended.
type Replicate struct{ Service }

// Prediction is a piece of work at Replicate.
type Prediction struct {
	ID     string          `json:"id"`
	Status string          `json:"status"` // starting, processing, succeeded, failed, canceled, aborted
	Output json.RawMessage `json:"output"`
	Error  any             `json:"error"`
}

// predictionID is the form of ids, which become part of a path.
var predictionID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,200}$`)

// Create makes a prediction. A model is owner/name, for its current version,
// or owner/name:version. key is the idempotency key.
func (r *Replicate) Create(ctx context.Context, key, model string, input map[string]any) (*Prediction, error) {
	path, body := "/models/"+model+"/predictions", map[string]any{"input": input}
	if _, version, pinned := strings.Cut(model, ":"); pinned {
		path, body["version"] = "/predictions", version
	}
	return r.ask(ctx, http.MethodPost, path, key, body)
}

// Find reads how far a prediction is.
func (r *Replicate) Find(ctx context.Context, id string) (*Prediction, error) {
	return r.ask(ctx, http.MethodGet, "/predictions/"+id, "", nil)
}

// Cancel ends a prediction; one that has ended stays as it is.
func (r *Replicate) Cancel(ctx context.Context, id string) error {
	_, err := r.ask(ctx, http.MethodPost, "/predictions/"+id+"/cancel", "", nil)
	return err
}

// Ended tells whether the prediction will not change any more.
func (p *Prediction) Ended() bool { return p.Status != "starting" && p.Status != "processing" }

// Message is why the prediction failed, empty when no one said.
func (p *Prediction) Message() string {
	text, _ := p.Error.(string)
	return clean(text, "")
}

// Results are the texts that the output holds: addresses, or pieces of a text.
func (p *Prediction) Results() []string {
	var one string
	var many []string
	if models.ReadJSON(p.Output, &one) == nil {
		return []string{one}
	}
	if models.ReadJSON(p.Output, &many) == nil {
		return many
	}
	return nil
}

func (r *Replicate) ask(ctx context.Context, method, path, key string, body any) (*Prediction, error) {
	p := &Prediction{}
	var err error
	if body == nil {
		err = r.send(ctx, request{method: method, path: path, key: key}, p)
	} else {
		err = r.sendJSON(ctx, method, path, key, body, p)
	}
	if err != nil {
		return nil, err
	}
	if !predictionID.MatchString(p.ID) {
		return nil, &Trouble{Kind: Unreadable, Status: http.StatusOK}
	}
	return p, nil
}

// Download reads a file that lies on the service's own host (see Own); the key
// does not go along.
func (s Service) Download(ctx context.Context, address string) (io.ReadCloser, error) {
	e := s.exchange(maxFile)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, &Trouble{Kind: Unreadable}
	}
	resp, err := e.Do(req)
	if err != nil {
		return nil, e.trouble(ctx, s, "", "")
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, e.trouble(ctx, s, "", "")
	}
	return resp.Body, nil
}
