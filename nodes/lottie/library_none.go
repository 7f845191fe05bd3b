//go:build !linux || !(amd64 || arm64) || nolottie

package lottie

// Supported tells whether this build can draw at all.
const Supported = false

func open([]string, []byte) (animation, error) { return nil, lastWords["missing"] }
