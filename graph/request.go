package graph

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"time"

	"atelier/inbound"
	"atelier/models"

	"github.com/99designs/gqlgen/graphql"
)

// The bounds on the body of a request, in bytes. What is large comes as
// variables, and from accounts alone: a saved graph may have 5 MiB.
const (
	maxBodyOfVisitors = 64 << 10
	maxBodyOfAccounts = 5<<20 + maxQuery
	// bodyTime is how long a body may take to arrive, answerTime an answer to leave.
	bodyTime   = 30 * time.Second
	answerTime = 2 * time.Minute
)

// readRequest reads what was asked, and the body as it came. A body of another
// type is unsupported_media_type, a longer one payload_too_large, anything but
// one JSON object within the bounds of inbound validation_error.
func readRequest(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, []byte, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, nil, models.Err(models.CodeUnsupportedMediaType, "Send application/json")
	}
	if err := inbound.CheckHeaders(r); err != nil {
		return nil, nil, atDoor(err)
	}
	raw, err := readBody(w, r)
	if err != nil {
		return nil, nil, atDoor(err)
	}
	params, err := decodeRequest(raw)
	if err == nil {
		err = atDoor(inbound.CheckEscapes(params.Query))
	}
	return params, raw, err
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	most := int64(maxBodyOfVisitors)
	if models.ActorFrom(r.Context()).SignedIn() {
		most = maxBodyOfAccounts
	}
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(time.Now().Add(bodyTime))
	defer func() { _ = connection.SetReadDeadline(time.Time{}) }() // a stream outlasts its body
	return inbound.ReadJSON(r, most)
}

// atDoor is a refusal of inbound as one of the service.
func atDoor(err error) error {
	if err == nil {
		return nil
	}
	refusal, _ := models.AsError(err)
	return refusal
}

func decodeRequest(raw []byte) (*graphql.RawParams, error) {
	malformed := models.Err(models.CodeValidation,
		"Send one JSON object with query, a text, and where needed variables, an object, and operationName, a text")
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || trimmed[0] != '{' {
		return nil, malformed
	}
	params, decoder := &graphql.RawParams{}, json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(params); err != nil {
		return nil, malformed
	}
	if _, err := decoder.Token(); err != io.EOF || params.Query == "" {
		return nil, malformed
	}
	return params, nil
}
