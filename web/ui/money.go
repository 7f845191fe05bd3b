package ui

import (
	"strings"

	"atelier/web/locale"
)

// Price writes an amount in minor units as people write it: "$10.00", "¥1,500", "CHF 10.00".
func Price(minor int, currency string) string { return locale.Price(noReader, minor, currency) }

// PricePer is what one credit costs of so many thousandths at a price in minor units: "$0.018". An amount with more
// than four decimals is told with "about".
func PricePer(minor int, thousandths int64, currency string) string {
	return locale.PricePer(noReader, minor, thousandths, currency)
}

// Reference is how people quote a thing without a number: the end of its id, "8E04-2A1B".
func Reference(id string) string {
	plain := strings.ReplaceAll(id, "-", "")
	return GroupCode(plain[max(0, len(plain)-8):])
}
