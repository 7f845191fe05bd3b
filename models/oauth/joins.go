package oauth

import (
	"strings"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/account"
)

// Approves is a condition for statements of other areas: the approval of a
// person, for an app, is live and includes the scope. userID and appID are SQL.
func Approves(userID, appID string, scope models.Scope) string {
	return strings.NewReplacer("@user", userID, "@app", appID, "@scope", string(scope)).Replace(`EXISTS (
		SELECT FROM oauth_grants approval JOIN oauth_apps approved ON approved.id = approval.app_id AND approved.deleted_at IS NULL AND ` + account.OwnerUsable("approved.owner_id") + `
		WHERE approval.user_id = @user AND approval.app_id = @app AND approval.revoked_at IS NULL AND '@scope' = ANY(approval.scopes))`)
}

var errEnded = models.Err(models.CodeUnauthorized, "The app may not act for this person any more")

// HoldApproval keeps a person's approval of an app, with the scope, from ending
// before the transaction has: what it makes is there then for OnEnd. One that
// has ended is unauthorized. It comes before other locks, as in OnEnd.
func HoldApproval(tx *models.Tx, userID, appID models.ID, scope models.Scope) error {
	_, err := models.First[Grant](tx.Select("id").Clauses(clause.Locking{Strength: "SHARE"}).
		Where("user_id = ? AND app_id = ? AND revoked_at IS NULL AND ? = ANY(scopes)", userID, appID, string(scope)).
		Where("EXISTS (SELECT FROM oauth_apps a WHERE a.id = app_id AND a.deleted_at IS NULL AND "+account.OwnerUsable("a.owner_id")+")"), errEnded)
	return err
}
