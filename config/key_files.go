package config

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// LoadKeys fills the keys that are not configured from files under DATA_DIR,
// generating them on first use.
func (c *Config) LoadKeys() error {
	if len(c.SessionKey) == 0 {
		key, err := keyFile(c.DataDir, "session.key")
		if err != nil {
			return err
		}
		c.SessionKey = key
	}
	if len(c.EncryptionKeys) == 0 && c.Edition == EditionHosted {
		key, err := keyFile(c.DataDir, "encryption.key")
		if err != nil {
			return err
		}
		c.EncryptionKeys = [][]byte{key}
	}
	if c.OperatorCode == "" {
		code, err := codeFile(c.DataDir)
		if err != nil {
			return err
		}
		c.OperatorCode = code
	}
	return nil
}

// keyBytes is how long a generated key is.
const keyBytes = 32

// codeFile reads the operators' code, or makes one that can be typed.
func codeFile(dir string) (string, error) {
	path := filepath.Join(dir, "operator.code")
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		if err = writeOnce(dir, path, rand.Text()); err == nil {
			text, err = os.ReadFile(path)
		}
	}
	if err != nil {
		return "", err
	}
	code, err := parseOperatorCode(strings.TrimSpace(string(text)))
	if err != nil {
		return "", fmt.Errorf("%s %w", path, err)
	}
	return code, nil
}

// keyFile reads 32 random bytes, or makes them.
func keyFile(dir, name string) ([]byte, error) {
	path := filepath.Join(dir, name)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		key := make([]byte, keyBytes)
		rand.Read(key)
		if err = writeOnce(dir, path, base64.StdEncoding.EncodeToString(key)); err == nil {
			text, err = os.ReadFile(path)
		}
	}
	if err != nil {
		return nil, err
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != keyBytes {
		return nil, fmt.Errorf("%s does not hold a key of %d bytes in base64", path, keyBytes)
	}
	return key, nil
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
