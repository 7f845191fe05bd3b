package inbound

import (
	"errors"
	"io"
	"net/http"

	"atelier/jsontext"
)

// firstBytes is what is reserved for a body before anything of it is there.
const firstBytes = 4 << 10

// Read reads a whole body into memory, within its route's limit in bytes. Its
// room is reserved as it arrives. A leading byte-order mark is left out.
func Read(r *http.Request, most int64) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	if Announced(r, most) {
		Drain(r)
		return nil, TooLarge()
	}
	Limit(r, most)
	raw, err := readAll(r.Body, From(r.Context()), most)
	var refusal *Refusal
	if errors.As(err, &refusal) && refusal.Status != http.StatusRequestTimeout {
		Drain(r)
	}
	if err != nil {
		return nil, broken(err)
	}
	return jsontext.WithoutMark(raw), nil
}

func readAll(from io.Reader, a *Arrival, most int64) ([]byte, error) {
	var raw []byte
	for {
		if len(raw) == cap(raw) {
			size := min(max(2*int64(cap(raw)), firstBytes), most+1)
			if size == int64(cap(raw)) {
				return nil, TooLarge()
			}
			if err := a.Hold(size - int64(cap(raw))); err != nil {
				return nil, err
			}
			grown := make([]byte, len(raw), size)
			copy(grown, raw)
			raw = grown
		}
		n, err := from.Read(raw[len(raw):cap(raw)])
		raw = raw[:len(raw)+n]
		if int64(len(raw)) > most {
			return nil, TooLarge()
		}
		if errors.Is(err, io.EOF) {
			return raw, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// ReadJSON reads and judges a JSON body, see Read and CheckJSON.
func ReadJSON(r *http.Request, most int64) ([]byte, error) {
	raw, err := Read(r, most)
	if err != nil {
		return nil, err
	}
	return raw, CheckJSON(r.Context(), raw)
}
