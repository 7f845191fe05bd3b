package models_test

import (
	"testing"

	"atelier/models"
)

func TestNetwork(t *testing.T) {
	for ip, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "2001:db8:1:2::1": "2001:db8:1:2::/64", "2001:DB8:1:2:ffff:ffff:ffff:ffff": "2001:db8:1:2::/64",
		"2001:db8:1:3::1": "2001:db8:1:3::/64", "fe80::1%eth0": "fe80::/64", "::1": "::/64", "": "", "@": "@",
	} {
		if got := models.Network(ip); got != want {
			t.Errorf("%s counts as %s, want %s", ip, got, want)
		}
	}
	for ip, here := range map[string]bool{"127.0.0.1": true, "127.8.9.1": true, "::1": true, "::ffff:127.0.0.1": true, "192.0.2.1": false, "": false} {
		if got := (models.Actor{IP: ip}).OnThisMachine(); got != here {
			t.Errorf("%q is at this machine: %v", ip, got)
		}
	}
}
