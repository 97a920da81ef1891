// Package rpc is how the page calls a program in a Web Worker. Requests and replies are JSON with buffers of raw
// bytes next to it, which are transferred between page and worker: tensors never become text.
package rpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// Message is a request to a program, or one of its replies.
type Message struct {
	// Call numbers the call that a request makes or adds to. It is kept apart from Text, so that a request that
	// cannot be decoded fails its caller. Replies name their call in Text.
	Call    int
	Text    []byte // JSON
	Buffers [][]byte
}

// Handler serves a request and sends replies. It must not wait for another request, which would be delivered by the
// thread that it runs on.
type Handler func(request Message, send func(reply Message))

// Decode reads the text of a request, of at most limit bytes, into the struct that request points to. It takes
// one value without unknown fields.
func Decode(text []byte, limit int, request any) error {
	if len(text) > limit {
		return fmt.Errorf("the request has %d bytes; %d are allowed", len(text), limit)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(request); err != nil {
		return fmt.Errorf("the request cannot be read: %w", err)
	}
	// Decode stops after one value; text behind it would be ignored.
	if _, err := d.Token(); err != io.EOF {
		return errors.New("the request cannot be read: something follows it")
	}
	return nil
}

// Encode writes the reply that a pointer points to. A list that is nil is written as an empty one, as the types
// that infra/tsgen generates say: they know no null.
func Encode(reply any) ([]byte, error) {
	fillLists(reflect.ValueOf(reply).Elem())
	return json.Marshal(reply)
}

// fillLists makes every nil slice in v an empty one.
func fillLists(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fillLists(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fillLists(v.Field(i))
		}
	case reflect.Slice:
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		if holdsLists(v.Type().Elem()) {
			for i := range v.Len() {
				fillLists(v.Index(i))
			}
		}
	}
}

// holdsLists spares a walk through long lists of numbers and texts.
func holdsLists(t reflect.Type) bool {
	k := t.Kind()
	return k == reflect.Pointer || k == reflect.Struct || k == reflect.Slice
}

// Fault puts what a program recovered from into an error of its reply.
func Fault(recovered any) string { return fmt.Sprintf("internal error: %v", recovered) }
