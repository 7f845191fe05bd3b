package nodes

import "atelier/nodes/figure"

var generateLocationNode = elementNode(figure.Location, "Generate location",
	"Paints a place in several lights. The local painter paints simple scenes, indoors and outdoors.",
	"Where it is: place, weather, season, mood.")
