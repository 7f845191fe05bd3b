package kit

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"atelier/models"
)

// Pictures are decoded at a few places of a process, each of which may take as much memory as the largest picture:
// a caller waits for a place before anything of the picture is in memory.
const (
	// maxDecoding is how many pictures are decoded at once in a process.
	maxDecoding = 2
	// maxPicturesWaiting is how many pictures of one account wait, maxPicturesInLine of all together.
	maxPicturesWaiting = 8
	maxPicturesInLine  = 200
	// pictureWait is how long one waits, jobWait how long a job does, which ends by a time of its own.
	pictureWait = time.Minute
	jobWait     = time.Hour
)

// decoding are the places of this process.
var decoding = &places{free: maxDecoding, most: maxDecoding}

// places are taken in turn of the accounts. While others wait, an account has at most half of them.
type places struct {
	mu         sync.Mutex
	free, most int
	held       map[string]int
	turns      models.FairQueue
}

// jobs is the origin of what workers do.
const jobs = "jobs"

// take waits for a place for an origin; release gives it back. Beyond a few that wait for an account it is
// rate_limit_exceeded, and the context's error once the caller has gone.
func (p *places) take(ctx context.Context, from string) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	switch {
	case p.free > 0 && p.turns.Len() == 0:
		p.give(from)
		p.mu.Unlock()
	case from != jobs && (p.turns.LenOf(from) >= maxPicturesWaiting || p.turns.Len() >= maxPicturesInLine):
		p.mu.Unlock()
		return nil, tooManyPictures()
	default:
		patience := pictureWait
		if from == jobs {
			patience = jobWait
		}
		called, err := p.turns.Wait(ctx, &p.mu, from, patience, tooManyPictures())
		if !called {
			return nil, err
		}
		if err != nil {
			p.release(from)
			return nil, err
		}
	}
	freeBefore()
	return sync.OnceFunc(func() { p.release(from) }), nil
}

// heavyHeap is how many bytes the heap has where the pictures of before are collected first: the largest takes
// 256 MiB, and would else lie beside them until the heap has doubled.
const heavyHeap = 384 << 20

// lastFreed is when, in Unix nanoseconds, freeBefore did something.
var lastFreed atomic.Int64

// freeBefore collects what the pictures of before have left, where that is much, and gives it back to the machine:
// four times a second at most, however many pictures come.
func freeBefore() {
	now, last := time.Now().UnixNano(), lastFreed.Load()
	if now-last < int64(250*time.Millisecond) || !lastFreed.CompareAndSwap(last, now) {
		return
	}
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(heap)
	if heap[0].Value.Uint64()+heap[1].Value.Uint64() > heavyHeap {
		debug.FreeOSMemory()
	}
}

func (p *places) give(from string) {
	if p.held == nil {
		p.held = map[string]int{}
	}
	p.free--
	p.held[from]++
}

func (p *places) release(from string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free++
	if p.held[from]--; p.held[from] == 0 {
		delete(p.held, from)
	}
	for p.free > 0 && p.callNext() {
	}
}

// callNext gives a free place to the caller whose turn it is: to those with less than half of the places first.
func (p *places) callNext() bool {
	next, found := p.turns.NextWhere(func(from string) bool { return 2*(p.held[from]+1) <= p.most })
	if !found {
		next, found = p.turns.NextWhere(func(string) bool { return true })
	}
	if found {
		p.give(next)
	}
	return found
}

func tooManyPictures() error {
	refusal := models.Err(models.CodeRateLimitExceeded, "Too many pictures at once. Send the next one when the others are done.")
	refusal.RetryAfter = 5 * time.Second
	return refusal
}

// originOf is whose place it is: the account of a request, its network without one, or the jobs of this install.
func originOf(ctx context.Context) string {
	actor := models.ActorFrom(ctx)
	if id := actor.UserID; id != (models.ID{}) {
		return id.String()
	}
	return jobs
}
