package locale

import "strings"

var accents = strings.NewReplacer("a", "á", "e", "ë", "i", "î", "o", "ö", "u", "ü", "A", "Å", "E", "É", "O", "Ø", "n", "ñ", "c", "ç")

// stretch makes a message longer by half and puts accents on it; verbs, terms and tags stay.
func stretch(message string) string {
	var b strings.Builder
	rest := message
	for rest != "" {
		at := strings.IndexAny(rest, "%{<")
		if at < 0 {
			b.WriteString(accents.Replace(rest))
			break
		}
		b.WriteString(accents.Replace(rest[:at]))
		rest = rest[at:]
		length := 1
		switch rest[0] {
		case '%':
			if n, _, ok := verb(rest); ok {
				length = n
			} else if strings.HasPrefix(rest, "%%") {
				length = 2
			}
		case '{':
			length = 1 + strings.IndexByte(rest, '}')
		case '<':
			length = 1 + strings.IndexByte(rest, '>')
		}
		length = max(1, length)
		b.WriteString(rest[:length])
		rest = rest[length:]
	}
	for n := len(message) / 2; n > 0; n -= len(" lorem") {
		b.WriteString(" lørém")
	}
	return b.String()
}
