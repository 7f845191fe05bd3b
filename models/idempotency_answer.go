package models

import (
	"bytes"
	"compress/gzip"
	"io"
)

// What is remembered for Idempotency-Key: the bytes of one answer, and for a
// day the answers of an account and their bytes as they are stored.
const (
	MaxAnswer       = 8 << 20
	MaxAnswers      = 10_000
	MaxAnswersBytes = 64 << 20
	// MaxAnswersOfTrigger is more than the calls that a trigger admits in a day.
	MaxAnswersOfTrigger = 15_000
)

// compressedFrom is the length from which an answer is compressed.
const compressedFrom = 1 << 10

// gzipMark begins what gzip makes, and no answer in JSON.
const gzipMark = "\x1f\x8b"

// seal makes of an answer what is stored: compressed and encrypted, since it
// may carry a secret.
func (o *idempotentTx) seal(body []byte) ([]byte, error) {
	if len(body) >= compressedFrom {
		var short bytes.Buffer
		w, _ := gzip.NewWriterLevel(&short, gzip.BestSpeed)
		_, _ = w.Write(body)
		if err := w.Close(); err != nil {
			return nil, err
		}
		body = short.Bytes()
	}
	sealed, err := o.db.answers.Seal(o.name(), string(body))
	return []byte(sealed), err
}

// open is seal's reverse.
func (o *idempotentTx) open(sealed []byte) ([]byte, error) {
	body, err := o.db.answers.Open(o.name(), string(sealed))
	if err != nil || len(body) < 2 || body[:2] != gzipMark {
		return []byte(body), err
	}
	r, err := gzip.NewReader(bytes.NewReader([]byte(body)))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
