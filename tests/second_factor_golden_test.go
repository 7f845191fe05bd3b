//go:build !race

package tests

import (
	"time"

	"github.com/pquerna/otp/totp"
)

// secondStepScene is the second step of a person with an authenticator app, by a recovery code.
func secondStepScene(s *stage) scene {
	who := newPerson(s.t, s.visitor.URL, "Edda")
	secret := who.graphql(`mutation { beginTotp { secret } }`, nil).want(200).text("data.beginTotp.secret")
	code, err := totp.GenerateCode(secret, time.Now())
	if err != nil {
		s.t.Fatal(err)
	}
	codes := who.graphql(`mutation($code: String!) { confirmTotp(code: $code) }`, object{"code": code}).want(200).list("data.confirmTotp")
	asked := s.visitor.post("/auth/sign-in", object{"email": who.email, "password": password}).wantError(401, "second_factor_required")
	return scene{
		"POST /auth/second-factor", "/auth/second-factor", s.visitor,
		object{"secondFactorToken": asked.text("error.secondFactorToken"), "code": codes[0]}, 200,
	}
}
