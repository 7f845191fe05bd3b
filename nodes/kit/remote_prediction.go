package kit

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

// Predict has Replicate make a file of a kind (image, video or audio) and keeps it.
func (in *Call) Predict(ctx context.Context, model Model, kind string, input map[string]any) (Output, error) {
	return in.PredictWith(ctx, model, kind, func(*Loan) (map[string]any, error) { return input, nil })
}

// PredictWith is predict for inputs that need files to be lent.
func (in *Call) PredictWith(ctx context.Context, model Model, kind string, input func(*Loan) (map[string]any, error)) (Output, error) {
	made, err := in.Predicted(ctx, model, input)
	if err != nil {
		return nil, err
	}
	return in.keepResult(ctx, ProviderTaskOf(in.State), model, kind, made)
}

// Predicted has Replicate make something, and returns the prediction that has succeeded.
// Between its steps it holds no worker: it is made, then asked for, each in a
// call of its own.
func (in *Call) Predicted(ctx context.Context, model Model, input func(*Loan) (map[string]any, error)) (*provider.Prediction, error) {
	e := ProviderTaskOf(in.State)
	if e == nil || e.ID == "" {
		return nil, in.makePrediction(ctx, model, input)
	}
	found, err := in.Providers.Replicate.Find(ctx, e.ID)
	if err != nil {
		return nil, in.AskAgain(e, err)
	}
	switch {
	case found.Status == "succeeded":
		in.TakeBack(ctx, e)
		return found, nil
	case found.Ended():
		in.TakeBack(ctx, e)
		return nil, Failf("%s ended the work as %s%s", ReplicateName, StatusWord(found.Status), Colon(found.Message())).
			WithHint("Nothing was charged. Change the prompt or the settings, and run it again.")
	}
	if found.Status == "processing" {
		in.Report(30)
	}
	return nil, in.Wait(e)
}

// StatusWord is a status as it may be shown.
func StatusWord(status string) string {
	if len(status) > 20 || strings.ContainsFunc(status, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return "something unknown"
	}
	return status
}

func (in *Call) makePrediction(ctx context.Context, model Model, input func(*Loan) (map[string]any, error)) error {
	all := maps.Clone(model.Input)
	if all == nil {
		all = map[string]any{}
	}
	return in.OnceWithFiles(ctx, input, func(e *ProviderTask, fields map[string]any) error {
		maps.Copy(all, fields)
		made, err := in.Providers.Replicate.Create(ctx, e.Key, model.ID, all)
		if err != nil {
			return err
		}
		e.ID, e.Tries = made.ID, 0
		return e.Pause(in, firstPoll)
	})
}

// Wait asks again later, less often the longer it takes. Past the deadline the
// node fails, and the work may still be asked for.
func (in *Call) Wait(e *ProviderTask) error {
	waited, most := in.Now.Sub(e.Since), e.deadline()
	if waited > most && !in.Late {
		late := Failf("%s did not finish within %d minutes", e.Provider, int(most.Minutes())).
			WithHint("Nothing was charged. Should the result still come, the job completes with it.")
		late.Late = e.State()
		return late
	}
	return e.Pause(in, min(max(firstPoll, waited/10), MaxPoll))
}

// AskAgain goes on waiting after an answer of no use: asking changes nothing.
func (in *Call) AskAgain(e *ProviderTask, err error) error {
	var trouble *provider.Trouble
	if !errors.As(err, &trouble) {
		return err
	}
	if trouble.Kind == provider.Refused {
		return Failf("%s does not know the work any more%s", e.Provider, Colon(trouble.Message)).WithHint("Nothing was charged. Run it again.")
	}
	e.Tries++
	return in.Wait(e)
}

// MaxFetches is how often a finished file is fetched before giving up.
const MaxFetches = 5

// keepResult fetches the file that a prediction made, and keeps it.
func (in *Call) keepResult(ctx context.Context, e *ProviderTask, model Model, kind string, found *provider.Prediction) (Output, error) {
	results := found.Results()
	if len(results) == 0 || results[0] == "" {
		return nil, RemoteFailure(ReplicateName, &provider.Trouble{Kind: provider.Unreadable})
	}
	in.Report(90)
	out, err := in.keepFile(ctx, results[0], kind)
	var failure *Failure
	if errors.As(err, &failure) && e.Tries < MaxFetches && !strings.HasPrefix(results[0], "data:") {
		e.Tries++
		return nil, e.Pause(in, Backoff(e.Tries))
	}
	if err != nil {
		return nil, err
	}
	out["provider"], out["model"] = ReplicateName, model.ID
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
			return nil, Failf("The result of %s cannot be read", ReplicateName)
		}
		return in.KeepContent(ctx, bytes.NewReader(content), kind)
	case in.Providers.Replicate.Own(address):
		body, err := in.Providers.Replicate.Download(ctx, address)
		if err != nil {
			return nil, RemoteFailure(ReplicateName, err)
		}
		defer body.Close()
		return in.KeepContent(ctx, body, kind)
	}
	body, _, err := in.Open(ctx, address, kind, MaxMediaBytes)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return in.KeepContent(ctx, body, kind)
}

// KeepContent keeps a file whose type is judged by its content; pictures are
// decoded first, like those of uploads.
func (in *Call) KeepContent(ctx context.Context, r io.Reader, kind string) (Output, error) {
	if kind == "audio" && in.Voice.Filters() != nil {
		return in.keepFiltered(ctx, &Bounded{From: r, Left: MaxMediaBytes})
	}
	buffered := bufio.NewReaderSize(&Bounded{From: r, Left: MaxMediaBytes}, sniffLength)
	head, err := buffered.Peek(sniffLength)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, NotOpened(err, kind)
	}
	found := SniffType(head)
	if KindOf(found) != kind {
		return nil, Failf("The provider's result is no %s but %s", kind, found).WithHint("Nothing was charged. Run it again, or choose another model.")
	}
	width, height, content, err := measure(buffered, kind)
	if err != nil {
		return nil, err
	}
	out, err := in.SaveFile(ctx, "generated", found, content, width, height)
	return out, readFailure(err, kind)
}

// keepFiltered keeps a sound with what its voice does to it here.
func (in *Call) keepFiltered(ctx context.Context, from io.Reader) (Output, error) {
	sound, err := io.ReadAll(from)
	if err != nil {
		return nil, NotOpened(err, "audio")
	}
	return in.OnWorkbench(func(w *Workbench) (Output, error) {
		spoken, err := w.Take(ctx, bytes.NewReader(sound), SniffType(sound[:min(len(sound), sniffLength)]), "audio")
		if err != nil {
			return nil, err
		}
		return w.EncodeAudio(ctx, spoken.Duration, "spoken", in.Text("format"), append(spoken.Input(), in.Voice.Filters()...)...)
	})
}
