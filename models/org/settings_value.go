package org

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"atelier/models"
)

// settingValue checks one value and returns it as it is stored.
func settingValue(key string, value any) (json.RawMessage, error) {
	var (
		checked any
		err     error
	)
	switch key {
	case "admin_access", "member_access_to_shared":
		checked, err = oneOf(key, value, string(View), string(Edit))
	case "default_workflow_visibility":
		checked, err = oneOf(key, value, "private", "workspace")
	case "allowed_email_domains":
		checked, err = domains(key, value)
	case "vocabulary_overrides":
		checked, err = words(key, value)
	default:
		on, ok := value.(bool)
		if !ok {
			err = models.Invalid("settings."+key, "must be true or false")
		}
		checked = on
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(checked)
}

func oneOf(key string, value any, choices ...string) (string, error) {
	choice, ok := value.(string)
	if !ok || !slices.Contains(choices, choice) {
		return "", models.Invalid("settings."+key, "must be %s", strings.Join(choices, " or "))
	}
	return choice, nil
}

// The largest sizes of the two keys that are replaced whole.
const (
	maxDomains = 100
	maxWords   = 50
)

// domains checks a list of domains and gives them the form that addresses have.
func domains(key string, value any) ([]string, error) {
	field := "settings." + key
	list, ok := value.([]any)
	if texts, isTexts := value.([]string); isTexts {
		ok = true
		for _, text := range texts {
			list = append(list, text)
		}
	}
	if !ok {
		return nil, models.Invalid(field, "must be a list of domains")
	}
	if len(list) > maxDomains {
		return nil, models.Invalid(field, "must hold at most %d domains", maxDomains)
	}
	checked := []string{}
	for _, entry := range list {
		text, _ := entry.(string)
		domain, err := models.ParseDomain(text)
		if err != nil {
			return nil, models.Invalid(field, "must hold domains such as example.com: %q is none", text)
		}
		if !slices.Contains(checked, domain) {
			checked = append(checked, domain)
		}
	}
	return checked, nil
}

var wordForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,39}$`)

// words checks replacement words by the name of the word that they replace.
func words(key string, value any) (map[string]string, error) {
	field := "settings." + key
	object, ok := value.(map[string]any)
	if !ok {
		return nil, models.Invalid(field, "must be an object of words")
	}
	if len(object) > maxWords {
		return nil, models.Invalid(field, "must hold at most %d words", maxWords)
	}
	checked := map[string]string{}
	for name, entry := range object {
		text, ok := entry.(string)
		if !ok || !wordForm.MatchString(name) {
			return nil, models.Invalid(field, "must map names to words")
		}
		word, err := models.CleanName(field, text)
		if err != nil {
			return nil, err
		}
		checked[name] = word
	}
	return checked, nil
}

// DomainAllowed tells whether the organization admits an address: its domain
// is on the list, exactly, or there is no list.
func (r OrganizationRules) DomainAllowed(email string) bool {
	if len(r.AllowedEmailDomains) == 0 {
		return true
	}
	email = models.NormalizeEmail(email)
	return slices.Contains(r.AllowedEmailDomains, email[strings.LastIndexByte(email, '@')+1:])
}
