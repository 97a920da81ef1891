package share

import (
	"context"
	"errors"
	"time"
)

// Store keeps small values under ids. A value is never changed: it is put once, and later deleted
// or swept away. Every method returns soon after its context ends, and may be called from many
// goroutines at once.
type Store interface {
	// Put keeps value under id unless the id is taken, and reports whether it did. A store may
	// forget the value once until has passed; a zero until means never.
	Put(ctx context.Context, id string, value []byte, until time.Time) (created bool, err error)
	// Get returns the value, or ErrNotFound.
	Get(ctx context.Context, id string) ([]byte, error)
	// Delete removes the value; an id that is not there is no error.
	Delete(ctx context.Context, id string) error
}

// What a Store says is wrong; it may wrap these. Any other error means that it cannot be used.
var (
	ErrNotFound = errors.New("share: no such id")
	ErrFull     = errors.New("share: the store is full")
	ErrBusy     = errors.New("share: the store did not answer in time")
)
