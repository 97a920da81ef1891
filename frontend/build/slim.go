package main

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/newtlab/newt/infra/vectorgen"
)

// Bytes of the instructions that say where a segment of data goes (5.4.1): i32.const, end.
const (
	i32Const = 0x41
	end      = 0x0b
)

// maxImage bounds the memory that a module's data may describe.
const maxImage = 1 << 28

// slim rewrites a module that the Go linker wrote so that it travels in fewer bytes. The linker
// cuts the data at every short run of zeros, and the addresses of a hundred thousand segments
// compress worse than the zeros; one segment holds it all instead. What the data says about
// functions is cut to what running needs (see blankFunctions), and the calls are made alike (see code).
func slim(module []byte) ([]byte, error) {
	sections, err := readModule(module)
	if err != nil {
		return nil, err
	}
	functions := &code{}
	for i, s := range sections {
		if s.id == dataSection {
			sections[i].body, err = slimData(s.body)
		} else {
			sections[i].body, err = functions.section(s.id, s.body)
		}
		if err != nil {
			return nil, err
		}
	}
	return writeModule(sections), nil
}

// segment is a piece of memory as the module is instantiated.
type segment struct {
	address uint64
	bytes   []byte
}

// slimData is a data section with all of its memory in one piece.
func slimData(body []byte) ([]byte, error) {
	memory, err := readMemory(body)
	if err != nil {
		return nil, err
	}
	if err := blankFunctions(memory.bytes); err != nil {
		return nil, err
	}
	return appendActive([]byte{1}, memory), nil
}

// appendActive appends a segment that instantiating the module puts into memory 0.
func appendActive(to []byte, s segment) []byte {
	to = append(vectorgen.AppendSigned(append(to, 0, i32Const), int64(s.address)), end)
	return appendSized(to, s.bytes)
}

// readMemory reads a data section into one piece.
func readMemory(body []byte) (segment, error) {
	segments, err := readSegments(body)
	if err != nil {
		return segment{}, err
	}
	if len(segments) == 0 {
		return segment{}, errModule
	}
	first, last := segments[0].address, uint64(0)
	for _, s := range segments {
		first, last = min(first, s.address), max(last, s.address+uint64(len(s.bytes)))
	}
	if last-first > maxImage {
		return segment{}, errModule
	}
	memory := make([]byte, last-first)
	for _, s := range segments {
		copy(memory[s.address-first:], s.bytes)
	}
	return segment{first, memory}, nil
}

// readSegments reads a data section whose segments are all active ones of memory 0.
func readSegments(body []byte) ([]segment, error) {
	r := bytes.NewReader(body)
	count, err := binary.ReadUvarint(r)
	if err != nil || count > uint64(len(body)) {
		return nil, errModule
	}
	segments := make([]segment, count)
	for i := range segments {
		s, err := readSegment(r)
		if err != nil {
			return nil, fmt.Errorf("%w: segment %d", errModule, i)
		}
		segments[i] = s
	}
	return segments, nil
}

func readSegment(r *bytes.Reader) (segment, error) {
	var s segment
	flags, err := binary.ReadUvarint(r)
	if err != nil || flags != 0 {
		return s, errModule
	}
	if op, err := r.ReadByte(); err != nil || op != i32Const {
		return s, errModule
	}
	address, err := readSigned(r)
	if err != nil || address < 0 {
		return s, errModule
	}
	s.address = uint64(address)
	if op, err := r.ReadByte(); err != nil || op != end {
		return s, errModule
	}
	size, err := binary.ReadUvarint(r)
	if err != nil || size > uint64(r.Len()) {
		return s, errModule
	}
	s.bytes = make([]byte, size)
	_, err = r.Read(s.bytes)
	return s, err
}
