// Package wire is the protocol between newt and its GPU worker over the worker's standard input and
// output: each request has one answer. Both ends are of the same build, which the version in the
// greeting checks.
//
// A message is its length after the first four bytes, a kind, how many numbers and how many
// blobs there are, the numbers, and the blobs, each after its length. Everything is little-endian.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Version is incremented when the meaning of any message changes.
const Version = 4

// Limits of one message. Copies of more than MaxCopy bytes go in several messages.
const (
	MaxMessage = 64 << 20
	MaxCopy    = 8 << 20
	maxCount   = 255
)

// Kind is the kind of a message.
type Kind uint8

// The kinds. After each: its numbers; its blobs.
const (
	Greeting Kind = iota // as in Info
	Done                 // what the request below gives in return
	Failed               // code of the driver, 1 where nothing can go on; text
	Alloc                // bytes → address of cleared memory
	Free                 // address
	Write                // address; data
	Read                 // address, bytes → ; data
	// 1 where the image is PTX, bytes of dynamic shared memory, 1 where the code is to know its lines of PTX; entry,
	// image → as in Loaded
	Load
	Unload // module
	Reset  // frees all memory; what was loaded stays
	Launch // as in Run → nanoseconds; the areas to read
	Time   // as in Run, and nanoseconds of warming up and measuring → as in Times
	numKinds
)

// Message is a request or an answer.
type Message struct {
	Kind    Kind
	Numbers []uint64
	Blobs   [][]byte
}

// ErrMalformed is the error of Receive and the parsers for bytes that are not a valid message.
var ErrMalformed = errors.New("malformed message between newt and its worker")

// Number returns the i-th number, 0 if there are fewer.
func (m *Message) Number(i int) uint64 {
	if i < len(m.Numbers) {
		return m.Numbers[i]
	}
	return 0
}

// Blob returns the i-th blob, nil if there are fewer.
func (m *Message) Blob(i int) []byte {
	if i < len(m.Blobs) {
		return m.Blobs[i]
	}
	return nil
}

// Send writes the message.
func (m *Message) Send(to io.Writer) error {
	if len(m.Numbers) > maxCount || len(m.Blobs) > maxCount {
		return fmt.Errorf("%w: %d numbers and %d blobs", ErrMalformed, len(m.Numbers), len(m.Blobs))
	}
	size := 3 + 8*len(m.Numbers)
	for _, b := range m.Blobs {
		size += 4 + len(b)
	}
	if size > MaxMessage {
		return fmt.Errorf("%w: %d bytes", ErrMalformed, size)
	}
	raw := make([]byte, 0, 4+size)
	raw = binary.LittleEndian.AppendUint32(raw, uint32(size))
	raw = append(raw, byte(m.Kind), byte(len(m.Numbers)), byte(len(m.Blobs)))
	for _, n := range m.Numbers {
		raw = binary.LittleEndian.AppendUint64(raw, n)
	}
	for _, b := range m.Blobs {
		raw = binary.LittleEndian.AppendUint32(raw, uint32(len(b)))
		raw = append(raw, b...)
	}
	_, err := to.Write(raw)
	return err
}

// Receive reads a message; the error is io.EOF if the input ended before it.
func Receive(from io.Reader) (*Message, error) {
	var head [4]byte
	if _, err := io.ReadFull(from, head[:]); err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size < 3 || size > MaxMessage {
		return nil, fmt.Errorf("%w: %d bytes", ErrMalformed, size)
	}
	raw := make([]byte, size)
	if _, err := io.ReadFull(from, raw); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return parse(raw)
}

func parse(raw []byte) (*Message, error) {
	m := &Message{Kind: Kind(raw[0]), Numbers: make([]uint64, raw[1]), Blobs: make([][]byte, raw[2])}
	raw = raw[3:]
	if m.Kind >= numKinds || len(raw) < 8*len(m.Numbers) {
		return nil, ErrMalformed
	}
	for i := range m.Numbers {
		m.Numbers[i] = binary.LittleEndian.Uint64(raw[8*i:])
	}
	raw = raw[8*len(m.Numbers):]
	for i := range m.Blobs {
		if len(raw) < 4 || uint64(binary.LittleEndian.Uint32(raw)) > uint64(len(raw)-4) {
			return nil, ErrMalformed
		}
		n := binary.LittleEndian.Uint32(raw)
		m.Blobs[i], raw = raw[4:4+n:4+n], raw[4+n:]
	}
	if len(raw) != 0 {
		return nil, ErrMalformed
	}
	return m, nil
}
