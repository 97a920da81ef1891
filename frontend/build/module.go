package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// The ids of the sections of a module that this build looks at (WebAssembly core specification, 5.5.2).
const (
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	tableSection    = 4
	memorySection   = 5
	globalSection   = 6
	exportSection   = 7
	elementSection  = 9
	codeSection     = 10
	dataSection     = 11
)

var errModule = errors.New("the linked WASM is not laid out as this build knows it; see frontend/build/module.go")

// moduleHeader is the magic number and the version of the format.
const moduleHeader = "\x00asm\x01\x00\x00\x00"

// section is a part of a module.
type section struct {
	id   byte
	body []byte
}

func readModule(module []byte) ([]section, error) {
	rest, found := bytes.CutPrefix(module, []byte(moduleHeader))
	if !found {
		return nil, errModule
	}
	var sections []section
	for len(rest) > 0 {
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return nil, errModule
		}
		body := rest[1+n : 1+n+int(size)]
		sections = append(sections, section{rest[0], body})
		rest = rest[1+n+int(size):]
	}
	return sections, nil
}

func writeModule(sections []section) []byte {
	out := []byte(moduleHeader)
	for _, s := range sections {
		out = appendSized(append(out, s.id), s.body)
	}
	return out
}

// appendSized appends bytes with their number in front.
func appendSized(to, data []byte) []byte {
	return append(binary.AppendUvarint(to, uint64(len(data))), data...)
}

// readSigned reads a signed LEB128 number.
func readSigned(r *bytes.Reader) (int64, error) {
	value := int64(0)
	for shift := 0; shift < 64; shift += 7 {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		value |= int64(b&0x7f) << shift
		if b < 0x80 {
			unused := max(0, 64-7-shift)
			return value << unused >> unused, nil
		}
	}
	return 0, errModule
}
