package config

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// The files of keys under DATA_DIR.
const (
	sessionFile    = "session.key"
	encryptionFile = "encryption.key"
	codeFile       = "operator.code"
)

// LoadKeys fills the keys that are not configured from files under DATA_DIR,
// generating them on first use.
func (c *Config) LoadKeys() error {
	for _, file := range c.keyFiles() {
		err := file.read()
		if errors.Is(err, os.ErrNotExist) {
			if err = writeOnce(c.DataDir, c.DataPath(file.name), file.generate()); err == nil {
				err = file.read()
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ReadKeys is LoadKeys for commands that work with an install that is there: a key that is missing is an error.
func (c *Config) ReadKeys() error {
	for _, file := range c.keyFiles() {
		err := file.read()
		if errors.Is(err, os.ErrNotExist) && file.name == codeFile {
			continue // it is made when it is first needed
		}
		if errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s: neither it nor %s is there; use the settings and the DATA_DIR of the service", file.variable, c.DataPath(file.name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keyFile is where a key lies that is not configured.
type keyFile struct {
	name, variable string
	generate       func() string
	read           func() error
}

// keyFiles are those of the keys that are not configured.
func (c *Config) keyFiles() (files []keyFile) {
	if len(c.SessionKey) == 0 {
		files = append(files, keyFile{sessionFile, "SESSION_KEY", newKey, func() (err error) {
			c.SessionKey, err = readKey(c, sessionFile, parseSessionFile)
			return err
		}})
	}
	if len(c.EncryptionKeys) == 0 && c.Edition == EditionHosted {
		files = append(files, keyFile{encryptionFile, "SERVICE_ENCRYPTION_KEY", newKey, func() (err error) {
			c.EncryptionKeys, err = readKey(c, encryptionFile, parseKeys)
			return err
		}})
	}
	if c.OperatorCode == "" {
		files = append(files, keyFile{codeFile, "OPERATOR_CODE", rand.Text, func() (err error) {
			c.OperatorCode, err = readKey(c, codeFile, parseOperatorCode)
			return err
		}})
	}
	return files
}

func readKey[T any](c *Config, name string, parse func(string) (T, error)) (key T, err error) {
	text, err := os.ReadFile(c.DataPath(name))
	if err != nil {
		return key, err
	}
	if key, err = parse(strings.TrimSpace(string(text))); err != nil {
		return key, fmt.Errorf("%s %w", c.DataPath(name), err)
	}
	return key, nil
}

// keyBytes is how long a generated key is.
const keyBytes = 32

func newKey() string {
	key := make([]byte, keyBytes)
	rand.Read(key)
	return base64.StdEncoding.EncodeToString(key)
}

// textKey stands before a key that is any text, in a file.
const textKey = "text:"

// parseSessionFile takes a key that was generated, or one that was configured and restored.
func parseSessionFile(s string) ([]byte, error) {
	if text, is := strings.CutPrefix(s, textKey); is {
		return []byte(text), checkSecretText(text, 16)
	}
	key, err := base64.StdEncoding.DecodeString(s)
	if err != nil || len(key) != keyBytes {
		return nil, fmt.Errorf("does not hold a key of %d bytes in base64", keyBytes)
	}
	return key, nil
}

// FitKeys tells whether an install with these settings can work with the keys of another: those that are configured, or lie
// under DATA_DIR, must be the same. It changes nothing.
func (c Config) FitKeys(session []byte, encryption [][]byte) error {
	configured := map[string]bool{sessionFile: len(c.SessionKey) > 0, encryptionFile: len(c.EncryptionKeys) > 0}
	for _, file := range c.keyFiles() {
		if err := file.read(); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	refuse := func(name, variable string) error {
		if configured[name] {
			return fmt.Errorf("%s is set to another key than the one that comes with it; unset it, or set it to that one", variable)
		}
		return fmt.Errorf("%s is another key than the one that comes with it; move it away", c.DataPath(name))
	}
	if len(c.SessionKey) > 0 && !bytes.Equal(c.SessionKey, session) {
		return refuse(sessionFile, "SESSION_KEY")
	}
	for _, key := range encryption {
		if len(c.EncryptionKeys) > 0 && !slices.ContainsFunc(c.EncryptionKeys, func(k []byte) bool { return bytes.Equal(k, key) }) {
			return refuse(encryptionFile, "SERVICE_ENCRYPTION_KEY")
		}
	}
	if len(encryption) > 0 && len(c.EncryptionKeys) == 0 && c.Edition != EditionHosted {
		return fmt.Errorf("SERVICE_ENCRYPTION_KEY must be set to the key that comes with it: the edition %s keeps none in a file", c.Edition)
	}
	return nil
}

// KeepKeys writes keys of another install to where they are read, unless they are configured or there.
func (c Config) KeepKeys(session []byte, encryption [][]byte, operatorCode string) error {
	if err := c.FitKeys(session, encryption); err != nil {
		return err
	}
	text := map[string]string{codeFile: operatorCode, sessionFile: textKey + string(session)}
	if len(session) == keyBytes {
		text[sessionFile] = base64.StdEncoding.EncodeToString(session)
	}
	keys := make([]string, len(encryption))
	for i, key := range encryption {
		keys[i] = base64.StdEncoding.EncodeToString(key)
	}
	text[encryptionFile] = strings.Join(keys, ",")
	for _, file := range c.keyFiles() {
		if text[file.name] == "" {
			continue
		}
		if err := writeOnce(c.DataDir, c.DataPath(file.name), text[file.name]); err != nil {
			return err
		}
	}
	return nil
}

// writeOnce writes a secret into a file: whole or not at all, readable by the
// owner alone, and never over one that another start made meanwhile.
func writeOnce(dir, path, text string) error {
	file, err := os.CreateTemp(dir, ".key-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString(text + "\n")
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Link(file.Name(), path); !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}
