// Package account is the pages of people: signing in and out, the person's account, API tokens, and what everyone may read.
package account

import "atelier/web/frame"

// Pages are the pages of people and their accounts.
type Pages struct{ *frame.Console }
