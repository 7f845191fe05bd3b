//go:build !race

package tests

import "slices"

// elementScenes are the routes of elements, kind by kind.
func elementScenes(s *stage) (scenes []scene) {
	for _, kinds := range []string{"characters", "objects", "creatures", "locations", "faces"} {
		scenes = slices.Concat(scenes, elementScenesOf(s, kinds))
	}
	return scenes
}

// generatedKind has the kinds of which pictures are made, by the word of their paths.
var generatedKind = map[string]string{"characters": "character", "objects": "object", "creatures": "creature", "locations": "location"}

// nobodysPicture is the id of no picture.
const nobodysPicture = "00000000-0000-7000-8000-000000000000"

func elementScenesOf(s *stage, kinds string) []scene {
	head, all := s.head.in(s.room), "/v1/"+kinds
	body := func(handle string) object {
		made := object{"name": "Mina", "handle": handle + "_" + kinds, "description": "Made for the class", "tags": []string{"Class 5"}, "seed": 7}
		if kinds == "faces" {
			made["consent"] = object{"subject": "self", "confirmed": true}
		} else {
			made["attributes"] = object{"mood": "calm"}
		}
		return made
	}
	first := head.post(all, body("first")).want(201).text("data.id")
	each, copied, agreed := all+"/"+first, 201, 400
	if kinds == "faces" {
		copied, agreed = 400, 200
	}
	picture, images := each+"/images/"+nobodysPicture, scene{"POST " + all + "/{id}/images", each + "/images", head, object{"url": "http://example.com/a.png"}, 400}
	trains := slices.Contains([]string{"characters", "objects", "creatures"}, kinds)
	if kinds != "faces" {
		images.body, images.status = object{"url": head.uploadPicture(), "role": "front"}, 201
	}
	scenes := []scene{
		{"POST " + all, all, head, body("second"), 201},
		{"GET " + all, all + "?limit=1", head, nil, 200},
		{"GET " + all + "/{id}", each, head, nil, 200},
		{"PATCH " + all + "/{id}", each, head, object{"description": "Changed", "version": 1}, 200},
		images,
		{"PATCH " + all + "/{id}/images/{imageId}", picture, head, object{"isPrimary": true}, 404},
		{"DELETE " + all + "/{id}/images/{imageId}", picture, head, nil, 404},
		{"POST " + all + "/{id}/duplicate", each + "/duplicate", head, nil, copied},
		{"GET " + all + "/{id}/uses", each + "/uses", head, nil, 200},
		{"GET " + all + "/{id}/export", all + "/" + nobodysPicture + "/export", head, nil, 404},
	}
	if kind, ok := generatedKind[kinds]; ok {
		scenes = append(scenes, scene{"POST /v1/generate-" + kind, "/v1/generate-" + kind, head, object{"description": ""}, 400})
	}
	if trains {
		scenes = append(scenes, scene{"POST " + all + "/{id}/train", each + "/train?check=true", head, object{"provider": "local"}, 200})
	}
	return append(scenes,
		scene{"POST " + all + "/{id}/consent", each + "/consent", head, object{"confirmed": true}, agreed},
		scene{"DELETE " + all + "/{id}", each + "?results=true", head, nil, 200},
	)
}
