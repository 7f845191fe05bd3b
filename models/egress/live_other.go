//go:build !linux

package egress

import (
	"net"
	"time"
)

// live has the system find out when the other machine of a kept connection is gone.
func live(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetKeepAliveConfig(net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3})
	}
}
