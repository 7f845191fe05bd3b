package studio

import (
	"cmp"
	"strconv"
	"strings"

	"atelier/models"
)

// view is what production.json holds: the names of the fields are those of /v1.
func (x *Export) view() map[string]any {
	p := x.production
	shots := make([]any, len(p.Shots))
	for i, shot := range p.Shots {
		shots[i] = x.shot(shot)
	}
	elements := []any{}
	for _, id := range p.CastIDs {
		if e := x.elements[id]; e != nil {
			elements = append(elements, map[string]any{"id": e.ID, "kind": e.Kind, "name": e.Name, "handle": e.Handle})
		}
	}
	return map[string]any{
		"id": p.ID, "name": p.Name, "description": p.Description, "script": p.Script, "language": p.Language, "aspectRatio": p.AspectRatio,
		"resolution": p.Resolution, "pipelineId": p.PipelineID, "presetId": p.PresetID, "narratorVoiceId": p.NarratorVoiceID, "music": p.Music,
		"captions": p.Captions, "seed": p.Seed, "castIds": p.CastIDs, "cast": elements, "shots": shots, "shotCount": p.ShotCount, "duration": p.Duration,
		"status": p.Status, "videoUrl": p.VideoURL, "thumbnailUrl": p.ThumbnailURL, "captionsUrl": p.CaptionsURL, "visibility": p.Visibility,
		"workspaceId": p.WorkspaceID, "projectId": p.ProjectID, "createdBy": p.OwnerID, "createdAt": p.CreatedAt.UTC(), "updatedAt": p.UpdatedAt.UTC(),
		"version": p.Version,
	}
}

func (x *Export) shot(s *Shot) map[string]any {
	return map[string]any{
		"id": s.ID, "position": s.Position, "title": s.Title, "action": s.Action, "dialogue": s.Dialogue, "speakerId": s.SpeakerID, "voiceId": s.VoiceID,
		"characterIds": s.CharacterIDs, "creatureIds": s.CreatureIDs, "objectIds": s.ObjectIDs, "locationId": s.LocationID, "camera": s.Camera,
		"duration": s.Duration, "prompt": s.Prompt, "negativePrompt": s.NegativePrompt, "imageUrl": s.ResultURL(ImageStage),
		"audioUrl": s.ResultURL(SpeechStage), "videoUrl": s.ResultURL(ClipStage), "ownImageUrl": s.OwnImageURL, "status": s.Status, "isStale": s.IsStale,
		"skip": s.Skip, "locked": s.Locked, "notes": s.Notes, "errorMessage": s.ErrorMessage, "createdAt": s.CreatedAt.UTC(), "updatedAt": s.UpdatedAt.UTC(),
		"version": s.Version,
	}
}

// table is the shot list.
func (x *Export) table() [][]string {
	rows := [][]string{{
		"number", "title", "location", "characters", "creatures", "objects", "speaker", "action", "dialogue", "size", "angle", "movement", "seconds",
		"skip", "status", "notes", "imageUrl", "audioUrl", "videoUrl", "id",
	}}
	for i, s := range x.production.Shots {
		rows = append(rows, []string{
			strconv.Itoa(i + 1), s.Title, x.nameOf(s.LocationID), x.namesOf(s.CharacterIDs), x.namesOf(s.CreatureIDs), x.namesOf(s.ObjectIDs),
			x.speakerOf(s), s.Action, s.Dialogue, s.Camera.Size, s.Camera.Angle, s.Camera.Movement,
			strconv.FormatFloat(s.seconds(), 'f', 1, 64), strconv.FormatBool(s.Skip), string(s.Status), s.Notes,
			textOf(s.ResultURL(ImageStage)), textOf(s.ResultURL(SpeechStage)), textOf(s.ResultURL(ClipStage)), s.ID.String(),
		})
	}
	return rows
}

// speakerOf is who says what is said in a shot, as far as they have a name.
func (x *Export) speakerOf(s *Shot) string {
	return cmp.Or(x.nameOf(s.SpeakerID), s.SpeakerName)
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (x *Export) nameOf(id *models.ID) string {
	if id == nil || x.elements[*id] == nil {
		return ""
	}
	return x.elements[*id].Name
}

func (x *Export) namesOf(ids models.IDs) string {
	names := make([]string, 0, len(ids))
	for _, id := range ids {
		if name := x.nameOf(&id); name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
