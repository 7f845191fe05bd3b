package models

// MaxJSONDepth is how many objects and lists may lie within each other in JSON
// that enters: bodies, variables, settings, results of nodes.
const MaxJSONDepth = 64

// CheckJSONDepth refuses a text that nests deeper with validation_error, before
// anything is built from it. Its grammar is the parser's to judge.
func CheckJSONDepth(raw []byte) error {
	depth, inString := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++ // what is escaped ends no string
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > MaxJSONDepth {
				return Err(CodeValidation, "The JSON is nested deeper than %d levels", MaxJSONDepth)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}
