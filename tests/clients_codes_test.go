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
	made := filepath.Join(t.TempDir(), "codes")
	if err := os.WriteFile(made, []byte(strings.TrimSuffix(script.String(), "\n")+";\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	current(t, made, "../clients/typescript/src/codes.ts")
}
