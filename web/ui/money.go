package ui

import (
	"math/big"
	"strconv"
	"strings"
)

// minorDigits are the currencies whose minor unit is not a hundredth.
var minorDigits = map[string]int{
	"bif": 0, "clp": 0, "djf": 0, "gnf": 0, "isk": 0, "jpy": 0, "kmf": 0, "krw": 0, "mga": 0, "pyg": 0, "rwf": 0, "ugx": 0, "vnd": 0, "vuv": 0,
	"xaf": 0, "xof": 0, "xpf": 0, "bhd": 3, "iqd": 3, "jod": 3, "kwd": 3, "lyd": 3, "omr": 3, "tnd": 3,
}

// currencySigns are the signs that people write before an amount; other currencies are named by their letters.
var currencySigns = map[string]string{
	"usd": "$", "eur": "€", "gbp": "£", "jpy": "¥", "cny": "CN¥", "inr": "₹", "krw": "₩", "cad": "CA$", "aud": "A$", "nzd": "NZ$", "hkd": "HK$",
	"mxn": "MX$", "brl": "R$", "ils": "₪", "vnd": "₫", "twd": "NT$", "php": "₱",
}

func digitsOf(currency string) int {
	if n, ok := minorDigits[strings.ToLower(currency)]; ok {
		return n
	}
	return 2
}

// Price writes an amount in minor units as people write it: "$10.00", "¥1,500", "CHF 10.00".
func Price(minor int, currency string) string {
	digits, sign, n := digitsOf(currency), "", int64(minor)
	if n < 0 {
		sign, n = "−", -n
	}
	s := strconv.FormatInt(n, 10)
	if len(s) <= digits {
		s = strings.Repeat("0", digits-len(s)+1) + s
	}
	whole, part := s[:len(s)-digits], s[len(s)-digits:]
	if part != "" {
		part = "." + part
	}
	return sign + signed(currency, groupThousands(whole)+part)
}

func signed(currency, amount string) string {
	if s, ok := currencySigns[strings.ToLower(currency)]; ok {
		return s + amount
	}
	return strings.ToUpper(currency) + "\u00a0" + amount
}

// PricePer is what one credit costs of so many thousandths at a price in minor units: "$0.018". An amount with more
// than four decimals is told with "about".
func PricePer(minor int, thousandths int64, currency string) string {
	if thousandths <= 0 || minor < 0 {
		return ""
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digitsOf(currency))), nil)
	one := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(int64(minor)), big.NewInt(1000)), new(big.Int).Mul(big.NewInt(thousandths), scale))
	s := one.FloatString(4)
	about := ""
	if exact, ok := new(big.Rat).SetString(s); !ok || exact.Cmp(one) != 0 {
		about = "about "
	}
	whole, part, _ := strings.Cut(s, ".")
	for len(part) > digitsOf(currency) && strings.HasSuffix(part, "0") {
		part = part[:len(part)-1]
	}
	if part != "" {
		part = "." + part
	}
	return about + signed(currency, groupThousands(whole)+part)
}

// Reference is how people quote a thing without a number: the end of its id, "8E04-2A1B".
func Reference(id string) string {
	plain := strings.ReplaceAll(id, "-", "")
	return GroupCode(plain[max(0, len(plain)-8):])
}
