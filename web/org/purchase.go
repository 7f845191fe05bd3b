package org

import (
	"context"
	"net/http"
	"net/url"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/gorilla/mux"
)

// purchaseView is one purchase as its organization or an operator sees it.
type purchaseView struct {
	Org      query.PurchaseOrganization
	Purchase query.PurchaseDetail
	// Operated is set for operators who are no one in the organization.
	Operated bool
	// Host is the install's, for the receipt.
	Host string
	// HowToPay are the instructions of the install; empty without any.
	HowToPay string
	Form     frame.Form
	// Amount is what was typed to be refunded, Preview what that would do.
	Amount, Preview string
}

// path is the address of the purchase; its pages are below.
func (v purchaseView) path() string { return purchasePath(v.Purchase.PurchaseLine) }

func purchasePath(p query.PurchaseLine) string {
	return "/orgs/" + p.OrganizationId + "/purchases/" + p.Id
}

// owner tells whether the reader owns the organization.
func (v purchaseView) owner() bool { return isOwner(v.Org.OrganizationHead) }

// loadPurchase reads the purchase of the address.
func (c Pages) loadPurchase(r *http.Request) (query.Shell, purchaseView, error) {
	res, err := query.PurchasePage(r.Context(), c.Client, frame.PathID(r), mux.Vars(r)["purchase"])
	if err != nil {
		return query.Shell{}, purchaseView{}, err
	}
	if res.Purchase.OrganizationId != res.Organization.Id {
		return query.Shell{}, purchaseView{}, frame.ErrNotFound
	}
	v := purchaseView{Org: res.Organization, Purchase: res.Purchase, Operated: res.Organization.Role == nil, Form: frame.FormOf(r), Host: c.host(), HowToPay: res.InstallSettings.PaymentInstructions}
	v.Amount = r.FormValue("credits")
	v.Preview = v.preview(r.Context())
	return res.Shell, v, nil
}

// host is the install's address as people say it.
func (c Pages) host() string {
	if address, err := url.Parse(c.Config.PublicURL); err == nil && address.Host != "" {
		return address.Host
	}
	return c.Config.PublicURL
}

func (v purchaseView) page(title string) frame.Page {
	if v.Operated {
		return frame.Page{Title: title, Section: frame.SectionOperator}
	}
	return frame.Page{Title: title, Section: frame.SectionCredits, Org: v.Org.Id}
}

// Purchase is the page of one purchase: what was ordered, how it is paid, what became of it.
func (c Pages) Purchase(w http.ResponseWriter, r *http.Request) error {
	shell, v, err := c.loadPurchase(r)
	if err != nil {
		return err
	}
	return c.Page(w, r, shell, v.page(purchaseTitle(r.Context(), v.Purchase.PurchaseLine)), purchaseContent(v, c.Now()))
}

// Receipt is the receipt of a purchase that was paid, to be printed.
func (c Pages) Receipt(w http.ResponseWriter, r *http.Request) error {
	shell, v, err := c.loadPurchase(r)
	if err != nil {
		return err
	}
	title := t(r.Context(), "Receipt")
	if n := v.Purchase.Number; n != nil {
		title += " " + *n
	}
	return c.Page(w, r, shell, v.page(title), receiptContent(v))
}

// purchaseQuestion asks before something is done with a purchase, for browsers without script.
func (c Pages) purchaseQuestion(w http.ResponseWriter, r *http.Request, question func(context.Context, purchaseView) ui.ConfirmProps, refused string) error {
	shell, v, err := c.loadPurchase(r)
	if err != nil {
		return err
	}
	q := question(r.Context(), v)
	return c.Page(w, r, shell, v.page(q.Title), purchaseQuestionContent(q, refused, v.Form))
}

// AskCancelPurchase asks before a purchase is given up.
func (c Pages) AskCancelPurchase(w http.ResponseWriter, r *http.Request) error {
	return c.purchaseQuestion(w, r, cancelQuestion, t(r.Context(), "The purchase is as it was."))
}

// CancelPurchase gives up a purchase that is not paid.
func (c Pages) CancelPurchase(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.CancelPurchase(r.Context(), c.Client, mux.Vars(r)["purchase"]); err != nil {
		return frame.Again(w, r, err, c.AskCancelPurchase)
	}
	return c.Done(w, "/orgs/"+frame.PathID(r)+"/purchases/"+mux.Vars(r)["purchase"], t(r.Context(), "The purchase is cancelled."))
}

// AskConfirmPurchase says what confirming a payment does.
func (c Pages) AskConfirmPurchase(w http.ResponseWriter, r *http.Request) error {
	return c.purchaseQuestion(w, r, func(at context.Context, v purchaseView) ui.ConfirmProps {
		return confirmQuestion(at, v.Purchase.PurchaseLine, v.Org.OperatorPool, frame.PathOr(returnOf(r), ""))
	}, t(r.Context(), "The payment was not confirmed."))
}

// returnOf is where a question came from, by its address or its form.
func returnOf(r *http.Request) string {
	if r.Method == http.MethodPost {
		return frame.Text(r, "return")
	}
	return r.URL.Query().Get("return")
}

// ConfirmPurchase notes that a purchase was paid.
func (c Pages) ConfirmPurchase(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ConfirmPurchase(r.Context(), c.Client, mux.Vars(r)["purchase"])
	if err != nil {
		return frame.Again(w, r, err, c.AskConfirmPurchase)
	}
	p := res.ConfirmPurchase
	back := frame.Return(r, "/orgs/"+frame.PathID(r)+"/purchases/"+mux.Vars(r)["purchase"])
	return c.Done(w, back, t(r.Context(), "Confirmed: %s went into the pool of %s.", inCredits(r.Context(), p.Credits), p.OrganizationName))
}

// RefundPage asks how many credits of a purchase are taken back.
func (c Pages) RefundPage(w http.ResponseWriter, r *http.Request) error {
	shell, v, err := c.loadPurchase(r)
	if err != nil {
		return err
	}
	return c.Page(w, r, shell, v.page(t(r.Context(), "Refund credits")), refundContent(v))
}

// RefundPreview is the sentence about both sides alone, again while a person types.
func (c Pages) RefundPreview(w http.ResponseWriter, r *http.Request) error {
	_, v, err := c.loadPurchase(r)
	if err != nil {
		return err
	}
	return frame.Write(w, r, http.StatusOK, refundPreview(v))
}

// Refund takes credits of a purchase back from the pool, or shows what that would do.
func (c Pages) Refund(w http.ResponseWriter, r *http.Request) error {
	if frame.Text(r, "step") == "preview" {
		return c.RefundPage(w, r)
	}
	amount, err := frame.Amount(r, "credits")
	if err == nil && amount <= 0 {
		err = frame.Invalid("credits", t(r.Context(), "The amount must be more than zero."))
	}
	if err != nil {
		return frame.Again(w, r, err, c.RefundPage)
	}
	res, err := query.RefundPurchase(r.Context(), c.Client, mux.Vars(r)["purchase"], amount)
	if err != nil {
		return frame.Again(w, r, err, c.RefundPage)
	}
	done := t(r.Context(), "%s refunded.", inCredits(r.Context(), amount))
	if all := res.RefundPurchase.Reversals; len(all) > 0 {
		last := all[len(all)-1]
		done = takenBackSentence(r.Context(), last.Kind, last.Requested, last.Applied)
	}
	return c.Done(w, "/orgs/"+frame.PathID(r)+"/purchases/"+mux.Vars(r)["purchase"], done)
}

// buyView is the page on which packs are chosen.
type buyView struct {
	Org   query.OrganizationHead
	Pool  float64
	Packs []query.Pack
	// Waiting is a purchase that is not paid yet; nil without one.
	Waiting *query.PurchaseLine
	Way     string // manual or stripe
	Form    frame.Form
}

// BuyCredits shows the packs. Anyone who cannot buy reads why, and whom to ask.
func (c Pages) BuyCredits(w http.ResponseWriter, r *http.Request) error {
	res, err := query.BuyCredits(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	org := res.Organization
	v := buyView{Org: org.OrganizationHead, Pool: org.Credits.Pool, Packs: res.CreditPacks, Way: res.Install.Payments, Form: frame.FormOf(r)}
	v.Waiting = waitingPurchase(org.Purchases.Nodes)
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Buy credits"), Section: frame.SectionCredits, Org: org.Id}, buyContent(v))
}

// waitingPurchase is the newest purchase while it waits for its payment.
func waitingPurchase(newest []query.PurchaseLine) *query.PurchaseLine {
	if len(newest) > 0 && newest[0].Status == query.PurchaseStatusPending {
		return &newest[0]
	}
	return nil
}

// Checkout begins the purchase of a pack. Its page says how it is paid and leads there by a link: a form may not lead
// to another site.
func (c Pages) Checkout(w http.ResponseWriter, r *http.Request) error {
	if frame.Text(r, "pack") == "" {
		return frame.Again(w, r, frame.Invalid("packId", t(r.Context(), "Choose a pack.")), c.BuyCredits)
	}
	res, err := query.CheckoutCredits(r.Context(), c.Client, frame.PathID(r), frame.Text(r, "pack"))
	if err != nil {
		return frame.Again(w, r, err, c.BuyCredits)
	}
	return c.Done(w, "/orgs/"+frame.PathID(r)+"/purchases/"+res.CheckoutCredits.Id, t(r.Context(), "Order placed. How to pay is below."))
}

// purchasesView is what was bought for an organization.
type purchasesView struct {
	Org  query.OrganizationHead
	List frame.Listing
	Rows []query.PurchaseLine
}

// Purchases lists what was bought for an organization.
func (c Pages) Purchases(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, "/orgs/"+frame.PathID(r)+"/purchases", 30)
	res, err := query.Purchases(r.Context(), c.Client, frame.PathID(r), list.After())
	if err != nil {
		return err
	}
	org := res.Organization
	list.Loaded(org.Purchases.PageInfo, len(org.Purchases.Nodes), org.Purchases.TotalCount)
	v := purchasesView{Org: org.OrganizationHead, List: list, Rows: org.Purchases.Nodes}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Purchases"), Section: frame.SectionCredits, Org: org.Id}, purchasesContent(v))
}

// operatorPurchasesView is what was bought on the install, in one state or all.
type operatorPurchasesView struct {
	List    frame.Listing
	Status  string // "" for those that wait, "all", or a state
	Waiting int
	Rows    []query.PurchaseLine
}

// OperatorPurchases lists the purchases of all organizations; without a choice those that wait for their payment.
func (c Pages) OperatorPurchases(w http.ResponseWriter, r *http.Request) error {
	v := operatorPurchasesView{List: frame.ListingOf(r, "/operator/purchases", 30)}
	v.Status = v.List.Values.Get("status")
	status := query.PurchaseStatusPending
	only := &status
	switch s := query.PurchaseStatus(v.Status); s {
	case query.PurchaseStatusPaid, query.PurchaseStatusCanceled, query.PurchaseStatusDisputed, query.PurchaseStatusRefunded:
		status = s
	case "all":
		only = nil
	default:
		v.Status = ""
	}
	res, err := query.OperatorPurchases(r.Context(), c.Client, only, v.List.After())
	if err != nil {
		return err
	}
	list := res.OperatorPurchases
	v.List.Loaded(list.PageInfo, len(list.Nodes), list.TotalCount)
	v.Rows, v.Waiting = list.Nodes, res.Waiting.TotalCount
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Purchases"), Section: frame.SectionOperator}, operatorPurchasesContent(v))
}
