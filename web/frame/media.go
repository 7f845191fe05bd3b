package frame

import "strings"

// MediaAddress is the address of a file for a page. Files of this install are shown by their path; what is elsewhere
// is linked, for the content security policy shows nothing of other sites. An address that is neither http nor https
// is none.
func (c *Console) MediaAddress(address string) (href string, embedded bool) {
	if path, ok := strings.CutPrefix(address, c.Config.PublicURL); ok {
		address = path
	}
	if strings.HasPrefix(address, "/media/") && SafePath(address) != "" {
		return address, true
	}
	if strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://") {
		return address, false
	}
	return "", false
}

// ShownMedia is the path of a file of this install, which pages may show; else "".
func (c *Console) ShownMedia(address *string) string {
	if address == nil {
		return ""
	}
	if href, ok := c.MediaAddress(*address); ok {
		return href
	}
	return ""
}
