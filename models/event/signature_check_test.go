package event_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/event"
)

func TestCheckSignature(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	other := w.create(w.receiver.URL + "/other").Endpoint
	w.receiver.answers(status(500)) // the body is kept
	w.publishJob(event.JobEvent{Type: event.JobFailed, Job: json.RawMessage(`{"id":"x","text":"<&> / é","b":1,"a":2}`)})
	w.work()
	var first, foreign posted
	for _, p := range w.receiver.got() {
		if p.header.Get("Service-Webhook") == e.ID.String() {
			first = p
		} else {
			foreign = p
		}
	}
	header := func(p posted) string { return p.header.Get("Service-Signature") }
	var value any
	w.must(json.Unmarshal(first.body, &value))
	sorted, _ := json.Marshal(value)
	var pretty bytes.Buffer
	w.must(json.Indent(&pretty, first.body, "", "  "))

	check := func(h, body string) *event.SignatureCheck {
		t.Helper()
		// The limit is 30 a minute; each check has one of its own here.
		w.DB.Pool.Exec(t.Context(), `DELETE FROM rate_windows`)
		got, err := w.CheckSignature(w.ctx(), e.ID, event.CheckSignatureInput{Header: h, Body: body})
		w.must(err)
		return got
	}
	want := func(name string, got *event.SignatureCheck, finding event.SignatureFinding, code string, secret event.SignatureSecret) {
		t.Helper()
		gotCode, gotSecret := "", event.SignatureSecret("")
		if got.Code != nil {
			gotCode = *got.Code
		}
		if got.Secret != nil {
			gotSecret = *got.Secret
		}
		if got.Finding != finding || gotCode != code || gotSecret != secret {
			t.Errorf("%s: %s %q %q, want %s %q %q", name, got.Finding, gotCode, gotSecret, finding, code, secret)
		}
	}
	body := string(first.body)
	const mismatch = "signature_mismatch"
	got := check(header(first), body)
	want("as it came", got, event.FindingAccepted, "", event.SecretCurrent)
	if *got.ClockOffSeconds != 0 || got.Signatures != 1 || got.SentAt == nil {
		t.Errorf("%+v", got)
	}
	want("all header lines", check("Host: x\r\nservice-signature:  "+header(first)+"\r\nA: b", body), event.FindingAccepted, "", event.SecretCurrent)
	want("no header", check("", body), event.FindingNoHeader, "missing_header", "")
	want("words", check("hello", body), event.FindingMalformed, "malformed_header", "")
	want("a line feed", check(header(first), body+"\r\n"), event.FindingWhitespace, mismatch, event.SecretCurrent)
	want("pretty", check(header(first), pretty.String()), event.FindingRewritten, mismatch, event.SecretCurrent)
	want("escaped", check(header(first), strings.ReplaceAll(strings.ReplaceAll(body, "<", `\u003c`), "/", `\/`)), event.FindingRewritten, mismatch, event.SecretCurrent)
	want("sorted", check(header(first), string(sorted)), event.FindingRewritten, mismatch, event.SecretCurrent)
	want("changed", check(header(first), strings.Replace(body, `"b":1`, `"b":3`, 1)), event.FindingContentChanged, mismatch, event.SecretCurrent)
	foreignCheck := check(header(foreign), string(foreign.body))
	want("another endpoint", foreignCheck, event.FindingAnotherEndpoint, mismatch, "")
	if foreignCheck.OtherEndpoint == nil || foreignCheck.OtherEndpoint.ID != other.ID {
		t.Errorf("%+v", foreignCheck.OtherEndpoint)
	}
	want("nobody's", check("t=1,v1="+strings.Repeat("0", 64), body), event.FindingUnknown, mismatch, "")

	t.Run("a delivery's own body", func(t *testing.T) {
		d := w.only(e.ID)
		got, err := w.CheckSignature(w.ctx(), e.ID, event.CheckSignatureInput{Header: header(first), DeliveryID: &d.ID})
		w.must(err)
		want("the kept body", got, event.FindingAccepted, "", event.SecretCurrent)
	})
	t.Run("time and secrets", func(t *testing.T) {
		hour := 3600
		_, err := w.RotateSecret(w.ctx(), e.ID, &hour)
		w.must(err)
		want("in its grace", check(header(first), body), event.FindingAccepted, "", event.SecretPrevious)
		w.clock.Advance(6 * time.Minute)
		got := check(header(first), body)
		want("six minutes old", got, event.FindingTooOld, "timestamp_outside_tolerance", event.SecretPrevious)
		if *got.ClockOffSeconds != 360 {
			t.Errorf("%d seconds", *got.ClockOffSeconds)
		}
		w.clock.Advance(-12 * time.Minute)
		want("to come", check(header(first), body), event.FindingAhead, "timestamp_outside_tolerance", event.SecretPrevious)
		w.clock.Advance(2 * time.Hour)
		want("after its grace", check(header(first), body), event.FindingExpiredSecret, mismatch, event.SecretExpired)
	})
	t.Run("refused", func(t *testing.T) {
		in := event.CheckSignatureInput{Header: header(first), Body: body}
		_, err := w.CheckSignature(w.as(models.Actor{Kind: models.BySession, UserID: w.newAccount()}), e.ID, in)
		wantCode(t, err, 404, models.CodeNotFound)
		in.Body = strings.Repeat("x", 256<<10+1)
		_, err = w.CheckSignature(w.ctx(), e.ID, in)
		wantCode(t, err, 400, models.CodeValidation)
		for err == nil || !strings.Contains(err.Error(), "rate_limit") {
			if _, err = w.CheckSignature(w.ctx(), e.ID, event.CheckSignatureInput{Header: "t", Body: "x"}); err == nil {
				continue
			}
			if refusal, _ := models.AsError(err); refusal.Code == "rate_limit_exceeded" {
				return
			}
			t.Fatal(err)
		}
	})
}
