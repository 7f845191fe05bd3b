package timetable

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// maxCron bounds an expression, in bytes.
const maxCron = 200

// cronField is one of the five fields: its name to people, and its range.
type cronField struct {
	name      string
	low, high int
}

var cronFields = [5]cronField{
	{"minute", 0, 59}, {"hour", 0, 23}, {"day of month", 1, 31}, {"month", 1, 12}, {"day of week", 0, 7},
}

// cron is an expression as sets of bits. Every field must match, day of month
// and day of week both (contract 2, "Trigger endpoints" 8).
type cron struct{ minutes, hours, days, months, weekdays uint64 }

// parseCron reads five fields of lists, ranges and steps. There are no names and
// no shorthands such as @daily; 7 is Sunday like 0. The error is a part of a
// sentence: what is wrong with the expression.
func parseCron(text string) (c cron, err error) {
	if len(text) > maxCron {
		return c, fmt.Errorf("may have at most %d characters", maxCron)
	}
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' })
	if len(fields) == 0 {
		return c, fmt.Errorf("is missing")
	}
	if len(fields) != len(cronFields) {
		return c, fmt.Errorf("must have five fields (minute, hour, day of month, month, day of week), not %d", len(fields))
	}
	var sets [5]uint64
	for i, field := range cronFields {
		if sets[i], err = field.parse(fields[i]); err != nil {
			return c, err
		}
	}
	const sunday7 = 1 << 7
	if sets[4]&sunday7 != 0 {
		sets[4] = sets[4]&^sunday7 | 1
	}
	return cron{sets[0], sets[1], sets[2], sets[3], sets[4]}, nil
}

// parse reads a list of items.
func (f cronField) parse(text string) (set uint64, err error) {
	for item := range strings.SplitSeq(text, ",") {
		low, high, step, err := f.item(item)
		if err != nil {
			return 0, err
		}
		for value := low; value <= high; value += step {
			set |= 1 << value
		}
	}
	return set, nil
}

// item reads *, 5, 1-5 and each of them with a step; 5/15 starts at 5.
func (f cronField) item(text string) (low, high, step int, err error) {
	values, steps, stepped := strings.Cut(text, "/")
	first, last, ranged := strings.Cut(values, "-")
	switch {
	case values == "*":
		low, high = f.low, f.high
		if f.high == 7 {
			high = 6 // each weekday once
		}
	default:
		if low, err = f.number(first); err != nil {
			return 0, 0, 0, err
		}
		high = low
		if ranged {
			if high, err = f.number(last); err != nil {
				return 0, 0, 0, err
			}
		} else if stepped {
			high = f.high
		}
		if high < low {
			return 0, 0, 0, fmt.Errorf("has a range that ends before it begins in its %s: %s", f.name, short(values))
		}
	}
	step = 1
	if stepped {
		if step, err = digits(steps); err != nil || step < 1 || step > f.high {
			return 0, 0, 0, fmt.Errorf("has a step in its %s that is not a number from 1 to %d: %s", f.name, f.high, short(steps))
		}
	}
	return low, high, step, nil
}

func (f cronField) number(text string) (int, error) {
	n, err := digits(text)
	if err != nil || n < f.low || n > f.high {
		return 0, fmt.Errorf("has a %s that is not from %d to %d: %s", f.name, f.low, f.high, short(text))
	}
	return n, nil
}

// digits reads one or two digits, and nothing else.
func digits(text string) (int, error) {
	if len(text) < 1 || len(text) > 2 || strings.Trim(text, "0123456789") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.Atoi(text)
}

// short quotes what a person wrote.
func short(text string) string {
	if len(text) > 20 {
		text = strings.ToValidUTF8(text[:20], "") + "…"
	}
	return strconv.Quote(strings.ToValidUTF8(text, "?"))
}

// full tells whether a set has every value of a field.
func full(set uint64, low, high int) bool { return bits.OnesCount64(set) == high-low+1 }
