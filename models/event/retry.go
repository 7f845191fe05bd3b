package event

import (
	"math/rand/v2"
	"time"
)

// contractBackoff are the waits of contract 2, "Delivery guarantees" 4.
var contractBackoff = []time.Duration{
	30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// backoff is the table in force.
func (s *Service) backoff() []time.Duration {
	if s.Backoff == nil {
		return contractBackoff
	}
	return s.Backoff
}

// attempts is how many attempts a delivery has.
func (s *Service) attempts() int { return len(s.backoff()) + 1 }

// wait is the wait after the attempt of the number, varied by up to a tenth.
func (s *Service) wait(attempt int) time.Duration {
	random := rand.Float64
	if s.Jitter != nil {
		random = s.Jitter
	}
	base := s.backoff()[attempt-1]
	return time.Duration(float64(base) * (0.9 + 0.2*random()))
}
