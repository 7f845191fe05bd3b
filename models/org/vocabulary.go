package org

import "maps"

// kindWords are the words of each kind of organization.
var kindWords = map[Kind]map[string]string{
	School: {
		"workspace": "Class", "workspaces": "Classes", "member": "Student", "members": "Students",
		"admin": "Teacher", "admins": "Teachers",
	},
	Team: {
		"workspace": "Workspace", "workspaces": "Workspaces", "member": "Member", "members": "Members",
		"admin": "Admin", "admins": "Admins",
	},
}

// Words are the organization's words by name: the kind's with the
// organization's own laid over them, which may name more.
func (o *Organization) Words() map[string]string {
	words := maps.Clone(kindWords[o.Kind])
	maps.Copy(words, o.Rules().VocabularyOverrides)
	return words
}

// Vocabulary is the words that every organization has.
func (o *Organization) Vocabulary() *Vocabulary { return vocabularyOf(o.Words()) }

// KindVocabulary is the words of the organization's kind, without its own.
func (o *Organization) KindVocabulary() *Vocabulary { return vocabularyOf(kindWords[o.Kind]) }

// Vocabulary is the words that every organization has.
func (l *InvitationLookup) Vocabulary() *Vocabulary { return vocabularyOf(l.Words) }

func vocabularyOf(words map[string]string) *Vocabulary {
	return &Vocabulary{
		Workspace: words["workspace"], Workspaces: words["workspaces"],
		Member: words["member"], Members: words["members"],
		Admin: words["admin"], Admins: words["admins"],
	}
}
