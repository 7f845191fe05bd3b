package web

import "strconv"

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// value is *p, or zero.
func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

func sentenceCase(s string) string {
	if s == "" {
		return ""
	}
	return string(s[0]-'a'+'A') + s[1:]
}

// digits is a number for an input, empty for none.
func digits(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
