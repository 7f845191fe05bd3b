package rest

import (
	"context"
	"encoding/json"

	"atelier/models"
	"atelier/models/account"
)

// passkeyRoutes are the JSON forms of asking a passkey and of what it answers.
func (a *API) passkeyRoutes(tag string) {
	handle(a, route{Method: "POST", Path: "/auth/passkey/begin", Tag: tag, Summary: "Make what a browser asks a passkey, for five minutes", Public: true}, a.beginPasskey)
	handle(a, route{Method: "POST", Path: "/auth/passkey/sign-in", Tag: tag, Summary: "Begin a session with a passkey alone", Public: true}, a.signInWithPasskey)
}

type beginPasskeyInput struct {
	Body struct {
		Purpose           account.PasskeyPurpose `json:"purpose" enum:"sign_in,second_step"`
		SecondFactorToken *string                `json:"secondFactorToken,omitempty" doc:"Of the refused sign-in, for second_step."`
	}
}

type passkeyChallengeView struct {
	ChallengeID models.ID       `json:"challengeId"`
	Options     json.RawMessage `json:"options" doc:"The WebAuthn standard's PublicKeyCredentialRequestOptionsJSON."`
}

// passkeyAnswer is what a passkey answered to a challenge.
type passkeyAnswer struct {
	ChallengeID models.ID `json:"challengeId"`
	Response    any       `json:"response" doc:"The browser's PublicKeyCredential as JSON, at most 64 KiB."`
}

func (p passkeyAnswer) answer() (*account.PasskeyAnswer, error) {
	response, err := json.Marshal(p.Response)
	return &account.PasskeyAnswer{ChallengeID: p.ChallengeID, Response: response}, err
}

type signInWithPasskeyInput struct{ Body passkeyAnswer }

func (a *API) beginPasskey(ctx context.Context, in *beginPasskeyInput) (*single[passkeyChallengeView], error) {
	c, err := a.mutation().BeginPasskey(ctx, in.Body.Purpose, in.Body.SecondFactorToken)
	if err != nil {
		return nil, err
	}
	return one(passkeyChallengeView{ChallengeID: c.ID, Options: c.Options}), nil
}

func (a *API) signInWithPasskey(ctx context.Context, in *signInWithPasskeyInput) (*sessionReply, error) {
	answer, err := in.Body.answer()
	if err != nil {
		return nil, err
	}
	signedIn, err := a.mutation().SignInWithPasskey(ctx, *answer)
	if err != nil {
		return nil, err
	}
	return a.sessionReply(signedIn), nil
}
