package event

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// checkView is the signature checker, with what it found.
type checkView struct {
	Endpoint query.Endpoint
	Kept     []query.KeptDelivery // whose bodies are still there
	Delivery string               // the chosen one
	Found    *query.SignatureCheck
	Form     frame.Form
}

// CheckPage is the signature checker of an endpoint.
func (c Pages) CheckPage(w http.ResponseWriter, r *http.Request) error {
	return c.showCheck(w, r, false, query.CheckSignatureInput{})
}

// Check looks at what was pasted and shows what it found above the form.
func (c Pages) Check(w http.ResponseWriter, r *http.Request) error {
	in := query.CheckSignatureInput{Header: r.PostForm.Get("header"), Body: r.PostForm.Get("body"), DeliveryId: frame.TextOrNil(r, "delivery")}
	// A form sends its lines with a carriage return each; JSON of one line is as it was pasted.
	in.Body = strings.ReplaceAll(in.Body, "\r\n", "\n")
	if in.Body == "" && in.DeliveryId == nil {
		return frame.Again(w, r, frame.Invalid("body", "Paste the body as your program received it, or choose a delivery."), c.CheckPage)
	}
	if err := c.showCheck(w, frame.WithTyped(r), true, in); err != nil {
		return frame.Again(w, r, err, c.CheckPage)
	}
	return nil
}

func (c Pages) showCheck(w http.ResponseWriter, r *http.Request, check bool, in query.CheckSignatureInput) error {
	res, err := query.WebhookCheck(r.Context(), c.Client, frame.PathID(r), check, in)
	if err != nil {
		return err
	}
	e := res.WebhookEndpoint
	v := checkView{Endpoint: e.Endpoint, Kept: append(e.Pending.Nodes, e.Failed.Nodes...), Found: res.CheckSignature, Form: frame.FormOf(r)}
	v.Delivery = v.Form.Value("delivery", r.URL.Query().Get("delivery"))
	p := frame.Page{Title: "Check a signature", Section: frame.SectionWebhooks}
	return c.Page(w, r, res.Shell, p, checkContent(v, c.Now()))
}

// keptOptions are the deliveries whose body can be taken.
func keptOptions(v checkView, zone *time.Location) []ui.Option {
	out := []ui.Option{{Value: "", Text: "What I paste"}}
	known := v.Delivery == ""
	for _, d := range v.Kept {
		known = known || d.Id == v.Delivery
		out = append(out, ui.Option{Value: d.Id, Text: d.Event + " of " + ui.Moment(d.CreatedAt, zone)})
	}
	if !known {
		out = append(out, ui.Option{Value: v.Delivery, Text: "The delivery that you came from"})
	}
	return out
}

// findingWords say what a signature turned out to be, and what to do.
func findingWords(f query.SignatureCheck) (title, text string, tone ui.Tone) {
	switch f.Finding {
	case query.SignatureFindingAccepted:
		return "It is right.", "A receiver with " + secretWords(f.Secret) + " accepts it.", ui.OK
	case query.SignatureFindingNoHeader:
		return "There is no signature.", "Look whether something before your program, such as a proxy, drops the header Service-Signature.", ui.Bad
	case query.SignatureFindingMalformedHeader:
		return "This is no signature.", "It must read t=, a time in seconds, and v1= with 64 letters and digits, as it came. " +
			"Look whether the header was cut off or put together from two.", ui.Bad
	case query.SignatureFindingTooOld:
		return "It was sent too long ago.", "The signature fits " + secretWords(f.Secret) + ", but receivers accept five minutes. " +
			"If the request is an old one, that is all. If it is new, your server’s clock is fast, or something holds events back before they are checked.", ui.Warn
	case query.SignatureFindingAhead:
		return "It was sent in the future.", "The signature fits " + secretWords(f.Secret) + ", but its time is still to come. Set the clock of the server that got it.", ui.Warn
	case query.SignatureFindingNoEvent:
		return "The signature is right, and the body is no event.", "Somebody who has the secret signed something else.", ui.Bad
	case query.SignatureFindingWhitespaceChanged:
		return "The body has other blanks at its ends.", "Without the blanks or lines around it the signature fits " + secretWords(f.Secret) +
			". Check the bytes before anything trims or adds to them.", ui.Bad
	case query.SignatureFindingJsonRewritten:
		return "The JSON was read and written again.", "It says the same, in other bytes; those that were sent fit " + secretWords(f.Secret) +
			". Check the raw body, before a framework parses it.", ui.Bad
	case query.SignatureFindingContentChanged:
		return "The body says something else than was sent.", "What was sent fits " + secretWords(f.Secret) +
			". Look whether something on the way changes the body, or whether it belongs to another request.", ui.Bad
	case query.SignatureFindingExpiredSecret:
		return "It was signed with the secret before.", "That one has stopped signing. Receivers refuse it; events that are sent now carry the current secret.", ui.Warn
	case query.SignatureFindingAnotherEndpoint:
		return "It belongs to another endpoint of yours.", "Each endpoint has a secret of its own; take the one that goes with this address.", ui.Bad
	}
	return "No secret of this endpoint fits.", "Either the body is not what was sent, in a way that cannot be found here, or the signature was not made by this service. " +
		"Paste the raw bytes of one request, header and body.", ui.Bad
}

func secretWords(s *query.SignatureSecret) string {
	switch {
	case s == nil:
		return "the secret"
	case *s == query.SignatureSecretPrevious:
		return "the previous secret, which still signs"
	case *s == query.SignatureSecretExpired:
		return "the secret before, which has stopped signing"
	}
	return "the current secret"
}

// findingFacts are the details below the sentence.
func findingFacts(f query.SignatureCheck, zone *time.Location) []ui.Fact {
	var out []ui.Fact
	if f.SentAt != nil && f.ClockOffSeconds != nil {
		out = append(out, ui.Fact{Name: "Sent", Value: ui.Moment(*f.SentAt, zone)}, ui.Fact{Name: "From now", Value: offWords(*f.ClockOffSeconds)},
			ui.Fact{Name: "Signatures", Value: ui.Count(f.Signatures)})
	}
	if f.Code != nil {
		out = append(out, ui.Fact{Name: "Receivers report", Value: *f.Code, Mono: true})
	}
	if f.OtherEndpoint != nil {
		out = append(out, ui.Fact{Name: "It fits", Value: host(f.OtherEndpoint.Url), Href: "/webhooks/" + f.OtherEndpoint.Id})
	}
	return out
}

func offWords(seconds int) string {
	off := ui.Duration(time.Duration(max(seconds, -seconds)) * time.Second)
	switch {
	case seconds == 0:
		return "the same second"
	case seconds < 0:
		return fmt.Sprintf("%s ahead", off)
	}
	return fmt.Sprintf("%s ago", off)
}
