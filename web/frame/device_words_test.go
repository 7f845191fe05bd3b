//go:build !race

package frame

import (
	"context"
	"testing"

	"atelier/models"
)

func TestDevicesInWords(t *testing.T) {
	ctx := context.Background()
	for _, agent := range []string{
		"", "Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0 Safari/537.36", "Mozilla/5.0 (X11; Linux x86_64)", "python-requests/2.31", "Go-http-client/1.1 Windows",
	} {
		if device := models.Device(agent); DeviceIn(ctx, device) != device {
			t.Errorf("%q is shown as %q", device, DeviceIn(ctx, device))
		}
	}
	if PlaceIn(ctx, models.Place("127.0.0.1")) != "this machine" || PlaceIn(ctx, "") == "" || PlaceIn(ctx, "192.0.2.…") != "192.0.2.…" {
		t.Error("networks are not named")
	}
}
