package webhook_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"atelier/webhook"
)

// vector is one case of testdata/vectors.json, which the libraries of all
// languages are held by. The signatures were made with Python's hmac.
type vector struct {
	Name             string
	Secrets          []string
	Header           *string
	Body             string
	BodyBase64       []byte
	Now              int64
	ToleranceSeconds int
	Error            webhook.Code
	ID, Type         string
}

func vectors(t *testing.T) (all []vector) {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil || len(all) < 60 {
		t.Fatalf("%d vectors, %v", len(all), err)
	}
	return all
}

func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			header := http.Header{}
			if v.Header != nil {
				header.Set(webhook.SignatureHeader, *v.Header)
			}
			body := []byte(v.Body)
			if v.BodyBase64 != nil {
				body = v.BodyBase64
			}
			verifier := webhook.Verifier{
				Secrets: v.Secrets, Tolerance: time.Duration(v.ToleranceSeconds) * time.Second,
				Now: func() time.Time { return time.Unix(v.Now, 0) },
			}
			event, err := verifier.Verify(header, body)
			if v.Error != "" {
				wantCode(t, err, v.Error)
				if event != nil {
					t.Error("an event beside the error")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if event.ID != v.ID || event.Type != v.Type || !bytes.Equal(event.Raw, body) || event.CreatedAt.IsZero() {
				t.Errorf("%+v", event)
			}
		})
	}
}

func wantCode(t *testing.T, err error, code webhook.Code) {
	t.Helper()
	var failure *webhook.Error
	if !errors.As(err, &failure) || failure.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	if !errors.Is(err, &webhook.Error{Code: code}) || strings.Contains(err.Error(), "whsec_") {
		t.Errorf("%v", err)
	}
}

func TestTypedEvents(t *testing.T) {
	read := func(name string) *webhook.Event {
		for _, v := range vectors(t) {
			if v.Name == name {
				verifier := webhook.Verifier{Secrets: v.Secrets, Now: func() time.Time { return time.Unix(v.Now, 0) }}
				event, err := verifier.VerifySignature(*v.Header, []byte(v.Body))
				if err != nil {
					t.Fatal(err)
				}
				return event
			}
		}
		t.Fatalf("no vector %q", name)
		return nil
	}
	job := read("an event").Job
	if job.Status != "completed" || job.JobType != "text" || string(job.OutputData) != `{"text":"x"}` || job.CreditsCharged != nil || job.CompletedAt == nil {
		t.Errorf("%+v", job)
	}
	failed := read("a job whose data was left out")
	if failed.Job.CreditsCharged.String() != "1.25" || len(failed.Omitted) != 2 {
		t.Errorf("%+v", failed)
	}
	if ping := read("a ping"); ping.Job != nil || ping.WebhookID != "019ab3c4-0000-7000-8000-0000000000aa" {
		t.Errorf("%+v", ping)
	}
}

func TestReceiveReadsNoMoreThanAnEvent(t *testing.T) {
	request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(strings.Repeat(" ", 1<<20)))
	request.Header.Set(webhook.SignatureHeader, "t=1,v1=00")
	_, err := webhook.Verifier{Secrets: []string{"whsec_x"}}.Receive(request)
	wantCode(t, err, webhook.InvalidPayload)
}

// A header that came in two lines is one with a comma.
func TestHeaderInTwoLines(t *testing.T) {
	v := vectors(t)[0]
	at, signature, _ := strings.Cut(*v.Header, ",")
	header := http.Header{webhook.SignatureHeader: {at, signature}}
	_, err := webhook.Verifier{Secrets: v.Secrets, Now: func() time.Time { return time.Unix(v.Now, 0) }}.Verify(header, []byte(v.Body))
	if err != nil {
		t.Fatal(err)
	}
}

// Without a clock and a tolerance it is now, and five minutes.
func TestStandards(t *testing.T) {
	v := vectors(t)[0]
	_, err := webhook.Verify(http.Header{webhook.SignatureHeader: {*v.Header}}, []byte(v.Body), v.Secrets...)
	wantCode(t, err, webhook.TimestampOutsideTolerance)
}

func FuzzVerify(f *testing.F) {
	f.Add("t=1,v1=00", []byte("{}"))
	f.Add("t=1763800000,v1=,v1=zz,,=,t", []byte(`{"id":1}`))
	f.Fuzz(func(t *testing.T, header string, body []byte) {
		event, err := webhook.Verifier{Secrets: []string{"whsec_fuzz"}}.VerifySignature(header, body)
		var failure *webhook.Error
		if event != nil || !errors.As(err, &failure) {
			t.Fatalf("accepted %q with %q, %v", header, body, err)
		}
	})
}
