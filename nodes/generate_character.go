package nodes

import "atelier/nodes/figure"

var generateCharacterNode = elementNode(figure.Character, "Generate character",
	"Draws a person from several sides, always the same one. The local painter draws simple figures after the attributes, and the seed decides the rest.",
	"Who it is: age, hair, clothes, what they carry.",
	LibraryField("faceId", "Face", "Whose face a provider's model gives the character, from the library.", NamesFace))
