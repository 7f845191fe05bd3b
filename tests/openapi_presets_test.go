//go:build !race

package tests

// presetScenes are the routes of presets and of the prompt helper.
func presetScenes(s *stage) []scene {
	head, all := s.head.in(s.room), "/v1/node-presets"
	card := object{"nodeType": "text-card", "name": "Our poster", "settings": object{"background": "#14213d", "align": "left"}, "tags": []string{"class"}}
	own := head.post(all, card).want(201).text("data.id")
	gone := head.post(all, card).want(201).text("data.id")
	return []scene{
		{"POST /v1/node-presets", all, head, card, 201},
		{"GET /v1/node-presets", all + "?q=poster&limit=1", head, nil, 200},
		{"GET /v1/node-presets/factory", all + "/factory?nodeType=text-card&limit=1", head, nil, 200},
		{"POST /v1/node-presets/import", all + "/import", head, object{"presets": []object{card}}, 201},
		{"GET /v1/node-presets/{id}", all + "/" + own, head, nil, 200},
		{"PATCH /v1/node-presets/{id}", all + "/" + own, head, object{"name": "Poster of the class", "version": 1}, 200},
		{"POST /v1/node-presets/{id}/duplicate", all + "/" + own + "/duplicate", s.head.client, nil, 201},
		{"DELETE /v1/node-presets/{id}", all + "/" + gone, head, nil, 200},
		{"POST /v1/prompt-helper/wizard", "/v1/prompt-helper/wizard", head, object{
			"idea": "A fox in the snow", "answers": object{"style": "ink drawing", "light": ""}, "maxQuestions": 1,
		}, 200},
	}
}
