package graph

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"time"

	"atelier/models"

	"github.com/99designs/gqlgen/graphql"
)

// The bounds on the body of a request, in bytes. What is large comes as
// variables, and from accounts alone: a saved graph may have 5 MiB.
const (
	maxBodyOfVisitors = 64 << 10
	maxBodyOfAccounts = 5<<20 + maxQuery
	// maxValues is how many values a body may hold: read, each takes some
	// fifty bytes however short it is.
	maxValues = 250_000
	// bodyTime is how long a body may take to arrive, answerTime an answer to leave.
	bodyTime   = 30 * time.Second
	answerTime = 2 * time.Minute
)

// readRequest reads what was asked, and the body as it came. A body of another
// type is unsupported_media_type, a longer one payload_too_large, anything but
// one JSON object within the bounds on depth validation_error.
func readRequest(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, []byte, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, nil, models.Err(models.CodeUnsupportedMediaType, "Send application/json")
	}
	raw, err := readBody(w, r)
	if err != nil {
		return nil, nil, err
	}
	if err := models.CheckJSONDepth(raw); err != nil {
		return nil, nil, err
	}
	if countValues(raw) > maxValues {
		return nil, nil, models.Err(models.CodeValidation, "The body holds more than %d values", maxValues)
	}
	params, err := decodeRequest(raw)
	return params, raw, err
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	most := int64(maxBodyOfVisitors)
	if models.ActorFrom(r.Context()).SignedIn() {
		most = maxBodyOfAccounts
	}
	if r.ContentLength < 0 || r.ContentLength > maxBodyOfVisitors {
		expected := most
		if r.ContentLength >= 0 {
			expected = min(r.ContentLength, most)
		}
		if err := holdingFrom(r.Context()).add(int(expected)); err != nil {
			return nil, err
		}
	}
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(time.Now().Add(bodyTime))
	defer func() { _ = connection.SetReadDeadline(time.Time{}) }() // a stream outlasts its body
	var raw []byte
	var err error
	if r.ContentLength <= most {
		raw, err = io.ReadAll(io.LimitReader(r.Body, most+1))
	}
	switch {
	case r.ContentLength > most, int64(len(raw)) > most:
		// Clients that send before they read see the answer when somebody takes what they send.
		_, _ = io.CopyN(io.Discard, r.Body, maxBodyOfAccounts)
		return nil, models.Err(models.CodePayloadTooLarge, "The body is longer than %d bytes", most)
	case err != nil:
		return nil, models.Err(models.CodeValidation, "The body did not arrive whole")
	}
	return raw, nil
}

// countValues counts the members of all lists and objects by what separates them.
func countValues(raw []byte) (n int) {
	inString := false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case !inString && (c == ',' || c == '[' || c == '{'):
			n++
		}
	}
	return n
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
