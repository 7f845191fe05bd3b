//go:build !linux

package cluster

import "syscall"

// endWithParent does nothing here: a server that outlives a killed service is
// PostgreSQL's own lock file's matter.
func endWithParent(*syscall.SysProcAttr) {}
