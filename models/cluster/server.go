package cluster

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// server is a PostgreSQL process that this process started.
type server struct {
	process *os.Process
	done    chan struct{} // closed after the process has ended
	result  error         // why it ended, readable once done is closed
}

// startServer runs postgres with its output going to logFile.
func startServer(bin binaries, dir string, owner account, logFile *os.File, settings []string) (*server, error) {
	cmd, handed, err := command(owner, bin.program("postgres"), dir)
	if err != nil {
		return nil, err
	}
	defer handed.Close()
	for _, setting := range settings {
		cmd.Args = append(cmd.Args, "-c", setting)
	}
	cmd.Stdout, cmd.Stderr = logFile, logFile
	endWithParent(cmd.SysProcAttr)
	s := &server{done: make(chan struct{})}
	started := make(chan error)
	go s.run(cmd, started)
	if err := <-started; err != nil {
		return nil, explain(err, owner)
	}
	return s, nil
}

// run stays on one thread from start to end: the kernel's "the parent has died"
// goes by the thread that started the child.
func (s *server) run(cmd *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		started <- err
		return
	}
	s.process = cmd.Process
	started <- nil
	s.result = cmd.Wait()
	close(s.done)
}

// stop ends the server, if it still runs: it asks for a fast shutdown, then for an immediate one (the next start
// recovers), then kills.
func (s *server) stop() error {
	select {
	case <-s.done:
		return nil
	default:
	}
	for _, step := range []struct {
		signal syscall.Signal
		wait   time.Duration
	}{{syscall.SIGINT, fastStop}, {syscall.SIGQUIT, immediateStop}, {syscall.SIGKILL, immediateStop}} {
		s.process.Signal(step.signal)
		select {
		case <-s.done:
			if step.signal == syscall.SIGINT {
				return nil
			}
			return errors.New("PostgreSQL had to be stopped the hard way, it recovers at the next start")
		case <-time.After(step.wait):
		}
	}
	return errors.New("PostgreSQL could not be stopped")
}
