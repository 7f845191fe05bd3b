//go:build !race

package tests

import "slices"

// studioScenes are the routes of pipelines, productions and shots.
func studioScenes(s *stage) []scene {
	return slices.Concat(pipelineScenes(s), productionScenes(s), renderScenes(s))
}

func pipelineScenes(s *stage) []scene {
	head, all := s.head.in(s.room), "/v1/pipelines"
	recipe := object{"name": "Title cards", "description": "For the class", "stages": paintedCards}
	own := all + "/" + head.post(all, recipe).want(201).text("data.id")
	gone := all + "/" + head.post(all, recipe).want(201).text("data.id")
	return []scene{
		{"POST /v1/pipelines", all, head, recipe, 201},
		{"GET /v1/pipelines", all + "?limit=1", head, nil, 200},
		{"GET /v1/pipelines/{id}", own, head, nil, 200},
		{"PATCH /v1/pipelines/{id}", own, head, object{"name": "Cards of the class", "version": 1}, 200},
		{"POST /v1/pipelines/{id}/duplicate", own + "/duplicate", s.head.client, nil, 201},
		{"POST /v1/pipelines/{id}/run", own + "/run", head, object{"shots": []object{{"prompt": "The sea at sunrise"}}, "resolution": "480p", "maxCredits": 2}, 202},
		{"DELETE /v1/pipelines/{id}", gone, head, nil, 200},
	}
}

// goldenScript is one scene of two people.
const goldenScript = "INT. LIGHTHOUSE – NIGHT\n\nRain beats against the glass.\n\nANNA: Did you see the light?\n\nBEN: It went out."

func productionScenes(s *stage) []scene {
	head, all := s.head.in(s.room), "/v1/studio/productions"
	begun := object{
		"name": "The lighthouse", "script": goldenScript, "language": "en", "resolution": "480p", "pipelineId": s.pipeline, "seed": 7, "visibility": "workspace",
	}
	own := all + "/" + head.post(all, begun).want(201).text("data.id")
	gone := all + "/" + head.post(all, begun).want(201).text("data.id")
	second := all + "/" + head.post(all, begun).want(201).text("data.id")
	one := head.post(second+"/shots", object{"title": "One"}).want(201).text("data.id")
	two := head.post(second+"/shots", object{"title": "Two"}).want(201).text("data.id")
	three := head.post(second+"/shots", object{"title": "Three"}).want(201).text("data.id")
	shots := "/v1/studio/productions/{id}/shots"
	return []scene{
		{"POST /v1/studio/productions", all, head, begun, 201},
		{"GET /v1/studio/productions", all + "?q=lighthouse&limit=1", head, nil, 200},
		{"PATCH /v1/studio/productions/{id}", own, head, object{"description": "For the film evening", "captions": "burned", "version": 1}, 200},
		{"POST /v1/studio/productions/{id}/breakdown", own + "/breakdown", head, object{"secondsPerShot": 6, "maxShots": 10}, 200},
		{"GET /v1/studio/productions/{id}", own, head, nil, 200},
		{"POST " + shots, own + "/shots", head, object{"title": "The storm", "action": "Waves break on the rocks.", "camera": object{"size": "wide", "movement": "push-in"}, "duration": 5}, 201},
		{"PATCH " + shots + "/{shotId}", second + "/shots/" + one, head, object{"dialogue": "It went out.", "duration": nil, "version": 1}, 200},
		{"PUT " + shots + "/order", second + "/shots/order", head, object{"shotIds": []string{three, one, two}}, 200},
		{"DELETE " + shots + "/{shotId}", second + "/shots/" + two, head, nil, 200},
		{"POST /v1/studio/productions/{id}/duplicate", second + "/duplicate", s.head.client, nil, 201},
		{"GET /v1/studio/productions/{id}/export", own + "/export?format=json", head, nil, 200},
		{"DELETE /v1/studio/productions/{id}", gone, head, nil, 200},
	}
}

// renderScenes are told with a shot whose picture is there.
func renderScenes(s *stage) []scene {
	head := s.head.in(s.room)
	s.shootCard(s.production)
	each := "/v1/studio/productions/" + s.production
	return []scene{
		{"GET /v1/studio/productions/{id}/renders", each + "/renders", head, nil, 200},
		{"POST /v1/studio/productions/{id}/shots/{shotId}/share", each + "/shots/" + s.shot + "/share", head, object{"shared": true}, 200},
		{"GET /v1/shots/{id}", "/v1/shots/" + s.shot, s.visitor, nil, 200},
		{"POST /v1/studio/productions/{id}/estimate", each + "/estimate", head, object{"force": true}, 200},
		{"POST /v1/studio/productions/{id}/render", each + "/render", head, object{"force": true, "stage": "image", "maxCredits": 5}, 202},
	}
}
