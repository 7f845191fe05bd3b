package nodes

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"strings"

	"atelier/nodes/provider"
)

// predict has Replicate make a file of a kind (image, video or audio) and keeps it.
func (in *Call) predict(ctx context.Context, model Model, kind string, input map[string]any) (Output, error) {
	return in.predictWith(ctx, model, kind, func(*loan) (map[string]any, error) { return input, nil })
}

// predictWith is predict for inputs that need files to be lent.
func (in *Call) predictWith(ctx context.Context, model Model, kind string, input func(*loan) (map[string]any, error)) (Output, error) {
	made, err := in.predicted(ctx, model, input)
	if err != nil {
		return nil, err
	}
	return in.keepResult(ctx, errandOf(in.State), model, kind, made)
}

// predicted has Replicate make something, and returns the prediction that has succeeded.
// Between its steps it holds no worker: it is made, then asked for, each in a
// call of its own.
func (in *Call) predicted(ctx context.Context, model Model, input func(*loan) (map[string]any, error)) (*provider.Prediction, error) {
	e := errandOf(in.State)
	if e == nil || e.ID == "" {
		return nil, in.makePrediction(ctx, model, input)
	}
	found, err := in.providers.Replicate.Find(ctx, e.ID)
	if err != nil {
		return nil, in.askAgain(e, err)
	}
	switch {
	case found.Status == "succeeded":
		in.takeBack(ctx, e)
		return found, nil
	case found.Ended():
		in.takeBack(ctx, e)
		return nil, failf("%s ended the work as %s%s", replicateName, word(found.Status), colon(found.Message())).
			hint("Nothing was charged. Change the prompt or the settings, and run it again.")
	}
	if found.Status == "processing" {
		in.progress(30)
	}
	return nil, in.wait(e)
}

// word is a status as it may be shown.
func word(status string) string {
	if len(status) > 20 || strings.ContainsFunc(status, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return "something unknown"
	}
	return status
}

func (in *Call) makePrediction(ctx context.Context, model Model, input func(*loan) (map[string]any, error)) error {
	all := maps.Clone(model.Input)
	if all == nil {
		all = map[string]any{}
	}
	return in.onceWithFiles(ctx, input, func(e *errand, fields map[string]any) error {
		maps.Copy(all, fields)
		made, err := in.providers.Replicate.Create(ctx, e.Key, model.ID, all)
		if err != nil {
			return err
		}
		e.ID, e.Tries = made.ID, 0
		return e.pause(in, firstPoll)
	})
}

// wait asks again later, less often the longer it takes. Past the deadline the
// node fails, and the work may still be asked for.
func (in *Call) wait(e *errand) error {
	waited, most := in.Now.Sub(e.Since), e.deadline()
	if waited > most && !in.Late {
		late := failf("%s did not finish within %d minutes", e.Provider, int(most.Minutes())).
			hint("Nothing was charged. Should the result still come, the job completes with it.")
		late.Late = e.state()
		return late
	}
	return e.pause(in, min(max(firstPoll, waited/10), longestPoll))
}

// askAgain goes on waiting after an answer of no use: asking changes nothing.
func (in *Call) askAgain(e *errand, err error) error {
	var trouble *provider.Trouble
	if !errors.As(err, &trouble) {
		return err
	}
	if trouble.Kind == provider.Refused {
		return failf("%s does not know the work any more%s", e.Provider, colon(trouble.Message)).hint("Nothing was charged. Run it again.")
	}
	e.Tries++
	return in.wait(e)
}

// mostFetches is how often a finished file is fetched before giving up.
const mostFetches = 5

// keepResult fetches the file that a prediction made, and keeps it.
func (in *Call) keepResult(ctx context.Context, e *errand, model Model, kind string, found *provider.Prediction) (Output, error) {
	results := found.Results()
	if len(results) == 0 || results[0] == "" {
		return nil, remoteFailure(replicateName, &provider.Trouble{Kind: provider.Unreadable})
	}
	in.progress(90)
	out, err := in.keepFile(ctx, results[0], kind)
	var failure *Failure
	if errors.As(err, &failure) && e.Tries < mostFetches && !strings.HasPrefix(results[0], "data:") {
		e.Tries++
		return nil, e.pause(in, backoff(e.Tries))
	}
	if err != nil {
		return nil, err
	}
	out["provider"], out["model"] = replicateName, model.ID
	return out, nil
}

// keepFile keeps what lies at an address that a provider named: within the
// address itself, on the provider's own host, or in public.
func (in *Call) keepFile(ctx context.Context, address, kind string) (Output, error) {
	switch {
	case strings.HasPrefix(address, "data:"):
		_, encoded, found := strings.Cut(address, ";base64,")
		content, err := base64.StdEncoding.DecodeString(encoded)
		if !found || err != nil {
			return nil, failf("The result of %s cannot be read", replicateName)
		}
		return in.keepContent(ctx, bytes.NewReader(content), kind)
	case in.providers.Replicate.Own(address):
		body, err := in.providers.Replicate.Download(ctx, address)
		if err != nil {
			return nil, remoteFailure(replicateName, err)
		}
		defer body.Close()
		return in.keepContent(ctx, body, kind)
	}
	body, _, err := in.open(ctx, address, kind, maxMediaBytes)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return in.keepContent(ctx, body, kind)
}

// keepContent keeps a file whose type is judged by its content; pictures are
// decoded first, like those of uploads.
func (in *Call) keepContent(ctx context.Context, r io.Reader, kind string) (Output, error) {
	if kind == "audio" && in.voice.filters() != nil {
		return in.keepFiltered(ctx, &bounded{from: r, left: maxMediaBytes})
	}
	buffered := bufio.NewReaderSize(&bounded{from: r, left: maxMediaBytes}, sniffLength)
	head, err := buffered.Peek(sniffLength)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, notOpened(err, kind)
	}
	found := SniffType(head)
	if kindOf(found) != kind {
		return nil, failf("The provider's result is no %s but %s", kind, found).hint("Nothing was charged. Run it again, or choose another model.")
	}
	width, height, content, err := measure(buffered, kind)
	if err != nil {
		return nil, err
	}
	out, err := in.saveFile(ctx, "generated", found, content, width, height)
	return out, readFailure(err, kind)
}

// keepFiltered keeps a sound with what its voice does to it here.
func (in *Call) keepFiltered(ctx context.Context, from io.Reader) (Output, error) {
	sound, err := io.ReadAll(from)
	if err != nil {
		return nil, notOpened(err, "audio")
	}
	return in.onWorkbench(func(w *workbench) (Output, error) {
		spoken, err := w.take(ctx, bytes.NewReader(sound), SniffType(sound[:min(len(sound), sniffLength)]), "audio")
		if err != nil {
			return nil, err
		}
		return w.encodeAudio(ctx, spoken.Duration, "spoken", in.text("format"), append(spoken.input(), in.voice.filters()...)...)
	})
}
