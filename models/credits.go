package models

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
)

// Credits is an amount of money in thousandths of a credit. It is an integer
// everywhere inside; outside it is a JSON number with at most three decimals.
type Credits int64

// Credit is one whole credit.
const Credit Credits = 1000

// MaxCredits bounds every single amount that a caller may name: a billion credits.
const MaxCredits = 1_000_000_000 * Credit

// ParseCredits reads a decimal number exactly; more than three decimals, an
// exponent that hides them, or a size beyond MaxCredits is an error.
func ParseCredits(s string) (Credits, error) {
	if len(s) > 40 {
		return 0, fmt.Errorf("is too long for an amount")
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		if exponent, err := strconv.Atoi(s[i+1:]); err != nil || exponent > 12 || exponent < -12 {
			return 0, fmt.Errorf("is out of range")
		}
	}
	value, ok := new(big.Rat).SetString(s)
	if !ok || strings.ContainsAny(s, "/_xXpPbBoO") {
		return 0, fmt.Errorf("must be a number")
	}
	value.Mul(value, big.NewRat(int64(Credit), 1))
	if !value.IsInt() {
		return 0, fmt.Errorf("must have at most three decimals")
	}
	if value.Num().CmpAbs(big.NewInt(int64(MaxCredits))) > 0 {
		return 0, fmt.Errorf("must be at most %s", MaxCredits)
	}
	return Credits(value.Num().Int64()), nil
}

// String is the shortest decimal notation: 12, 0.5, -3.125.
func (c Credits) String() string {
	sign, n := "", int64(c)
	if n < 0 {
		sign, n = "-", -n
	}
	s := strconv.FormatInt(n/1000, 10)
	if rest := n % 1000; rest != 0 {
		s += "." + strings.TrimRight(fmt.Sprintf("%03d", rest), "0")
	}
	return sign + s
}

func (c Credits) MarshalJSON() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalJSON reads a number exactly, without a float in between.
func (c *Credits) UnmarshalJSON(b []byte) error {
	v, err := ParseCredits(string(b))
	if err != nil {
		return err
	}
	*c = v
	return nil
}

func (c Credits) MarshalGQL(w io.Writer) { io.WriteString(w, c.String()) }

// UnmarshalGQL reads a GraphQL Float, a literal or a variable.
func (c *Credits) UnmarshalGQL(v any) error {
	text := ""
	switch n := v.(type) {
	case json.Number:
		text = n.String()
	case float64:
		text = strconv.FormatFloat(n, 'f', -1, 64)
	case int:
		text = strconv.Itoa(n)
	case int64:
		text = strconv.FormatInt(n, 10)
	default:
		return fmt.Errorf("must be a number")
	}
	parsed, err := ParseCredits(text)
	if err != nil {
		return err
	}
	*c = parsed
	return nil
}
