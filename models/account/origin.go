package account

// ExternalOrigin tells whether a session of the origin was begun through an
// identity provider; a password and a passkey are the install's own (contract 3,
// the gate of profiles that list sso alone).
func ExternalOrigin(origin string) bool { return origin == OriginSSO || origin == OriginOIDC }
