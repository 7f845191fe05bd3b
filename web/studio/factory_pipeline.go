package studio

import (
	"context"
	"regexp"

	"atelier/web/frame"
	"atelier/web/query"
)

// The names and descriptions of the pipelines that come with the program, see models/studio.
var _ = []string{
	markc("pipeline", "Narrated storyboard"), mark("A picture of each shot, what is said in it, and a camera that moves over the picture, cut into a film."),
	markc("pipeline", "Storyboard"), mark("A picture of each shot, and nothing else: to look at, and to print."),
	markc("pipeline", "Text cards"), mark("The words of each shot on a card, spoken, cut into a film."),
	markc("pipeline", "Film"), mark("A picture of each shot, brought to life by a video model of a provider, spoken, cut into a film."),
}

// pipelineNamed is what a pipeline is called; those of the program have names in the reader's language.
func pipelineNamed(ctx context.Context, name string, factory bool) string {
	if !factory {
		return name
	}
	return tc(ctx, "pipeline", frame.Named(name, factory))
}

// pipelineAbout is what a pipeline is for.
func pipelineAbout(ctx context.Context, p query.PipelineRow) string {
	if !p.IsFactory || p.Description == "" {
		return p.Description
	}
	return t(ctx, p.Description)
}

// stageReason is a reason of a stage.
var stageReason = regexp.MustCompile(`^The stage (image|speech|clip|cut): (.+)$`)

// stageTitles are what the stages are called.
var stageTitles = map[string]string{"image": mark("Picture"), "speech": mark("Speech"), "clip": mark("Clip"), "cut": mark("Cut")}

// whyNotHere is why a pipeline cannot be used on this install.
func whyNotHere(ctx context.Context, reason string) string {
	if found := stageReason.FindStringSubmatch(reason); found != nil {
		return t(ctx, "The stage “%s”: %s", t(ctx, stageTitles[found[1]]), frame.WhyUnusable(ctx, found[2]))
	}
	return frame.WhyUnusable(ctx, reason)
}
