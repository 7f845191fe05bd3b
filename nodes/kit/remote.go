package kit

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"atelier/nodes/provider"
)

// ProviderTask is what is known of a piece of work at a provider. It is committed
// before the provider hears of it, so that no crash makes it happen twice.
type ProviderTask struct {
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
	// Files lie at the provider for the task, and go with its end.
	Files []string `json:"files,omitempty"`
	// Done is what a node of several tasks has of those before.
	Done json.RawMessage `json:"done,omitempty"`
}

// Training is the kind of a task that may take hours.
const Training = "training"

// deadline is how long the task may take.
func (e *ProviderTask) deadline() time.Duration {
	if e.Kind == Training {
		return trainingDeadline
	}
	return ProviderTaskDeadline
}

// providerTaskState is the form in which a node's State holds one.
type providerTaskState struct {
	ProviderTask *ProviderTask `json:"errand"`
}

// ProviderTaskOf is the task that a state holds, nil for none.
func ProviderTaskOf(state json.RawMessage) *ProviderTask {
	var s providerTaskState
	if len(state) == 0 || json.Unmarshal(state, &s) != nil {
		return nil
	}
	return s.ProviderTask
}

func (e *ProviderTask) State() json.RawMessage {
	state, err := json.Marshal(providerTaskState{e})
	if err != nil {
		panic(err) // texts and a time
	}
	return state
}

// Pause takes the task up again after a while.
func (e *ProviderTask) Pause(in *Call, wait time.Duration) error {
	return &Pause{Until: in.Now.Add(wait), State: e.State()}
}

// The times of tasks.
const (
	MaxRefusals          = 5 // times that a provider may be busy
	firstPoll            = 2 * time.Second
	MaxPoll              = 15 * time.Second
	ProviderTaskDeadline = 30 * time.Minute
	// trainingDeadline is of trainings alone.
	trainingDeadline = 6 * time.Hour
)

// Backoff doubles from two seconds to a minute.
func Backoff(tries int) time.Duration {
	return min(firstPoll<<min(tries, 5), time.Minute)
}

// Once has a provider do something that must not happen twice: the intent is
// committed, then send is called. Cut off between the two and the stored
// result, the node ends as uncertain. A provider that took nothing on is asked
// again later.
func (in *Call) Once(ctx context.Context, providerName string, send func(e *ProviderTask) error) error {
	e := ProviderTaskOf(in.State)
	if e != nil && e.Sent {
		return uncertain(providerName)
	}
	if in.Late {
		return Failf("There is nothing to ask for")
	}
	if e == nil {
		e = NewProviderTask(providerName, in.Now)
	}
	e.Sent = true
	if in.Keep != nil {
		if err := in.Keep(ctx, e.State()); err != nil {
			return err
		}
	}
	err := send(e)
	var trouble *provider.Trouble
	if !errors.As(err, &trouble) || trouble.Kind != provider.Busy || e.Tries >= MaxRefusals {
		return RemoteFailure(providerName, err)
	}
	wait := max(trouble.Wait, Backoff(e.Tries))
	e.Sent = false
	e.Tries++
	return e.Pause(in, wait)
}

func NewProviderTask(providerName string, now time.Time) *ProviderTask {
	return &ProviderTask{Provider: providerName, Key: rand.Text(), Since: now}
}

// uncertain is the end of work whose outcome no one knows.
func uncertain(providerName string) *Failure {
	return Failf("It is uncertain whether %s did the work: its answer was lost", providerName).
		WithHint("Nothing was charged. Run it again if the result is still needed; it was not sent a second time by itself.")
}

// RemoteFailure says why a provider did not do the work; other errors stay as they are.
func RemoteFailure(name string, err error) error {
	var trouble *provider.Trouble
	if !errors.As(err, &trouble) {
		return err
	}
	switch trouble.Kind {
	case provider.Uncertain:
		return uncertain(name)
	case provider.Busy:
		return Failf("%s is busy or cannot be reached", name).WithHint("Run it again later.")
	case provider.Denied:
		return Failf("%s refused this install's key, or its account has no credit left", name).
			WithHint("The operator must look at %s.", ProviderVariables[name])
	case provider.Unreadable:
		return Failf("The answer of %s cannot be used%s", name, Colon(trouble.Message)).WithHint("Nothing was charged. Run it again, or choose another model.")
	case provider.Refused:
		return Failf("%s refused the request%s", name, Colon(trouble.Message)).WithHint("Change the prompt, the model or the settings, and run it again.")
	}
	return Failf("%s failed (status %d)%s", name, trouble.Status, Colon(trouble.Message)).WithHint("Nothing was charged. Run it again later.")
}

func Colon(message string) string {
	if message == "" {
		return ""
	}
	return ": " + message
}

// HasProviderTask tells whether a node's state names work that a provider has taken on.
func HasProviderTask(state json.RawMessage) bool {
	e := ProviderTaskOf(state)
	return e != nil && e.ID != ""
}

// IgnoreGone takes away the trouble that something is not there.
func IgnoreGone(err error) error {
	var trouble *provider.Trouble
	if errors.As(err, &trouble) && (trouble.Status == http.StatusNotFound || trouble.Status == http.StatusGone) {
		return nil
	}
	return err
}

// CancelProviderTask tells the provider that took the work on to stop it.
func (p *Providers) CancelProviderTask(ctx context.Context, state json.RawMessage) error {
	e := ProviderTaskOf(state)
	if e == nil || e.ID == "" || !p.IsSetUp(e.Provider) {
		return nil
	}
	if e.Provider == OpenAIName { // a spoken consent, whose voice is not to be made
		return IgnoreGone(p.OpenAI.DeleteVoiceConsent(ctx, e.ID))
	}
	stop := p.Replicate.Cancel
	if e.Kind == Training {
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
