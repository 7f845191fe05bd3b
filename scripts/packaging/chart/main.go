// Chart checks the Helm chart and packs it, without a cluster and without helm:
//
//	chart <version> <tag of the image> <folder>
//
// It is a module of its own, so that the service does not depend on Helm and Kubernetes. The chart is rendered with several
// values; what comes out must have the form of the resources that it says it is, and fit together. Values that no install can
// have must be refused by the chart's schema. The same commit gives the same bytes.
package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const folder = "atelier"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "chart:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return errors.New("chart <version> <tag of the image> <folder>")
	}
	if err := check(args[1]); err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	version := semantic(args[0])
	out, err := os.Create(filepath.Join(args[2], "atelier-chart_"+args[1]+".tgz"))
	if err != nil {
		return err
	}
	if err := pack(out, version, args[1], time.Unix(seconds, 0).UTC()); err != nil {
		return err
	}
	return out.Close()
}

var release = regexp.MustCompile(`^v?(\d+\.\d+\.\d+)(.*)$`)

// semantic is a version in the form that charts have.
func semantic(version string) string {
	version = strings.NewReplacer("~", "-", "_", "-").Replace(version)
	found := release.FindStringSubmatch(version)
	if found == nil {
		return "0.0.0-" + strings.TrimPrefix(version, "v")
	}
	return found[1] + found[2]
}

// pack writes the chart as the archive that helm reads.
func pack(w io.Writer, version, tag string, at time.Time) error {
	zipped := gzip.NewWriter(w)
	packed := tar.NewWriter(zipped)
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if entry.Name() == "Chart.yaml" {
			text := strings.Replace(string(content), "version: 0.0.0\n", "version: "+version+"\n", 1)
			content = []byte(strings.Replace(text, `appVersion: "0"`, "appVersion: "+strconv.Quote(tag), 1))
		}
		h := &tar.Header{Typeflag: tar.TypeReg, Name: filepath.ToSlash(path), Mode: 0o644, Size: int64(len(content)), ModTime: at, Format: tar.FormatPAX}
		if err := packed.WriteHeader(h); err != nil {
			return err
		}
		_, err = packed.Write(content)
		return err
	})
	return errors.Join(err, packed.Close(), zipped.Close())
}
