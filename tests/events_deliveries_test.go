package tests

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
)

func webhookDeliveries(t *testing.T, p *program, hooks *receiver) {
	_, who := newcomer(t, p, "Deliveries")
	noTLS := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(noTLS.Close)
	urls := map[string]string{
		"http_500": hooks.URL + "/status/500", "http_404": hooks.URL + "/status/404", "http_302": hooks.URL + "/status/302", "connection_refused": "https://127.0.0.1:9/",
		"tls_error": strings.Replace(noTLS.URL, "http:", "https:", 1) + "/", "connection_reset": hooks.URL + "/close", "timeout": hooks.URL + "/slow", "blocked_address": "https://no-such-host.invalid/",
	}
	pings := map[string][2]string{}
	for value, url := range urls {
		id, _ := registered(who, url)
		pings[value] = [2]string{id, who.post(endpoints+"/"+id+"/test", nil).want(202).text("data.id")}
	}
	for value, ping := range pings {
		t.Run("Error/"+value, func(t *testing.T) {
			who := who
			who.t = t
			d := settled(who, ping[0], ping[1])
			var status any
			if code, answered := strings.CutPrefix(value, "http_"); answered {
				status = code
			}
			d.is(map[string]any{"data.status": "failed", "data.error": value, "data.attempts": 1, "data.responseStatus": status, "data.jobId": nil, "data.event": "ping", "data.nextAttemptAt": nil})
			if d.text("data.requestBody") == "" {
				t.Error("the body of a failed delivery is gone")
			}
		})
	}
	t.Run("EightAttempts", func(t *testing.T) {
		_, who := newcomer(t, p, "Retries")
		id, secret := registered(who, hooks.URL+"/long")
		job := who.post("/v1/text", object{"text": "x"}).want(200).text("jobId")
		events := hooks.arrived(t, id, 8)
		list := endpoints + "/" + id + "/deliveries"
		d := settled(who, id, who.get(list).want(200).text("data.0.id"))
		d.is(map[string]any{"data.status": "failed", "data.attempts": 8, "data.error": "http_502", "data.jobId": job, "data.event": "job.completed", "data.nextAttemptAt": nil})
		if len(d.text("data.responseBody")) != 2048 || d.text("data.requestBody") != string(events[0].body) {
			t.Errorf("what is kept: %s", d.Body)
		}
		for i, e := range events {
			if !bytes.Equal(e.body, events[0].body) || e.header.Get("Service-Attempt") != strconv.Itoa(i+1) || e.header.Get("Service-Delivery") != d.text("data.id") || !e.verified(secret) {
				t.Errorf("attempt %d: %v", i+1, e.header)
			}
		}
		who.get(endpoints + "/" + id).want(200).is(map[string]any{"data.consecutiveFailures": 1})
		hold(t,
			rule{"UnknownStatus", who, "GET", list + "?status=sent", nil, 400, "validation_error"}, rule{"Limit101", who, "GET", list + "?limit=101", nil, 400, "validation_error"}, rule{"Limit100", who, "GET", list + "?limit=100", nil, 200, ""},
			rule{"Limit0", who, "GET", list + "?limit=0", nil, 400, "validation_error"}, rule{"OddCursor", who, "GET", list + "?cursor=x", nil, 400, "validation_error"}, rule{"MalformedDelivery", who, "GET", list + "/x", nil, 400, "validation_error"}, rule{"UnknownDelivery", who, "GET", list + "/" + unknownID, nil, 404, "not_found"},
		)
		who.get(list + "?status=failed").want(200).is(map[string]any{"data.0.id": d.text("data.id"), "data.1": nil, "next": nil})
		who.get(list + "?status=delivered").want(200).is(map[string]any{"data.0": nil})
	})
	t.Run("TwentyAPage", func(t *testing.T) {
		_, who := newcomer(t, p, "Pages")
		id, _ := registered(who, hooks.URL+"/ok")
		for range 22 {
			who.post("/v1/text", object{"text": "x"}).want(200)
		}
		list := endpoints + "/" + id + "/deliveries"
		page := who.get(list).want(200)
		page.holds("", true, "data", "next")
		if n := len(page.list("data")); n != 20 {
			t.Errorf("%d on a page", n)
		}
		if n := len(who.get(list + "?cursor=" + page.text("next")).want(200).list("data")); n != 2 {
			t.Errorf("%d on the second page", n)
		}
		who.get(list+"?status=failed&cursor="+page.text("next")).wantError(400, "validation_error")
	})
}

func webhookEvents(t *testing.T, p *program, hooks *receiver) {
	_, who := newcomer(t, p, "Events")
	id, secret := registered(who, hooks.URL+"/events")
	sent := 0
	// next is the next event that arrives.
	next := func(t *testing.T) (received, object) {
		t.Helper()
		sent++
		e := hooks.arrived(t, id, sent)[sent-1]
		var body object
		if err := json.Unmarshal(e.body, &body); err != nil || !e.verified(secret) {
			t.Fatalf("an event: %v %s", err, e.body)
		}
		return e, body
	}
	t.Run("Completed", func(t *testing.T) {
		who.t = t
		job := who.post("/v1/text", object{"text": "x"}).want(200).text("jobId")
		e, body := next(t)
		for name, want := range map[string]string{"Service-Event": "job.completed", "Service-Webhook": id, "Service-Attempt": "1", "User-Agent": "Service-Webhooks/1", "Content-Type": "application/json", "Service-Delivery": body["id"].(string)} {
			if got := e.header.Get(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		shown := who.get("/v1/jobs/" + job).want(200)
		data := body["data"].(object)
		if body["type"] != "job.completed" || body["createdAt"] != shown.text("data.completed_at") || data["omitted"] != nil {
			t.Errorf("the body: %s", e.body)
		}
		told, _ := json.Marshal(data["job"])
		seen, _ := json.Marshal(shown.path("data"))
		if !bytes.Equal(told, seen) {
			t.Errorf("the job told:\n%s\nand shown:\n%s", told, seen)
		}
		settled(who, id, body["id"].(string)).is(map[string]any{"data.status": "delivered", "data.requestBody": nil, "data.error": nil, "data.responseStatus": 200, "data.responseBody": "ok", "data.attempts": 1, "data.nextAttemptAt": nil})
	})
	t.Run("Failed", func(t *testing.T) {
		who.t = t
		who.post("/v1/resize-image", object{"imageUrl": "http://127.0.0.1:9/x.png", "width": 5, "height": 5}).want(202)
		if _, body := next(t); body["type"] != "job.failed" || body["data"].(object)["job"].(object)["error_message"] == nil {
			t.Errorf("the body: %v", body)
		}
	})
	for name, c := range map[string]struct {
		size    int
		omitted string
	}{"InputOmitted": {20_000, "[input_data]"}, "BothOmitted": {40_000, "[input_data output_data]"}} {
		t.Run(name, func(t *testing.T) {
			who.t = t
			who.post("/v1/combine-text", object{"texts": []string{strings.Repeat("x", c.size), strings.Repeat("y", c.size)}}).want(200)
			e, body := next(t)
			data := body["data"].(object)
			omitted, _ := json.Marshal(data["omitted"])
			if got := strings.NewReplacer(`"`, "", ",", " ").Replace(string(omitted)); got != c.omitted || len(e.body) > 64<<10 {
				t.Errorf("omitted %s of %d bytes", got, len(e.body))
			}
			if _, held := data["job"].(object)["input_data"]; held {
				t.Error("an omitted item is there")
			}
		})
	}
	t.Run("CancelledAndHeldSayNothing", func(t *testing.T) {
		who.t = t
		waiting := who.post("/v1/delay", object{"seconds": 60}).want(202).text("jobId")
		who.post("/v1/jobs/"+waiting+"/cancel", nil).want(200)
		held := who.post("/v1/text", object{"text": "x", "holdForReview": true}).want(200).text("jobId")
		time.Sleep(500 * time.Millisecond)
		who.post("/v1/jobs/"+held+"/approve", nil).want(200)
		if _, body := next(t); body["type"] != "job.completed" || body["data"].(object)["job"].(object)["id"] != held {
			t.Errorf("the next event is %v", body)
		}
	})
	t.Run("NothingWhileOff", func(t *testing.T) {
		who.t = t
		who.do("PATCH", endpoints+"/"+id, object{"isActive": false}).want(200)
		who.post("/v1/text", object{"text": "unheard"}).want(200)
		who.do("PATCH", endpoints+"/"+id, object{"isActive": true, "events": []string{"job.completed"}}).want(200)
		heard := who.post("/v1/text", object{"text": "heard"}).want(200).text("jobId")
		if _, body := next(t); body["data"].(object)["job"].(object)["id"] != heard {
			t.Errorf("the next event is %v", body)
		}
	})
}

func webhookSecrets(t *testing.T, p *program, hooks *receiver) {
	_, who := newcomer(t, p, "Secrets")
	id, first := registered(who, hooks.URL+"/secrets")
	one := endpoints + "/" + id
	pings := 0
	ping := func(t *testing.T) received {
		t.Helper()
		who.post(one+"/test", nil).want(202)
		pings++
		return hooks.arrived(t, id, pings)[pings-1]
	}
	signatures := func(e received) int { return strings.Count(e.header.Get("Service-Signature"), "v1=") }
	rotated := who.post(one+"/rotate-secret", object{"gracePeriodSeconds": 3600}).want(200)
	rotated.holds("", true, "secret", "previousSecretExpiresAt")
	second := rotated.text("secret")
	t.Run("BothSign", func(t *testing.T) {
		who.t = t
		if e := ping(t); signatures(e) != 2 || !e.verified(first) || !e.verified(second) {
			t.Errorf("signature %s", e.header.Get("Service-Signature"))
		}
		who.get(one).want(200).is(map[string]any{"data.previousSecretExpiresAt": rotated.text("previousSecretExpiresAt")})
	})
	t.Run("TwoAtMost", func(t *testing.T) {
		who.t = t
		third := who.post(one+"/rotate-secret", nil).want(200).text("secret")
		if e := ping(t); signatures(e) != 2 || e.verified(first) || !e.verified(second) || !e.verified(third) {
			t.Errorf("signature %s", e.header.Get("Service-Signature"))
		}
	})
	t.Run("NoGrace", func(t *testing.T) {
		who.t = t
		last := who.post(one+"/rotate-secret", object{"gracePeriodSeconds": 0}).want(200)
		last.is(map[string]any{"previousSecretExpiresAt": nil})
		if e := ping(t); signatures(e) != 1 || !e.verified(last.text("secret")) {
			t.Errorf("signature %s", e.header.Get("Service-Signature"))
		}
	})
	hold(t,
		rule{"NegativeGrace", who, "POST", one + "/rotate-secret", object{"gracePeriodSeconds": -1}, 400, "validation_error"}, rule{"EightDays", who, "POST", one + "/rotate-secret", object{"gracePeriodSeconds": 691200}, 400, "validation_error"},
		rule{"SevenDays", who, "POST", one + "/rotate-secret", object{"gracePeriodSeconds": 604800}, 200, ""}, rule{"GraceNoNumber", who, "POST", one + "/rotate-secret", object{"gracePeriodSeconds": "x"}, 400, "validation_error"},
	)
	t.Run("ReplayedEncrypted", func(t *testing.T) {
		who.t = t
		keyed := who.sending("Idempotency-Key", "rotation")
		a, b := keyed.post(one+"/rotate-secret", nil).want(200), keyed.post(one+"/rotate-secret", nil).want(200)
		if a.text("secret") != b.text("secret") || b.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("%s then %s", a.Body, b.Body)
		}
	})
}
