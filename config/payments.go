package config

import (
	"encoding/json"
	"regexp"
	"strings"

	"atelier/models"
)

var paymentVariables = Group{"Payments", []Variable{
	{"PAYMENTS", PaymentsManual, "manual (a platform operator confirms) or stripe",
		into(func(c *Config) *string { return &c.Payments }, oneOf(PaymentsManual, PaymentsStripe))},
	{"STRIPE_SECRET_KEY", "", "needed with PAYMENTS=stripe",
		into(func(c *Config) *string { return &c.StripeSecretKey }, parseText)},
	{"STRIPE_WEBHOOK_SECRET", "", "needed with PAYMENTS=stripe",
		into(func(c *Config) *string { return &c.StripeWebhookSecret }, parseText)},
	{"STRIPE_API_BASE", "https://api.stripe.com", "another one for a test server",
		into(func(c *Config) *string { return &c.StripeAPIBase }, parseBaseURL)},
	{"CREDIT_PACKS", defaultCreditPacks, "JSON array or @file: { id, label, credits, price, currency }, price in minor units",
		fromJSON(func(c *Config) *[]CreditPack { return &c.CreditPacks }, readCreditPacks)},
}}

// CreditPack is what an organization can buy.
type CreditPack struct {
	ID       string
	Label    string
	Credits  models.Credits
	Price    int64  // in minor units
	Currency string // three lower-case letters
}

const defaultCreditPacks = `[` +
	`{"id":"small","label":"Small","credits":500,"price":1000,"currency":"usd"},` +
	`{"id":"medium","label":"Medium","credits":2500,"price":4500,"currency":"usd"},` +
	`{"id":"large","label":"Large","credits":10000,"price":16000,"currency":"usd"}]`

// maxPrice is the most that Stripe takes at once.
const maxPrice = 99_999_999

var currencyForm = regexp.MustCompile(`^[a-z]{3}$`)

func readCreditPacks(r *jsonReader, raw json.RawMessage) []CreditPack {
	var list []CreditPack
	seen := map[string]bool{}
	for _, o := range r.objects(raw) {
		p := CreditPack{ID: o.slug(seen), Label: o.required("label"), Currency: strings.ToLower(o.required("currency"))}
		if o.requiredNumber("credits", &p.Credits, "a number with at most three decimals") && p.Credits <= 0 {
			o.problem(o.at("credits"), "must be above 0")
		}
		if o.requiredNumber("price", &p.Price, "a whole number of minor units") && (p.Price <= 0 || p.Price > maxPrice) {
			o.problem(o.at("price"), "must be above 0 and at most 99999999")
		}
		if p.Currency != "" && !currencyForm.MatchString(p.Currency) {
			o.problem(o.at("currency"), "must be three letters")
		}
		o.finish("CREDIT_PACKS")
		list = append(list, p)
	}
	return list
}
