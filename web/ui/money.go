package ui

import "strings"

// Reference is how people quote a thing without a number: the end of its id, "8E04-2A1B".
func Reference(id string) string {
	plain := strings.ReplaceAll(id, "-", "")
	return GroupCode(plain[max(0, len(plain)-8):])
}
