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
	InputSchema: object(
		area("prompt", "Prompt", "What to write.").required(),
		area("system", "Instructions", "How to write: tone, role, form."),
		integer("maxTokens", "Longest answer", "In tokens, about three quarters of a word each; part of the price.", leastTokens, mostTokens).or(float64(standardTokens)),
		number("temperature", "Temperature", "0 is sober, 2 is wild; empty leaves it to the model.", 0, 2).as("slider"),
	),
	MainInput: "prompt", MainOutput: "text", Pool: Provider, Meters: true,
	Run:    runsOutside,
	remote: map[string]remoteRun{openaiName: generateTextByOpenAI},
}

// runsOutside is the function of types that only providers outside can do.
func runsOutside(context.Context, *Call) (Output, error) {
	return nil, failf("No provider of this install does this work").hint("The operator must set %s or %s.", providerVariables[openaiName], providerVariables[replicateName])
}

func generateTextByOpenAI(ctx context.Context, in *Call, model Model) (Output, error) {
	request := provider.TextRequest{Model: model.ID, System: in.text("system"), Prompt: in.text("prompt"), MaxTokens: tokenLimit(in.Input)}
	if in.has("temperature") {
		temperature := in.number("temperature")
		request.Temperature = &temperature
	}
	var got *provider.TextAnswer
	err := in.once(ctx, openaiName, func(e *errand) (err error) {
		got, err = in.providers.OpenAI.Text(ctx, e.Key, request)
		return err
	})
	if err != nil {
		return nil, err
	}
	out, err := textOutput(got.Text)
	if err != nil {
		return nil, err
	}
	spent(in, model.price(got.InputTokens, got.OutputTokens))
	out["provider"], out["model"], out["finishReason"] = openaiName, model.ID, got.FinishReason
	out["usage"] = map[string]any{"inputTokens": got.InputTokens, "outputTokens": got.OutputTokens}
	return out, nil
}

// spent says what the run really cost.
func spent(in *Call, cost models.Credits) {
	if in.Spent != nil {
		in.Spent(max(0, cost))
	}
}
