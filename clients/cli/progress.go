package main

import (
	"fmt"
	"io"
	"strings"
	"sync"

	atelier "atelier/clients/go"
)

// bar shows how far something is: as a bar in a terminal, and as a line for each change of state elsewhere.
type bar struct {
	mu    sync.Mutex
	to    io.Writer
	label string
	drawn bool
	last  string
	live  bool
}

// newBar is silent for programs that read JSON.
func (p *program) newBar(label string) *bar {
	if p.json {
		return &bar{to: io.Discard, label: label}
	}
	return &bar{to: p.err, label: printable(label), live: isTerminal(p.err) && p.getenv("TERM") != "dumb"}
}

const barWidth = 30

func (b *bar) show(done, total int64, told string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	line := fmt.Sprintf("%s %s", b.label, told)
	if total > 0 {
		full := int(min(max(done, 0), total) * barWidth / total)
		line = fmt.Sprintf("%s %s%s %3d%% %s", b.label, strings.Repeat("█", full), strings.Repeat("░", barWidth-full), min(max(done, 0), total)*100/total, told)
	}
	if line == b.last {
		return
	}
	b.last = line
	if b.live {
		fmt.Fprintf(b.to, "\r\x1b[K%s", line)
		b.drawn = true
	}
}

// run shows a run's progress; elsewhere than in a terminal a line when its status changes.
func (b *bar) run() atelier.RunOption {
	status := ""
	return atelier.OnProgress(func(p atelier.Progress) {
		if p.Status != status && !b.live {
			status = p.Status
			fmt.Fprintf(b.to, "%s %s\n", b.label, status)
		}
		told := p.Status
		if p.Failed > 0 {
			told += fmt.Sprintf(", %d failed", p.Failed)
		}
		b.show(int64(p.Completed), int64(p.Total), told)
	})
}

// end leaves the terminal's line free.
func (b *bar) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.drawn {
		fmt.Fprintln(b.to)
		b.drawn = false
	}
}
