package frame

import "strings"

// OwnFile is the path of a file of this install, which its pages may show; "" for what lies elsewhere.
func (c *Console) OwnFile(address string) string {
	if path, ok := strings.CutPrefix(address, c.Config.PublicURL); ok {
		address = path
	}
	if strings.HasPrefix(address, "/media/") {
		return SafePath(address)
	}
	return ""
}
