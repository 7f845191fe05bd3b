package kit

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// answerBytes bounds a picture, a video or a sound that an address answers with.
const answerBytes = 100 << 20

// ReadAnswer makes an output of an answer: JSON comes under data, text under
// text too; a picture, a video or a sound is kept as a file; anything else
// comes as base64.
func (in *Call) ReadAnswer(ctx context.Context, res *http.Response) (Output, error) {
	declared, parameters, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	body, err := unpacked(res)
	if err != nil {
		return nil, err
	}
	head, err := io.ReadAll(io.LimitReader(body, requestKept+1))
	if err != nil {
		return nil, brokenOff(ctx)
	}
	found := SniffType(head)
	if isMedia(found) && !(isTextual(declared) && utf8.Valid(head)) {
		return in.keepAnswer(ctx, res.StatusCode, found, io.MultiReader(bytes.NewReader(head), body))
	}
	if len(head) > requestKept {
		return nil, Failf("The answer is larger than 1 MiB").WithHint("Ask for less at once, for example for a page of a list.")
	}
	out := Output{"status": res.StatusCode}
	if declared != "" {
		out["contentType"] = declared
	}
	out.answer(head, found, declared, parameters["charset"])
	return out, nil
}

// answer writes what is no file.
func (out Output) answer(body []byte, found, declared, encoding string) {
	var data any
	switch {
	case isJSONType(declared) && json.Unmarshal(body, &data) == nil:
		out["data"] = data
	case KindOf(found) == "text" || isTextual(declared) && !slices.Contains(body, 0):
		text := decoded(body, encoding)
		out["text"], out["data"] = text, text
	default:
		packed := base64.StdEncoding.EncodeToString(body)
		out["contentType"], out["size"], out["base64"] = found, len(body), packed
		out["data"] = map[string]any{"contentType": found, "size": len(body), "base64": packed}
	}
}

// keepAnswer keeps an answer as a file; its address is what flows on.
func (in *Call) keepAnswer(ctx context.Context, status int, contentType string, body io.Reader) (Output, error) {
	out, err := in.SaveFile(ctx, "answer", contentType, &Bounded{From: body, Left: answerBytes}, 0, 0)
	if err != nil {
		return nil, NotOpened(err, "")
	}
	out["status"], out["data"] = status, out["url"]
	return out, nil
}

// unpacked is the answer's body, which a server may have packed unasked.
func unpacked(res *http.Response) (io.Reader, error) {
	switch packing := strings.ToLower(strings.TrimSpace(res.Header.Get("Content-Encoding"))); packing {
	case "", "identity":
		return res.Body, nil
	case "gzip", "x-gzip":
		body, err := gzip.NewReader(res.Body)
		if err == nil {
			return body, nil
		}
	}
	return nil, Failf("The answer is packed in a way that cannot be read").WithHint("The address must answer without compression, or with gzip.")
}

// brokenOff says why the body of an answer did not come whole.
func brokenOff(ctx context.Context) error {
	if ctx.Err() != nil {
		return unreachable(ctx.Err(), RequestTimeout)
	}
	return Failf("The answer was cut off, or took too long").WithHint("Try again, or ask for less at once.")
}

// isMedia tells whether a sniffed type is one of the files that may be uploaded.
func isMedia(contentType string) bool {
	return kindNames[KindOf(contentType)] != "" && contentType != "image/x-icon" && contentType != "image/svg+xml"
}

func isJSONType(contentType string) bool { return strings.Contains(contentType, "json") }

// isTextual tells whether a declared type is read by people or programs as text.
func isTextual(contentType string) bool {
	return KindOf(contentType) == "text" || isJSONType(contentType) || strings.HasSuffix(contentType, "xml") ||
		strings.HasSuffix(contentType, "javascript") || contentType == "application/x-www-form-urlencoded"
}

// decoded is a text in UTF-8: from the encoding that it declares, or as a
// browser would read it.
func decoded(body []byte, encoding string) string {
	switch {
	case encoding == "" && bytes.HasPrefix(body, []byte("\xff\xfe")):
		encoding = "utf-16le"
	case encoding == "" && bytes.HasPrefix(body, []byte("\xfe\xff")):
		encoding = "utf-16be"
	case encoding == "" && !utf8.Valid(body):
		encoding = "windows-1252"
	}
	if found, _ := charset.Lookup(encoding); found != nil {
		if text, err := found.NewDecoder().Bytes(body); err == nil {
			body = text
		}
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(body), "\ufffd"), "\ufeff")
}

const (
	RequestTimeout = 30 * time.Second
	requestKept    = MaxText // bytes of an answer that is no file
)
