package org

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"atelier/humantext"
	"atelier/web/query"
	"atelier/web/ui"
)

const domainsField = "settings.allowed_email_domains"

// domainsOf are the domains whose addresses may join; none for every domain.
func domainsOf(rows []query.Setting) (list []string) {
	if raw := settingOf(rows, "allowed_email_domains").Value; raw != nil {
		_ = json.Unmarshal(*raw, &list)
	}
	return list
}

// sentDomains is the list as it was shown, without the removed one and with those that were added; none is null, for
// every domain.
func sentDomains(sent url.Values) any {
	var list []string
	for _, domain := range slices.Concat(domainWords(sent.Get(domainsField)), domainWords(sent.Get("add"))) {
		if domain != sent.Get("remove") && !slices.Contains(list, domain) {
			list = append(list, domain)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// domainWords are what stands on lines, between commas or spaces; an @ in front is left out.
func domainWords(text string) []string {
	words := strings.FieldsFunc(humantext.LineBreaks(text), func(c rune) bool { return strings.ContainsRune(" \t\r\n,;", c) })
	for i := range words {
		words[i] = strings.TrimPrefix(humantext.Pasted(words[i]), "@")
	}
	return words
}

// domainsHidden is the list as it was shown, which a form adds to or takes from.
func domainsHidden(v organizationSettingsView) []ui.Hidden {
	return []ui.Hidden{{Name: domainsField, Value: strings.Join(domainsOf(v.Rows), "\n")}}
}
