package event

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"atelier/web/frame"
	"atelier/web/locale"
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
	p := frame.Page{Title: t(r.Context(), "Delivery of %s", res.WebhookDelivery.Event), Section: frame.SectionWebhooks}
	return c.Page(w, r, res.Shell, p, deliveryContent(res.WebhookEndpoint, res.WebhookDelivery, frame.FormOf(r), c.Now()))
}

// Redeliver sends a delivery once more.
func (c Pages) Redeliver(w http.ResponseWriter, r *http.Request) error {
	delivery := mux.Vars(r)["delivery"]
	if _, err := query.Redeliver(r.Context(), c.Client, frame.PathID(r), delivery); err != nil {
		return frame.Again(w, r, err, c.DeliveryPage)
	}
	return c.Done(w, "/webhooks/"+frame.PathID(r)+"/deliveries/"+delivery, t(r.Context(), "It is delivered now. Load the page again to see the answer."))
}

// attempts are the tries of a delivery: answer, address, and where the time went.
func attempts(ctx context.Context, log []query.Attempt) []ui.Attempt {
	var out []ui.Attempt
	for _, a := range log {
		word, tone := answerWord(ctx, a.ResponseStatus, a.Error), ui.Bad
		if a.ResponseStatus != nil && *a.ResponseStatus >= 200 && *a.ResponseStatus < 300 {
			tone = ui.OK
		}
		one := ui.Attempt{Number: a.Number, Status: word, Tone: tone, At: a.CreatedAt, Phases: phases(ctx, a)}
		var text []string
		if a.ResponseStatus != nil && http.StatusText(*a.ResponseStatus) != "" {
			text = append(text, http.StatusText(*a.ResponseStatus))
		} else if a.Error != nil {
			text = append(text, errorWords(ctx, *a.Error))
		}
		if a.Address != nil {
			text = append(text, *a.Address)
		}
		one.Text = strings.Join(text, " · ")
		out = append(out, one)
	}
	return out
}

// phases are where the time of an attempt went. One that came to no connection waited for none of an answer: what is
// left of its time belongs to the step at which it ended.
func phases(ctx context.Context, a query.Attempt) []ui.Phase {
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
	return []ui.Phase{{Name: phaseNames(ctx)[0], Time: ms(dns)}, {Name: phaseNames(ctx)[1], Time: ms(connect)}, {Name: phaseNames(ctx)[2], Time: ms(waited)}}
}

// phaseNames are the parts of the time of an attempt, in their order.
func phaseNames(ctx context.Context) []string {
	return []string{t(ctx, "looking up the name"), t(ctx, "connecting, with TLS"), t(ctx, "waiting for the answer")}
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// errorWords puts a delivery error into words (contract 2, "Delivery error values").
func errorWords(ctx context.Context, code string) string {
	switch code {
	case "timeout":
		return t(ctx, "No answer within 10 seconds")
	case "blocked_address":
		return t(ctx, "The address is not a public one")
	case "connection_refused":
		return t(ctx, "The connection was refused")
	case "connection_reset":
		return t(ctx, "The connection was closed without an answer")
	case "tls_error":
		return t(ctx, "The certificate or the encryption was not accepted")
	case "network_error":
		return t(ctx, "The receiver could not be reached")
	case "endpoint_disabled":
		return t(ctx, "The endpoint was switched off while this waited")
	case "app_revoked":
		return t(ctx, "The connected app that registered the endpoint was revoked")
	case "job_deleted":
		return t(ctx, "The job was deleted before this was sent")
	case "attempts_exhausted":
		return t(ctx, "The last attempt was cut off on our side")
	case "signing_unavailable", "job_unreadable":
		return t(ctx, "A problem on our side; it is tried again without using an attempt")
	}
	if status, ok := strings.CutPrefix(code, "http_"); ok {
		return t(ctx, "The receiver answered %s", status)
	}
	return code
}

// maxAttempts is how often a delivery is tried (contract 2, "Limits").
const maxAttempts = 8

// deliverySentence says how it stands and what happens next.
func deliverySentence(ctx context.Context, e query.Endpoint, d query.DeliveryDetail, now time.Time) (title, text string, tone ui.Tone) {
	said := ""
	if d.Error != nil {
		said = errorWords(ctx, *d.Error) + ". "
	}
	switch d.Status {
	case query.DeliveryStatusDelivered:
		return t(ctx, "Delivered."), t(ctx, "The receiver answered %s at attempt %s.", answerWord(ctx, d.ResponseStatus, d.Error), ui.Digits(d.Attempts)), ui.OK
	case query.DeliveryStatusFailed:
		if d.Event == "ping" {
			return t(ctx, "The ping failed."), said + t(ctx, "A ping is tried once."), ui.Bad
		}
		return t(ctx, "Failed for good."), said + tn(ctx, "It was tried %d time. Deliver now tries once more.", "It was tried %d times. Deliver now tries once more.", d.Attempts), ui.Bad
	}
	return t(ctx, "Waiting for attempt %s.", ui.Digits(min(d.Attempts+1, maxAttempts))), said + waitingWords(ctx, d.Waiting, now), ui.Warn
}

// waitingWords say in a line why a delivery waits, and what would end that.
func waitingWords(ctx context.Context, why *query.Waiting, now time.Time) string {
	if why == nil {
		return ""
	}
	until := t(ctx, "soon")
	if why.Until != nil {
		until = locale.Soon(ctx, *why.Until, now)
	}
	switch why.Reason {
	case query.WaitReasonUnderWay:
		return t(ctx, "An attempt is being made now. Load the page again to see the answer.")
	case query.WaitReasonOff:
		return t(ctx, "The endpoint is off, so that it fails; switch the endpoint on first.")
	case query.WaitReasonService:
		return t(ctx, "It waits for us, and is tried again at %s.", until)
	case query.WaitReasonNextAttempt:
		return t(ctx, "The next attempt is at %s, or press Deliver now.", until)
	case query.WaitReasonResting:
		return t(ctx, "Nothing answers at this address, so that the endpoint rests until %s.", until)
	case query.WaitReasonProbe:
		return t(ctx, "The rest is over: another delivery finds out whether someone answers, and this one follows.")
	case query.WaitReasonEndpointBusy:
		return t(ctx, "%d of %d deliveries to this endpoint are under way; it goes as soon as one of them has ended.", frame.Value(why.Busy), frame.Value(why.Slots))
	case query.WaitReasonAccountBusy:
		return t(ctx, "%d of %d deliveries of this account are under way; it goes as soon as one of them has ended.", frame.Value(why.Busy), frame.Value(why.Slots))
	}
	return t(ctx, "Nothing is in its way; it goes within moments.")
}

// signedWith says which secrets sign the deliveries of an endpoint.
func signedWith(ctx context.Context, e query.Endpoint) string {
	since := locale.Moment(ctx, e.SecretCreatedAt)
	if e.PreviousSecretExpiresAt != nil {
		return t(ctx, "Signed with the secret of %s, and until %s also with the one before it.", since, locale.Moment(ctx, *e.PreviousSecretExpiresAt))
	}
	return t(ctx, "Signed with the secret of %s.", since)
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
func lowered(ctx context.Context, s string) string {
	if s == "" {
		return t(ctx, "no one knows why")
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(first)) + s[size:]
}
