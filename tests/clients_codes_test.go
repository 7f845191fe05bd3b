//go:build !race

package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestClientCodes holds the lists of error codes of the clients against the service's own.
func TestClientCodes(t *testing.T) {
	codes := errorCodes(t)
	slices.Sort(codes)
	var script strings.Builder
	script.WriteString("// Written by TestClientCodes from models/error.go.\n\n/** What the service may refuse a request with. */\nexport type ErrorCode =\n")
	for _, code := range codes {
		fmt.Fprintf(&script, "  | %q\n", code)
	}
	var module strings.Builder
	module.WriteString("# Written by TestClientCodes from models/error.go.\n\n\"\"\"What the service may refuse a request with.\"\"\"\n\nCODES = (\n")
	for _, code := range codes {
		fmt.Fprintf(&module, "    %q,\n", code)
	}
	for tracked, text := range map[string]string{
		"../clients/typescript/src/codes.ts":         strings.TrimSuffix(script.String(), "\n") + ";\n",
		"../clients/python/src/atelier_sdk/codes.py": module.String() + ")\n",
	} {
		made := filepath.Join(t.TempDir(), "codes")
		if err := os.WriteFile(made, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		current(t, made, tracked)
	}
}
