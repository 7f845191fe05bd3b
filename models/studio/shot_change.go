package studio

import "atelier/models/library"

// shotColumns are what people write of a shot.
var shotColumns = []string{
	"title", "action", "dialogue", "speaker_id", "speaker_name", "voice_id", "character_ids", "creature_ids", "object_ids", "location_id", "camera", "duration",
	"prompt", "negative_prompt", "own_image_url", "skip", "locked", "notes", "version", "updated_at",
}

// differs tells whether a person wrote anything else of a shot.
func (s *Shot) differs(before *Shot) bool {
	return len(library.ChangedFields(
		"title", before.Title, s.Title, "action", before.Action, s.Action, "dialogue", before.Dialogue, s.Dialogue,
		"speakerId", before.SpeakerID, s.SpeakerID, "speakerName", before.SpeakerName, s.SpeakerName, "voiceId", before.VoiceID, s.VoiceID, "characterIds", before.CharacterIDs, s.CharacterIDs,
		"creatureIds", before.CreatureIDs, s.CreatureIDs, "objectIds", before.ObjectIDs, s.ObjectIDs, "locationId", before.LocationID, s.LocationID,
		"camera", before.Camera, s.Camera, "duration", before.Duration, s.Duration, "prompt", before.Prompt, s.Prompt,
		"negativePrompt", before.NegativePrompt, s.NegativePrompt, "ownImageUrl", before.OwnImageURL, s.OwnImageURL,
		"skip", before.Skip, s.Skip, "locked", before.Locked, s.Locked, "notes", before.Notes, s.Notes,
	)) > 0
}
