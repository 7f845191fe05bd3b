package nodes

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"atelier/nodes/kit"
)

var summarizeTextNode = &kit.Node{
	Type: "summarize-text", Label: "Summarize text", Category: "text", OutputType: "text",
	Description:  "Picks the sentences of a text that say the most, word for word and in their order. It writes no sentences of its own.",
	Capabilities: []string{"text", "extractive-summary"},
	InputSchema: kit.Object(
		kit.Area("text", "Text", "The text to shorten.").Required(),
		kit.Integer("sentences", "Sentences", "How many to keep.", 1, 50).Or(3.0),
	),
	MainInput: "text", MainOutput: "text", Inline: true, Pool: kit.Program,
	Run: summarizeText,
}

// maxSentences bounds the pairs of sentences that are compared.
const maxSentences = 2_000

func summarizeText(ctx context.Context, in *kit.Call) (kit.Output, error) {
	all := kit.Sentences(in.Text("text"), maxSentences)
	kept := keySentences(all, in.Integer("sentences"))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out, err := textOutput(strings.Join(kept, " "))
	if err == nil {
		out["method"], out["sentences"] = "extractive", len(kept)
	}
	return out, err
}

// keySentences ranks sentences the way pages are ranked by their links
// (TextRank): two sentences are linked by the rare words that they share.
func keySentences(all []string, count int) []string {
	if len(all) <= count {
		return all
	}
	scores := rank(similarities(all))
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	chosen := order[:count]
	slices.Sort(chosen)
	kept := make([]string, count)
	for i, at := range chosen {
		kept[i] = all[at]
	}
	return kept
}

// similarities is how much each pair of sentences shares; common words weigh little.
func similarities(all []string) [][]float64 {
	counts, having := make([]int, len(all)), map[string][]int{}
	for i, s := range all {
		for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if at := having[w]; len(w) > 2 && (len(at) == 0 || at[len(at)-1] != i) {
				having[w] = append(at, i)
				counts[i]++
			}
		}
	}
	links := make([][]float64, len(all))
	for i := range links {
		links[i] = make([]float64, len(all))
	}
	for _, w := range slices.Sorted(maps.Keys(having)) { // in one order, for sums of fractions depend on it
		weight := math.Log(1 + float64(len(all))/float64(len(having[w])))
		for n, i := range having[w] {
			for _, j := range having[w][:n] {
				links[i][j] += weight
			}
		}
	}
	for i := range links {
		for j, shared := range links[i][:i] {
			if shared > 0 {
				shared /= math.Log(float64(counts[i]+1)) + math.Log(float64(counts[j]+1))
			}
			links[i][j], links[j][i] = shared, shared
		}
	}
	return links
}

// rank spreads weight along the links until it settles.
func rank(links [][]float64) []float64 {
	scores, sums := make([]float64, len(links)), make([]float64, len(links))
	for i, row := range links {
		scores[i] = 1
		for _, v := range row {
			sums[i] += v
		}
	}
	for range 20 {
		next := make([]float64, len(links))
		for i, row := range links {
			for j, v := range row {
				if sums[j] > 0 {
					next[i] += v / sums[j] * scores[j]
				}
			}
			next[i] = 0.15 + 0.85*next[i]
		}
		scores = next
	}
	return scores
}
