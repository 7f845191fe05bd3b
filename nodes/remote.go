package nodes

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"atelier/nodes/provider"
)

// errand is what is known of a piece of work at a provider. It is committed
// before the provider hears of it, so that no crash makes it happen twice.
type errand struct {
	Provider string `json:"provider"`
	// Key is the idempotency key that goes along.
	Key string `json:"key"`
	// Sent says that the provider may have got the request.
	Sent bool `json:"sent,omitempty"`
	// ID is the provider's own name for the work.
	ID string `json:"id,omitempty"`
	// Since is when it was begun; Tries counts answers that were of no use.
	Since time.Time `json:"since"`
	Tries int       `json:"tries,omitempty"`
	// Kind is what it is there, where that is no prediction: training.
	Kind string `json:"kind,omitempty"`
	// Files lie at the provider for the errand, and go with its end.
	Files []string `json:"files,omitempty"`
	// Done is what a node of several errands has of those before.
	Done json.RawMessage `json:"done,omitempty"`
}

// training is the kind of an errand that may take hours.
const training = "training"

// deadline is how long the errand may take.
func (e *errand) deadline() time.Duration {
	if e.Kind == training {
		return trainingDeadline
	}
	return errandDeadline
}

// errandState is the form in which a node's State holds one.
type errandState struct {
	Errand *errand `json:"errand"`
}

// errandOf is the errand that a state holds, nil for none.
func errandOf(state json.RawMessage) *errand {
	var s errandState
	if len(state) == 0 || json.Unmarshal(state, &s) != nil {
		return nil
	}
	return s.Errand
}

func (e *errand) state() json.RawMessage {
	state, err := json.Marshal(errandState{e})
	if err != nil {
		panic(err) // texts and a time
	}
	return state
}

// pause takes the errand up again after a while.
func (e *errand) pause(in *Call, wait time.Duration) error {
	return &Pause{Until: in.Now.Add(wait), State: e.state()}
}

// The times of errands.
const (
	mostRefusals   = 5 // times that a provider may be busy
	firstPoll      = 2 * time.Second
	longestPoll    = 15 * time.Second
	errandDeadline = 30 * time.Minute
	// trainingDeadline is of trainings alone.
	trainingDeadline = 6 * time.Hour
)

// backoff doubles from two seconds to a minute.
func backoff(tries int) time.Duration {
	return min(firstPoll<<min(tries, 5), time.Minute)
}

// once has a provider do something that must not happen twice: the intent is
// committed, then send is called. Cut off between the two and the stored
// result, the node ends as uncertain. A provider that took nothing on is asked
// again later.
func (in *Call) once(ctx context.Context, providerName string, send func(e *errand) error) error {
	e := errandOf(in.State)
	if e != nil && e.Sent {
		return uncertain(providerName)
	}
	if in.Late {
		return failf("There is nothing to ask for")
	}
	if e == nil {
		e = newErrand(providerName, in.Now)
	}
	e.Sent = true
	if in.Keep != nil {
		if err := in.Keep(ctx, e.state()); err != nil {
			return err
		}
	}
	err := send(e)
	var trouble *provider.Trouble
	if !errors.As(err, &trouble) || trouble.Kind != provider.Busy || e.Tries >= mostRefusals {
		return remoteFailure(providerName, err)
	}
	wait := max(trouble.Wait, backoff(e.Tries))
	e.Sent = false
	e.Tries++
	return e.pause(in, wait)
}

func newErrand(providerName string, now time.Time) *errand {
	return &errand{Provider: providerName, Key: rand.Text(), Since: now}
}

// uncertain is the end of work whose outcome nobody knows.
func uncertain(providerName string) *Failure {
	return failf("It is uncertain whether %s did the work: its answer was lost", providerName).
		hint("Nothing was charged. Run it again if the result is still needed; it was not sent a second time by itself.")
}

// remoteFailure says why a provider did not do the work; other errors stay as they are.
func remoteFailure(name string, err error) error {
	var trouble *provider.Trouble
	if !errors.As(err, &trouble) {
		return err
	}
	switch trouble.Kind {
	case provider.Uncertain:
		return uncertain(name)
	case provider.Busy:
		return failf("%s is busy or cannot be reached", name).hint("Run it again later.")
	case provider.Denied:
		return failf("%s refused this install's key, or its account has no credit left", name).
			hint("The operator must look at %s.", providerVariables[name])
	case provider.Unreadable:
		return failf("The answer of %s cannot be used%s", name, colon(trouble.Message)).hint("Nothing was charged. Run it again, or choose another model.")
	case provider.Refused:
		return failf("%s refused the request%s", name, colon(trouble.Message)).hint("Change the prompt, the model or the settings, and run it again.")
	}
	return failf("%s failed (status %d)%s", name, trouble.Status, colon(trouble.Message)).hint("Nothing was charged. Run it again later.")
}

func colon(message string) string {
	if message == "" {
		return ""
	}
	return ": " + message
}

// HasErrand tells whether a node's state names work that a provider has taken on.
func HasErrand(state json.RawMessage) bool {
	e := errandOf(state)
	return e != nil && e.ID != ""
}

// gone takes away the trouble that something is not there.
func gone(err error) error {
	var trouble *provider.Trouble
	if errors.As(err, &trouble) && (trouble.Status == http.StatusNotFound || trouble.Status == http.StatusGone) {
		return nil
	}
	return err
}

// cancelErrand tells the provider that took the work on to stop it.
func (p *Providers) cancelErrand(ctx context.Context, state json.RawMessage) error {
	e := errandOf(state)
	if e == nil || e.ID == "" || !p.isSetUp(e.Provider) {
		return nil
	}
	if e.Provider == openaiName { // a spoken consent, whose voice is not to be made
		return gone(p.OpenAI.DeleteVoiceConsent(ctx, e.ID))
	}
	stop := p.Replicate.Cancel
	if e.Kind == training {
		stop = p.Replicate.CancelTraining
	}
	err := stop(ctx, e.ID)
	for _, id := range e.Files {
		_ = p.Replicate.DeleteFile(ctx, id) // they end by themselves within a day
	}
	var trouble *provider.Trouble
	if errors.As(err, &trouble) && (trouble.Kind == provider.Refused || trouble.Kind == provider.Unreadable) {
		return nil // it has ended already, or said so in its own way
	}
	return err
}
