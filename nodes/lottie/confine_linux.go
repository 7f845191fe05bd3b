//go:build linux && (amd64 || arm64) && !nolottie

package lottie

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// confine takes the files away from the thread that calls the library, and from
// those that the library starts: it may read where libraries lie, for the part
// that reads pictures, and write nowhere. Kernels without Landlock leave the
// thread as it is; there the limits of the child have to do.
func confine() {
	_ = unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{})
	const (
		read = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
		all  = 1<<13 - 1 // of the first version
	)
	rules := unix.LandlockRulesetAttr{Handled_access_fs: all}
	set, _, failed := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), unsafe.Sizeof(rules.Handled_access_fs), 0)
	if failed != 0 {
		return
	}
	defer unix.Close(int(set))
	for _, dir := range []string{"/usr/lib", "/lib"} {
		fd, err := unix.Open(dir, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			continue
		}
		rule := unix.LandlockPathBeneathAttr{Allowed_access: read, Parent_fd: int32(fd)}
		unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, set, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
		unix.Close(fd)
	}
	if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == nil {
		unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0)
	}
}
