package account

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"atelier/models"
)

const (
	// oidcFlowLifetime is how long a sign-in at a provider may take.
	oidcFlowLifetime = 10 * time.Minute
	// maxFlowNext bounds the page to go on to, in bytes: a browser keeps several
	// flows, and all of them have to fit into the head of a request.
	maxFlowNext = 800
	// maxFlow bounds a sealed flow, in bytes.
	maxFlow = 2 << 10
)

// OIDCFlowCookie is a sign-in under way as its browser keeps it.
type OIDCFlowCookie struct {
	// Name tells the flows of a browser apart; it follows from the state.
	Name string
	// Value is sealed: it opens under its name alone.
	Value string
	Ends  time.Time
}

// oidcFlow is a sign-in under way.
type oidcFlow struct {
	Provider, State, Nonce, Verifier string
	Next                             string
	Ends                             time.Time
}

// OIDCFlowName is how the flow of a state is called: what tells it from other
// flows of the browser, and nothing of the state.
func OIDCFlowName(state string) string {
	sum := sha256.Sum256([]byte("oidc flow " + state))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// sealFlow closes a flow so that only this install can read it.
func (s *Service) sealFlow(f oidcFlow) (OIDCFlowCookie, error) {
	name := OIDCFlowName(f.State)
	seal, err := s.flowSeal()
	if err != nil {
		return OIDCFlowCookie{}, err
	}
	plain := strings.Join([]string{f.Provider, f.State, f.Nonce, f.Verifier, strconv.FormatInt(f.Ends.Unix(), 10), f.Next}, "\n")
	sealed := seal.Seal(nil, nil, []byte(plain), []byte(name))
	return OIDCFlowCookie{Name: name, Value: base64.RawURLEncoding.EncodeToString(sealed), Ends: f.Ends}, nil
}

// openFlow is the flow of a state, as its browser kept it: expired where it
// kept none, an altered one, one of another state, or for too long.
func (s *Service) openFlow(state, value string) (oidcFlow, error) {
	if state == "" || len(state) > maxOIDCAnswer || value == "" || len(value) > maxFlow {
		return oidcFlow{}, errNoFlow
	}
	f, ok := s.readFlow(OIDCFlowName(state), value)
	if !ok || !same(f.State, state) || !s.DB.Clock.Now().Before(f.Ends) {
		return oidcFlow{}, errNoFlow
	}
	return f, nil
}

// OIDCFlowEnds is when a sealed flow ends; the zero time for what is none.
func (s SSO) OIDCFlowEnds(name, value string) time.Time {
	if f, ok := s.account.readFlow(name, value); ok {
		return f.Ends
	}
	return time.Time{}
}

func (s *Service) readFlow(name, value string) (f oidcFlow, ok bool) {
	if len(value) > maxFlow {
		return f, false
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(value)
	if err != nil {
		return f, false
	}
	seal, err := s.flowSeal()
	if err != nil {
		return f, false
	}
	plain, err := seal.Open(nil, nil, sealed, []byte(name))
	if err != nil {
		return f, false
	}
	parts := strings.SplitN(string(plain), "\n", 6)
	if len(parts) != 6 {
		return f, false
	}
	ends, err := strconv.ParseInt(parts[4], 10, 64)
	return oidcFlow{Provider: parts[0], State: parts[1], Nonce: parts[2], Verifier: parts[3], Ends: time.Unix(ends, 0), Next: parts[5]}, err == nil
}

// flowSeal closes flows, under a key of their own.
func (s *Service) flowSeal() (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, s.SessionKey, nil, "atelier oidc flow", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// spendFlow uses a flow, on all replicas at once: assertion_replayed for one
// that was used, also where a person kept its cookie.
func (s *Service) spendFlow(ctx context.Context, f oidcFlow) error {
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		spent := tx.Exec(`INSERT INTO used_assertions (provider, jti_hash, expires_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
			flowsOf(f.Provider), models.HashSecret(f.State), f.Ends)
		if spent.Error == nil && spent.RowsAffected == 0 {
			return errReplayedFlow
		}
		return spent.Error
	})
}

// flowsOf is how the flows of a provider are told from the assertions of one
// with the same id, which has no colon.
func flowsOf(provider string) string { return "oidc:" + provider }
