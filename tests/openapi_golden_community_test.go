//go:build !race

package tests

// communityScenes are the routes of the gallery.
func communityScenes(s *stage) []scene {
	head, all := s.head.in(s.room), "/v1/community/posts"
	posted := object{"kind": "character", "sourceId": s.element, "title": "Our hero", "category": "storytelling", "tags": []string{"story"}}
	each := all + "/" + head.post(all, posted).want(201).text("data.id")
	gone := all + "/" + head.post(all, posted).want(201).text("data.id")
	return []scene{
		{"POST /v1/community/posts", all, head, posted, 201},
		{"GET /v1/community/posts", all + "?limit=1", head, nil, 200},
		{"GET /v1/community/browse", "/v1/community/browse?kind=character&q=hero&limit=1", head, nil, 200},
		{"GET /v1/community/posts/{id}", each, head, nil, 200},
		{"PATCH /v1/community/posts/{id}", each, head, object{"description": "For the class.", "version": 1}, 200},
		{"POST /v1/community/posts/{id}/use", each + "/use", head, object{"name": "My hero"}, 201},
		{"POST /v1/community/posts/{id}/like", each + "/like", head, nil, 200},
		{"DELETE /v1/community/posts/{id}/like", each + "/like", head, nil, 200},
		{"POST /v1/community/posts/{id}/report", each + "/report", s.pupil.in(s.room), object{"reason": "copyright", "details": "From a film."}, 200},
		{"POST /v1/community/posts/{id}/reject", each + "/reject", head, object{"reason": "Please draw your own."}, 200},
		{"POST /v1/community/posts/{id}/hide", each + "/hide", head, object{"reason": "It shows a real street."}, 200},
		{"POST /v1/community/posts/{id}/approve", each + "/approve", head, object{"reason": "Well done."}, 200},
		{"DELETE /v1/community/posts/{id}", gone, head, nil, 200},
	}
}
