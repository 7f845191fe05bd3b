package nodes

import (
	"context"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/provider"
)

var generateTextNode = &kit.Node{
	Type: "generate-text", Label: "Generate text", Category: "text", OutputType: "text",
	Description:  "Writes a text from a prompt, by a language model of a provider.",
	Capabilities: []string{"text-generation"},
	InputSchema: kit.Object(
		kit.Area("prompt", "Prompt", "What to write.").Required(),
		kit.Area("system", "Instructions", "How to write: tone, role, form."),
		kit.Integer("maxTokens", "Longest answer", "In tokens, about three quarters of a word each; part of the price.", kit.MinTokens, kit.MaxTokens).Or(float64(kit.StandardTokens)),
		kit.Number("temperature", "Temperature", "0 is sober, 2 is wild; empty leaves it to the model.", 0, 2).As("slider"),
	),
	MainInput: "prompt", MainOutput: "text", Pool: kit.Provider, Meters: true,
	Run:    runsOutside,
	Remote: map[string]kit.RemoteRun{kit.OpenAIName: generateTextByOpenAI},
}

// runsOutside is the function of types that only providers outside can do.
func runsOutside(context.Context, *kit.Call) (kit.Output, error) {
	return nil, kit.Failf("No provider of this install does this work").WithHint("The operator must set %s or %s.", kit.ProviderVariables[kit.OpenAIName], kit.ProviderVariables[kit.ReplicateName])
}

func generateTextByOpenAI(ctx context.Context, in *kit.Call, model kit.Model) (kit.Output, error) {
	request := provider.TextRequest{Model: model.ID, System: in.Text("system"), Prompt: in.Text("prompt"), MaxTokens: kit.TokenLimit(in.Input)}
	if in.Has("temperature") {
		temperature := in.Number("temperature")
		request.Temperature = &temperature
	}
	var got *provider.TextAnswer
	err := in.Once(ctx, kit.OpenAIName, func(e *kit.ProviderTask) (err error) {
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
	out["provider"], out["model"], out["finishReason"] = kit.OpenAIName, model.ID, got.FinishReason
	out["usage"] = map[string]any{"inputTokens": got.InputTokens, "outputTokens": got.OutputTokens}
	return out, nil
}

// spent says what the run really cost.
func spent(in *kit.Call, cost models.Credits) {
	if in.Spent != nil {
		in.Spent(max(0, cost))
	}
}
