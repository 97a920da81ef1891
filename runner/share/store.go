package share

import (
	"context"
	"errors"
	"time"
)

// Store keeps small values under ids. Values are immutable: put once, and deleted later, or dropped after their time.
// Every method returns soon after its context ends, and is safe for concurrent use.
type Store interface {
	// Put stores value under id unless the id is taken, and reports whether it did. A store may drop the value after
	// until; a zero until means never.
	Put(ctx context.Context, id string, value []byte, until time.Time) (created bool, err error)
	// Get returns the value, or ErrNotFound.
	Get(ctx context.Context, id string) ([]byte, error)
	// Delete removes the value; an id that is not there is no error.
	Delete(ctx context.Context, id string) error
}

// The errors of a Store, which it may wrap. Any other error means that it cannot be used.
var (
	ErrNotFound = errors.New("share: no such id")
	ErrFull     = errors.New("share: the store is full")
	ErrBusy     = errors.New("share: the store did not answer in time")
)

// Unavailable returns a Store for one that could not be opened: every method returns err, and the site works without
// short links.
func Unavailable(err error) Store { return unavailable{err} }

type unavailable struct{ err error }

func (u unavailable) Put(context.Context, string, []byte, time.Time) (bool, error) {
	return false, u.err
}
func (u unavailable) Get(context.Context, string) ([]byte, error) { return nil, u.err }
func (u unavailable) Delete(context.Context, string) error        { return u.err }
