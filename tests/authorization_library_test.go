package tests

import "maps"

// newElement is a character of the head that everyone in the room may see.
func (s *stage) newElement() string {
	return s.head.in(s.room).post("/v1/characters", object{"name": "Mina", "visibility": "workspace", "seed": 7}).want(201).text("data.id")
}

// newVoice is a voice of the head that everyone in the room may use.
func (s *stage) newVoice() string {
	head := s.head.in(s.room)
	base := head.get("/v1/voices?source=factory&provider=local&limit=1").want(200).text("data.0.id")
	return head.post("/v1/voices", object{"name": "Narrator", "baseVoiceId": base, "visibility": "workspace"}).want(201).text("data.id")
}

// libraryRows are the rows of rootRows about elements, voices and posts.
var libraryRows = map[string]string{
	"Query.elements":             `{ elements(kind: character) { nodes { id } } }`,
	"Query.elements in the room": `{ elements(kind: character) { nodes { id } } }`,
	"Query.element":              `{ element(id: $element) { id } }`,
	"Query.elementUses":          `{ elementUses(id: $element) { nodes { executionId } } }`,
	"Query.trainingCheck":        `{ trainingCheck(id: $element, input: {}) { usable } }`,
	"Query.consents":             `{ consents { nodes { id } } }`,
	"Query.consents in the room": `{ consents { nodes { id } } }`,
	"Query.voices":               `{ voices(first: 1) { nodes { id } } }`,
	"Query.voices in the room":   `{ voices(first: 1) { nodes { id } } }`,
	"Query.voice":                `{ voice(id: $voice) { id } }`,
	"Query.voiceVariants":        `{ voiceVariants }`,
	"Query.voiceCloning":         `{ voiceCloning { offered } }`,
	"Query.communityPosts":       `{ communityPosts(first: 1) { nodes { id } } }`,
	"Query.ownPosts":             `{ ownPosts(first: 1) { nodes { id } } }`,
	"Query.postsToReview":        `{ postsToReview(first: 1) { nodes { id } } }`,
	"Query.communityPost":        `{ communityPost(id: $nobody) { id } }`,
	"Query.postChoices":          `{ postChoices(kind: character, sourceId: $element) { refusal audiences { audience waits refusal } } }`,

	"Mutation.postToCommunity":           `mutation { postToCommunity(input: { kind: character, sourceId: $nobody }) { id } }`,
	"Mutation.updatePost":                `mutation { updatePost(id: $nobody, input: {}) { id } }`,
	"Mutation.deletePost":                `mutation { deletePost(id: $nobody) }`,
	"Mutation.usePost":                   `mutation { usePost(id: $nobody, input: {}) { id } }`,
	"Mutation.likePost":                  `mutation { likePost(id: $nobody) { id } }`,
	"Mutation.unlikePost":                `mutation { unlikePost(id: $nobody) { id } }`,
	"Mutation.reportPost":                `mutation { reportPost(id: $nobody, input: { reason: "boring" }) }`,
	"Mutation.moderatePost":              `mutation { moderatePost(id: $nobody, input: { action: hide }) { id } }`,
	"Mutation.createElement":             `mutation { createElement(input: { kind: character, name: "" }) { id } }`,
	"Mutation.createElement in the room": `mutation { createElement(input: { kind: character, name: "" }) { id } }`,
	"Mutation.updateElement":             `mutation { updateElement(id: $element, input: {}) { id } }`,
	"Mutation.deleteElement":             `mutation { deleteElement(id: $new_element) { erased } }`,
	"Mutation.addElementImage":           `mutation { addElementImage(id: $element, input: { url: "http://example.com/a.png" }) { id } }`,
	"Mutation.updateElementImage":        `mutation { updateElementImage(id: $element, imageId: $nobody, input: { isPrimary: true }) { id } }`,
	"Mutation.deleteElementImage":        `mutation { deleteElementImage(id: $element, imageId: $nobody) }`,
	"Mutation.duplicateElement":          `mutation { duplicateElement(id: $element) { id } }`,
	"Mutation.giveConsent":               `mutation { giveConsent(id: $element, input: { confirmed: true }) { id } }`,
	"Mutation.generateElement":           `mutation { generateElement(input: { kind: character, description: "" }) { job { id } } }`,
	"Mutation.trainElement":              `mutation { trainElement(id: $element, input: {}) { job { id } } }`,
	"Mutation.createVoice":               `mutation { createVoice(input: { name: "", baseVoiceId: $voice }) { id } }`,
	"Mutation.createVoice in the room":   `mutation { createVoice(input: { name: "", baseVoiceId: $voice }) { id } }`,
	"Mutation.cloneVoice":                `mutation { cloneVoice(input: { name: "", language: "en" }) { voice { id } } }`,
	"Mutation.updateVoice":               `mutation { updateVoice(id: $voice, input: {}) { id } }`,
	"Mutation.deleteVoice":               `mutation { deleteVoice(id: $new_voice) }`,
	"Mutation.previewVoice":              `mutation { previewVoice(id: $voice, text: "") { job { id } } }`,
	"Mutation.giveVoiceConsent":          `mutation { giveVoiceConsent(id: $voice, input: { confirmed: true }) { id } }`,
}

func init() { maps.Copy(rootRows, libraryRows) }
