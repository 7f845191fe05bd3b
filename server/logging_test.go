package server

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

func TestReceiversDoNotWriteTheLog(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(hushed{slog.NewTextHandler(&log, nil)})
	logger.Info(`Unsolicited response received on idle HTTP channel starting with "HTTP/1.1 200 OK"; err=<nil>`)
	logger.Info("protocol error: received DATA after END_STREAM")
	if log.Len() > 0 {
		t.Errorf("the log says %s", &log)
	}
	logger.Info("http: panic serving 127.0.0.1:1")
	if strings.Count(log.String(), "\n") != 1 {
		t.Errorf("the log says %q", &log)
	}
}
