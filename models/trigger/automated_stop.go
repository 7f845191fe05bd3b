package trigger

import (
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/notice"
)

// creatorStopped is how the refusal of a creator who may not run any more begins.
const creatorStopped = "The one who set this up may not run the workflow any more, so it was paused: "

// tellRefused tells the creator of a trigger, in the transaction that writes the
// refusal down, that it was paused because they may not run the workflow any more,
// or the first time since it ran last that nothing covers its runs. lastError is
// what the trigger was refused for before.
func (s *Service) tellRefused(tx *models.Tx, t *Trigger, refusal *models.Error, lastError *string) error {
	switch {
	case refusal.Code == models.CodeRunRequiresMember:
		return s.tellStopped(tx, t, string(refusal.Code), "You may not run it any more. "+asSentence(strings.TrimPrefix(refusal.Message, creatorStopped)))
	case refusal.HTTPStatus() == http.StatusPaymentRequired && (lastError == nil || !isMoney[models.Code(*lastError)]):
		return s.tellCreator(tx, t, notice.News{
			Facts: notice.Facts{Status: string(t.Type) + "_refused", Code: string(refusal.Code), Reason: asSentence(refusal.Message)},
			Key:   "refused:" + t.ID.String(), Bundles: true, // it may run and be refused in turns
		})
	}
	return nil
}

// isMoney are the codes of refusals for want of credits.
var isMoney = map[models.Code]bool{
	models.CodeBudgetExceeded: true, models.CodeMemberCapExceeded: true, models.CodeInsufficientCredits: true,
}

// tellParked tells the creator of a schedule, in the transaction that parks it,
// what has to be mended. Anyone who saves what is parked sees that.
func (s *Service) tellParked(tx *models.Tx, t *Trigger) error {
	if tx.Actor.UserID == t.CreatedBy {
		return nil
	}
	return s.tellStopped(tx, t, notice.Parked, "It has to be mended first. "+asSentence(*t.ParkedReason))
}

// tellStopped tells the creator of a trigger that it starts nothing any more: why in English, and the code of that.
func (s *Service) tellStopped(tx *models.Tx, t *Trigger, code, why string) error {
	return s.tellCreator(tx, t, notice.News{Facts: notice.Facts{Status: string(t.Type), Code: code, Reason: why}, Key: tx.NewID().String()})
}

func (s *Service) tellCreator(tx *models.Tx, t *Trigger, news notice.News) error {
	name, err := flow.WorkflowName(tx, t.WorkflowID)
	if err != nil {
		return err
	}
	news.Kind, news.Needs, news.SubjectID, news.Facts.Thing = notice.AutomationStopped, notice.Nothing, &t.WorkflowID, name
	return s.Orgs.Notices.Tell(tx, news, t.CreatedBy)
}

// asSentence begins a text with a capital letter and ends it with a full stop.
func asSentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + strings.TrimSuffix(text[size:], ".") + "."
}
