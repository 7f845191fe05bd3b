package tests

import (
	"fmt"
	"strings"
	"testing"
)

var endpointFields = []string{
	"id", "url", "description", "events", "isActive", "disabledReason", "disabledAt", "consecutiveFailures", "appId",
	"secretCreatedAt", "previousSecretExpiresAt", "createdAt", "updatedAt",
}

func webhookEndpoints(t *testing.T, p *program, hooks *receiver) {
	_, who := newcomer(t, p, "Endpoints")
	_, other := newcomer(t, p, "Endpoints-other")
	created := who.post(endpoints, object{"url": hooks.URL + "/a"}).want(201)
	id := created.text("data.id")
	t.Run("SecretIsShownOnce", func(t *testing.T) {
		created.t, who.t = t, t
		created.holds("", true, "data", "secret")
		created.holds("data", true, endpointFields...)
		created.is(map[string]any{"data.events": "[job.completed job.failed]", "data.description": "", "data.isActive": true, "data.disabledReason": nil, "data.consecutiveFailures": 0, "data.appId": nil, "data.previousSecretExpiresAt": nil})
		if !strings.HasPrefix(created.text("secret"), "whsec_") || created.Header.Get("RateLimit-Limit") != "30" {
			t.Errorf("secret or headers: %v %s", created.Header, created.Body)
		}
		for _, r := range []*reply{who.get(endpoints), who.get(endpoints + "/" + id)} {
			if strings.Contains(string(r.want(200).Body), "whsec_") {
				t.Errorf("a secret is listed: %s", r.Body)
			}
		}
	})
	one := endpoints + "/" + id
	patch := func(body object) rule {
		return rule{fmt.Sprint("Patch", body), who, "PATCH", one, body, 400, "validation_error"}
	}
	hold(t,
		rule{"NoToken", who.with(""), "GET", endpoints, nil, 401, "unauthorized"}, rule{"ReadOfAnother", other, "GET", one, nil, 404, "not_found"}, rule{"ChangeOfAnother", other, "PATCH", one, object{"description": "x"}, 404, "not_found"},
		rule{"DeleteOfAnother", other, "DELETE", one, nil, 404, "not_found"}, rule{"RotateOfAnother", other, "POST", one + "/rotate-secret", nil, 404, "not_found"}, rule{"TestOfAnother", other, "POST", one + "/test", nil, 404, "not_found"}, rule{"DeliveriesOfAnother", other, "GET", one + "/deliveries", nil, 404, "not_found"},
		rule{"MalformedID", who, "GET", endpoints + "/x", nil, 400, "validation_error"}, rule{"Taken", who, "POST", endpoints, object{"url": hooks.URL + "/a"}, 409, "url_taken"}, rule{"TakenByOneself", other, "POST", endpoints, object{"url": hooks.URL + "/a"}, 201, ""},
		patch(object{"url": nil}), patch(object{"events": nil}), patch(object{"description": nil}), patch(object{"isActive": nil}), patch(object{"events": []string{}}), patch(object{"events": []string{"ping"}}), patch(object{"isActive": "x"}), patch(object{"url": "http://a.example/"}),
		rule{"PatchNothing", who, "PATCH", one, object{}, 200, ""},
	)
	t.Run("OffAndOn", func(t *testing.T) {
		who.t = t
		off := who.do("PATCH", one, object{"isActive": false, "description": "d", "events": []string{"job.failed"}}).want(200)
		off.is(map[string]any{"data.isActive": false, "data.disabledReason": nil, "data.description": "d", "data.events": "[job.failed]"})
		if off.text("data.disabledAt") == "" {
			t.Errorf("disabledAt is not set: %s", off.Body)
		}
		ping := who.post(one+"/test", nil).want(202).text("data.id")
		settled(who, id, ping).is(map[string]any{"data.status": "delivered"})
		who.do("PATCH", one, object{"isActive": true}).want(200).is(map[string]any{"data.isActive": true, "data.disabledAt": nil})
		who.do("DELETE", one, nil).want(200).is(map[string]any{"success": true})
		who.get(one+"/deliveries").wantError(404, "not_found")
	})
}

func webhookAddresses(t *testing.T, p *program, _ *receiver) {
	refused := []string{
		"http://example.com/", "ftp://example.com/", "https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://a.localhost/", "https://10.0.0.1/", "https://192.168.1.1/",
		"https://172.16.0.1/", "https://169.254.169.254/", "https://0.0.0.0/", "https://127.0.0.2/", "https://100.64.0.1/", "https://[::1]/", "https://[fe80::1]/", "https://[fc00::1]/", "https://[::ffff:127.0.0.1]/",
		"https://a.internal/", "https://a.local/", "https://A.LOCAL/", "https://u:p@example.com/", "https://u@example.com/", "https://2130706433/", "https://0x7f000001/", "https://127.1/", "https://", "example.com", "", "https://example.com:0/",
	}
	_, who := newcomer(t, p, "Refused")
	for _, url := range refused {
		hold(t, rule{url, who, "POST", endpoints, object{"url": url}, 400, "validation_error"})
	}
	_, who = newcomer(t, p, "Taken")
	hold(t,
		rule{"Public", who, "POST", endpoints, object{"url": "https://example.com/a?b=c"}, 201, ""}, rule{"SameButForCaseAndPort", who, "POST", endpoints, object{"url": "https://EXAMPLE.com:443/a?b=c"}, 409, "url_taken"},
		rule{"PublicAddress", who, "POST", endpoints, object{"url": "https://8.8.8.8/"}, 201, ""}, rule{"NoEvents", who, "POST", endpoints, object{"url": "https://a.example/", "events": []string{}}, 400, "validation_error"},
		rule{"Ping", who, "POST", endpoints, object{"url": "https://a.example/", "events": []string{"ping"}}, 400, "validation_error"}, rule{"EventsNoList", who, "POST", endpoints, object{"url": "https://a.example/", "events": "job.failed"}, 400, "validation_error"},
		rule{"NoURL", who, "POST", endpoints, object{}, 400, "validation_error"},
	)
}

func webhookLimits(t *testing.T, p *program, hooks *receiver) {
	session, who := newcomer(t, p, "Limits")
	t.Run("TenEndpoints", func(t *testing.T) {
		who.t = t
		for n := range 10 {
			registered(who, fmt.Sprint(hooks.URL, "/", n))
		}
		who.post(endpoints, object{"url": hooks.URL + "/10"}).wantError(400, "limit_reached")
		list := who.get(endpoints).want(200)
		list.is(map[string]any{"data.0.url": hooks.URL + "/9", "data.9.url": hooks.URL + "/0"})
	})
	one := endpoints + "/" + who.get(endpoints).want(200).text("data.0.id")
	t.Run("ThirtyChangesAMinute", func(t *testing.T) {
		session.t = t
		var last *reply
		for range 60 { // a minute may end meanwhile
			if last = session.post(endpoints, object{}); last.Status == 429 {
				break
			}
			last.wantError(400, "validation_error")
		}
		if last.wantError(429, "rate_limit_exceeded").Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		session.get(endpoints).want(200)
	})
	t.Run("TenPingsAMinute", func(t *testing.T) {
		session.t = t
		var last *reply
		for range 21 {
			if last = session.post(one+"/test", nil); last.Status == 429 {
				break
			}
			last.want(202)
		}
		last.wantError(429, "rate_limit_exceeded")
	})
}
