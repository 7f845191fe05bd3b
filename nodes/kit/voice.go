package kit

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"atelier/nodes/program"
)

// SpokenVoice is a voice of the speech program or of a provider.
type SpokenVoice struct {
	// Provider is who speaks, and Name the voice's name there.
	Provider, Name string
	// Label is its name for people.
	Label string
	// Language is a BCP 47 tag, empty for a voice that speaks any. Gender is
	// female, male or empty.
	Language, Gender string
	// Missing is what has to be installed before it can be used; empty: nothing.
	Missing string
}

// LocalVariants are the names of the ways in which every local voice can speak.
func LocalVariants(ctx context.Context) []string {
	voices := installedVariants.Of(ctx)
	names := make([]string, len(voices))
	for i, v := range voices {
		names[i] = v.Name
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) })
	return slices.Compact(names)
}

// spokenList is what the speech program lists, read once.
type spokenList struct {
	argument string
	read     func(language, gender, label, file string) SpokenVoice

	mu    sync.Mutex
	known []SpokenVoice
}

var (
	InstalledVoices = spokenList{argument: "--voices", read: func(language, gender, label, file string) SpokenVoice {
		return SpokenVoice{Provider: LocalName, Name: language, Label: label, Language: language, Gender: gender}
	}}
	installedVariants = spokenList{argument: "--voices=variant", read: func(_, gender, label, file string) SpokenVoice {
		return SpokenVoice{Provider: LocalName, Name: strings.TrimPrefix(file, "!v/"), Label: label, Gender: gender}
	}}
)

// listTime bounds the listing of voices, which takes milliseconds.
const listTime = 10 * time.Second

func (l *spokenList) Of(ctx context.Context) []SpokenVoice {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known != nil {
		return l.known
	}
	out, err := program.Command{
		Name: "espeak-ng", Package: "espeak-ng", Dir: os.TempDir(), Time: listTime, Args: []string{l.argument},
	}.Run(context.WithoutCancel(ctx))
	if err == nil {
		l.known = l.parse(out)
	}
	return l.known
}

// spokenLine is one voice: priority, language, age and gender, name, file.
var spokenLine = regexp.MustCompile(`^\s*\d+\s+([A-Za-z0-9-]{1,40})\s+\S*/([MF-])\s+(\S{1,100})\s+([A-Za-z0-9_!/-]{1,80})(\s|$)`)

func (l *spokenList) parse(out []byte) []SpokenVoice {
	genders := map[string]string{"F": "female", "M": "male"}
	var found []SpokenVoice
	names := map[string]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		part := spokenLine.FindStringSubmatch(lines.Text())
		if part == nil {
			continue
		}
		v := l.read(part[1], genders[part[2]], strings.TrimSpace(strings.ReplaceAll(part[3], "_", " ")), part[4])
		if names[v.Name] {
			v.Name = part[4] // a second way to write the language
		}
		if !names[v.Name] {
			names[v.Name] = true
			found = append(found, v)
		}
	}
	return found
}
