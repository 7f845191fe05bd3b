package program

import (
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// confine makes the child the leader of a group of its own, which dies with
// us and is killed as one, and takes the network away from it.
func confine(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if canIsolate() {
		isolate(cmd.SysProcAttr)
	}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// isolate puts the child into a network namespace of its own, which has no
// interfaces, by way of a user namespace with the same user in it.
func isolate(attr *syscall.SysProcAttr) {
	uid, gid := os.Getuid(), os.Getgid()
	attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
}

// canIsolate tries once whether the kernel lets us make namespaces; many
// containers do not, and there the protocol whitelist of ffmpeg has to do.
var canIsolate = sync.OnceValue(func() bool {
	path, err := exec.LookPath("true")
	if err != nil {
		return false
	}
	cmd := exec.Command(path)
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	isolate(cmd.SysProcAttr)
	return cmd.Run() == nil
})

// niceness puts children behind the service where both want the processor.
const niceness = 10

// limitChild sets the limits of a child that has just started.
func limitChild(pid int, processor time.Duration, memory uint64) {
	_ = unix.Setpriority(unix.PRIO_PROCESS, pid, niceness)
	// Where memory runs out, the kernel is to take the child and never the service.
	_ = os.WriteFile("/proc/"+strconv.Itoa(pid)+"/oom_score_adj", []byte("1000"), 0)
	seconds := uint64(processor.Seconds())
	for resource, most := range map[int]uint64{
		unix.RLIMIT_AS: maxSpace, unix.RLIMIT_DATA: memory, unix.RLIMIT_FSIZE: maxFile, unix.RLIMIT_NOFILE: maxOpenFiles,
		unix.RLIMIT_CPU: seconds, unix.RLIMIT_CORE: 0,
	} {
		// A child that has ended already needs no limit.
		_ = unix.Prlimit(pid, resource, &unix.Rlimit{Cur: most, Max: most}, nil)
	}
}

// killed tells whether a child that has ended was killed.
func killed(p *os.ProcessState) bool {
	status, ok := p.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && (status.Signal() == syscall.SIGKILL || status.Signal() == syscall.SIGXCPU)
}
