package provider

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"atelier/models"
)

// RemoteFile is a file that lies at Replicate for a while; URL is how inputs name it.
type RemoteFile struct{ ID, URL string }

// Upload brings a file to Replicate, for inputs of what runs there.
func (r *Replicate) Upload(ctx context.Context, key string, file File) (*RemoteFile, error) {
	ask, err := request{method: http.MethodPost, path: "/files", key: key}.form(part{name: "content", file: &file})
	if err != nil {
		return nil, err
	}
	var made struct {
		ID   string
		URLs struct{ Get string }
	}
	if err := r.send(ctx, ask, &made); err != nil {
		return nil, err
	}
	if !predictionID.MatchString(made.ID) || made.URLs.Get == "" {
		return nil, &Trouble{Kind: Unreadable, Status: http.StatusCreated}
	}
	return &RemoteFile{ID: made.ID, URL: made.URLs.Get}, nil
}

// DeleteFile deletes a file; one that is not there is a Trouble of status 404.
func (r *Replicate) DeleteFile(ctx context.Context, id string) error {
	return r.send(ctx, request{method: http.MethodDelete, path: "/files/" + url.PathEscape(id)}, nil)
}

// Account is the name under which models of the key's owner are made.
func (r *Replicate) Account(ctx context.Context) (string, error) {
	var found struct{ Username string }
	if err := r.send(ctx, request{method: http.MethodGet, path: "/account"}, &found); err != nil {
		return "", err
	}
	if !predictionID.MatchString(found.Username) {
		return "", &Trouble{Kind: Unreadable, Status: http.StatusOK}
	}
	return found.Username, nil
}

// CreateModel makes a private model for versions that are trained; one that is there already
// is a Trouble of status 409.
func (r *Replicate) CreateModel(ctx context.Context, owner, name string) error {
	return r.sendJSON(ctx, http.MethodPost, "/models", "", map[string]any{
		"owner": owner, "name": name, "visibility": "private", "hardware": "gpu-t4", "description": "Trained for one character",
	}, nil)
}

// LatestVersion is the current version of a model, owner/name.
func (r *Replicate) LatestVersion(ctx context.Context, model string) (string, error) {
	var found struct {
		LatestVersion struct{ ID string } `json:"latest_version"`
	}
	if err := r.send(ctx, request{method: http.MethodGet, path: "/models/" + model}, &found); err != nil {
		return "", err
	}
	if !predictionID.MatchString(found.LatestVersion.ID) {
		return "", &Trouble{Kind: Unreadable, Status: http.StatusOK}
	}
	return found.LatestVersion.ID, nil
}

// Training is a training at Replicate: a prediction whose output names what came of it.
type Training struct{ Prediction }

// Version is the model that came of the training, owner/name:version; empty when it says none.
func (t *Training) Version() string {
	var out struct{ Version string }
	if models.ReadJSON(t.Output, &out) != nil || !strings.Contains(out.Version, ":") || len(out.Version) > 300 {
		return ""
	}
	return out.Version
}

// Train begins a training of a model's version into a destination, owner/name. key is the idempotency key.
func (r *Replicate) Train(ctx context.Context, key, model, version, destination string, input map[string]any) (*Training, error) {
	path := fmt.Sprintf("/models/%s/versions/%s/trainings", model, version)
	return r.training(ctx, http.MethodPost, path, key, map[string]any{"destination": destination, "input": input})
}

// FindTraining reads how far a training is.
func (r *Replicate) FindTraining(ctx context.Context, id string) (*Training, error) {
	return r.training(ctx, http.MethodGet, "/trainings/"+id, "", nil)
}

// CancelTraining ends a training; one that has ended stays as it is.
func (r *Replicate) CancelTraining(ctx context.Context, id string) error {
	_, err := r.training(ctx, http.MethodPost, "/trainings/"+id+"/cancel", "", nil)
	return err
}

func (r *Replicate) training(ctx context.Context, method, path, key string, body any) (*Training, error) {
	p, err := r.ask(ctx, method, path, key, body)
	if err != nil {
		return nil, err
	}
	return &Training{*p}, nil
}

// DeleteVersion deletes a version of a model, owner/name:version.
func (r *Replicate) DeleteVersion(ctx context.Context, ref string) error {
	model, version, _ := strings.Cut(ref, ":")
	return r.send(ctx, request{method: http.MethodDelete, path: "/models/" + model + "/versions/" + url.PathEscape(version)}, nil)
}

// DeleteModel deletes a model without versions, owner/name.
func (r *Replicate) DeleteModel(ctx context.Context, model string) error {
	return r.send(ctx, request{method: http.MethodDelete, path: "/models/" + model}, nil)
}

func (r *Replicate) sendJSON(ctx context.Context, method, path, key string, body, into any) error {
	ask, err := request{method: method, path: path, key: key}.jsonBody(body)
	if err != nil {
		return err
	}
	return r.send(ctx, ask, into)
}
