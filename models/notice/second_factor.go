package notice

import (
	"atelier/models"
	"atelier/models/account"
)

// tellGuard tells a person that the second factor of their account changed, or
// that a recovery code was used: the one who did not do it has to hear of it.
func (s *Service) tellGuard(tx *models.Tx, userID models.ID, change account.GuardChange) error {
	return s.Tell(tx, News{
		Kind: SecondFactorChanged, Needs: Nothing, Facts: Facts{Status: string(change)}, Key: string(change) + ":" + tx.NewID().String(),
	}, userID)
}

// guardSentence says what happened to a second factor.
func guardSentence(f Facts) string {
	const otherwise = " If it was not you, choose a new password and look at where you are signed in."
	switch account.GuardChange(f.Status) {
	case account.TotpAdded:
		return "An authenticator app is asked for now when you sign in." + otherwise
	case account.TotpRemoved:
		return "Your authenticator app was removed: it is not asked for any more when you sign in." + otherwise
	case account.PasskeyAdded:
		return "A passkey was added to your account." + otherwise
	case account.PasskeyRemoved:
		return "A passkey was removed from your account." + otherwise
	case account.RecoveryUsed:
		return "A recovery code was used to sign in to your account." + otherwise
	case account.RecoveryMade:
		return "New recovery codes were made for your account; the earlier ones stopped working." + otherwise
	case account.GuardReset:
		return "An operator took the second factor off your account, and signed you out everywhere. Set it up anew."
	}
	return "The second factor of your account was changed." + otherwise
}
