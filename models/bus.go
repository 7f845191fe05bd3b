package models

import (
	"context"
	"crypto/rand"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// channel is the PostgreSQL notification channel of all topics.
const channel = "atelier"

// Bus wakes listeners of a topic in every replica by LISTEN/NOTIFY. Nothing
// needs it to be right: the one who waits also looks by itself after a while, so
// the bus may lose a wake-up but never a change.
type Bus struct {
	pool *pgxpool.Pool
	// name marks what this bus sends: its own listeners were woken already.
	name string
	// deaf is a bus that sends only: behind a pooler of transactions, what is listened for arrives nowhere.
	deaf bool

	mu        sync.Mutex
	listeners map[string][]chan struct{}
	pending   map[string]bool
	wake      chan struct{}
}

// NewBus makes a bus; Run connects it.
func NewBus(pool *pgxpool.Pool) *Bus {
	return &Bus{pool: pool, name: rand.Text(), listeners: map[string][]chan struct{}{}, pending: map[string]bool{}, wake: make(chan struct{}, 1)}
}

// Publish wakes a topic's listeners, here at once and elsewhere within
// milliseconds; repeats within that time are sent once.
func (b *Bus) Publish(topics ...string) {
	if len(topics) == 0 {
		return
	}
	b.mu.Lock()
	for _, topic := range topics {
		b.pending[topic] = true
	}
	b.mu.Unlock()
	b.deliver(topics...)
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// RightsTopic wakes whatever stays open for an account when what it may do
// changed: its session or token ended, it was suspended, removed or demoted.
func RightsTopic(userID ID) string { return "rights:" + userID.String() }

// Subscribe returns a channel that receives after each wake-up of one of the
// topics, and a function that ends the subscription.
func (b *Bus) Subscribe(topics ...string) (<-chan struct{}, func()) {
	ch := make(chan struct{}, 1)
	b.mu.Lock()
	for _, topic := range topics {
		b.listeners[topic] = append(b.listeners[topic], ch)
	}
	b.mu.Unlock()
	return ch, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, topic := range topics {
			b.listeners[topic] = slices.DeleteFunc(b.listeners[topic], func(c chan struct{}) bool { return c == ch })
			if len(b.listeners[topic]) == 0 {
				delete(b.listeners, topic)
			}
		}
	}
}

func (b *Bus) deliver(topics ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, topic := range topics {
		for _, ch := range b.listeners[topic] {
			select {
			case ch <- struct{}{}:
			default:
			}
		}
	}
}

// deliverAll wakes all listeners of all topics.
func (b *Bus) deliverAll() {
	b.mu.Lock()
	topics := slices.Collect(maps.Keys(b.listeners))
	b.mu.Unlock()
	b.deliver(topics...)
}

// Run sends and receives until the context ends. A lost connection is made again, and then all listeners look: they may have missed
// something.
func (b *Bus) Run(ctx context.Context) {
	var both sync.WaitGroup
	both.Go(func() { b.send(ctx) })
	both.Go(func() {
		for ctx.Err() == nil && !b.deaf {
			if err := b.listen(ctx); err != nil && ctx.Err() == nil {
				slog.WarnContext(ctx, "listening for wake-ups failed, polling meanwhile", "error", err)
				sleep(ctx, time.Second)
			}
		}
	})
	both.Wait()
}

func (b *Bus) send(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.wake:
		}
		b.mu.Lock()
		topics := make([]string, 0, len(b.pending))
		for topic := range b.pending {
			topics = append(topics, topic)
		}
		clear(b.pending)
		b.mu.Unlock()
		_, err := b.pool.Exec(ctx, `SELECT pg_notify($1, $3 || ' ' || topic) FROM unnest($2::text[]) topic`, channel, topics, b.name)
		if err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "sending wake-ups failed", "error", err)
		}
		sleep(ctx, 5*time.Millisecond)
	}
}

func (b *Bus) listen(ctx context.Context) error {
	pooled, err := b.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	conn := pooled.Hijack() // it listens for good, so it never goes back
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return err
	}
	b.deliverAll() // what was sent before went by
	for {
		notification, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		if sender, topic, _ := strings.Cut(notification.Payload, " "); sender != b.name {
			b.deliver(topic)
		}
	}
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
