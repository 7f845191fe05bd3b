package server

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"atelier/models"
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

func TestLinesNameWhatTheyBelongTo(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(hushed{inContext{slog.NewTextHandler(&log, nil)}}).With("process", 1)
	ctx := models.WithLog(t.Context(), slog.String("request_id", "r1"))
	inner := models.WithLog(ctx, slog.String("run", "x"), slog.String("job", "j1"))
	beside := models.WithLog(ctx, slog.String("job", "j2"))
	logger.InfoContext(inner, "one", "job", "its own")
	logger.InfoContext(beside, "two")
	logger.Info("three")
	for i, want := range []string{
		`msg=one process=1 job="its own" request_id=r1 run=x`, `msg=two process=1 request_id=r1 job=j2`, `msg=three process=1`,
	} {
		if line := strings.Split(log.String(), "\n")[i]; !strings.HasSuffix(line, want) {
			t.Errorf("the line is %q, without %q", line, want)
		}
	}
}
