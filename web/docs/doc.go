// Package docs is the documentation site, at /docs: guides, the pages of docs/, the reference of the API and a page for each
// error code. It depends on no session and asks no database; every page is rendered once and kept as it is sent, and Write
// writes the same pages as files.
package docs
