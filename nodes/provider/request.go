package provider

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"

	"atelier/models"
)

// request is one request to a service.
type request struct {
	method, path string
	key          string // the idempotency key, empty for none
	contentType  string
	body         io.Reader
	accept       string // empty for JSON
	maxBytes     int64  // of the answer; 0 is maxJSON
}

// jsonBody is the request with a value as its body.
func (r request) jsonBody(value any) (request, error) {
	encoded, err := json.Marshal(value)
	r.contentType, r.body = "application/json", bytes.NewReader(encoded)
	return r, err
}

// File is a file that goes to a service.
type File struct {
	Name, ContentType string
	Content           io.Reader
}

// part is a part of a form: a field, or a file.
type part struct {
	name, value string
	file        *File
}

// form is the request with a form as its body. Fields that are empty are left out.
func (r request) form(parts ...part) (request, error) {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, p := range parts {
		if err := p.write(w); err != nil {
			return r, err
		}
	}
	r.contentType, r.body = w.FormDataContentType(), &body
	return r, w.Close()
}

func (p part) write(w *multipart.Writer) error {
	if p.file == nil {
		if p.value == "" {
			return nil
		}
		return w.WriteField(p.name, p.value)
	}
	head := textproto.MIMEHeader{}
	head.Set("Content-Disposition", multipart.FileContentDisposition(p.name, p.file.Name))
	head.Set("Content-Type", p.file.ContentType)
	to, err := w.CreatePart(head)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, p.file.Content)
	return err
}

// send makes a request whose answer is read into a value; nil reads none. For errors see Trouble.
func (s Service) send(ctx context.Context, r request, into any) error {
	answer, e, err := s.read(ctx, r)
	if err != nil {
		return err
	}
	if into != nil && models.ReadJSON(answer, into) != nil {
		return e.trouble(ctx, s, "", "")
	}
	return nil
}

// read makes a request, and returns its answer as it is, with the exchange for what may be wrong with it.
func (s Service) read(ctx context.Context, r request) ([]byte, *exchange, error) {
	e := s.exchange(cmp.Or(r.maxBytes, maxJSON))
	req, err := http.NewRequestWithContext(ctx, r.method, s.BaseURL+r.path, r.body)
	if err != nil {
		return nil, e, &Trouble{Kind: Refused, Message: "the model has no usable name"}
	}
	req.Header.Set("Authorization", "Bearer "+s.Key)
	req.Header.Set("Accept", cmp.Or(r.accept, "application/json"))
	if r.contentType != "" {
		req.Header.Set("Content-Type", r.contentType)
	}
	if r.key != "" {
		req.Header.Set("Idempotency-Key", r.key)
	}
	resp, err := e.Do(req)
	if err != nil {
		return nil, e, e.trouble(ctx, s, "", "")
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, e, e.trouble(ctx, s, "", "")
	}
	if e.status < 200 || e.status > 299 {
		code, message := refusalIn(answer)
		return nil, e, e.trouble(ctx, s, code, message)
	}
	return answer, e, nil
}

// refusalIn reads the code and the words of a refusal: OpenAI says them in error, as an object or, from services with the
// same API, a text; Replicate in detail. What has another form says nothing.
func refusalIn(answer []byte) (code, message string) {
	var said struct{ Detail, Error json.RawMessage }
	var inner struct{ Code, Message text }
	var outer, detail text
	if len(answer) > maxJSON || models.ReadJSON(answer, &said) != nil {
		return "", ""
	}
	_ = models.ReadJSON(said.Detail, &detail)
	_ = models.ReadJSON(said.Error, &outer)
	_ = models.ReadJSON(said.Error, &inner)
	return string(inner.Code), string(cmp.Or(inner.Message, outer, detail))
}

// text is a text where a service may as well send something else, which is none.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(raw []byte) error {
	_ = models.ReadJSON(raw, (*string)(t))
	return nil
}
