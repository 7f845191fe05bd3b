package event

import (
	"context"
	"net/http"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
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
		return frame.Again(w, r, frame.Invalid("body", t(r.Context(), "Paste the body as your program received it, or choose a delivery.")), c.CheckPage)
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
	p := frame.Page{Title: t(r.Context(), "Check a signature"), Section: frame.SectionWebhooks}
	return c.Page(w, r, res.Shell, p, checkContent(v, c.Now()))
}

// keptOptions are the deliveries whose body can be taken.
func keptOptions(ctx context.Context, v checkView) []ui.Option {
	out := []ui.Option{{Value: "", Text: t(ctx, "What I paste")}}
	known := v.Delivery == ""
	for _, d := range v.Kept {
		known = known || d.Id == v.Delivery
		out = append(out, ui.Option{Value: d.Id, Text: tc(ctx, "event and day", "%s of %s", d.Event, locale.Moment(ctx, d.CreatedAt))})
	}
	if !known {
		out = append(out, ui.Option{Value: v.Delivery, Text: t(ctx, "The delivery that you came from")})
	}
	return out
}

// findingWords say what a signature turned out to be, and what to do.
func findingWords(ctx context.Context, f query.SignatureCheck) (title, text string, tone ui.Tone) {
	switch f.Finding {
	case query.SignatureFindingAccepted:
		return t(ctx, "It is right."), t(ctx, "A receiver with %s accepts it.", secretWords(ctx, f.Secret)), ui.OK
	case query.SignatureFindingNoHeader:
		return t(ctx, "There is no signature."), t(ctx, "Look whether something before your program, such as a proxy, drops the header Service-Signature."), ui.Bad
	case query.SignatureFindingMalformedHeader:
		return t(ctx, "This is no signature."), t(ctx, "It must read t=, a time in seconds, and v1= with 64 letters and digits, as it came. "+
			"Look whether the header was cut off or put together from two."), ui.Bad
	case query.SignatureFindingTooOld:
		return t(ctx, "It was sent too long ago."), t(ctx, "The signature fits %s, but receivers accept five minutes. "+
			"If the request is an old one, that is all. If it is new, your server’s clock is fast, or something holds events back before they are checked.",
			secretWords(ctx, f.Secret)), ui.Warn
	case query.SignatureFindingAhead:
		return t(ctx, "It was sent in the future."), t(ctx, "The signature fits %s, but its time is still to come. Set the clock of the server that got it.", secretWords(ctx, f.Secret)), ui.Warn
	case query.SignatureFindingNoEvent:
		return t(ctx, "The signature is right, and the body is no event."), t(ctx, "Someone who has the secret signed something else."), ui.Bad
	case query.SignatureFindingWhitespaceChanged:
		return t(ctx, "The body has other blanks at its ends."), t(ctx, "Without the blanks or lines around it the signature fits %s. "+
			"Check the bytes before anything trims or adds to them.", secretWords(ctx, f.Secret)), ui.Bad
	case query.SignatureFindingJsonRewritten:
		return t(ctx, "The JSON was read and written again."), t(ctx, "It says the same, in other bytes; those that were sent fit %s. "+
			"Check the raw body, before a framework parses it.", secretWords(ctx, f.Secret)), ui.Bad
	case query.SignatureFindingContentChanged:
		return t(ctx, "The body says something else than was sent."), t(ctx, "What was sent fits %s. "+
			"Look whether something on the way changes the body, or whether it belongs to another request.", secretWords(ctx, f.Secret)), ui.Bad
	case query.SignatureFindingExpiredSecret:
		return t(ctx, "It was signed with the secret before."), t(ctx, "That one has stopped signing. Receivers refuse it; events that are sent now carry the current secret."), ui.Warn
	case query.SignatureFindingAnotherEndpoint:
		return t(ctx, "It belongs to another endpoint of yours."), t(ctx, "Each endpoint has a secret of its own; take the one that goes with this address."), ui.Bad
	}
	return t(ctx, "No secret of this endpoint fits."), t(ctx, "Either the body is not what was sent, in a way that cannot be found here, or the signature was not made by this service. "+
		"Paste the raw bytes of one request, header and body."), ui.Bad
}

func secretWords(ctx context.Context, s *query.SignatureSecret) string {
	switch {
	case s == nil:
		return t(ctx, "the secret")
	case *s == query.SignatureSecretPrevious:
		return t(ctx, "the previous secret, which still signs")
	case *s == query.SignatureSecretExpired:
		return t(ctx, "the secret before, which has stopped signing")
	}
	return t(ctx, "the current secret")
}

// findingFacts are the details below the sentence.
func findingFacts(ctx context.Context, f query.SignatureCheck) []ui.Fact {
	var out []ui.Fact
	if f.SentAt != nil && f.ClockOffSeconds != nil {
		out = append(out, ui.Fact{Name: t(ctx, "Sent"), Value: locale.Moment(ctx, *f.SentAt)}, ui.Fact{Name: t(ctx, "From now"), Value: offWords(ctx, *f.ClockOffSeconds)},
			ui.Fact{Name: t(ctx, "Signatures"), Value: locale.Count(ctx, f.Signatures)})
	}
	if f.Code != nil {
		out = append(out, ui.Fact{Name: t(ctx, "Receivers report"), Value: *f.Code, Mono: true})
	}
	if f.OtherEndpoint != nil {
		out = append(out, ui.Fact{Name: t(ctx, "It fits"), Value: host(f.OtherEndpoint.Url), Href: "/webhooks/" + f.OtherEndpoint.Id})
	}
	return out
}

func offWords(ctx context.Context, seconds int) string {
	off := locale.Duration(ctx, time.Duration(max(seconds, -seconds))*time.Second)
	switch {
	case seconds == 0:
		return t(ctx, "the same second")
	case seconds < 0:
		return t(ctx, "%s ahead", off)
	}
	return t(ctx, "%s ago", off)
}
