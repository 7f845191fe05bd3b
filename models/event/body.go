package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"atelier/models"
)

// maxBody is the largest event (contract 2, "Event body" 3).
const maxBody = 64 << 10

// envelope is the event as it is sent; its bytes are made once and kept.
type envelope struct {
	ID        models.ID `json:"id"`
	Type      string    `json:"type"`
	CreatedAt string    `json:"createdAt"`
	Data      any       `json:"data"`
}

type jobData struct {
	Job     json.RawMessage `json:"job"`
	Omitted []string        `json:"omitted,omitempty"`
}

type pingData struct {
	WebhookID models.ID `json:"webhookId"`
}

// jobBody is the body of a job's event. A job too large loses its input_data,
// then its output_data, which data.omitted names.
func jobBody(id models.ID, j JobEvent) ([]byte, error) {
	data := jobData{Job: j.Job}
	body, err := encode(id, j.Type, j.At, data)
	for _, item := range []string{"input_data", "output_data"} {
		if err != nil || len(body) <= maxBody {
			break
		}
		var held bool
		if data.Job, held, err = without(data.Job, item); err != nil {
			break
		}
		if held {
			data.Omitted = append(slices.Clip(data.Omitted), item)
			body, err = encode(id, j.Type, j.At, data)
		}
	}
	return body, err
}

func encode(id models.ID, kind string, at time.Time, data any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(envelope{ID: id, Type: kind, CreatedAt: models.PublicTime(at).String(), Data: data})
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// without drops a member of a JSON object; the others keep their order and
// spelling, numbers beyond 64 bits included.
func without(object json.RawMessage, name string) (rest json.RawMessage, held bool, err error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return nil, false, fmt.Errorf("the job of an event is no JSON object")
	}
	b := []byte{'{'}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, false, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, false, err
		}
		if key == name {
			held = true
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		quoted, err := json.Marshal(key)
		if err != nil {
			return nil, false, err
		}
		b = append(append(append(b, quoted...), ':'), value...)
	}
	return append(b, '}'), held, nil
}
