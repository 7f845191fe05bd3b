//go:build !race

package tests

// voiceScenes are the routes of voices.
func voiceScenes(s *stage) []scene {
	head, all := s.head.in(s.room), "/v1/voices"
	base := head.get(all + "?source=factory&provider=local&limit=1").want(200).text("data.0.id")
	each := all + "/" + s.voice
	return []scene{
		{"POST /v1/voices", all, head, object{"name": "Storyteller", "baseVoiceId": base, "settings": object{"speed": 150, "pitch": 60}}, 201},
		{"GET /v1/voices", all + "?source=designed&limit=1", head, nil, 200},
		{"GET /v1/voices/{id}", each, head, nil, 200},
		{"PATCH /v1/voices/{id}", each, head, object{"description": "Reads the news", "version": 1}, 200},
		{"POST /v1/voices/{id}/preview", each + "/preview", head, object{"text": "Good morning, class."}, 202},
		{"POST /v1/voices/{id}/consent", each + "/consent", s.pupil.in(s.room), object{"confirmed": true}, 400},
		{"GET /v1/voices/{id}/export", all + "/" + nowhere + "/export", head, nil, 404},
		{"DELETE /v1/voices/{id}", all + "/" + s.newVoice(), head, nil, 200},
	}
}
