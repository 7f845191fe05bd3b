package kit

import "atelier/nodes/phrase"

// ComposePrompt is the prompt with the words of the elements that the call uses,
// and what is to be left out with theirs; see phrase.Compose.
func (in *Call) ComposePrompt() (prompt, avoid string) {
	var named []phrase.Named
	if in.Refs != nil {
		for _, e := range in.Refs.Elements {
			named = append(named, phrase.Named{Kind: e.Kind, Handle: e.Handle, Words: e.Words, Negative: e.NegativePrompt})
		}
	}
	return phrase.Compose(in.Text("prompt"), named), phrase.Avoid(in.Text("negativePrompt"), named)
}

// ToldElements says for the output how each element went into the result:
// trained, pictures, drawn or words.
func (in *Call) ToldElements(how func(*ElementRef) string) []any {
	told := []any{}
	if in.Refs == nil {
		return told
	}
	for i := range in.Refs.Elements {
		e := &in.Refs.Elements[i]
		told = append(told, map[string]any{"id": e.ID, "kind": e.Kind, "how": how(e)})
	}
	return told
}
