package library

import (
	"context"
	"image"
	"slices"
	"time"

	"atelier/models"
	"atelier/nodes/face"
	"atelier/nodes/kit"
)

// Bounds of a training: the pictures that it needs and takes, and the pixels of the
// shorter side of each.
const (
	minTrainedHere    = 1
	minTrainedOutside = 4
	maxTrained        = 30
	minTrainedSide    = 256
)

// TrainLimit is how many trainings and checks a token or an account may ask for, of all
// kinds together (contract 1, "Limits").
var TrainLimit = models.Limit{Name: "train", Max: 3, Per: time.Minute}

// Why a picture is of no use for a training.
var (
	skipSmall    = SkipReason{"too_small", "It has fewer than 256 pixels on a side."}
	skipBlurred  = SkipReason{"blurred", "It is blurred."}
	skipAlike    = SkipReason{"duplicate", "It is nearly the same as another picture."}
	skipNoFace   = SkipReason{"no_face", "It shows no face that the finder sees."}
	skipManyFace = SkipReason{"several_faces", "It shows several faces."}
	skipUnread   = SkipReason{"unreadable", "It cannot be read."}

	skipReasons = []SkipReason{skipSmall, skipBlurred, skipAlike, skipNoFace, skipManyFace, skipUnread}
)

// serves is the reason of a picture that serves.
var serves SkipReason

// CheckTraining is what a training of the element's pictures would find, and cost; it
// trains nothing. Refusals are those of Train.
func (s Elements) CheckTraining(ctx context.Context, id models.ID, in TrainElementInput) (*CheckedSet, error) {
	t, err := s.library.admitTraining(ctx, id, in)
	if err != nil {
		return nil, err
	}
	if err := s.library.measure(ctx, t); err != nil {
		return nil, err
	}
	return &CheckedSet{Usable: len(t.used), Skipped: t.report.Skipped, Advice: t.report.Advice, Credits: t.price()}, nil
}

// trained is a training that is asked for.
type trained struct {
	element  *Element
	node     *kit.Node
	settings map[string]any
	images   []*Image // those that it is asked for
	used     []*Image // of which these serve
	report   TrainingReport
}

func (t *trained) outside() bool {
	provider, _ := t.settings["provider"].(string)
	return provider != "" && provider != "local"
}

func (t *trained) least() int {
	if t.outside() {
		return minTrainedOutside
	}
	return minTrainedHere
}

// price is what the training costs, 0 on an install without credits.
func (t *trained) price() models.Credits { return t.node.Price(t.settings) }

// choose sets the pictures that the training is asked for: all, or the named ones.
func (t *trained) choose(images []*Image, ids []models.ID) error {
	t.images = slices.DeleteFunc(slices.Clone(images), func(i *Image) bool { return i.AwaitsConsent })
	if len(ids) > 0 {
		t.images = nil
		for _, id := range slices.Compact(slices.Clone(ids)) {
			at := slices.IndexFunc(images, func(i *Image) bool { return i.ID == id })
			if at < 0 {
				return models.Invalid("imageIds", "names %s, which is no picture of this element", id)
			}
			if images[at].AwaitsConsent {
				return models.Invalid("imageIds", "names %s, for which the consent is awaited", id)
			}
			if !slices.Contains(t.images, images[at]) {
				t.images = append(t.images, images[at])
			}
		}
	}
	switch {
	case len(t.images) < t.least():
		return models.Invalid("imageIds", "has %s; this training needs at least %d", models.Several(len(t.images), "picture"), t.least())
	case len(t.images) > maxTrained:
		return models.Invalid("imageIds", "has %d pictures; a training takes at most %d", len(t.images), maxTrained)
	}
	return nil
}

// measure finds which pictures serve. It works for long: outside of transactions.
func (s *Service) measure(ctx context.Context, t *trained) error {
	t.report = TrainingReport{Skipped: []SkippedImage{}, Advice: []string{}}
	var hashes []uint64
	for _, picture := range t.images {
		reason, hash, err := s.measureOne(ctx, t.element.Kind, picture)
		if err != nil {
			return err
		}
		if reason == serves && slices.ContainsFunc(hashes, func(other uint64) bool { return face.Apart(hash, other) <= face.Alike }) {
			reason = skipAlike
		}
		if reason != serves {
			t.report.Skipped = append(t.report.Skipped, SkippedImage{ImageID: picture.ID, Reason: reason})
			continue
		}
		hashes = append(hashes, hash)
		t.used = append(t.used, picture)
	}
	t.report.Used = len(t.used)
	t.advise()
	return nil
}

// measureOne looks at one picture; reason is serves when it does.
func (s *Service) measureOne(ctx context.Context, kind Kind, picture *Image) (reason SkipReason, hash uint64, err error) {
	content, _, err := s.Media.OpenPrivate(ctx, picture.FileID)
	if models.HasCode(err, models.CodeNotFound) {
		return skipUnread, 0, nil
	}
	if err != nil {
		return serves, 0, err
	}
	defer content.Close()
	err = kit.ReadPictureFrom(ctx, content, func(img image.Image) error {
		reason, hash = judged(kind, img), face.Hash(img)
		return nil
	})
	if kit.IsFailure(err) {
		return skipUnread, 0, nil
	}
	return reason, hash, err
}

func judged(kind Kind, img image.Image) SkipReason {
	if min(img.Bounds().Dx(), img.Bounds().Dy()) < minTrainedSide {
		return skipSmall
	}
	if face.Sharpness(img) < face.Blurred {
		return skipBlurred
	}
	if kind != Character {
		return serves
	}
	switch len(face.Find(img, 0)) {
	case 0:
		return skipNoFace
	case 1:
		return serves
	}
	return skipManyFace
}

// advise says what would make the set better.
func (t *trained) advise() {
	add := func(text string) { t.report.Advice = append(t.report.Advice, text) }
	if !t.outside() {
		add("The local training learns colours, not a likeness.")
	}
	switch {
	case len(t.used) < t.least():
		add("Too few pictures serve: add sharp ones of at least 256 pixels that differ from each other.")
	case t.outside() && len(t.used) < 10:
		add("Ten to twenty pictures from several sides and in different light train better.")
	}
	if len(t.used) > 0 && len(t.report.Skipped) > len(t.used) {
		add("More pictures were left out than used: look at the reasons.")
	}
}
