package assertion_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash"
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account/assertion"

	"github.com/go-jose/go-jose/v4"
	josejwt "github.com/go-jose/go-jose/v4/jwt"
)

const secret = "thirty-two letters: a reference!" // the other library takes none shorter

var (
	now      = time.Date(2026, 4, 12, 8, 0, 0, 0, time.UTC)
	provider = assertion.Provider{
		Secret: secret, Audience: "atelier", EmailClaim: "email", VerifiedClaim: "email_verified", SubjectClaim: "sub", MaxLifetime: 300 * time.Second,
	}
)

type object = map[string]any

// in is the NumericDate some seconds from now.
func in(seconds float64) float64 { return float64(now.Unix()) + seconds }

func base() object {
	return object{"aud": "atelier", "sub": "s1", "email": "mara@example.com", "email_verified": true, "jti": "j1", "iat": in(0), "exp": in(60)}
}

// with is the usual payload with changes; nil takes a claim away.
func with(changes object) object {
	c := base()
	for name, value := range changes {
		c[name] = value
		if value == nil {
			delete(c, name)
		}
	}
	return c
}

func text(v any) string {
	if raw, ok := v.(string); ok {
		return raw
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func encode(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

const header = `{"alg":"HS256","typ":"JWT"}`

// sign makes a token of a header and a payload as they are written.
func sign(header, payload string) string {
	return signWith(sha256.New, secret, encode(header)+"."+encode(payload))
}

func signWith(h func() hash.Hash, key, signed string) string {
	mac := hmac.New(h, []byte(key))
	mac.Write([]byte(signed))
	return signed + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func usual(changes object) string { return sign(header, text(with(changes))) }

func raw(from, to string) string {
	payload := `{"aud":"atelier","sub":"s1","email":"mara@example.com","email_verified":true,"jti":"j1","iat":` + fmt.Sprint(now.Unix()) + `,"exp":` + fmt.Sprint(now.Unix()+60) + `}`
	if !strings.Contains(payload, from) {
		panic(from)
	}
	return sign(header, strings.Replace(payload, from, to, 1))
}

func TestCheck(t *testing.T) {
	const (
		ok        = models.Code("")
		signature = models.CodeInvalidSignature
		claims    = models.CodeInvalidClaims
		expired   = models.CodeExpired
		long      = models.CodeTooLongLived
		jti       = models.CodeMissingJTI
		email     = models.CodeMissingEmail
	)
	good := usual(nil)
	parts := strings.Split(good, ".")
	for name, row := range map[string]struct {
		token string
		code  models.Code
	}{
		"good":                       {good, ok},
		"without typ":                {sign(`{"alg":"HS256"}`, text(base())), ok},
		"typ in small letters":       {sign(`{"alg":"HS256","typ":"jwt"}`, text(base())), ok},
		"with kid":                   {sign(`{"alg":"HS256","kid":"1"}`, text(base())), ok},
		"empty":                      {"", signature},
		"a word":                     {"nonsense", signature},
		"two parts":                  {parts[0] + "." + parts[1], signature},
		"four parts":                 {good + ".x", signature},
		"dot behind":                 {good + ".", signature},
		"line end behind":            {good + "\n", signature},
		"line end within":            {good[:20] + "\n" + good[20:], signature},
		"space in front":             {" " + good, signature},
		"padding":                    {good + "=", signature},
		"ordinary base64":            {strings.ReplaceAll(strings.ReplaceAll(good, "-", "+"), "_", "/") + "+", signature},
		"empty signature":            {parts[0] + "." + parts[1] + ".", signature},
		"empty header":               {signWith(sha256.New, secret, "."+parts[1]), signature},
		"empty payload":              {signWith(sha256.New, secret, parts[0]+"."), signature},
		"loose last bits":            {loosened(good), signature},
		"too large":                  {usual(object{"more": strings.Repeat("x", 16<<10)}), signature},
		"one megabyte":               {usual(object{"more": strings.Repeat("x", 1<<20)}), signature},
		"large enough":               {usual(object{"more": strings.Repeat("x", 11<<10)}), ok},
		"another secret":             {signWith(sha256.New, "thirty-two letters: a reference?", parts[0]+"."+parts[1]), signature},
		"a part of the secret":       {signWith(sha256.New, secret[:15], parts[0]+"."+parts[1]), signature},
		"changed payload":            {parts[0] + "." + encode(text(with(object{"sub": "s2"}))) + "." + parts[2], signature},
		"changed header":             {encode(`{"alg":"HS256"}`) + "." + parts[1] + "." + parts[2], signature},
		"alg none":                   {encode(`{"alg":"none"}`) + "." + parts[1] + ".", signature},
		"alg none, signed":           {sign(`{"alg":"none"}`, text(base())), signature},
		"alg hs256":                  {sign(`{"alg":"hs256"}`, text(base())), signature},
		"alg HS512":                  {signWith(sha512.New, secret, encode(`{"alg":"HS512"}`)+"."+parts[1]), signature},
		"alg RS256":                  {sign(`{"alg":"RS256"}`, text(base())), signature},
		"alg a list":                 {sign(`{"alg":["HS256"]}`, text(base())), signature},
		"no alg":                     {sign(`{"typ":"JWT"}`, text(base())), signature},
		"alg twice":                  {sign(`{"alg":"none","alg":"HS256"}`, text(base())), signature},
		"alg twice, escaped":         {sign(`{"\u0061lg":"none","alg":"HS256"}`, text(base())), signature},
		"Alg":                        {sign(`{"Alg":"HS256"}`, text(base())), signature},
		"crit":                       {sign(`{"alg":"HS256","crit":["exp"],"exp":1}`, text(base())), signature},
		"crit, empty":                {sign(`{"alg":"HS256","crit":[]}`, text(base())), signature},
		"crit, null":                 {sign(`{"alg":"HS256","crit":null}`, text(base())), signature},
		"b64":                        {sign(`{"alg":"HS256","b64":true}`, text(base())), signature},
		"b64 false":                  {signWith(sha256.New, secret, encode(`{"alg":"HS256","b64":false}`)+"."+text(base())), signature},
		"zip":                        {sign(`{"alg":"HS256","zip":"DEF"}`, text(base())), signature},
		"typ of an access token":     {sign(`{"alg":"HS256","typ":"at+jwt"}`, text(base())), signature},
		"typ a number":               {sign(`{"alg":"HS256","typ":1}`, text(base())), signature},
		"header a list":              {sign(`["HS256"]`, text(base())), signature},
		"header null":                {sign(`null`, text(base())), signature},
		"header with more behind":    {sign(header+"{}", text(base())), signature},
		"header deep":                {sign(`{"alg":"HS256","x":`+strings.Repeat("[", 100)+strings.Repeat("]", 100)+`}`, text(base())), signature},
		"payload no JSON":            {sign(header, "mara"), signature},
		"payload a list":             {sign(header, "[]"), signature},
		"payload null":               {sign(header, "null"), signature},
		"payload a text":             {sign(header, `"x"`), signature},
		"payload with more behind":   {sign(header, text(base())+" {}"), signature},
		"payload deep":               {raw(`"aud"`, `"x":`+strings.Repeat(`{"a":`, 100)+"1"+strings.Repeat("}", 100)+`,"aud"`), signature},
		"payload nested a little":    {usual(object{"more": object{"a": []any{object{"b": 1}}}}), ok},
		"payload not UTF-8":          {raw("mara", "ma\xffra"), signature},
		"a claim twice":              {raw(`"sub":"s1"`, `"sub":"s0","sub":"s1"`), signature},
		"a claim twice, escaped":     {raw(`"sub":"s1"`, `"s\u0075b":"s0","sub":"s1"`), signature},
		"a claim twice, below":       {raw(`"sub":"s1"`, `"more":{"a":1,"a":2},"sub":"s1"`), signature},
		"a signed payload of itself": {sign(`{"alg":"HS256","cty":"JWT"}`, good), signature},

		"aud missing":             {usual(object{"aud": nil}), claims},
		"aud other":               {usual(object{"aud": "another"}), claims},
		"aud a list":              {usual(object{"aud": []string{"atelier"}}), claims},
		"aud longer":              {usual(object{"aud": "atelier "}), claims},
		"aud in capitals":         {usual(object{"aud": "Atelier"}), claims},
		"aud null":                {raw(`"atelier"`, "null"), claims},
		"aud a number":            {usual(object{"aud": 1}), claims},
		"exp missing":             {usual(object{"exp": nil}), claims},
		"exp null":                {raw(`"exp":`+fmt.Sprint(now.Unix()+60), `"exp":null`), claims},
		"exp a text":              {usual(object{"exp": fmt.Sprint(now.Unix() + 60)}), claims},
		"exp true":                {usual(object{"exp": true}), claims},
		"exp a list":              {usual(object{"exp": []any{in(60)}}), claims},
		"exp beyond every number": {raw(`"exp":`+fmt.Sprint(now.Unix()+60), `"exp":1e400`), claims},
		"EXP":                     {usual(object{"exp": nil, "EXP": in(60)}), claims},
		"exp with a fraction":     {usual(object{"exp": in(59.75)}), ok},
		"exp with an exponent":    {raw(`"exp":`+fmt.Sprint(now.Unix()+60), `"exp":1.77597e9,"iat0":0`), expired},
		"exp just past":           {usual(object{"exp": in(-5)}), ok},
		"exp past":                {usual(object{"exp": in(-5.5)}), expired},
		"exp long past":           {usual(object{"exp": in(-3600)}), expired},
		"exp negative":            {usual(object{"exp": -1}), expired},
		"exp 0":                   {usual(object{"exp": 0}), expired},
		"exp 1e308":               {raw(`"exp":`+fmt.Sprint(now.Unix()+60), `"exp":1e308`), long},

		"iat missing":                    {usual(object{"iat": nil}), ok},
		"iat missing, longest":           {usual(object{"iat": nil, "exp": in(300)}), ok},
		"iat missing, too long":          {usual(object{"iat": nil, "exp": in(301)}), long},
		"iat a text":                     {usual(object{"iat": "now"}), claims},
		"iat null":                       {raw(`"iat":`+fmt.Sprint(now.Unix()), `"iat":null`), claims},
		"longest":                        {usual(object{"iat": in(-100), "exp": in(200)}), ok},
		"too long":                       {usual(object{"iat": in(-100), "exp": in(201)}), long},
		"too long by a fraction":         {usual(object{"iat": in(-100), "exp": in(200.5)}), long},
		"iat a little ahead":             {usual(object{"iat": in(5), "exp": in(305)}), ok},
		"iat a little ahead, too long":   {usual(object{"iat": in(5), "exp": in(306)}), long},
		"iat ahead is now":               {usual(object{"iat": in(3600), "exp": in(300)}), ok},
		"iat ahead is now, too long":     {usual(object{"iat": in(3600), "exp": in(3700)}), long},
		"iat just ahead is now":          {usual(object{"iat": in(6), "exp": in(301)}), long},
		"iat 1e308":                      {raw(`"iat":`+fmt.Sprint(now.Unix()), `"iat":1e308`), ok},
		"iat -1e308":                     {raw(`"iat":`+fmt.Sprint(now.Unix()), `"iat":-1e308`), long},
		"iat negative":                   {usual(object{"iat": -1}), long},
		"iat behind exp":                 {usual(object{"iat": in(4), "exp": in(1)}), ok},
		"nbf past":                       {usual(object{"nbf": in(-10)}), ok},
		"nbf a little ahead":             {usual(object{"nbf": in(5)}), ok},
		"nbf ahead":                      {usual(object{"nbf": in(5.5)}), claims},
		"nbf 1e308":                      {raw(`"iat"`, `"nbf":1e308,"iat"`), claims},
		"nbf a text":                     {usual(object{"nbf": "0"}), claims},
		"nbf null":                       {raw(`"iat"`, `"nbf":null,"iat"`), claims},
		"sub missing":                    {usual(object{"sub": nil}), claims},
		"sub empty":                      {usual(object{"sub": ""}), claims},
		"sub blank":                      {usual(object{"sub": " \u00a0\t"}), claims},
		"sub a number":                   {usual(object{"sub": 1}), claims},
		"sub null":                       {raw(`"s1"`, "null"), claims},
		"sub with a NUL":                 {usual(object{"sub": "s\x001"}), claims},
		"sub of half a character":        {raw(`"s1"`, `"s\ud800"`), claims},
		"sub endless":                    {usual(object{"sub": strings.Repeat("s", 1001)}), claims},
		"sub long":                       {usual(object{"sub": strings.Repeat("s", 1000)}), ok},
		"jti missing":                    {usual(object{"jti": nil}), jti},
		"jti empty":                      {usual(object{"jti": ""}), jti},
		"jti blank":                      {usual(object{"jti": "  "}), jti},
		"jti a number":                   {usual(object{"jti": 7}), jti},
		"jti null":                       {raw(`"j1"`, "null"), jti},
		"jti a list":                     {usual(object{"jti": []string{"j1"}}), jti},
		"email missing":                  {usual(object{"email": nil}), email},
		"email empty":                    {usual(object{"email": ""}), email},
		"email blank":                    {usual(object{"email": " "}), email},
		"email a list":                   {usual(object{"email": []string{"mara@example.com"}}), email},
		"email no address":               {usual(object{"email": "mara"}), email},
		"email two":                      {usual(object{"email": "a@example.com, b@example.com"}), email},
		"email with a name":              {usual(object{"email": "Mara <mara@example.com>"}), email},
		"email of a domain that folds":   {usual(object{"email": "mara@Straße.example"}), email},
		"expired before too long":        {usual(object{"iat": in(-9000), "exp": in(-10)}), expired},
		"claims before expired":          {usual(object{"aud": "x", "exp": in(-10)}), claims},
		"too long before jti":            {usual(object{"exp": in(999), "jti": nil}), long},
		"jti before email":               {usual(object{"jti": nil, "email": nil}), jti},
		"signature before all":           {signWith(sha256.New, "another secret!!", encode(header)+"."+encode(text(with(object{"aud": "x", "exp": in(-10)})))), signature},
		"unknown claims are let be":      {usual(object{"groups": []string{"a"}, "": "x", "iss": 5}), ok},
		"verified claim of another sort": {usual(object{"email_verified": "true"}), ok},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := assertion.Check(provider, row.token, now)
			if row.code == ok && err != nil || row.code != ok && !models.HasCode(err, row.code) {
				t.Fatalf("%v, want %q", err, row.code)
			}
			if err == nil {
				reference(t, row.token, got)
			} else if got.Subject != "" || got.Email != "" || got.EmailVerified {
				t.Errorf("a refused assertion says %+v", got)
			}
		})
	}
}

// loosened is a token whose last letter has bits that no byte has.
func loosened(token string) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := strings.IndexByte(letters, token[len(token)-1])
	return token[:len(token)-1] + string(letters[last|1])
}

// Only true itself is verified.
func TestVerifiedFlag(t *testing.T) {
	for written, want := range map[string]bool{
		"true": true, "false": false, `"true"`: false, "1": false, "null": false, `"1"`: false, "[true]": false, `{"a":true}`: false, `""`: false, "1.0": false,
	} {
		got, err := assertion.Check(provider, raw(`"email_verified":true`, `"email_verified":`+written), now)
		if err != nil || got.EmailVerified != want {
			t.Errorf("%s: %t, %v", written, got.EmailVerified, err)
		}
	}
	if got, err := assertion.Check(provider, usual(object{"email_verified": nil}), now); err != nil || got.EmailVerified {
		t.Errorf("missing: %t, %v", got.EmailVerified, err)
	}
}

func TestClaimMap(t *testing.T) {
	p := provider
	p.EmailClaim, p.VerifiedClaim, p.SubjectClaim = "https://idp.example/mail", "ok", "user.id"
	c := with(object{"https://idp.example/mail": "ben@example.com", "ok": true, "user.id": "u7", "user": object{"id": "wrong"}, "sub": nil, "email": nil, "email_verified": false})
	got, err := assertion.Check(p, sign(header, text(c)), now)
	if err != nil || got.Subject != "u7" || got.Email != "ben@example.com" || !got.EmailVerified {
		t.Errorf("%+v, %v", got, err)
	}
	delete(c, "user.id")
	if _, err := assertion.Check(p, sign(header, text(c)), now); !models.HasCode(err, models.CodeInvalidClaims) {
		t.Errorf("a dot is a path: %v", err)
	}
}

// What was signed is remembered although it is refused.
func TestWhatRefusedAssertionsSay(t *testing.T) {
	for name, token := range map[string]string{"claims": usual(object{"aud": "x"}), "email": usual(object{"email": nil}), "lifetime": usual(object{"exp": in(1e9)})} {
		got, err := assertion.Check(provider, token, now)
		if err == nil || got.JTI != "j1" || got.ExpiresAt.Before(now) || got.ExpiresAt.After(now.Add(25*time.Hour)) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	forged := signWith(sha256.New, "another secret!!", encode(header)+"."+encode(text(base())))
	if got, _ := assertion.Check(provider, forged, now); got != (assertion.Claims{}) {
		t.Errorf("a forged one says %+v", got)
	}
	got, err := assertion.Check(provider, usual(object{"iat": in(-2.5)}), now)
	if err != nil || got.ClockOffset == nil || (*got.ClockOffset+2500*time.Millisecond).Abs() > time.Millisecond || !got.ExpiresAt.Equal(now.Add(65*time.Second)) {
		t.Errorf("%+v, %v", got, err)
	}
}

// reference holds what was accepted against another library and the rules, read again.
func reference(t *testing.T, token string, got assertion.Claims) {
	t.Helper()
	parsed, err := josejwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.HS256})
	if err != nil {
		t.Fatalf("the reference does not read it: %v", err)
	}
	var c object
	if err := parsed.Claims([]byte(secret), &c); err != nil {
		t.Fatalf("the reference does not verify it: %v", err)
	}
	number := func(name string, otherwise float64) float64 {
		value, there := c[name]
		if !there {
			return otherwise
		}
		f, ok := value.(float64)
		if !ok {
			t.Fatalf("%s is %T", name, value)
		}
		return f
	}
	clock := in(0)
	exp, iat, nbf := number("exp", math.NaN()), number("iat", clock), number("nbf", 0)
	if iat > clock+5 {
		iat = clock
	}
	if c["aud"] != "atelier" || !(clock <= exp+5) || exp-iat > 300 || nbf > clock+5 {
		t.Fatalf("accepted against the rules: %v", c)
	}
	sub, _ := c["sub"].(string)
	id, _ := c["jti"].(string)
	address, _ := c["email"].(string)
	if strings.TrimSpace(sub) == "" || strings.TrimSpace(id) == "" || strings.TrimSpace(address) == "" {
		t.Fatalf("accepted without an identity: %v", c)
	}
	yes, _ := c["email_verified"].(bool)
	if got.Subject != sub || got.JTI != id || got.Email != address || got.EmailVerified != yes {
		t.Fatalf("%+v is not what the reference reads: %v", got, c)
	}
}

// FuzzCheck signs any header and payload, and takes any token as it is:
// whatever is accepted must verify in another library and hold the rules.
func FuzzCheck(f *testing.F) {
	payloads := []object{nil, {"aud": []string{"atelier"}}, {"exp": in(299.5)}, {"iat": in(7)}, {"nbf": in(4)}, {"email_verified": "true"}, {"sub": "é"}, {"exp": -1}, {"jti": "\x00"}}
	for _, changes := range payloads {
		f.Add(header, text(with(changes)), usual(changes))
	}
	for _, h := range []string{`{"alg":"none"}`, `{"alg":"HS256","crit":[]}`, `{"alg":"HS256","b64":false,"crit":["b64"]}`, `{"alg":"HS256","alg":"none"}`, `{"alg":"HS256"}x`, "\ufeff" + header, `{"ALG":"HS256"}`} {
		f.Add(h, text(base()), sign(h, text(base())))
	}
	for _, p := range []string{text(base()) + "\n", `{"exp":1e308}`, strings.Replace(text(base()), `"s1"`, `"s1","sub":"s2"`, 1), strings.Replace(text(base()), `"s1"`, `"s1","SUB":"s2"`, 1)} {
		f.Add(header, p, sign(header, p)+"\n")
	}
	all := maps.Clone(base())
	all["name"] = "Mara"
	f.Add(header, text(all), "..")
	f.Fuzz(func(t *testing.T, h, p, token string) {
		for _, compact := range []string{sign(h, p), token} {
			if got, err := assertion.Check(provider, compact, now); err == nil {
				reference(t, compact, got)
			}
		}
	})
}
