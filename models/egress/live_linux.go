package egress

import (
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// unheard is how long what a kept connection sends may stay without the other
// machine's acknowledgement.
const unheard = 5 * time.Second

// live has the system find out when the other machine of a kept connection is
// gone without a word, while it waits and when something is sent, so that it is
// replaced while there is time. A receiver that is there, but slow, is not meant.
func live(conn net.Conn) {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return
	}
	_ = tcp.SetKeepAliveConfig(net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3})
	if raw, err := tcp.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) {
			_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(unheard.Milliseconds()))
		})
	}
}
