//go:build soak

package lane_test

import "testing"

// soak tells whether the long forms of the tests are wanted.
const soak = true

func TestSoakCapsUnderFourReplicas(t *testing.T) { TestCapsUnderFourReplicas(t) }

func TestSoakBacklog(t *testing.T) { TestBacklog(t) }

func TestSoakSlotsAfterKills(t *testing.T) { slotsAfterKills(t, 1000) }
