package run

import (
	"bytes"
	"encoding/json"
	"fmt"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// The bounds of what flows between nodes, in bytes as JSON.
const (
	// maxOutput is what a node may yield, maxValues how many values.
	maxOutput = 8 << 20
	maxValues = 1_000_000
	// maxInput is what the nodes that feed a node may have yielded together.
	maxInput = nodegraph.MaxFed
	// maxState is what a component keeps: its graph with all that its nodes yielded.
	maxState = 16 << 20
	// maxTransactionBytes is what a transaction goes on with: beyond it nodes wait for another.
	maxTransactionBytes = 16 << 20
	// maxFedInline is what may feed a node that is done within a transaction.
	maxFedInline = 1 << 20
)

// largeWork are the places in a process for nodes that more feeds than maxFedInline:
// what they build takes several times as much memory.
var largeWork = make(chan struct{}, 2)

// maxFed is what feeds all nodes of a run together, each value counted as often as it
// feeds one. Tests lower it.
var maxFed = nodegraph.MaxFedInRun

// storable is an output as the database takes it: JSON without NUL characters,
// neither too large nor nested too deeply. size is its length.
func storable(out kit.Output) (data nodegraph.Data, size int, err error) {
	switch measured := models.SizeOfJSON(map[string]any(out), models.JSONSize{Bytes: maxOutput + maxOutput/4, Values: maxValues}); {
	case measured.Values > maxValues:
		return nil, 0, errTooLarge("The node's result has more than %d values", maxValues)
	case measured.Bytes > maxOutput+maxOutput/4: // a few bytes too many are counted
		return nil, 0, errTooLarge("The node's result is larger than %d MiB", maxOutput>>20)
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil, 0, &kit.Failure{Message: "The node's result cannot be stored", Hint: "Change its settings and run it again."}
	}
	if len(b) > maxOutput {
		return nil, 0, errTooLarge("The node's result is larger than %d MiB", maxOutput>>20)
	}
	if models.CheckJSONDepth(b) != nil {
		return nil, 0, &kit.Failure{
			Message: fmt.Sprintf("The node's result nests deeper than %d levels", models.MaxJSONDepth),
			Hint:    "Pass on a part of it, for example with json-query.",
		}
	}
	if err := models.ReadJSON(withoutNUL(b), &data); err != nil || data == nil {
		return nil, 0, err
	}
	return data, len(b), nil
}

func errRunFedTooMuch() error {
	return errTooLarge("What feeds the nodes of the run is larger than %d MiB together", maxFed>>20)
}

func errTooLarge(format string, args ...any) error {
	return &kit.Failure{Message: fmt.Sprintf(format, args...), Hint: "Work on less at once, or cut it into parts before."}
}

// withoutNUL takes the escapes of NUL out of a JSON text.
func withoutNUL(b []byte) []byte {
	if !bytes.Contains(b, []byte(`\u0000`)) {
		return b
	}
	clean := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' {
			clean = append(clean, b[i])
			continue
		}
		if !bytes.HasPrefix(b[i:], []byte(`\u0000`)) {
			clean = append(clean, b[i], b[i+1])
			i++
			continue
		}
		i += len(`\u0000`) - 1
	}
	return clean
}

// inputBytes is how large the outputs are that feed a node; ok says whether it
// may work on them.
func (e *Execution) inputBytes(before []string) (size int, ok bool) {
	ok = true
	for _, id := range before {
		if source := e.known[id]; source != nil {
			size += source.OutputSize
			ok = ok && (source.OutputData != nil || source.OutputSize == 0)
		}
	}
	return size, ok && size <= maxInput
}
