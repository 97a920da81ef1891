package protocol

import (
	"encoding/binary"
	"fmt"
)

// HeaderBytes is the length of a binary frame's header; the payload follows.
const HeaderBytes = 24

// Kind is the kind of a binary frame.
type Kind uint8

// The kinds.
const (
	IRFrame     Kind = 1 // client: the kernel
	TensorFrame Kind = 2 // client: part of a tensor before the launch
	ResultFrame Kind = 3 // runner: part of a tensor after the launch
)

// Header begins a binary frame. All numbers are little-endian:
//
//	 0  u8   version
//	 1  u8   kind
//	 2  u16  tensor, 0 for IR
//	 4  u32  job
//	 8  u32  seq of results, 0 for what clients send
//	12  u32  0
//	16  u64  offset of the payload's first byte in the IR or tensor
type Header struct {
	Kind   Kind
	Tensor int
	Job    int64
	Seq    int
	Offset int64
}

// Put writes the header to b[:HeaderBytes].
func (h Header) Put(b []byte) {
	b[0], b[1] = Version, byte(h.Kind)
	binary.LittleEndian.PutUint16(b[2:], uint16(h.Tensor))
	binary.LittleEndian.PutUint32(b[4:], uint32(h.Job))
	binary.LittleEndian.PutUint32(b[8:], uint32(h.Seq))
	binary.LittleEndian.PutUint32(b[12:], 0)
	binary.LittleEndian.PutUint64(b[16:], uint64(h.Offset))
}

// ReadHeader reads a header, and checks its version and kind, and that reserved fields are 0.
func ReadHeader(b []byte) (Header, error) {
	if len(b) < HeaderBytes {
		return Header{}, fmt.Errorf("a binary frame of %d bytes, less than its header", len(b))
	}
	h := Header{
		Kind: Kind(b[1]), Tensor: int(binary.LittleEndian.Uint16(b[2:])), Job: int64(binary.LittleEndian.Uint32(b[4:])),
		Seq: int(binary.LittleEndian.Uint32(b[8:])), Offset: int64(binary.LittleEndian.Uint64(b[16:])),
	}
	switch {
	case b[0] != Version:
		return Header{}, fmt.Errorf("a binary frame of version %d", b[0])
	case h.Kind < IRFrame || h.Kind > ResultFrame:
		return Header{}, fmt.Errorf("a binary frame of kind %d", h.Kind)
	case h.Offset < 0, binary.LittleEndian.Uint32(b[12:]) != 0, // bytes 12 to 15 are reserved
		h.Kind == IRFrame && h.Tensor != 0,
		(h.Kind == ResultFrame) != (h.Seq > 0):
		return Header{}, fmt.Errorf("a binary frame of kind %d with an invalid header", h.Kind)
	}
	return h, nil
}
