package atelier

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Output is what a node made.
type Output struct {
	NodeID string
	// URL is the address of a file, Text a text; Data is everything, for nodes that make neither.
	URL, Text string
	Data      map[string]any
}

// MainOutput is the result of an app's run: what its thumbnail node made, else what the last node did that made anything.
func MainOutput(app *App, run *Run) (Output, bool) {
	if node := text(app.ThumbnailNodeID); node != "" {
		return OutputOf(node, run.Execution.NodeStates[node])
	}
	all := Outputs(app, run)
	if len(all) == 0 {
		return Output{}, false
	}
	return all[len(all)-1], true
}

// Outputs is what the nodes of an app's run made, in the order of the app's nodes.
func Outputs(app *App, run *Run) []Output {
	var all []Output
	for _, node := range app.SnapshotNodes {
		if output, ok := OutputOf(node.ID, run.Execution.NodeStates[node.ID]); ok {
			all = append(all, output)
		}
	}
	return all
}

// OutputsOf is what the nodes of an execution made, by their ids.
func OutputsOf(states map[string]NodeState) []Output {
	var all []Output
	for id, state := range states {
		if output, ok := OutputOf(id, state); ok {
			all = append(all, output)
		}
	}
	slices.SortFunc(all, func(a, b Output) int { return strings.Compare(a.NodeID, b.NodeID) })
	return all
}

// OutputOf is what one node made, if it made anything.
func OutputOf(node string, state NodeState) (Output, bool) {
	if len(state.Output) == 0 {
		return Output{}, false
	}
	output := Output{NodeID: node, Data: state.Output}
	for _, key := range []string{"url", "imageUrl", "videoUrl", "audioUrl", "resultUrl"} {
		if address, ok := state.Output[key].(string); ok && address != "" {
			output.URL = address
			return output, true
		}
	}
	output.Text, _ = state.Output["text"].(string)
	return output, true
}

// Download writes a file of the service to w. The address alone opens it: no token is sent.
func (c *Client) Download(ctx context.Context, address string, w io.Writer) (int64, error) {
	to, err := url.Parse(address)
	if err != nil {
		return 0, err
	}
	base, _ := url.Parse(c.base)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base.ResolveReference(to).String(), nil)
	if err != nil {
		return 0, err
	}
	request.Header.Set("User-Agent", "atelier-go/"+Version)
	response, err := c.http.Do(request)
	if err != nil {
		return 0, err
	}
	defer closeBody(response)
	if response.StatusCode != http.StatusOK {
		return 0, readError(response)
	}
	n, err := io.Copy(w, response.Body)
	if err == nil && response.ContentLength >= 0 && n != response.ContentLength {
		err = fmt.Errorf("%d of %d bytes came", n, response.ContentLength)
	}
	return n, err
}
