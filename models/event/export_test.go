package event

// Without is without, for its property test.
var Without = without

// Signature is signature, for the tests of what receivers make of it.
var Signature = signature

// EndApp is endApp, which registers itself where approvals end.
var EndApp = endApp
