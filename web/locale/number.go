package locale

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// numbers is how a language writes numbers.
type numbers struct {
	group, decimal string
	// least is how many digits a number has that is grouped: in Spanish 1284 is not.
	least   int
	percent string // behind the number, with the blank before it
	bytes   [5]string
	// signBehind is whether the sign of a currency follows the amount.
	signBehind bool
}

var (
	binaryUnits    = [5]string{"B", "KiB", "MiB", "GiB", "TiB"}
	englishNumbers = numbers{group: ",", decimal: ".", least: 4, percent: " %", bytes: binaryUnits}
	germanNumbers  = numbers{group: ".", decimal: ",", least: 4, percent: "\u00a0%", bytes: binaryUnits, signBehind: true}
	spanishNumbers = numbers{group: ".", decimal: ",", least: 5, percent: "\u00a0%", bytes: binaryUnits, signBehind: true}
	frenchNumbers  = numbers{group: "\u202f", decimal: ",", least: 4, percent: "\u00a0%", bytes: [5]string{"o", "Kio", "Mio", "Gio", "Tio"}, signBehind: true}
)

const minus = "−"

func (n numbers) grouped(digits string) string {
	if len(digits) < n.least {
		return digits
	}
	var b strings.Builder
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteString(n.group)
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

func (n numbers) whole(v int64) string {
	s := strconv.FormatInt(v, 10)
	if digits, negative := strings.CutPrefix(s, "-"); negative {
		return minus + n.grouped(digits)
	}
	return n.grouped(s)
}

// written is a number that strconv wrote, without zeros at the end of its decimals.
func (n numbers) written(s string) string {
	sign := ""
	if digits, negative := strings.CutPrefix(s, "-"); negative {
		sign, s = minus, digits
	}
	whole, part, _ := strings.Cut(s, ".")
	part = strings.TrimRight(part, "0")
	switch {
	case part != "":
		return sign + n.grouped(whole) + n.decimal + part
	case whole == "0":
		return "0"
	}
	return sign + n.grouped(whole)
}

func (n numbers) amount(f float64) string { return n.written(strconv.FormatFloat(f, 'f', 3, 64)) }

// Count is a whole number with separators: "12,408".
func Count[N int | int32 | int64](ctx context.Context, n N) string {
	return Of(ctx).numbers.whole(int64(n))
}

// Decimal reads a number as people type and copy it, and writes it as strconv reads it: "1.250,5" becomes "1250.5". Where
// both separators stand, the last one is the decimal one; one that stands several times divides thousands. A single one
// with three digits behind it is read as the language writes it: "1,250" is 1250 in English and 1.25 in German. What
// is no number comes back as it is.
func Decimal(ctx context.Context, typed string) string { return Of(ctx).numbers.read(typed) }

func (n numbers) read(typed string) string {
	s := strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "’", "", minus, "-").Replace(typed)
	last := strings.LastIndexAny(s, ",.")
	if last < 0 {
		return s
	}
	decimal := s[last : last+1]
	if group := strings.Trim(",.", decimal); strings.Contains(s, group) {
		if strings.Count(s, decimal) > 1 {
			return typed
		}
		return n.ungrouped(s[:last], group, typed) + "." + s[last+1:]
	}
	if strings.Count(s, decimal) > 1 {
		return n.ungrouped(s, decimal, typed)
	}
	whole, part := strings.TrimLeft(s[:last], "+-"), s[last+1:]
	if decimal == n.group && len(part) == 3 && whole != "" && whole != "0" && len(whole) <= 3 {
		return s[:last] + part
	}
	return s[:last] + "." + part
}

// ungrouped takes the separators of thousands out of digits; typed comes back where they divide something else.
func (n numbers) ungrouped(digits, group, typed string) string {
	parts := strings.Split(digits, group)
	for i, part := range parts {
		if i > 0 && len(part) != 3 || i == 0 && len(strings.TrimLeft(part, "+-")) > 3 {
			return typed
		}
	}
	return strings.Join(parts, "")
}

// Amount is a measured number with at most three decimals and separators.
func Amount(ctx context.Context, f float64) string { return Of(ctx).numbers.amount(f) }

// Credits is thousandths of a credit as credits: "1,284.5".
func Credits(ctx context.Context, thousandths int64) string {
	n := Of(ctx).numbers
	sign, u := "", uint64(thousandths)
	if thousandths < 0 {
		sign, u = minus, -uint64(thousandths)
	}
	s := sign + n.grouped(strconv.FormatUint(u/1000, 10))
	if part := u % 1000; part != 0 {
		s += n.decimal + strings.TrimRight(fmt.Sprintf("%03d", part), "0")
	}
	return s
}

// Share is a share of one: "34 %", "under 1 %".
func Share(ctx context.Context, share float64) string {
	share = min(1, max(0, share))
	percent := Of(ctx).numbers.percent
	if share > 0 && share < 0.01 {
		return T(ctx, "under %s", "1"+percent)
	}
	return strconv.Itoa(int(share*100+0.5)) + percent
}

// Bytes is a size with a binary unit: "1.4 MiB".
func Bytes(ctx context.Context, n int64) string {
	numbers := Of(ctx).numbers
	if n < 1024 {
		return numbers.whole(n) + " " + numbers.bytes[0]
	}
	f := float64(n)
	for i, unit := range numbers.bytes[1:] {
		if f /= 1024; f < 1024 || i == len(numbers.bytes)-2 {
			return strings.Replace(strconv.FormatFloat(f, 'f', 1, 64), ".", numbers.decimal, 1) + " " + unit
		}
	}
	return ""
}

// Duration is a measured time in the unit that a person would use: "812 ms", "4.2 s", "3 min 20 s", "2 h 5 min".
func Duration(ctx context.Context, d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return Of(ctx).numbers.written(strconv.FormatFloat(d.Seconds(), 'f', 1, 64)) + " s"
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// minorDigits are the currencies whose minor unit is not a hundredth.
var minorDigits = map[string]int{
	"bif": 0, "clp": 0, "djf": 0, "gnf": 0, "isk": 0, "jpy": 0, "kmf": 0, "krw": 0, "mga": 0, "pyg": 0, "rwf": 0, "ugx": 0, "vnd": 0, "vuv": 0,
	"xaf": 0, "xof": 0, "xpf": 0, "bhd": 3, "iqd": 3, "jod": 3, "kwd": 3, "lyd": 3, "omr": 3, "tnd": 3,
}

// currencySigns are the signs that people write with an amount; other currencies are named by their letters.
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

// Price is an amount in minor units as people write it: "$10.00", "¥1,500", "CHF 10.00".
func Price(ctx context.Context, minor int, currency string) string {
	numbers := Of(ctx).numbers
	digits, sign, n := digitsOf(currency), "", int64(minor)
	if n < 0 {
		sign, n = minus, -n
	}
	s := strconv.FormatInt(n, 10)
	if len(s) <= digits {
		s = strings.Repeat("0", digits-len(s)+1) + s
	}
	whole, part := s[:len(s)-digits], s[len(s)-digits:]
	if part != "" {
		part = numbers.decimal + part
	}
	return sign + numbers.signed(currency, numbers.grouped(whole)+part)
}

func (n numbers) signed(currency, amount string) string {
	sign, known := currencySigns[strings.ToLower(currency)]
	switch {
	case !known && n.signBehind:
		return amount + "\u00a0" + strings.ToUpper(currency)
	case !known:
		return strings.ToUpper(currency) + "\u00a0" + amount
	case n.signBehind:
		return amount + "\u00a0" + sign
	}
	return sign + amount
}

// PricePer is what one credit costs of so many thousandths at a price in minor units: "$0.018". An amount with more
// than four decimals is told with "about".
func PricePer(ctx context.Context, minor int, thousandths int64, currency string) string {
	if thousandths <= 0 || minor < 0 {
		return ""
	}
	numbers := Of(ctx).numbers
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digitsOf(currency))), nil)
	one := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(int64(minor)), big.NewInt(1000)), new(big.Int).Mul(big.NewInt(thousandths), scale))
	s := one.FloatString(4)
	exact, ok := new(big.Rat).SetString(s)
	whole, part, _ := strings.Cut(s, ".")
	for len(part) > digitsOf(currency) && strings.HasSuffix(part, "0") {
		part = part[:len(part)-1]
	}
	if part != "" {
		part = numbers.decimal + part
	}
	price := numbers.signed(currency, numbers.grouped(whole)+part)
	if !ok || exact.Cmp(one) != 0 {
		return T(ctx, "about %s", price)
	}
	return price
}
