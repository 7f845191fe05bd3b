package kit

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"atelier/models"
)

// voiceSetting is one thing that can be set of a voice, with its range.
type voiceSetting struct {
	name        string
	least, most int
	// local: the speech program and ffmpeg alone know it.
	local bool
}

// speed is in words a minute, pitch from deep to high, pitchShift in semitones,
// echo from none to much.
var voiceSettings = []voiceSetting{
	{"speed", 80, 400, false}, {"pitch", 0, 99, true}, {"pitchShift", -12, 12, false}, {"echo", 0, 100, true},
}

// CheckVoiceSettings are the settings that a voice of the provider has, out of
// what was sent: others are left out. A value of the wrong type or out of range
// is a validation_error that names it behind the prefix.
func CheckVoiceSettings(ctx context.Context, prefix, providerName string, sent map[string]any) (map[string]any, error) {
	kept := map[string]any{}
	for _, setting := range voiceSettings {
		value := sent[setting.name]
		if value == nil || setting.local && providerName != LocalName {
			continue
		}
		number, ok := ToNumber(value)
		if !ok || number != math.Trunc(number) || number < float64(setting.least) || number > float64(setting.most) {
			return nil, models.Invalid(prefix+setting.name, "must be a whole number from %d to %d", setting.least, setting.most)
		}
		kept[setting.name] = int(number)
	}
	variant := sent["variant"]
	if variant == nil || providerName != LocalName {
		return kept, nil
	}
	name, ok := variant.(string)
	if !ok {
		return nil, models.Invalid(prefix+"variant", "must be a text")
	}
	if name != "" && !slices.Contains(LocalVariants(ctx), name) {
		return nil, models.Invalid(prefix+"variant", "is no variant of this server's voices")
	}
	if name != "" {
		kept["variant"] = name
	}
	return kept, nil
}

// Lay puts what a voice decides of a run's price under a node's own settings: its provider.
// A node that names another one is refused: validation_error.
func (v *VoiceRef) Lay(data map[string]any) (map[string]any, error) {
	if v == nil {
		return data, nil
	}
	if own, _ := data["provider"].(string); own != "" && own != v.Provider {
		return nil, models.Invalid("provider", "is %s, but the voice is one of %s: leave the provider out, or choose another voice", own, v.Provider)
	}
	laid := maps.Clone(data)
	if laid == nil {
		laid = map[string]any{}
	}
	laid["provider"] = v.Provider
	return laid, nil
}

// LayVoice has the voice of a call speak where its node says nothing itself.
func LayVoice(in *Call) error {
	if in.Refs == nil || in.Refs.Voice == nil {
		return nil
	}
	v := in.Refs.Voice
	laid, err := v.Lay(in.Input)
	if err != nil {
		return err
	}
	for _, name := range []string{"speed", "pitch"} {
		if empty(laid[name]) && v.Settings[name] != nil {
			laid[name] = v.Settings[name]
		}
	}
	in.Input, in.Voice = laid, &speaking{Name: v.Voice}
	if own := "voice"; v.Provider == LocalName && !empty(laid[own]) || v.Provider != LocalName && !empty(laid["speaker"]) {
		in.Voice.Name = "" // the node names another
	}
	number := func(name string) int {
		value, _ := ToNumber(v.Settings[name])
		return int(value)
	}
	in.Voice.Variant, _ = v.Settings["variant"].(string)
	in.Voice.pitchShift, in.Voice.echo = number("pitchShift"), number("echo")
	in.Voice.Custom = v.DepictsPerson
	return nil
}

func empty(v any) bool { return v == nil || v == "" }

// speaking is what a voice says beyond the fields of a node.
type speaking struct {
	Name, Variant    string
	pitchShift, echo int
	// Custom: the name is that of a cloned voice.
	Custom bool
}

// Filters are ffmpeg's for the sound of the voice; nil for none.
func (s *speaking) Filters() []string {
	if s == nil {
		return nil
	}
	var chain []string
	if s.pitchShift != 0 {
		chain = append(chain, fmt.Sprintf("rubberband=pitch=%.6f", math.Pow(2, float64(s.pitchShift)/12)))
	}
	if s.echo > 0 {
		strength := 0.6 * float64(s.echo) / 100
		chain = append(chain, fmt.Sprintf("aecho=0.8:0.9:90|180:%.4f|%.4f", strength, strength/2))
	}
	if chain == nil {
		return nil
	}
	return []string{"-af", strings.Join(chain, ",")}
}
