package config

import (
	"errors"
	"strconv"
	"strings"
)

// unlimited is the value of a quota that has no end.
const unlimited = "unlimited"

var byteUnits = []struct {
	name  string
	shift int
}{{"TiB", 40}, {"GiB", 30}, {"MiB", 20}, {"KiB", 10}, {"B", 0}}

// parseByteQuota reads a whole number of bytes with its unit; nil is unlimited.
func parseByteQuota(s string) (*int64, error) {
	if s == unlimited {
		return nil, nil
	}
	for _, unit := range byteUnits {
		digits, fits := strings.CutSuffix(s, unit.name)
		if !fits {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n < 0 || n > 1<<20 && unit.shift >= 40 || n > 1<<62>>unit.shift {
			break
		}
		n <<= unit.shift
		return &n, nil
	}
	return nil, errors.New("must be a whole number with B, KiB, MiB, GiB or TiB, such as 5GiB, or unlimited")
}

// parseCountQuota reads a whole number; nil is unlimited.
func parseCountQuota(s string) (*int64, error) {
	if s == unlimited {
		return nil, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return nil, errors.New("must be a whole number, or unlimited")
	}
	return &n, nil
}
