package account

// TotpSetup is the secret of an authenticator app.
type TotpSetup struct{ Secret, URI string }

// SecondStepInput ends a sign-in whose password was right.
type SecondStepInput struct {
	SecondFactorToken string
	Code              *string
	Passkey           *PasskeyAnswer
}

// ConfirmSessionInput confirms that it is still the person.
type ConfirmSessionInput struct {
	Password *string
	Code     *string
	Passkey  *PasskeyAnswer
}
