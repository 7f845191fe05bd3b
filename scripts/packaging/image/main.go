// Image packs built programs as an image of the Open Container Initiative, without a daemon and without a registry:
//
//	image <version> <image.tar> amd64=<program> arm64=<program> [base-amd64=<rootfs.tar>]...
//
// The file is an OCI layout in a tar, which skopeo, crane, podman and containerd read. Each program is a layer of its own, over
// what a base of its architecture holds, and below it are certificates, an account and a folder for DATA_DIR. The same programs
// give the same bytes.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// certificates are those of the machine that packs; SSL_CERT_FILE names others when the service runs.
const certificates = "/etc/ssl/certs/ca-certificates.crt"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 3 {
		return errors.New("image <version> <image.tar> <architecture>=<program>... [base-<architecture>=<rootfs.tar> ...]")
	}
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	roots, err := os.ReadFile(certificates)
	if err != nil {
		return err
	}
	l := &layout{version: args[0], made: time.Unix(seconds, 0).UTC(), blobs: map[string][]byte{}}
	bases := map[string]string{}
	for _, arg := range args[2:] {
		if name, path, _ := strings.Cut(arg, "="); strings.HasPrefix(name, "base-") {
			bases[strings.TrimPrefix(name, "base-")] = path
		}
	}
	for _, arg := range args[2:] {
		architecture, path, found := strings.Cut(arg, "=")
		if strings.HasPrefix(architecture, "base-") {
			continue
		}
		if !found {
			return fmt.Errorf("%s: <architecture>=<program> is expected", arg)
		}
		program, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var base []byte
		if bases[architecture] != "" {
			if base, err = os.ReadFile(bases[architecture]); err != nil {
				return err
			}
		}
		if err := l.add(architecture, base, roots, program); err != nil {
			return err
		}
	}
	out, err := os.Create(args[1])
	if err != nil {
		return err
	}
	if err := l.write(out); err != nil {
		return err
	}
	return out.Close()
}
