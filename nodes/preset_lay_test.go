//go:build !race

package nodes

import (
	"strings"
	"testing"

	"atelier/nodes/kit"
)

// A voice that a node names itself speaks, whatever the preset under it says of who does; the rest of
// the preset holds.
func TestOwnVoiceWinsOverThePreset(t *testing.T) {
	speech, _ := Find("text-to-speech")
	preset := map[string]any{"voice": "de", "provider": "openai", "speaker": "alloy", "speed": 120.0, "voiceId": "11111111-1111-5111-8111-111111111111"}
	own := map[string]any{"text": "Hi", "voiceId": "22222222-2222-5222-8222-222222222222"}
	laid := speech.LayPreset(own, preset)
	if laid["voiceId"] != own["voiceId"] || laid["voice"] != nil || laid["provider"] != nil || laid["speaker"] != nil || laid["speed"] != 120.0 {
		t.Errorf("under an own voice lies %v", laid)
	}
	if laid := speech.LayPreset(map[string]any{"text": "Hi"}, preset); laid["voice"] != "de" || laid["voiceId"] != preset["voiceId"] {
		t.Errorf("without one lies %v", laid)
	}
}

// Whatever is refused for want of a provider names the variable that its operator must set.
func TestMissingProvidersNameTheirVariable(t *testing.T) {
	for _, n := range NewCatalogue(kit.Providers{}).All() {
		for _, name := range n.Remotes() {
			variable := kit.ProviderVariables[name]
			if says := n.Missing(name); !strings.Contains(says, variable) || name == kit.ReplicateName && !strings.Contains(says, "PROVIDER_MODELS") {
				t.Errorf("%s by %s: %s", n.Type, name, says)
			}
			err := n.ValidateData("", map[string]any{"provider": name})
			if err == nil || !strings.Contains(err.Error(), variable) {
				t.Errorf("%s by %s is refused with %v", n.Type, name, err)
			}
		}
		if len(n.Remotes()) > 0 && !n.Offered() && !strings.Contains(n.UnavailableReason(), kit.ProviderVariables[n.Remotes()[0]]) {
			t.Errorf("%s: %s", n.Type, n.UnavailableReason())
		}
	}
}
