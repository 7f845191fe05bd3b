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
