package nodes

// maxText bounds every text that goes in or comes out, in bytes.
const maxText = 1 << 20

// catalogue is every node type, in the order in which a menu shows them.
var catalogue = []*Node{
	textNode, combineTextNode, templateTextNode, splitTextNode, regexTextNode, summarizeTextNode, generateTextNode,
	generateImageNode, resizeImageNode, cropImageNode, composeImageNode, filterImageNode,
	textCardNode, qrCodeNode, convertImageNode,
	extractFrameNode, animateImageNode, concatVideoNode, addAudioNode, waveformVideoNode, videoOverlayNode, freecutExportNode, motionNode, generateVideoNode,
	textToSpeechNode, transcribeAudioNode, transcribeNode, mixAudioNode, trimAudioNode, convertAudioNode,
	uploadImageNode, uploadVideoNode, uploadAudioNode, downloadVideoNode,
	jsonQueryNode, conditionNode, csvParseNode, httpRequestNode,
	delayNode, groupNode, componentNode,
	webhookTriggerNode, scheduleTriggerNode, webhookOutputNode,
}

var byType = func() map[string]*Node {
	index := make(map[string]*Node, len(catalogue))
	for _, n := range catalogue {
		index[n.Type] = n
	}
	return index
}()

// Find is the node type of that name, offered or not.
func Find(name string) (*Node, bool) {
	n, ok := byType[name]
	return n, ok
}

// All is every node type that this install offers, in a stable order.
func All() []*Node {
	var all []*Node
	for _, n := range catalogue {
		if n.Offered() {
			all = append(all, n)
		}
	}
	return all
}

// Known is every node type, those too that no provider of this install can do.
func Known() []*Node { return append([]*Node(nil), catalogue...) }
