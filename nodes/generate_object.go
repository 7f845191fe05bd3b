package nodes

import "atelier/nodes/figure"

var generateObjectNode = elementNode(figure.Object, "Generate object",
	"Draws a thing from several sides. The local painter draws simple shapes; of what it does not know it makes a still life.",
	"What it is: shape, material, colour.")
