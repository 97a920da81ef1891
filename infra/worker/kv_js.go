//go:build js && wasm

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall/js"
	"time"

	"github.com/newtlab/newt/runner/share"
)

// namespace is a share.Store in Workers KV. KV has no "put if absent", and what one place writes
// another may see a minute later: two authors who share the same text within that minute both get a
// key, and the later one's deletes it. The text is the same either way, because its hash is its id.
type namespace struct{ binding js.Value }

var errNoBinding = errors.New("wrangler.json binds nothing under a name that the Worker needs")

// Put implements share.Store.
func (n namespace) Put(ctx context.Context, id string, value []byte, until time.Time) (bool, error) {
	if _, err := n.Get(ctx, id); !errors.Is(err, share.ErrNotFound) {
		return false, err
	}
	options := map[string]any{}
	if !until.IsZero() {
		options["expiration"] = until.Unix()
	}
	_, err := call(ctx, n.binding, "put", id, string(value), options)
	return err == nil, kvError(err)
}

// Get implements share.Store.
func (n namespace) Get(ctx context.Context, id string) ([]byte, error) {
	value, err := call(ctx, n.binding, "get", id)
	if err != nil {
		return nil, kvError(err)
	}
	if value.Type() != js.TypeString {
		return nil, share.ErrNotFound
	}
	return []byte(value.String()), nil
}

// Delete implements share.Store.
func (n namespace) Delete(ctx context.Context, id string) error {
	_, err := call(ctx, n.binding, "delete", id)
	return kvError(err)
}

// kvError tells apart what KV says only in words.
func kvError(err error) error {
	for words, kind := range map[string]error{
		"limit exceeded for the day": share.ErrFull,
		" 429 ":                      share.ErrBusy,
		"Too Many Requests":          share.ErrBusy,
	} {
		if err != nil && strings.Contains(err.Error(), words) {
			return fmt.Errorf("%w: %w", kind, err)
		}
	}
	return err
}

// limiter is a share.Limiter over a rate limiting binding, whose count each of Cloudflare's places
// keeps for itself.
type limiter struct{ binding js.Value }

// limitPeriod is the period of wrangler.json; the binding does not say when it will allow more.
const limitPeriod = time.Minute

// Wait implements share.Limiter.
func (l limiter) Wait(ctx context.Context, client string) (time.Duration, error) {
	outcome, err := call(ctx, l.binding, "limit", map[string]any{"key": client})
	if err != nil || outcome.Get("success").Truthy() {
		return 0, err
	}
	return limitPeriod, nil
}

// call calls a method of a binding that returns a promise, and waits for it until ctx ends.
func call(ctx context.Context, binding js.Value, method string, args ...any) (js.Value, error) {
	if !binding.Truthy() {
		return js.Value{}, errNoBinding
	}
	type outcome struct {
		value js.Value
		err   error
	}
	done := make(chan outcome, 1)
	var kept, broken js.Func
	settle := func(o outcome) any {
		kept.Release()
		broken.Release()
		done <- o
		return nil
	}
	kept = js.FuncOf(func(_ js.Value, args []js.Value) any { return settle(outcome{value: args[0]}) })
	broken = js.FuncOf(func(_ js.Value, args []js.Value) any {
		return settle(outcome{err: fmt.Errorf("%s: %s", method, args[0].Call("toString").String())})
	})
	binding.Call(method, args...).Call("then", kept, broken)
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		return js.Value{}, ctx.Err()
	}
}
