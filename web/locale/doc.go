// Package locale writes sentences, numbers and times in the language of their reader. The English sentence stands where
// it is shown; the translations lie in one folder for each language, in a file for each area (de/account.po).
// docs/translation.md says how to wrap, extract, translate and check, README.md has the terms of each language.
package locale
