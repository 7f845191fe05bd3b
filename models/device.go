package models

import (
	"net/netip"
	"strings"
)

// maxUserAgent is how much of what a client calls itself is kept.
const maxUserAgent = 300

// CutUserAgent is what is kept of it.
func CutUserAgent(s string) string {
	s = strings.ToValidUTF8(s, "")
	if len(s) <= maxUserAgent {
		return strings.ReplaceAll(s, "\x00", "")
	}
	return strings.ToValidUTF8(strings.ReplaceAll(s[:maxUserAgent], "\x00", ""), "")
}

// meant is a part of a user agent and what it means. The first that is found
// counts, for browsers name those that they descend from.
type meant struct{ part, name string }

var (
	browsers = []meant{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"Vivaldi/", "Vivaldi"},
		{"FxiOS/", "Firefox"}, {"Firefox/", "Firefox"}, {"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Chromium/", "Chromium"},
		{"Safari/", "Safari"}, {"curl/", "curl"}, {"python-requests/", "a Python program"}, {"Go-http-client/", "a Go program"},
		{"node", "a Node program"}, {"PostmanRuntime/", "Postman"},
	}
	systems = []meant{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"CrOS", "ChromeOS"}, {"Windows", "Windows"},
		{"Macintosh", "Mac"}, {"Mac OS X", "Mac"}, {"Linux", "Linux"},
	}
)

// Device says in words what a session is used with: "Chrome on Windows".
func Device(userAgent string) string {
	browser, system := meaning(browsers, userAgent), meaning(systems, userAgent)
	switch {
	case browser != "" && system != "":
		return strings.ToUpper(browser[:1]) + browser[1:] + " on " + system
	case browser != "":
		return strings.ToUpper(browser[:1]) + browser[1:]
	case system != "":
		return "A browser on " + system
	}
	return "An unknown device"
}

func meaning(known []meant, userAgent string) string {
	for _, k := range known {
		if strings.Contains(userAgent, k.part) {
			return k.name
		}
	}
	return ""
}

// Place is the network of an address, in which it cannot be told from its
// neighbours: an IPv4 address without its last part, an IPv6 address without
// what its provider gives to one customer. Empty where no address is known.
func Place(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	ip = ip.Unmap().WithZone("")
	if ip.IsLoopback() {
		return "this machine"
	}
	if ip.Is4() {
		parts := strings.Split(ip.String(), ".")
		return strings.Join(parts[:3], ".") + ".…"
	}
	prefix, _ := ip.Prefix(48)
	return strings.TrimSuffix(prefix.Addr().String(), "::") + "::…"
}
