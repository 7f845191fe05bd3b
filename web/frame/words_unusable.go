package frame

import "context"

// unusableSayings are why a preset, a voice or a stage of a pipeline cannot be used on an install, and what is said of
// pictures that something is to be trained with.
var unusableSayings = sayings(
	`[Tt]his install has no node type (\S+)`, "This install has no nodes of the type $1.",
	`This install does not have the model that the preset names`, "This install does not have the model that the preset names.",
	`(\S+) is not set up on this install for \S+; its operator must set (\w+)`, "The provider $1 is not set up on this install. Its operator must set $2.",
	`(\S+) is not set up on this install for \S+; its operator must set (\w+) and name a model of type \S+ in PROVIDER_MODELS`,
	"The provider $1 is not set up on this install. Its operator must set $2, and name a model in PROVIDER_MODELS.",
	`(\S+) is not set up on this install for \S+; its operator must set PROVIDER_MODELS, .+`,
	"The provider $1 is not set up on this install for it. Its operator must name a model in PROVIDER_MODELS.",
	`needs a provider: (\S+) is not set up on this install for \S+; its operator must set .+`, "It needs the provider $1, which is not set up on this install.",
	`\S+ needs a provider, and none that can do it is set up on this install; its operator must set .+`,
	"It needs a provider, and none that can do it is set up on this install. Its operator can set one up.",
	`espeak-ng is not installed on this server; its operator must run .+`, "The operator of this install can install the package espeak-ng.",
	`is being cloned`, "It is being cloned.",
	`could not be cloned`, "It could not be cloned.",
	`is a person's whose consent keeps it from providers`, "It is the voice of a person whose consent keeps it from providers.",
	`is made of a voice that this server does not have`, "It is made of a voice that this server does not have.",
	`depicts a person whose face is not here any more`, "It depicts a person whose face is not here any more.",
	`depicts a person whose consent is awaited`, "It depicts a person whose consent is awaited.",
	`depicts a person whose consent has expired`, "It depicts a person whose consent has expired.",
	`depicts a person who withdrew the consent`, "It depicts a person who withdrew the consent.",
	`depicts a person who is no active member any more`, "It depicts a person who is no active member any more.",
	`name a workflow for its component`, "Name a workflow for it.",
	`its workflow is deleted, or out of your reach`, "Its workflow is deleted, or you may not see it.",
	`its preset is deleted`, "Its preset is deleted.",

	`It has fewer than 256 pixels on a side`, "It has fewer than 256 pixels on a side.",
	`It is blurred`, "It is blurred.",
	`It is nearly the same as another picture`, "It is nearly the same as another picture.",
	`It shows no face that the finder sees`, "It shows no face that can be found.",
	`It shows several faces`, "It shows several faces.",
	`It cannot be read`, "It cannot be read.",
	`The local training learns colours, not a likeness`, "The local training learns colours, not a likeness.",
	`Too few pictures serve: add sharp ones of at least 256 pixels that differ from each other`, "Too few pictures serve: add sharp ones of at least 256 pixels that differ from each other.",
	`Ten to twenty pictures from several sides and in different light train better`, "Ten to twenty pictures from several sides and in different light train better.",
	`More pictures were left out than used: look at the reasons`, "More pictures were left out than used: look at the reasons.",
)

// WhyUnusable is why something cannot be used, or what is said of it, in the reader's language; what is not known stays as
// the service said it.
func WhyUnusable(ctx context.Context, reason string) string {
	if said, known := saidBy(ctx, unusableSayings, reason); known {
		return said
	}
	return sentenceEnd(SentenceCase(reason))
}
