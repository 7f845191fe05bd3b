package locale

import (
	"fmt"
	"strconv"
	"strings"
)

// fill puts arguments and terms into a message. What a message asks for and does not get is left out.
func (r reader) fill(message string, args []any) string {
	if !strings.ContainsAny(message, "%{") {
		return message
	}
	var b strings.Builder
	r.pieces(message, args, func(s string) { b.WriteString(s) }, func(arg any) { b.WriteString(r.write(arg)) })
	return b.String()
}

// pieces calls text for what the message says itself, and put for each argument and term in its place.
func (r reader) pieces(message string, args []any, text func(string), put func(any)) {
	next := 0
	for message != "" {
		at := strings.IndexAny(message, "%{")
		if at < 0 {
			text(message)
			return
		}
		before := message[:at]
		message = message[at:]
		if _, index, ok := verb(message); ok && message[0] == '%' && r.language.elide != nil {
			if index < 0 {
				index = next
			}
			if arg, isText := argument(args, index); isText {
				before = r.language.elide(before, arg)
			}
		}
		text(before)
		if message[0] == '{' {
			end := strings.IndexByte(message, '}')
			if end > 0 {
				if word, known := r.term(message[1:end]); known {
					put(word)
					message = message[end+1:]
					continue
				}
			}
			text("{")
			message = message[1:]
			continue
		}
		length, index, ok := verb(message)
		if !ok {
			text("%")
			message = message[1:]
			message = strings.TrimPrefix(message, "%")
			continue
		}
		if index >= 0 {
			next = index
		}
		if next < len(args) {
			put(args[next])
		}
		next++
		message = message[length:]
	}
}

// argument is a text among the arguments.
func argument(args []any, at int) (text string, ok bool) {
	if at < len(args) {
		text, ok = args[at].(string)
	}
	return text, ok
}

// verb reads %s, %d, %[2]s and %[2]d at the beginning of a message; the index is -1 where none is named.
func verb(message string) (length, index int, ok bool) {
	at := 1
	index = -1
	if at < len(message) && message[at] == '[' {
		end := strings.IndexByte(message, ']')
		if end < 0 {
			return 0, 0, false
		}
		n, err := strconv.Atoi(message[at+1 : end])
		if err != nil || n < 1 {
			return 0, 0, false
		}
		index, at = n-1, end+1
	}
	if at < len(message) && (message[at] == 's' || message[at] == 'd') {
		return at + 1, index, true
	}
	return 0, 0, false
}

// write is an argument as the reader's language writes it.
func (r reader) write(arg any) string {
	switch v := arg.(type) {
	case string:
		return r.isolated(v)
	case int:
		return r.language.numbers.whole(int64(v))
	case int32:
		return r.language.numbers.whole(int64(v))
	case int64:
		return r.language.numbers.whole(v)
	case float64:
		return r.language.numbers.amount(v)
	}
	return r.isolated(fmt.Sprint(arg))
}

// isolated keeps a text of unknown direction from turning what stands around it, where the page is written from right
// to left.
func (r reader) isolated(s string) string {
	if r.language.RTL && s != "" {
		return "\u2068" + s + "\u2069"
	}
	return s
}
