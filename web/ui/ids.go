package ui

import "strconv"

// indexed makes an id from a prefix and a position.
func indexed(prefix string, i int) string { return prefix + strconv.Itoa(i) }

// Digits writes a number for an attribute, without separators.
func Digits(n int) string { return strconv.Itoa(n) }
