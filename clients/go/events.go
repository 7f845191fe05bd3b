package atelier

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"
)

// maxEvent is the largest event that is read, in bytes.
const maxEvent = 16 << 20

// silence is how long a stream may send nothing, not even the comment that keeps it open.
const silence = time.Minute

// serverEvent is one event of a stream.
type serverEvent struct {
	id, name string
	data     []byte
}

// readEvents reads server-sent events until the stream ends or each returns an error. It ends the stream by itself when
// nothing comes for a minute.
func readEvents(stream io.ReadCloser, each func(serverEvent) error) error {
	quiet := time.AfterFunc(silence, func() { _ = stream.Close() })
	defer quiet.Stop()
	lines := bufio.NewScanner(stream)
	lines.Buffer(make([]byte, 0, 64<<10), maxEvent)
	var event serverEvent
	for lines.Scan() {
		quiet.Reset(silence)
		line := bytes.TrimSuffix(lines.Bytes(), []byte("\r"))
		if len(line) == 0 {
			if event.data != nil {
				if err := each(event); err != nil {
					return err
				}
			}
			event = serverEvent{}
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "id":
			event.id = string(value)
		case "event":
			event.name = string(value)
		case "data":
			if event.data != nil {
				event.data = append(event.data, '\n')
			}
			event.data = append(event.data, value...)
		}
		if len(event.data) > maxEvent {
			return fmt.Errorf("an event of more than %d bytes", maxEvent)
		}
	}
	if !quiet.Stop() {
		return errors.New("the stream was silent")
	}
	return lines.Err()
}
