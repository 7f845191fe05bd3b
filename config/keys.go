package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

var keyVariables = Group{"Keys", []Variable{
	{"SERVICE_ENCRYPTION_KEY", "", "base64 of 32 bytes, encrypts stored secrets; to rotate: new,old. Unset on hosted: generated under DATA_DIR",
		into(func(c *Config) *[][]byte { return &c.EncryptionKeys }, parseKeys)},
	{"SESSION_KEY", "", "text of 16 characters or more, or base64 of 32 bytes as in session.key, signs sessions; unset: generated under DATA_DIR",
		into(func(c *Config) *[]byte { return &c.SessionKey }, parseSessionKey)},
}}

// parseKeys takes base64 in any of its alphabets, padded or not.
func parseKeys(s string) ([][]byte, error) {
	return eachOf(s, func(entry string) ([]byte, error) {
		entry = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(entry, "="))
		key, err := base64.RawStdEncoding.DecodeString(entry)
		if err != nil {
			return nil, errors.New("must be base64")
		}
		if len(key) != 32 {
			return nil, fmt.Errorf("must hold 32 bytes, has %d", len(key))
		}
		return key, nil
	})
}

// parseSessionKey takes the text of a generated key file as the key that it
// holds, and any other text as it is.
func parseSessionKey(s string) ([]byte, error) {
	if key, err := base64.StdEncoding.DecodeString(s); err == nil && len(key) == keyBytes {
		return key, nil
	}
	if err := checkSecretText(s, 16); err != nil {
		return nil, err
	}
	return []byte(s), nil
}

func parseOperatorCode(s string) (string, error) { return s, checkSecretText(s, 12) }

// checkSecretText wants a text that can be copied whole.
func checkSecretText(s string, least int) error {
	switch {
	case !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl):
		return errors.New("must be one line of text")
	case utf8.RuneCountInString(s) < least:
		return fmt.Errorf("must be at least %d characters", least)
	}
	return nil
}
