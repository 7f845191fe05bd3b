package nodes

import (
	"context"

	"atelier/models"
	"atelier/nodes/provider"
)

var generateTextNode = &Node{
	Type: "generate-text", Label: "Generate text", Category: "text", OutputType: "text",
	Description:  "Writes a text from a prompt, by a language model of a provider.",
	Capabilities: []string{"text-generation"},
	InputSchema: Object(
		Area("prompt", "Prompt", "What to write.").Required(),
		Area("system", "Instructions", "How to write: tone, role, form."),
		Integer("maxTokens", "Longest answer", "In tokens, about three quarters of a word each; part of the price.", MinTokens, MaxTokens).Or(float64(StandardTokens)),
		Number("temperature", "Temperature", "0 is sober, 2 is wild; empty leaves it to the model.", 0, 2).As("slider"),
	),
	MainInput: "prompt", MainOutput: "text", Pool: Provider, Meters: true,
	Run:    runsOutside,
	Remote: map[string]RemoteRun{OpenAIName: generateTextByOpenAI},
}

// runsOutside is the function of types that only providers outside can do.
func runsOutside(context.Context, *Call) (Output, error) {
	return nil, Failf("No provider of this install does this work").WithHint("The operator must set %s or %s.", ProviderVariables[OpenAIName], ProviderVariables[ReplicateName])
}

func generateTextByOpenAI(ctx context.Context, in *Call, model Model) (Output, error) {
	request := provider.TextRequest{Model: model.ID, System: in.Text("system"), Prompt: in.Text("prompt"), MaxTokens: TokenLimit(in.Input)}
	if in.Has("temperature") {
		temperature := in.Number("temperature")
		request.Temperature = &temperature
	}
	var got *provider.TextAnswer
	err := in.Once(ctx, OpenAIName, func(e *Errand) (err error) {
		got, err = in.Providers.OpenAI.Text(ctx, e.Key, request)
		return err
	})
	if err != nil {
		return nil, err
	}
	out, err := textOutput(got.Text)
	if err != nil {
		return nil, err
	}
	spent(in, model.Price(got.InputTokens, got.OutputTokens))
	out["provider"], out["model"], out["finishReason"] = OpenAIName, model.ID, got.FinishReason
	out["usage"] = map[string]any{"inputTokens": got.InputTokens, "outputTokens": got.OutputTokens}
	return out, nil
}

// spent says what the run really cost.
func spent(in *Call, cost models.Credits) {
	if in.Spent != nil {
		in.Spent(max(0, cost))
	}
}
