// Package docs holds what people read: the pages of this folder, as the program carries them.
package docs

import "embed"

// Files are the pages, and the files that they hand out.
//
//go:embed *.md guides/*.md decisions/*.md monitoring examples
var Files embed.FS
