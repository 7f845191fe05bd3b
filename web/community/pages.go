// Package community is the pages of what people post for others to look at and to copy, and of its review.
package community

import "atelier/web/frame"

// Pages are the pages of the community.
type Pages struct{ *frame.Console }
