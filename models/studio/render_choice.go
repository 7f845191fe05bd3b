package studio

import (
	"math"
	"slices"

	"atelier/models"
)

// renderOptions is what of a film is to be rendered.
type renderOptions struct {
	// shots are those that are to be rendered; nil is all that are not skipped.
	shots []models.ID
	// last is the stage after which it stops.
	last  StageName
	force bool
}

// selection is what a render makes, and what it takes over.
type selection struct {
	*film
	renderOptions renderOptions
	shots         []*shotSelection
	// cut: the film is cut, of which filmPrint is the fingerprint.
	cut       bool
	filmPrint string
}

// shotSelection is what becomes of a shot.
type shotSelection struct {
	shot *Shot
	// asked: the shot is to be rendered.
	asked bool
	// toRender are the stages that are made again, reuse the results that are taken over.
	toRender map[StageName]bool
	reuse    map[StageName]*ShotResult
	// fingerprints are the fingerprints of what is there then.
	fingerprints map[StageName]string
}

// reused tells that nothing of the shot is made again.
func (c *shotSelection) reused() bool { return len(c.toRender) == 0 }

// choose finds out what is to be made again: what is missing and what is stale, unless everything
// is to be; never what is locked. The results of the shots are loaded.
func (f *film) choose(w renderOptions) (*selection, error) {
	c := &selection{film: f, renderOptions: w}
	clips, whole, again := map[models.ID]string{}, len(f.cuts) > 0 && w.last == CutStage, w.force && w.shots == nil
	for _, shot := range f.production.Shots {
		one, err := f.chooseShot(shot, w)
		if err != nil {
			return nil, err
		}
		if one.asked || !shot.Skip {
			c.shots = append(c.shots, one)
		}
		if !shot.Skip {
			clips[shot.ID] = one.fingerprints[ClipStage]
			whole, again = whole && clips[shot.ID] != "", again || one.toRender[ClipStage]
		}
	}
	if !whole {
		return c, nil
	}
	var err error
	c.filmPrint, err = f.filmFingerprint(clips)
	c.cut = again || c.filmPrint != f.production.FilmFingerprint || f.production.VideoURL == nil || !c.changes()
	return c, err
}

func (f *film) chooseShot(shot *Shot, w renderOptions) (*shotSelection, error) {
	c := &shotSelection{shot: shot, toRender: map[StageName]bool{}, reuse: map[StageName]*ShotResult{}, fingerprints: map[StageName]string{}}
	c.asked = !shot.Skip
	if w.shots != nil {
		c.asked = slices.Contains(w.shots, shot.ID)
	}
	for _, stage := range resultStages {
		st, have := f.steps[shot.ID][stage], shot.Results[stage]
		if st == nil {
			continue
		}
		print, err := f.fingerprint(st, c.fingerprints)
		if err != nil {
			return nil, err
		}
		switch {
		case have != nil && (!c.asked || shot.Locked || !w.force && have.Fingerprint == print):
			c.reuse[stage], c.fingerprints[stage] = have, have.Fingerprint
		case c.asked && stage.upTo(w.last):
			c.toRender[stage], c.fingerprints[stage] = true, print
		case have != nil: // stale, and not to be made yet
			c.reuse[stage], c.fingerprints[stage] = have, have.Fingerprint
		}
	}
	return c, nil
}

// upTo tells whether a stage is done in a render that stops after another.
func (s StageName) upTo(last StageName) bool {
	return slices.Index(StageNames, s) <= slices.Index(StageNames, last)
}

// changes tells whether something of a shot is made again. Where nothing is, and a film was
// asked for, the film is cut again of what is there.
func (c *selection) changes() bool {
	return slices.ContainsFunc(c.shots, func(one *shotSelection) bool { return !one.reused() })
}

// nothing tells that there is nothing to make, and nothing to take over.
func (c *selection) nothing() bool {
	nodes, _ := c.graph()
	return len(nodes) == 0
}

// credits are what a shot costs: what a run of its nodes would hold for them.
func (c *selection) creditsOf(one *shotSelection) (sum models.Credits) {
	for stage := range one.toRender {
		for _, node := range c.steps[one.shot.ID][stage].nodes() {
			sum += c.examined.Credits(node.ID)
		}
	}
	return sum
}

func (c *selection) credits() (sum models.Credits) {
	for _, one := range c.shots {
		sum += c.creditsOf(one)
	}
	if c.cut {
		for _, cut := range c.cuts {
			sum += c.examined.Credits(cut.node.ID)
		}
	}
	return sum
}

// reusedShots is how many shots take part of which nothing is made again.
func (c *selection) reusedShots() (n int) {
	for _, one := range c.shots {
		if one.reused() {
			n++
		}
	}
	return n
}

// seconds is how long the film would be.
func (c *selection) seconds() (sum float64) {
	for _, one := range c.shots {
		if !one.shot.Skip {
			sum += one.seconds()
		}
	}
	return math.Round(sum*1000) / 1000
}

func (c *shotSelection) seconds() float64 {
	if clip := c.reuse[ClipStage]; clip != nil && clip.Duration != nil {
		return *clip.Duration
	}
	var sound *float64
	if said := c.reuse[SpeechStage]; said != nil {
		sound = said.Duration
	}
	return c.shot.length(sound)
}

// maxFilm is how long a film may be, in seconds.
const maxFilm = 600

// refusals are the reasons for which a render would be refused, in the order in which they are given.
func (c *selection) refusals() (all []error) {
	if c.nothing() {
		all = append(all, models.Invalid("shotIds", "leave nothing to render: there are no shots, or all of them are skipped"))
	}
	if seconds := c.seconds(); seconds > maxFilm {
		all = append(all, models.Invalid("shots", "are %.0f seconds long together; a film has at most 10 minutes", seconds))
	}
	refuse := func(err error) {
		if err != nil && !slices.ContainsFunc(all, func(other error) bool { return other.Error() == err.Error() }) {
			all = append(all, err)
		}
	}
	for _, one := range c.shots {
		for _, stage := range resultStages {
			if one.toRender[stage] {
				refuse(c.refusalOf(c.steps[one.shot.ID][stage]))
			}
		}
	}
	if c.cut {
		for _, cut := range c.cuts {
			refuse(c.inPipeline(CutStage, c.examined.Refusal(cut.node.ID)))
		}
	}
	return all
}

// things are what a render uses, for markStale.
func (f *film) things() models.IDs {
	ids := append(f.examined.Things(), f.pipeline.ID)
	slices.SortFunc(ids, func(a, b models.ID) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(ids)
}
