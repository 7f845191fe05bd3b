//go:build !race

package tests

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// A package has the program, its unit and its account, and is the same whenever it is packed.
func TestPackage(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("gofmt") // a program in Go, and a small one
	if err != nil {
		t.Fatal(err)
	}
	var packed [2][]byte
	folder := t.TempDir()
	for n := range packed {
		out := filepath.Join(folder, string(rune('a'+n)))
		if err := os.Mkdir(out, 0o755); err != nil {
			t.Fatal(err)
		}
		if n > 0 { // as it was built at another time, elsewhere
			text, err := os.ReadFile(program)
			if program = filepath.Join(folder, "another"); err == nil {
				err = errors.Join(os.WriteFile(program, text, 0o700), os.Chtimes(program, time.Unix(1, 0), time.Unix(1, 0)))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if said, err := exec.CommandContext(t.Context(), "../scripts/package", program, "amd64", "1.2.3", out).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		if packed[n], err = os.ReadFile(filepath.Join(out, "atelier_1.2.3_amd64.deb")); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(out, "atelier_1.2.3_amd64.cdx.json"))
		var components struct {
			BomFormat string
			Metadata  struct {
				Component struct{ Name, Version string }
			}
			Components []struct{ Name string }
		}
		if err != nil || json.Unmarshal(text, &components) != nil || components.BomFormat != "CycloneDX" || components.Metadata.Component.Version != "1.2.3" || components.Components == nil {
			t.Errorf("components: %s, %v", text, err)
		}
	}
	if !bytes.Equal(packed[0], packed[1]) {
		t.Error("the same program was packed to other bytes")
	}
	deb := filepath.Join(folder, "a", "atelier_1.2.3_amd64.deb")
	listed, err := exec.CommandContext(t.Context(), "dpkg-deb", "--contents", deb).Output()
	if err != nil {
		t.Fatal(err)
	}
	for want, mode := range map[string]string{
		"usr/bin/atelier": "-rwxr-xr-x", "lib/systemd/system/atelier.service": "-rw-r--r--", "usr/share/doc/atelier/copyright": "-rw-r--r--",
	} {
		if line := regexp.MustCompile(`(?m)^` + mode + ` root/root .* \./` + regexp.QuoteMeta(want) + `$`); !line.Match(listed) {
			t.Errorf("the package lacks %s as %s:\n%s", want, mode, listed)
		}
	}
	fields, err := exec.CommandContext(t.Context(), "dpkg-deb", "--field", deb, "Package", "Version", "Architecture").Output()
	if err != nil || string(fields) != "Package: atelier\nVersion: 1.2.3\nArchitecture: amd64\n" {
		t.Errorf("%v: %s", err, fields)
	}
}
