package provider

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Kind is what a failed request means for what may be done next.
type Kind string

const (
	// Busy took nothing on, and may be asked again after Wait: 429, 503, or no
	// connection at all.
	Busy Kind = "busy"
	// Denied refuses the key, or the account behind it has nothing left to spend.
	Denied Kind = "denied"
	// Refused will not do this work, no matter who asks.
	Refused Kind = "refused"
	// Broken answered that it failed.
	Broken Kind = "broken"
	// Unreadable answered in a form that no one understands.
	Unreadable Kind = "unreadable"
	// Uncertain gave no whole answer: the work may have been done or not.
	Uncertain Kind = "uncertain"
)

// Trouble is a request that came to nothing.
type Trouble struct {
	Kind   Kind
	Status int // 0 without an answer
	// Message is the service's own, cleaned of control characters and of the
	// key; empty when it said nothing that helps.
	Message string
	// Wait is how long the service asked to be left alone, 0 when it did not say.
	Wait time.Duration
}

// Error names neither address nor key.
func (t *Trouble) Error() string { return fmt.Sprintf("provider: %s (status %d)", t.Kind, t.Status) }

func kindOf(status int, code string) Kind {
	switch {
	case status == 401 || status == 402 || status == 403 || code == "insufficient_quota":
		return Denied
	case status == 429 || status == 503:
		return Busy
	case status >= 400 && status < 500:
		return Refused
	}
	return Broken
}

// maxWait bounds what a service may ask for.
const maxWait = 5 * time.Minute

// waitOf reads Retry-After in its form of seconds.
func waitOf(header string) time.Duration {
	seconds, err := strconv.Atoi(strings.TrimSpace(header))
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(min(seconds, 3600))*time.Second, maxWait)
}

// maxMessage bounds what is shown of a service's words, in characters.
const maxMessage = 300

// clean is a service's message as it may be shown.
func clean(message, key string) string {
	if key != "" {
		message = strings.ReplaceAll(message, key, "…")
	}
	message = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(message, " "))
	message = strings.Join(strings.Fields(message), " ")
	if short := []rune(message); len(short) > maxMessage {
		message = string(short[:maxMessage]) + "…"
	}
	return message
}
