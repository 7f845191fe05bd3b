package payment_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/payment/stripetest"
)

// nobodysValues are what no provider tells in place of a number, an id or an object.
var nobodysValues = []string{
	`-1`, `-9223372036854775808`, `9223372036854775807`, `9223372036854775808`, `1e400`, `1.5`, `-0.0`, `"1000"`, `""`, `"x"`, `null`, `true`, `[]`, `[1000]`, `{}`,
	`{"id":-1}`, `{"id":"\u0000"}`, `"\u0000"`, `"\ud800"`, `"` + strings.Repeat("x", 10_000) + `"`, `["019a9f00-0000-7000-8000-000000000000"]`, laterThanAll, `100000000000000000`,
}

// laterThanAll is the year 10000, in seconds.
const laterThanAll = `253402300800`

// TestStripeTellsNonsense puts each value in place of each part of each signed event:
// it is taken, ignored or refused as the sender's fault, and never fails on the
// service's side; what is no amount moves nothing.
func TestStripeTellsNonsense(t *testing.T) {
	s := newStripeShop(t)
	p, session := s.buy("small")
	s.send(session.Completed("evt_1", "checkout.session.completed", 100))
	events := []stripetest.Event{
		session.Completed("evt_2", "checkout.session.completed", 200), session.Expired("evt_3", 300), session.RefundedEvent("evt_4", 400, 0),
		session.RefundEvent("evt_5", "refund.created", 500, "re_x", 0, "failed"),
		session.DisputeEvent("evt_6", "charge.dispute.created", 600, "dp_x", 0, "warning_needs_response"),
	}
	sent := 0
	send := func(body map[string]any, what string) {
		sent++
		payload, err := json.Marshal(body)
		s.NoError(err)
		err = s.payments.TakeStripeEvent(t.Context(), payload, stripetest.Sign(payload, stripetest.Secret, time.Now()))
		if err != nil && !models.HasCode(err, models.CodeValidation) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, event := range events {
		var whole map[string]any
		s.NoError(json.Unmarshal(event.Payload, &whole))
		object := whole["data"].(map[string]any)["object"].(map[string]any)
		for _, value := range nobodysValues {
			for part := range object {
				if strings.HasPrefix(part, "amount") && value == laterThanAll {
					continue // an amount, if a large one
				}
				changed, outer := maps.Clone(object), maps.Clone(whole)
				changed[part] = json.RawMessage(value)
				outer["id"], outer["data"] = fmt.Sprintf("evt_n%d", sent), map[string]any{"object": changed}
				send(outer, event.Type+" with "+part+" "+fmt.Sprintf("%.60s", value))
			}
			for part := range whole {
				if event.Type != events[0].Type {
					break
				}
				outer := maps.Clone(whole)
				if outer["id"] = fmt.Sprintf("evt_n%d", sent); part != "type" {
					outer[part] = json.RawMessage(value)
				}
				send(outer, event.Type+" with outer "+part+" "+fmt.Sprintf("%.60s", value))
			}
		}
	}
	negative := session.RefundedEvent("evt_negative", 700, -1)
	s.Refused(s.deliver(negative), models.CodeValidation, 400)
	beyond := session.RefundedEvent("evt_beyond", 700, 1<<62)
	s.Refused(s.deliver(beyond), models.CodeValidation, 400)
	if found := s.find(p); found.TakenBack() != 0 {
		t.Errorf("nonsense took %v credits back", found.TakenBack())
	}
	s.holds(s.org, 500*models.Credit, 500*models.Credit)
}
