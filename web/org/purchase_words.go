package org

import (
	"math"
	"net/url"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// purchaseTitle names a purchase: "500 credits (Small)".
func purchaseTitle(p query.PurchaseLine) string {
	return frame.InCredits(p.Credits) + " (" + p.Label + ")"
}

// quoted is how people quote a purchase: its receipt's number, before that the end of its id.
func quoted(p query.PurchaseLine) string {
	if p.Number != nil {
		return *p.Number
	}
	return ui.Reference(p.Id)
}

func priceText(p query.PurchaseLine) string { return ui.Price(p.Price, p.Currency) }

// paidWith is the way in which a purchase is paid.
func paidWith(provider string) string {
	switch provider {
	case "manual":
		return "Directly to whoever runs this install"
	case "stripe":
		return "By card or bank, at Stripe"
	}
	return frame.SentenceCase(provider)
}

// takenBackSentence tells a reversal in words, with what was asked for and what the pool held of it.
func takenBackSentence(kind string, requested, applied float64) string {
	if kind == "reinstatement" {
		return frame.InCredits(applied) + " came back: the dispute was decided for the organization."
	}
	why := ""
	if kind == "dispute" {
		why = ", for the payer's bank disputes the payment"
	}
	switch missing := frame.Thousandths(requested) - frame.Thousandths(applied); {
	case missing <= 0:
		return frame.InCredits(applied) + were(applied) + " taken back" + why + "."
	case applied == 0:
		return "None of " + frame.InCredits(requested) + " could be taken back" + why + ": they had left the pool, and are not owed."
	}
	return frame.Credits(applied) + " of " + frame.InCredits(requested) + were(applied) + " taken back" + why + "; the rest had left the pool and is not owed."
}

func were(credits float64) string {
	if frame.Thousandths(credits) == 1000 {
		return " was"
	}
	return " were"
}

// reversalWord is a reversal in one word or two.
func reversalWord(kind string) string {
	switch kind {
	case "refund":
		return "Refund"
	case "dispute":
		return "Dispute"
	case "reinstatement":
		return "Dispute won"
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
func purchaseState(v purchaseView) (tone ui.Tone, title, text string) {
	p := v.Purchase
	price, credits, owner := priceText(p.PurchaseLine), frame.InCredits(p.Credits), v.Org.Owner.DisplayName
	switch p.Status {
	case query.PurchaseStatusPending:
		switch {
		case p.ViewerCan.Confirm:
			text = "Confirm it once " + price + " have arrived under the reference " + quoted(p.PurchaseLine) + ". The credits are in the pool at that moment."
		case p.Provider == "manual":
			text = "Follow the steps below. The credits are in the pool as soon as an operator of this install has confirmed the payment."
		case v.paymentHref() != "":
			text = "Pay " + price + " at " + v.paymentHost() + ". The credits are in the pool as soon as the payment is through, mostly within a minute."
		default:
			text = "Its owner, " + owner + ", pays it at the payment provider. The credits are in the pool as soon as the payment is through."
		}
		return ui.Warn, "Awaiting payment.", text
	case query.PurchaseStatusPaid:
		if p.TakenBack > 0 {
			return ui.Info, "Paid, and partly refunded.", frame.Credits(p.TakenBack) + " of " + credits + were(p.TakenBack) + " taken back from the pool. What is left of it stays."
		}
		text = credits + " went into the pool of " + v.Org.Name + "."
		if v.owner() {
			text += " Allocate them to " + frame.A(v.Org.Vocabulary.Workspace) + " so that they can be used."
		}
		return ui.OK, "Paid.", text
	case query.PurchaseStatusCanceled:
		text = "Nothing has to be paid. A payment that is on its way all the same still counts."
		if v.owner() {
			text += " To buy the pack after all, order it anew."
		}
		return ui.Info, "Cancelled.", text
	case query.PurchaseStatusDisputed:
		text = "The payer's bank disputes the payment. What it bought is taken back until the bank decides, and comes back if the dispute is won."
		if v.owner() {
			text += " If you know nothing of it, ask your bank, or whoever runs this install."
		}
		return ui.Bad, "Disputed.", text
	case query.PurchaseStatusRefunded:
		text = "All of it went back. What could not be taken back is not owed."
		if v.owner() {
			text += " To go on, buy a new pack."
		}
		return ui.Info, "Refunded.", text
	}
	return ui.Info, "", "Its state is new to this page: " + string(p.Status) + "."
}

// preview says what both sides hold before and after a refund, or why that does not work; empty without an amount.
func (v purchaseView) preview() string {
	typed, err := frame.ParseAmount("credits", v.Amount)
	if v.Amount == "" || err != nil {
		return ""
	}
	p, pool := v.Purchase, frame.Value(v.Org.OperatorPool)
	switch {
	case typed <= 0:
		return "The amount must be more than zero."
	case typed > p.Refundable:
		return "Only " + frame.Credits(p.Refundable) + " of this purchase can be refunded still."
	}
	taken := math.Min(typed, pool)
	s := "The pool of " + v.Org.Name + " " + frame.Credits(pool) + " → " + frame.Credits(pool-taken) + "; still refundable " +
		frame.Credits(p.Refundable) + " → " + frame.Credits(p.Refundable-typed) + "."
	if taken < typed {
		s += " " + frame.InCredits(typed-taken) + " had left the pool: that is written down, and not owed."
	}
	return s + " That share of the price is " + ui.Price(int(math.Round(float64(p.Price)*typed/p.Credits)), p.Currency) + "."
}

// confirmQuestion says what confirming a payment does; pool is nil where it is not known.
func confirmQuestion(p query.PurchaseLine, pool *float64, back string) ui.ConfirmProps {
	into := frame.InCredits(p.Credits) + " go into the pool of " + p.OrganizationName + " at once"
	if pool != nil {
		into += ": " + frame.Credits(*pool) + " → " + frame.Credits(*pool+p.Credits)
	}
	q := ui.ConfirmProps{
		ID: "confirm-" + p.Id, Title: "Confirm the payment of " + priceText(p) + "?", Confirm: "Confirm the payment",
		Text: "Do this once the money has arrived. It was to come under the reference " + ui.Reference(p.Id) + ".",
		Consequences: []string{
			into, "The purchase gets its receipt, with a number",
			"Your name stands beside it, in the audit log of the organization too",
			"What was confirmed by mistake can be refunded, not undone",
		},
		Form:       ui.FormProps{Action: purchasePath(p) + "/confirm", Key: frame.NewOnceKey()},
		CancelHref: frame.Or(back, purchasePath(p)),
	}
	if back != "" {
		q.Form.Hidden = []ui.Hidden{{Name: "return", Value: back}}
	}
	return q
}

func cancelQuestion(v purchaseView) ui.ConfirmProps {
	return ui.ConfirmProps{
		ID: "cancel-purchase", Title: "Cancel this purchase?", Text: "You can order the pack again at any time.", Danger: true,
		Consequences: []string{
			"Nothing has to be paid any more",
			"A payment that is on its way all the same still counts, and brings its credits",
		},
		Form: ui.FormProps{Action: v.path() + "/cancel"}, Confirm: "Cancel the purchase", CancelHref: v.path(),
	}
}

// whyNotBuy says why the reader cannot buy, and whom to ask; empty when they can.
func whyNotBuy(o query.OrganizationHead) (title, text string) {
	switch {
	case o.ViewerCan.Allocate: // the owner, while the organization is active
		return "", ""
	case isOwner(o):
		return "Nothing can be bought now.", "That is possible as soon as " + o.Name + " is active."
	}
	return "Only the owner can buy.", "Ask " + o.Owner.DisplayName + ", who owns " + o.Name + "."
}

// howPaid is how packs are paid on this install.
func howPaid(way string) string {
	if way == "stripe" {
		return "You pay at Stripe, by card or what else your country offers. The credits are in the pool as soon as the payment is through."
	}
	return "You pay whoever runs this install. An operator confirms the payment here, and the credits are in the pool."
}

func purchaseCrumbs(v purchaseView) []ui.Crumb {
	if v.Operated {
		return []ui.Crumb{{Text: "Platform", Href: "/operator"}, {Text: "Purchases", Href: "/operator/purchases"}}
	}
	return append(creditCrumbs(v.Org.OrganizationHead), ui.Crumb{Text: "Purchases", Href: "/orgs/" + v.Org.Id + "/purchases"})
}

func creditCrumbs(o query.OrganizationHead) []ui.Crumb {
	return append(orgCrumbs(o), ui.Crumb{Text: "Credits", Href: "/orgs/" + o.Id + "/credits"})
}

// operatorPurchasesEmpty says that there is none of a state.
func operatorPurchasesEmpty(status string) string {
	switch status {
	case "":
		return "No purchase waits for its payment. What organizations order will appear here until you confirm it."
	case "all":
		return "Nothing was bought yet. What organizations order will appear here."
	}
	return "No purchase is " + strings.ToLower(purchaseStatuses[query.PurchaseStatus(status)].Text) + "."
}
