package org

import (
	"context"
	"math"
	"net/url"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// purchaseTitle names a purchase: "500 credits (Small)".
func purchaseTitle(ctx context.Context, p query.PurchaseLine) string {
	return inCredits(ctx, p.Credits) + " (" + p.Label + ")"
}

// quoted is how people quote a purchase: its receipt's number, before that the end of its id.
func quoted(p query.PurchaseLine) string {
	if p.Number != nil {
		return *p.Number
	}
	return ui.Reference(p.Id)
}

func priceText(ctx context.Context, p query.PurchaseLine) string {
	return locale.Price(ctx, p.Price, p.Currency)
}

// paidWith is the way in which a purchase is paid.
func paidWith(ctx context.Context, provider string) string {
	switch provider {
	case "manual":
		return t(ctx, "Directly to the people who run this install")
	case "stripe":
		return t(ctx, "By card or bank, at Stripe")
	}
	return frame.SentenceCase(provider)
}

// takenBackSentence tells a reversal in words, with what was asked for and what the pool held of it.
func takenBackSentence(ctx context.Context, kind string, requested, applied float64) string {
	if kind == "reinstatement" {
		return t(ctx, "%s came back: the dispute was decided for the organization.", inCredits(ctx, applied))
	}
	n, back, asked, disputed := oneOrMany(applied), inCredits(ctx, applied), inCredits(ctx, requested), kind == "dispute"
	switch missing := frame.Thousandths(requested) - frame.Thousandths(applied); {
	case missing <= 0 && disputed:
		return tn(ctx, "%[2]s was taken back, for the payer's bank disputes the payment.", "%[2]s were taken back, for the payer's bank disputes the "+
			"payment.", n, back)
	case missing <= 0:
		return tn(ctx, "%[2]s was taken back.", "%[2]s were taken back.", n, back)
	case applied == 0 && disputed:
		return t(ctx, "None of %s could be taken back, for the payer's bank disputes the payment: they had left the pool, and are not owed.", asked)
	case applied == 0:
		return t(ctx, "None of %s could be taken back: they had left the pool, and are not owed.", asked)
	case disputed:
		return tn(ctx, "%[2]s of %[3]s was taken back, for the payer's bank disputes the payment; the rest had left the pool and is not owed.",
			"%[2]s of %[3]s were taken back, for the payer's bank disputes the payment; the rest had left the pool and is not owed.",
			n, credits(ctx, applied), asked)
	}
	return tn(ctx, "%[2]s of %[3]s was taken back; the rest had left the pool and is not owed.",
		"%[2]s of %[3]s were taken back; the rest had left the pool and is not owed.", n, credits(ctx, applied), asked)
}

// oneOrMany is the number by which a sentence about credits is written: of one, or of several.
func oneOrMany(credits float64) int {
	if frame.Thousandths(credits) == 1000 {
		return 1
	}
	return 2
}

// reversalWord is a reversal in one word or two.
func reversalWord(ctx context.Context, kind string) string {
	switch kind {
	case "refund":
		return t(ctx, "Refund")
	case "dispute":
		return t(ctx, "Dispute")
	case "reinstatement":
		return t(ctx, "Dispute won")
	}
	return frame.SentenceCase(kind)
}

// paymentHref is where a purchase is paid at its provider; empty where that is no page elsewhere.
func (v purchaseView) paymentHref() string {
	p := v.Purchase
	if p.Provider == "manual" || p.Status != query.PurchaseStatusPending || !v.owner() {
		return ""
	}
	if address, err := url.Parse(p.Url); err != nil || address.Host == "" || address.Scheme != "https" && address.Scheme != "http" {
		return ""
	}
	return p.Url
}

// paymentHost is whose page that is.
func (v purchaseView) paymentHost() string {
	if address, err := url.Parse(v.Purchase.Url); err == nil {
		return address.Host
	}
	return ""
}

// purchaseState is the state of a purchase in a sentence, with the next step.
func purchaseState(ctx context.Context, v purchaseView) (tone ui.Tone, title, text string) {
	p := v.Purchase
	price, amount, owner := priceText(ctx, p.PurchaseLine), inCredits(ctx, p.Credits), v.Org.Owner.DisplayName
	switch p.Status {
	case query.PurchaseStatusPending:
		switch {
		case p.ViewerCan.Confirm:
			text = t(ctx, "Confirm it once %s have arrived under the reference %s. The credits are in the pool at that moment.", price, quoted(p.PurchaseLine))
		case p.Provider == "manual":
			text = t(ctx, "Follow the steps below. The credits are in the pool as soon as an operator of this install has confirmed the payment.")
		case v.paymentHref() != "":
			text = t(ctx, "Pay %s at %s. The credits are in the pool as soon as the payment is through, mostly within a minute.", price, v.paymentHost())
		default:
			text = t(ctx, "Its owner, %s, pays it at the payment provider. The credits are in the pool as soon as the payment is through.", owner)
		}
		return ui.Warn, t(ctx, "Awaiting payment."), text
	case query.PurchaseStatusPaid:
		if p.TakenBack > 0 {
			return ui.Info, t(ctx, "Paid, and partly refunded."), tn(ctx, "%[2]s of %[3]s was taken back from the pool. What is left of it stays.",
				"%[2]s of %[3]s were taken back from the pool. What is left of it stays.", oneOrMany(p.TakenBack), credits(ctx, p.TakenBack), amount)
		}
		text = t(ctx, "%s went into the pool of %s.", amount, v.Org.Name)
		if v.owner() {
			text += " " + t(ctx, "Allocate them to {a workspace} so that they can be used.")
		}
		return ui.OK, t(ctx, "Paid."), text
	case query.PurchaseStatusCanceled:
		text = t(ctx, "Nothing has to be paid. A payment that is on its way all the same still counts.")
		if v.owner() {
			text += " " + t(ctx, "To buy the pack after all, order it again.")
		}
		return ui.Info, t(ctx, "Cancelled."), text
	case query.PurchaseStatusDisputed:
		text = t(ctx, "The payer's bank disputes the payment. What it bought is taken back until the bank decides, and comes back if the dispute is won.")
		if v.owner() {
			text += " " + t(ctx, "If you know nothing of it, ask your bank, or the people who run this install.")
		}
		return ui.Bad, t(ctx, "Disputed."), text
	case query.PurchaseStatusRefunded:
		text = t(ctx, "All of it went back. What could not be taken back is not owed.")
		if v.owner() {
			text += " " + t(ctx, "To go on, buy a new pack.")
		}
		return ui.Info, t(ctx, "Refunded."), text
	}
	return ui.Info, "", t(ctx, "Its state is new to this page: %s.", string(p.Status))
}

// preview says what both sides hold before and after a refund, or why that does not work; empty without an amount.
func (v purchaseView) preview(ctx context.Context) string {
	typed, err := frame.ParseAmount(ctx, "credits", v.Amount)
	if v.Amount == "" || err != nil {
		return ""
	}
	p, pool := v.Purchase, frame.Value(v.Org.OperatorPool)
	switch {
	case typed <= 0:
		return t(ctx, "The amount must be more than zero.")
	case typed > p.Refundable:
		return t(ctx, "Only %s of this purchase can be refunded still.", credits(ctx, p.Refundable))
	}
	taken := math.Min(typed, pool)
	s := t(ctx, "The pool of %s %s → %s; still refundable %s → "+
		"%s.", v.Org.Name, credits(ctx, pool), credits(ctx, pool-taken), credits(ctx, p.Refundable), credits(ctx, p.Refundable-typed))
	if taken < typed {
		s += " " + t(ctx, "%s had left the pool: that is written down, and not owed.", inCredits(ctx, typed-taken))
	}
	return s + " " + t(ctx, "That share of the price is %s.", locale.Price(ctx, int(math.Round(float64(p.Price)*typed/p.Credits)), p.Currency))
}

// confirmQuestion says what confirming a payment does; pool is nil where it is not known.
func confirmQuestion(ctx context.Context, p query.PurchaseLine, pool *float64, back string) ui.ConfirmProps {
	into := t(ctx, "%s go into the pool of %s at once", inCredits(ctx, p.Credits), p.OrganizationName)
	if pool != nil {
		into = locale.Labelled(ctx, into, credits(ctx, *pool)+" → "+credits(ctx, *pool+p.Credits))
	}
	q := ui.ConfirmProps{
		ID: "confirm-" + p.Id, Title: t(ctx, "Confirm the payment of %s?", priceText(ctx, p)), Confirm: t(ctx, "Confirm the payment"),
		Text: t(ctx, "Do this once the money has arrived. It was to come under the reference %s.", ui.Reference(p.Id)),
		Consequences: []string{
			into, t(ctx, "The purchase gets its receipt, with a number"),
			t(ctx, "Your name is shown with it, in the audit log of the organization too"),
			t(ctx, "What was confirmed by mistake can be refunded, not undone"),
		},
		Form:       ui.FormProps{Action: purchasePath(p) + "/confirm", Key: frame.NewOnceKey()},
		CancelHref: frame.Or(back, purchasePath(p)),
	}
	if back != "" {
		q.Form.Hidden = []ui.Hidden{{Name: "return", Value: back}}
	}
	return q
}

func cancelQuestion(ctx context.Context, v purchaseView) ui.ConfirmProps {
	return ui.ConfirmProps{
		ID: "cancel-purchase", Title: t(ctx, "Cancel this purchase?"), Text: t(ctx, "You can order the pack again at any time."), Danger: true,
		Consequences: []string{
			t(ctx, "Nothing has to be paid any more"),
			t(ctx, "A payment that is on its way all the same still counts, and brings its credits"),
		},
		Form: ui.FormProps{Action: v.path() + "/cancel"}, Confirm: t(ctx, "Cancel the purchase"), CancelHref: v.path(),
	}
}

// whyNotBuy says why the reader cannot buy, and whom to ask; empty when they can.
func whyNotBuy(ctx context.Context, o query.OrganizationHead) (title, text string) {
	switch {
	case o.ViewerCan.Allocate: // the owner, while the organization is active
		return "", ""
	case isOwner(o):
		return t(ctx, "Nothing can be bought now."), t(ctx, "That is possible as soon as %s is active.", o.Name)
	}
	return t(ctx, "Only the owner can buy."), t(ctx, "Ask %s, who owns %s.", o.Owner.DisplayName, o.Name)
}

// howPaid is how packs are paid on this install.
func howPaid(ctx context.Context, way string) string {
	if way == "stripe" {
		return t(ctx, "You pay at Stripe, by card or what else your country offers. The credits are in the pool as soon as the payment is through.")
	}
	return t(ctx, "You pay the people who run this install. An operator confirms the payment here, and the credits are in the pool.")
}

func purchaseCrumbs(ctx context.Context, v purchaseView) []ui.Crumb {
	if v.Operated {
		return []ui.Crumb{{Text: t(ctx, "Platform"), Href: "/operator"}, {Text: t(ctx, "Purchases"), Href: "/operator/purchases"}}
	}
	return append(creditCrumbs(ctx, v.Org.OrganizationHead), ui.Crumb{Text: t(ctx, "Purchases"), Href: "/orgs/" + v.Org.Id + "/purchases"})
}

func creditCrumbs(ctx context.Context, o query.OrganizationHead) []ui.Crumb {
	return append(orgCrumbs(o), ui.Crumb{Text: t(ctx, "Credits"), Href: "/orgs/" + o.Id + "/credits"})
}

// operatorPurchasesEmpty says that there is none of a state.
func operatorPurchasesEmpty(ctx context.Context, status string) string {
	switch status {
	case "":
		return t(ctx, "No purchase waits for its payment. What organizations order will appear here until you confirm it.")
	case "all":
		return t(ctx, "Nothing was bought yet. What organizations order will appear here.")
	}
	return noPurchaseIs(ctx, status)
}

func noPurchaseIs(ctx context.Context, status string) string {
	switch query.PurchaseStatus(status) {
	case query.PurchaseStatusPaid:
		return t(ctx, "No purchase is paid.")
	case query.PurchaseStatusCanceled:
		return t(ctx, "No purchase is cancelled.")
	case query.PurchaseStatusDisputed:
		return t(ctx, "No purchase is disputed.")
	}
	return t(ctx, "No purchase is refunded.")
}
