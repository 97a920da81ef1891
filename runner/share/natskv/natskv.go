// Package natskv is a share.Store in a key-value bucket of NATS' JetStream, for the gateways of a fleet: what one of
// them stores, all of them find. The bucket is a stream, and is read from the server that leads it, so that nobody gets
// an older state than has been confirmed.
package natskv

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/newtlab/newt/runner/share"
	"github.com/newtlab/newt/runner/share/link"
)

// Bucket is the name of the bucket, and Stream that of its stream.
const (
	Bucket = "newt-shares"
	Stream = "KV_" + Bucket
)

// Options bound the bucket that a Store makes. An administrator may have made it with other limits or more replicas.
type Options struct {
	MaxRows  int64 // links; 0 means 1,000,000
	MaxBytes int64 // bytes of all values; 0 means 4 GiB, or less where the servers have no room for as much
}

// minBytes is the least size of a bucket that is made, and maxValue that of a value: a link and what a record adds.
const (
	minBytes = 16 << 20
	maxValue = link.MaxEncoded + 4<<10
)

// Store implements share.Store.
type Store struct {
	js      jetstream.JetStream
	options Options
	bucket  jetstream.KeyValue
	stream  jetstream.Stream
}

// Open makes the bucket, unless it exists.
func Open(ctx context.Context, js jetstream.JetStream, o Options) (*Store, error) {
	if o.MaxRows == 0 {
		o.MaxRows = 1_000_000
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 4 << 30
	}
	s := &Store{js: js, options: o}
	err := s.create(ctx)
	if err != nil {
		return nil, fmt.Errorf("the bucket %s: %w", Bucket, err)
	}
	if s.bucket, err = js.KeyValue(ctx, Bucket); err != nil {
		return nil, err
	}
	s.stream, err = js.Stream(ctx, Stream)
	return s, err
}

// create makes the stream of the bucket, unless it exists, as NATS lays one out, with a bound on the number of values
// besides. The server reserves the bytes, and has perhaps fewer.
func (s *Store) create(ctx context.Context) error {
	if _, err := s.js.Stream(ctx, Stream); !errors.Is(err, jetstream.ErrStreamNotFound) {
		return err
	}
	for bytes := s.options.MaxBytes; ; bytes /= 2 {
		_, err := s.js.CreateStream(ctx, jetstream.StreamConfig{
			Name: Stream, Description: "short links of newt", Subjects: []string{"$KV." + Bucket + ".>"},
			MaxMsgsPerSubject: 1, MaxMsgs: s.options.MaxRows, MaxBytes: bytes, MaxMsgSize: maxValue,
			Discard: jetstream.DiscardNew, Storage: jetstream.FileStorage, AllowMsgTTL: true,
		})
		switch {
		case errors.Is(err, jetstream.ErrStreamNameAlreadyInUse): // made meanwhile
			return nil
		case err == nil || !isAny(err, insufficient) || bytes/2 < minBytes:
			return err
		}
	}
}

// key is an id as a key of NATS, which cannot have all characters.
func key(id string) string { return base64.RawURLEncoding.EncodeToString([]byte(id)) }

// Put implements share.Store. The server drops the value after until, to a second.
func (s *Store) Put(ctx context.Context, id string, value []byte, until time.Time) (bool, error) {
	var options []jetstream.KVCreateOpt
	if !until.IsZero() {
		options = append(options, jetstream.KeyTTL(max(time.Second, time.Until(until).Round(time.Second))))
	}
	_, err := s.bucket.Create(ctx, key(id), value, options...)
	if errors.Is(err, jetstream.ErrNoStreamResponse) && s.create(ctx) == nil { // somebody has removed it
		_, err = s.bucket.Create(ctx, key(id), value, options...)
	}
	if errors.Is(err, jetstream.ErrKeyExists) {
		return false, nil
	}
	return err == nil, classify(err)
}

// Get implements share.Store.
func (s *Store) Get(ctx context.Context, id string) ([]byte, error) {
	entry, err := s.bucket.Get(ctx, key(id))
	if err != nil {
		return nil, classify(err)
	}
	return entry.Value(), nil
}

// Delete implements share.Store. The server overwrites the value.
func (s *Store) Delete(ctx context.Context, id string) error {
	entry, err := s.bucket.Get(ctx, key(id))
	if err == nil {
		err = s.stream.SecureDeleteMsg(ctx, entry.Revision())
	}
	if err = classify(err); errors.Is(err, share.ErrNotFound) {
		return nil
	}
	return err
}

// insufficient are the server's codes for too little room on its disk, and storeFailed for a stream at its limits. They
// have no names in the client.
var (
	insufficient = []jetstream.ErrorCode{10023, 10047, 10122}
	storeFailed  = []jetstream.ErrorCode{10077}
)

func isAny(err error, codes []jetstream.ErrorCode) bool {
	var e jetstream.JetStreamError
	if !errors.As(err, &e) || e.APIError() == nil {
		return false
	}
	for _, code := range codes {
		if e.APIError().ErrorCode == code {
			return true
		}
	}
	return false
}

// classify wraps an error of NATS in the one that it means here.
func classify(err error) error {
	absent := []error{jetstream.ErrKeyNotFound, jetstream.ErrMsgNotFound, jetstream.ErrStreamNotFound}
	busy := []error{
		context.DeadlineExceeded, context.Canceled, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrConnectionClosed,
		nats.ErrReconnectBufExceeded, nats.ErrDisconnected, jetstream.ErrNoStreamResponse,
	}
	switch {
	case err == nil:
		return nil
	case isOne(err, absent):
		return fmt.Errorf("%w: %w", share.ErrNotFound, err)
	case isAny(err, storeFailed), isAny(err, insufficient):
		return fmt.Errorf("%w: %w", share.ErrFull, err)
	case isOne(err, busy):
		return fmt.Errorf("%w: %w", share.ErrBusy, err)
	}
	return err
}

func isOne(err error, of []error) bool {
	for _, one := range of {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}
