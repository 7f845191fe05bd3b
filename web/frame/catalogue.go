package frame

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"atelier/web/locale"
	"atelier/web/query"
)

// The words of the node catalogue come as data, in English. An answer that has them is brought into the reader's language
// here, before a page sees it, so that every page calls a node, its fields and their choices the same; /v1 and GraphQL stay
// as they are.

// The contexts of the catalogue's messages, by which scripts/messages gathers them.
const (
	nodeWord   = "node"       // what a type is called, and what it does
	fieldWord  = "field"      // titles and descriptions of fields
	choiceWord = "choice of " // a field, which is named: what it is chosen from
)

// sayCatalogue writes the catalogue of an answer in the reader's language.
func sayCatalogue(ctx context.Context, answer any) {
	switch answer := answer.(type) {
	case interface{ GetNodeTypes() []query.NodeKind }:
		kinds := answer.GetNodeTypes()
		for i := range kinds {
			sayKind(ctx, &kinds[i])
		}
	case interface{ GetNodeTypes() []query.NodeLabel }:
		kinds := answer.GetNodeTypes()
		for i := range kinds {
			kinds[i].Label = locale.Word(ctx, nodeWord, kinds[i].Label)
		}
	case *query.MakePageResponse:
		sayKind(ctx, &answer.NodeType)
	case *query.MakeFormResponse:
		sayKind(ctx, &answer.NodeType)
	}
}

func sayKind(ctx context.Context, k *query.NodeKind) {
	k.Label, k.Description = locale.Word(ctx, nodeWord, k.Label), locale.Word(ctx, nodeWord, k.Description)
	k.InputSchema = saidSchema(ctx, k.InputSchema)
}

// saidSchemas are the schemas in other languages: the same few for every request of an install.
var saidSchemas sync.Map // of schemaKey to json.RawMessage

type schemaKey struct{ language, schema string }

func saidSchema(ctx context.Context, raw json.RawMessage) json.RawMessage {
	key := schemaKey{locale.Of(ctx).Code, string(raw)}
	if known, ok := saidSchemas.Load(key); ok {
		said, _ := known.(json.RawMessage)
		return said
	}
	said := sayFields(ctx, raw)
	saidSchemas.Store(key, said)
	return said
}

// sayFields writes the titles and descriptions of a schema's fields in the reader's language. A field with choices gets
// x-words, what those are called that are not called by their value. All else stays as it is.
func sayFields(ctx context.Context, raw json.RawMessage) json.RawMessage {
	var whole, fields map[string]json.RawMessage
	if json.Unmarshal(raw, &whole) != nil || json.Unmarshal(whole["properties"], &fields) != nil {
		return raw
	}
	for name, content := range fields {
		var field map[string]json.RawMessage
		var shown struct {
			Title, Description string
			Enum               []any
		}
		if json.Unmarshal(content, &field) != nil || json.Unmarshal(content, &shown) != nil {
			continue
		}
		if shown.Title != "" {
			field["title"] = rawOf(locale.Word(ctx, fieldWord, shown.Title))
		}
		if shown.Description != "" {
			field["description"] = rawOf(sayHint(ctx, shown.Description))
		}
		if words := sayChoices(ctx, name, shown.Enum); len(words) > 0 {
			field["x-words"] = rawOf(words)
		}
		fields[name] = rawOf(field)
	}
	whole["properties"] = rawOf(fields)
	return rawOf(whole)
}

// sayHint is the description of a field. What an install adds to it, such as the names of its models, stands behind the
// first sentences and stays as it is.
func sayHint(ctx context.Context, hint string) string {
	if said := locale.Word(ctx, fieldWord, hint); said != hint {
		return said
	}
	for at := len(hint) - 2; at > 0; at-- {
		if hint[at] == '.' && hint[at+1] == ' ' {
			if said := locale.Word(ctx, fieldWord, hint[:at+1]); said != hint[:at+1] {
				return said + hint[at+1:]
			}
		}
	}
	return hint
}

// sayChoices are what those choices of a field are called that are not called by their value.
func sayChoices(ctx context.Context, field string, choices []any) map[string]string {
	out := map[string]string{}
	for _, choice := range choices {
		if text, ok := choice.(string); ok {
			if word := choiceNamed(ctx, field, text); word != text {
				out[text] = word
			}
		}
	}
	return out
}

// choiceIsWord tells a choice that is a word from a size, a proportion or a sign.
var choiceIsWord = regexp.MustCompile(`^[a-z]{2,}(-[a-z]+)*$`)

// languageChoices are the languages that the speech program speaks, by its tags.
var languageChoices = map[string]string{
	"en-us": "English (America)", "en-gb": "English (Great Britain)", "de": "German", "fr-fr": "French", "es": "Spanish", "it": "Italian",
	"pt-br": "Portuguese (Brazil)", "nl": "Dutch", "pl": "Polish", "sv": "Swedish", "da": "Danish", "nb": "Norwegian", "fi": "Finnish",
	"cs": "Czech", "hu": "Hungarian", "ro": "Romanian", "el": "Greek", "tr": "Turkish", "uk": "Ukrainian", "ru": "Russian", "ar": "Arabic",
	"hi": "Hindi", "zh": "Chinese",
}

// choiceNamed is what a choice of a field is called: zoom-in is Zoom in. What is no word stays as it is.
func choiceNamed(ctx context.Context, field, choice string) string {
	if !choiceIsWord.MatchString(choice) && field != "format" {
		return choice
	}
	switch field {
	case "model":
		return choice
	case "provider":
		return ProviderNamed(ctx, choice)
	case "format":
		if choice == "webm" {
			return "WebM"
		}
		return strings.ToUpper(choice)
	case "speaker":
		return SentenceCase(choice)
	}
	word := locale.Word(ctx, choiceWord+field, choice)
	switch {
	case word != choice:
	case field == "voice" && languageChoices[choice] != "":
		word = languageChoices[choice]
	default:
		word = strings.ReplaceAll(choice, "-", " ")
	}
	return SentenceCase(word)
}

func rawOf(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // of texts and of what was JSON before
	}
	return raw
}
