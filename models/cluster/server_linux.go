package cluster

import "syscall"

// endWithParent has the kernel ask the server for a fast shutdown when this
// process dies, however it dies.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }
