package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"atelier/web/locale"
)

// read is a page for a browser that asks for a language, with what the account chose.
func read(f *fake, path, accept, choice string, cookies ...*http.Cookie) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Accept-Language", accept)
	for _, cookie := range cookies {
		r.AddCookie(cookie)
	}
	return do(f, r.WithContext(locale.WithChoice(r.Context(), choice)))
}

// The account's choice decides, then the visitor's in this browser, then what the browser asks for.
func TestPagesAreInTheLanguageOfTheirReader(t *testing.T) {
	spanish := &http.Cookie{Name: "atelier_language", Value: "es"}
	for name, c := range map[string]struct {
		accept, choice string
		cookies        []*http.Cookie
		lang, says     string
	}{
		"English":     {"ja", "", nil, "en", "Your account"},
		"the browser": {"fr-CH, en;q=0.5", "", nil, "fr", "Votre compte"},
		"the visitor": {"fr", "", []*http.Cookie{spanish}, "es", "Tu cuenta"},
		"the account": {"fr", "de", []*http.Cookie{spanish}, "de", "Ihr Konto"},
	} {
		w := read(newFake(t), "/account", c.accept, c.choice, c.cookies...)
		body := w.Body.String()
		if !strings.Contains(body, `<html lang="`+c.lang+`" dir="ltr"`) || !strings.Contains(body, c.says) || w.Header().Get("Content-Language") != c.lang {
			t.Errorf("%s: not in %s, or without %q", name, c.lang, c.says)
		}
		if !strings.Contains(w.Header().Get("Vary"), "Accept-Language") {
			t.Errorf("%s: Vary is %q", name, w.Header().Get("Vary"))
		}
	}
}

// The terms of the service are translated; those that an organization chose stay in every language.
func TestTermsOfAnOrganizationStay(t *testing.T) {
	path := "/orgs/" + someID + "/audit"
	if text := read(newFake(t).school(), path, "de", "").Body.String(); !strings.Contains(text, ">Klassen<") {
		t.Error("the classes of a school are not called Klassen")
	}
	own := newFake(t).school().with("Vocabulary.workspaces", "Lerngruppen")
	if text := read(own, path, "fr", "").Body.String(); !strings.Contains(text, ">Lerngruppen<") {
		t.Error("the organization's own term is not on the page")
	}
}

func TestLanguageIsChosen(t *testing.T) {
	f := newFake(t)
	w := post(f, "/language", "language", "de", "return", "/account")
	if got := f.last(t, "UpdateLanguage").Variables["language"]; got != "de" || w.Header().Get("Location") != "/account" {
		t.Errorf("chosen: %v, then %s", got, w.Header().Get("Location"))
	}
	if cookies := w.Result().Cookies(); len(cookies) == 0 || cookies[0].Value != "de" {
		t.Errorf("kept: %v", cookies)
	}
	post(f, "/language", "language", "tlh", "return", "/account")
	if got := f.last(t, "UpdateLanguage").Variables["language"]; got != nil {
		t.Errorf("an unknown language: %v", got)
	}
}

// Refusals are in the reader's language, in the organization's terms; what no sentence fits stays English.
func TestRefusalsAreInTheLanguageOfTheirReader(t *testing.T) {
	w := read(newFake(t), "/no/such/page", "es", "")
	if body := w.Body.String(); w.Code != http.StatusNotFound || !strings.Contains(body, "Aquí no hay nada") {
		t.Errorf("%d %s", w.Code, shownText(t, body))
	}
}

// The mirrored language shows what is not wrapped, and goes from right to left.
func TestPagesCanBeMirrored(t *testing.T) {
	for _, path := range []string{"/forgot-password", "/account", "/account/security", "/tokens"} {
		body := read(newFake(t), path, "ar-XB", "").Body.String()
		if !strings.Contains(body, `<html lang="ar-XB" dir="rtl"`) {
			t.Errorf("%s is not from right to left", path)
		}
		text := shownText(t, body)
		for _, plain := range []string{"Sign in", "Your account", "Skip to the content", "Password", "Security"} {
			if strings.Contains(text, plain) {
				t.Errorf("%s says %q as it is", path, plain)
			}
		}
	}
}

// What a person was told is asked for in the language of the page.
func TestNotificationsAreInTheLanguageOfTheirReader(t *testing.T) {
	for path, operation := range map[string]string{"/notifications": "Notifications", "/account/notifications": "NotificationChoices"} {
		f := newFake(t)
		read(f, path, "fr", "de")
		if got := f.last(t, operation).Variables["language"]; got != "de" {
			t.Errorf("%s asks for %v", path, got)
		}
	}
}

// What ran, what it made and what it costs is said in the reader's language, in the terms of the place.
func TestRunsAndAppsAreInTheLanguageOfTheirReader(t *testing.T) {
	f := newFake(t).school().with("Execution.status", "failed").with("NodeState.status", "failed").with("Execution.canRetry", true)
	for path, want := range map[string][]string{
		"/runs":                       {"<h1", "Von Hand", "Fehlgeschlagen", ">Lauf<"},
		"/runs/" + someID:             {"Ausgeführt von Mina Lang", "Ab dem Fehler noch einmal ausführen"},
		"/results/" + someID:          {"Die Schüler/innen und Lehrkräfte von Art 9b sehen es dann"},
		"/jobs":                       {"Eine Aufgabe ist die Arbeit eines Schritts in einem Lauf."},
		"/make":                       {"Was erstellen", "Etwa 12,5 Credits"},
		"/app/" + someID:              {"Ein Lauf kann 12,5 Credits kosten", "Höchstens 7 Läufe am Tag"},
		"/apps/" + someID + "/delete": {"2 Versionen sind weg."},
	} {
		text := read(f, path, "de", "").Body.String()
		for _, sentence := range want {
			if !strings.Contains(text, sentence) {
				t.Errorf("%s does not say %q", path, sentence)
			}
		}
	}
}
