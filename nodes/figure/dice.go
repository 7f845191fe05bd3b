package figure

import (
	"hash/fnv"
	"math/rand/v2"
)

// dice are the chances of one trait of one figure: each trait has its own, so
// that saying one of them changes no other.
func dice(seed int64, trait string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(trait))
	return rand.New(rand.NewPCG(h.Sum64(), uint64(seed)*0x9e3779b97f4a7c15+7))
}

// pick takes one of a list; words that stand in it more often come more often.
func pick[T any](seed int64, trait string, from ...T) T {
	return from[dice(seed, trait).IntN(len(from))]
}
