package config

import (
	"encoding/json"
	"slices"
)

// Ways to sign in that a surface profile lists.
const (
	MethodEmail = "email"
	MethodSSO   = "sso"
	MethodOIDC  = "oidc"
)

// SurfaceProfile is what the sign-in page of this deployment offers. Methods is
// never empty, holds no method twice, and holds sso only with a label.
type SurfaceProfile struct {
	Methods  []string
	SSOLabel string
}

// SSOOnly reports whether the gate is on: sessions that no external sign-in
// made are refused (contract 3, "Authentication").
func (p SurfaceProfile) SSOOnly() bool {
	return len(p.Methods) == 1 && p.Methods[0] == MethodSSO
}

// Offers reports whether the sign-in page shows a method.
func (p SurfaceProfile) Offers(method string) bool { return slices.Contains(p.Methods, method) }

func readSurfaceProfile(r *jsonReader, raw json.RawMessage) SurfaceProfile {
	o := r.object("", raw)
	var inner json.RawMessage
	o.take("auth", &inner, "an object")
	o.finish("SURFACE_PROFILE")
	if inner == nil {
		return SurfaceProfile{Methods: []string{MethodEmail}}
	}
	auth := r.object("auth", inner)
	var listed []string
	auth.take("methods", &listed, "an array of strings")
	p := SurfaceProfile{SSOLabel: auth.text("ssoLabel")}
	auth.finish("SURFACE_PROFILE")
	for _, method := range listed {
		switch {
		case !slices.Contains([]string{MethodEmail, MethodSSO, MethodOIDC}, method):
			auth.problem("auth.methods", "%q is not one of email, sso, oidc", method)
		case method == MethodSSO && p.SSOLabel == "", p.Offers(method):
		default:
			p.Methods = append(p.Methods, method)
		}
	}
	if len(p.Methods) == 0 {
		p.Methods = []string{MethodEmail}
	}
	return p
}
