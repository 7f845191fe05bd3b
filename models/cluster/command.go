package cluster

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// command prepares a server program that works in a data directory as the
// account. The account may be unable to pass the directories above it (DATA_DIR
// below /root, say), and opening those for it would be wrong: then this process
// opens the directory and hands it over, and the program names it by that
// descriptor. The caller closes the returned file after the start.
func command(owner account, program, dir string) (*exec.Cmd, *os.File, error) {
	cmd := exec.Command(program)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	// A group of its own: Ctrl-C in a terminal reaches the service, which ends the server in order.
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: owner.credential(), Setpgid: true}
	if owner.reaches(dir) {
		cmd.Args = append(cmd.Args, "-D", dir)
		return cmd, nil, nil
	}
	if runtime.GOOS != "linux" {
		return nil, nil, fmt.Errorf("account %s, which PostgreSQL runs as, may not enter a directory above %s: "+
			"choose another DATA_DIR", accountName(owner.uid), dir)
	}
	handed, err := os.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	cmd.ExtraFiles = []*os.File{handed} // becomes descriptor 3
	cmd.Args = append(cmd.Args, "-D", "/proc/self/fd/3")
	return cmd, handed, nil
}

// explain adds what to do to an error of starting a program.
func explain(err error, owner account) error {
	if errors.Is(err, syscall.EPERM) && owner.drop {
		return fmt.Errorf("cannot run PostgreSQL as account %s (%w): this root may not change its account; "+
			"run the service as an ordinary account", accountName(owner.uid), err)
	}
	return err
}
