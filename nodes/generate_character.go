package nodes

import (
	"atelier/nodes/figure"
	"atelier/nodes/kit"
)

var generateCharacterNode = elementNode(figure.Character, "Generate character",
	"Draws a person from several sides, always the same one. The local painter draws simple figures after the attributes, and the seed decides the rest.",
	"Who it is: age, hair, clothes, what they carry.",
	kit.LibraryField("faceId", "Face", "Whose face a provider's model gives the character, from the library.", kit.NamesFace))
