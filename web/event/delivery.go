package event

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/gorilla/mux"
)

// DeliveryPage shows what was sent, and each answer to it.
func (c Pages) DeliveryPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Delivery(r.Context(), c.Client, frame.PathID(r), mux.Vars(r)["delivery"])
	if err != nil {
		return err
	}
	p := frame.Page{Title: "Delivery of " + res.WebhookDelivery.Event, Section: frame.SectionWebhooks}
	return c.Page(w, r, res.Shell, p, deliveryContent(res.WebhookEndpoint, res.WebhookDelivery, frame.FormOf(r), c.Now()))
}

// Redeliver sends a delivery once more.
func (c Pages) Redeliver(w http.ResponseWriter, r *http.Request) error {
	delivery := mux.Vars(r)["delivery"]
	if _, err := query.Redeliver(r.Context(), c.Client, frame.PathID(r), delivery); err != nil {
		return frame.Again(w, r, err, c.DeliveryPage)
	}
	return c.Done(w, "/webhooks/"+frame.PathID(r)+"/deliveries/"+delivery, "It is delivered now. Load the page again to see the answer.")
}

// attempts are the tries of a delivery: answer, address, and where the time went.
func attempts(log []query.Attempt) []ui.Attempt {
	var out []ui.Attempt
	for _, a := range log {
		word, tone := answerWord(a.ResponseStatus, a.Error), ui.Bad
		if a.ResponseStatus != nil && *a.ResponseStatus >= 200 && *a.ResponseStatus < 300 {
			tone = ui.OK
		}
		t := ui.Attempt{Number: a.Number, Status: word, Tone: tone, At: a.CreatedAt, Phases: phases(a)}
		var text []string
		if a.ResponseStatus != nil && http.StatusText(*a.ResponseStatus) != "" {
			text = append(text, http.StatusText(*a.ResponseStatus))
		} else if a.Error != nil {
			text = append(text, errorWords(*a.Error))
		}
		if a.Address != nil {
			text = append(text, *a.Address)
		}
		t.Text = strings.Join(text, " · ")
		out = append(out, t)
	}
	return out
}

// phases are where the time of an attempt went. One that came to no connection waited for none of an answer: what is
// left of its time belongs to the step at which it ended.
func phases(a query.Attempt) []ui.Phase {
	dns, connect, waited := a.DnsMs, a.ConnectMs, max(0, a.DurationMs-a.DnsMs-a.ConnectMs)
	if a.ResponseStatus == nil && a.Error != nil {
		switch *a.Error {
		case "blocked_address":
			dns, waited = dns+waited, 0
		case "connection_refused", "tls_error":
			connect, waited = connect+waited, 0
		case "timeout", "network_error":
			if a.ConnectMs == 0 {
				connect, waited = waited, 0
			}
		}
	}
	return []ui.Phase{{Name: phaseNames[0], Time: ms(dns)}, {Name: phaseNames[1], Time: ms(connect)}, {Name: phaseNames[2], Time: ms(waited)}}
}

// phaseNames are the parts of the time of an attempt, in their order.
var phaseNames = []string{"looking up the name", "connecting, with TLS", "waiting for the answer"}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// errorWords puts a delivery error into words (contract 2, "Delivery error values").
func errorWords(code string) string {
	switch code {
	case "timeout":
		return "No answer within 10 seconds"
	case "blocked_address":
		return "The address is not a public one"
	case "connection_refused":
		return "The connection was refused"
	case "connection_reset":
		return "The connection was closed without an answer"
	case "tls_error":
		return "The certificate or the encryption was not accepted"
	case "network_error":
		return "The receiver could not be reached"
	case "endpoint_disabled":
		return "The endpoint was switched off while this waited"
	case "app_revoked":
		return "The connected app that registered the endpoint was revoked"
	case "job_deleted":
		return "The job was deleted before this was sent"
	case "attempts_exhausted":
		return "The last attempt was cut off on our side"
	case "signing_unavailable", "job_unreadable":
		return "A problem on our side; it is tried again without using an attempt"
	}
	if status, ok := strings.CutPrefix(code, "http_"); ok {
		return "The receiver answered " + status
	}
	return code
}

// maxAttempts is how often a delivery is tried (contract 2, "Limits").
const maxAttempts = 8

// deliverySentence says how it stands and what happens next.
func deliverySentence(e query.Endpoint, d query.DeliveryDetail, now time.Time, zone *time.Location) (title, text string, tone ui.Tone) {
	said := ""
	if d.Error != nil {
		said = errorWords(*d.Error) + ". "
	}
	switch d.Status {
	case query.DeliveryStatusDelivered:
		return "Delivered.", "The receiver answered " + answerWord(d.ResponseStatus, d.Error) + " at attempt " + ui.Digits(d.Attempts) + ".", ui.OK
	case query.DeliveryStatusFailed:
		if d.Event == "ping" {
			return "The ping failed.", said + "A ping is tried once.", ui.Bad
		}
		return "Failed for good.", said + "It was tried " + ui.Plural(d.Attempts, "time", "times") + ". Deliver now tries once more.", ui.Bad
	}
	return "Waiting for attempt " + ui.Digits(min(d.Attempts+1, maxAttempts)) + ".", said + waitingWords(d.Waiting, now, zone), ui.Warn
}

// waitingWords say in a line why a delivery waits, and what would end that.
func waitingWords(why *query.Waiting, now time.Time, zone *time.Location) string {
	if why == nil {
		return ""
	}
	until := "soon"
	if why.Until != nil {
		until = ui.Soon(*why.Until, now, zone)
	}
	slots := ""
	if why.Busy != nil && why.Slots != nil {
		slots = ui.Count(*why.Busy) + " of " + ui.Count(*why.Slots)
	}
	switch why.Reason {
	case query.WaitReasonUnderWay:
		return "An attempt is being made now. Load the page again to see the answer."
	case query.WaitReasonOff:
		return "The endpoint is off, so that it fails; switch the endpoint on first."
	case query.WaitReasonService:
		return "It waits for us, and is tried again at " + until + "."
	case query.WaitReasonNextAttempt:
		return "The next attempt is at " + until + ", or press Deliver now."
	case query.WaitReasonResting:
		return "Nothing answers at this address, so that the endpoint rests until " + until + "."
	case query.WaitReasonProbe:
		return "The rest is over: another delivery finds out whether somebody answers, and this one follows."
	case query.WaitReasonEndpointBusy:
		return slots + " deliveries to this endpoint are under way; it goes as soon as one of them has ended."
	case query.WaitReasonAccountBusy:
		return slots + " deliveries of this account are under way; it goes as soon as one of them has ended."
	}
	return "Nothing is in its way; it goes within moments."
}

// signedWith says which secrets sign the deliveries of an endpoint.
func signedWith(e query.Endpoint, zone *time.Location) string {
	out := "Signed with the secret of " + ui.Moment(e.SecretCreatedAt, zone)
	if e.PreviousSecretExpiresAt != nil {
		out += ", and until " + ui.Moment(*e.PreviousSecretExpiresAt, zone) + " also with the one before it"
	}
	return out + "."
}

// curl is the delivery as a command, with every header but the signature, which only the secret can make.
func curl(e query.Endpoint, d query.DeliveryDetail) string {
	if d.RequestBody == nil {
		return ""
	}
	out := "curl -X POST " + shellQuote(e.Url)
	for _, h := range []string{
		"Content-Type: application/json", "User-Agent: Service-Webhooks/1", "Service-Event: " + d.Event,
		"Service-Delivery: " + d.Id, "Service-Webhook: " + e.Id,
	} {
		out += " \\\n  -H " + shellQuote(h)
	}
	return out + " \\\n  --data-raw " + shellQuote(*d.RequestBody)
}

// shellQuote makes one word of a shell out of any text.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// wrapped is a body as people read it: JSON with a line for each value, anything else as it is.
func wrapped(body string) string {
	if len(body) > ui.MaxShown || !json.Valid([]byte(body)) {
		return body
	}
	return frame.ShownRaw(json.RawMessage(body))
}

// lowered is a sentence within another one.
func lowered(s string) string {
	if s == "" {
		return "nobody knows why"
	}
	return strings.ToLower(s[:1]) + s[1:]
}
