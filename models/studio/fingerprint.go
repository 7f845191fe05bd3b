package studio

import (
	"crypto/sha256"
	"encoding/hex"

	"atelier/models"
	"atelier/models/nodegraph"
)

// fingerprint is one of everything that decides what a stage of a shot yields: its nodes, what they
// use, and the fingerprints of what feeds it. A result that was made by another one is stale.
func (f *film) fingerprint(st *step, before map[StageName]string) (string, error) {
	fed := []string{string(st.stage)}
	for _, from := range resultStages {
		if st.takes[from] != "" || st.sound != nil && from == SpeechStage {
			fed = append(fed, string(from), st.takes[from], before[from])
		}
	}
	return f.sum(st.nodes(), fed)
}

// filmFingerprint is that of the film that is cut of clips, in the order in which they play.
func (f *film) filmFingerprint(clips map[models.ID]string) (string, error) {
	var all nodegraph.Nodes
	var fed []string
	for _, c := range f.cuts {
		all = append(all, c.node)
		for _, shot := range c.clips {
			fed = append(fed, clips[shot.ID])
		}
	}
	return f.sum(all, fed)
}

// sum hashes what decides what nodes yield, and texts; each with its length, so that nothing runs together.
func (f *film) sum(all nodegraph.Nodes, texts []string) (string, error) {
	hash := sha256.New()
	add := func(part []byte) {
		size := len(part)
		hash.Write([]byte{byte(size >> 24), byte(size >> 16), byte(size >> 8), byte(size)})
		hash.Write(part)
	}
	for _, node := range all {
		facts, err := f.examined.Facts(node)
		if err != nil {
			return "", err
		}
		add(facts)
	}
	for _, text := range texts {
		add([]byte(text))
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
