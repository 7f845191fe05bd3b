package nodes

import "atelier/nodes/figure"

var generateCreatureNode = elementNode(figure.Creature, "Generate creature",
	"Draws an animal or a being from several sides, always the same one. The local painter draws simple figures of some species.",
	"What it is: species, colours, wings, horns, tail.")
