package account

import (
	"context"

	"atelier/web/frame"
)

// passkeyWords are what passkeys.js says, by the names that it knows.
func passkeyWords(ctx context.Context) string {
	return frame.JSONOf(map[string]string{
		"missing":     t(ctx, "This browser has no passkeys, or not at this address."),
		"notAdded":    t(ctx, "No passkey was added: it was cancelled, or took too long."),
		"noAnswer":    t(ctx, "No passkey answered: it was cancelled, took too long, or there is none for this site on the device."),
		"known":       t(ctx, "This device, or its password manager, has a passkey for your account already."),
		"elsewhere":   t(ctx, "This address is not the one that passkeys are kept for here. Open the page at the address that the service is meant to have."),
		"unfit":       t(ctx, "This device cannot make the kind of passkey that is needed. Try another one."),
		"unreachable": t(ctx, "The service could not be reached, or the browser does not understand its answer. Try once more."),
		"unusable":    t(ctx, "The browser could not use a passkey. Try once more."),
		"ours":        t(ctx, "Something failed on our side. Try once more in a moment."),
	})
}
