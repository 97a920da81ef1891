package share

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limiter is a rate limit: Wait returns how long a client has to wait before its next post or deletion, 0 if it may go
// on.
type Limiter interface {
	Wait(ctx context.Context, client string) (time.Duration, error)
}

// Buckets is a Limiter in memory, with a token bucket for each client.
type Buckets struct {
	every time.Duration
	burst int
	now   func() time.Time

	mu      sync.Mutex
	clients map[string]*rate.Limiter
}

// maxClients bounds the memory of a Buckets to a few megabytes.
const maxClients = 1 << 14

// NewBuckets allows each client burst requests at once and one more every interval.
func NewBuckets(burst int, every time.Duration) *Buckets {
	return &Buckets{every: every, burst: burst, now: time.Now, clients: map[string]*rate.Limiter{}}
}

// Wait implements Limiter.
func (b *Buckets) Wait(_ context.Context, client string) (time.Duration, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	bucket := b.clients[client]
	if bucket == nil {
		if len(b.clients) >= maxClients && !b.dropFull(now) {
			return b.every, nil // more clients than buckets: new ones wait
		}
		bucket = rate.NewLimiter(rate.Every(b.every), b.burst)
		b.clients[client] = bucket
	}
	reservation := bucket.ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now) // a refused request uses no token
	}
	return wait, nil
}

// dropFull removes the clients whose buckets are full again, which changes nothing for them. It reports whether there
// were any.
func (b *Buckets) dropFull(now time.Time) bool {
	before := len(b.clients)
	for client, bucket := range b.clients {
		if bucket.TokensAt(now) >= float64(b.burst) {
			delete(b.clients, client)
		}
	}
	return len(b.clients) < before
}
