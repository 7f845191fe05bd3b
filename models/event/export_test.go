package event

// Without is without, for its property test.
var Without = without
