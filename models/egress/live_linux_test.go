package egress

import (
	"net"
	"testing"

	"golang.org/x/sys/unix"
)

// The system watches kept connections for machines that are gone without a word.
func TestKeptConnectionsAreWatched(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	live(conn)
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	_ = raw.Control(func(fd uintptr) {
		for name, option := range map[string][3]int{
			"user timeout": {unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, 5000},
			"keep-alive":   {unix.SOL_SOCKET, unix.SO_KEEPALIVE, 1},
			"idle":         {unix.IPPROTO_TCP, unix.TCP_KEEPIDLE, 15},
		} {
			if got, err := unix.GetsockoptInt(int(fd), option[0], option[1]); err != nil || got != option[2] {
				t.Errorf("%s is %d (%v), want %d", name, got, err, option[2])
			}
		}
	})
}
