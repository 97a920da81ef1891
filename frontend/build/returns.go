package main

import (
	"bytes"
	"encoding/binary"

	"github.com/newtlab/newt/infra/vectorgen"
)

// Instructions that returns looks at (WebAssembly core specification, 5.4).
const (
	opLocalGet = 0x20
	opLocalSet = 0x21
	opLocalTee = 0x22
	opI64Const = 0x42
	opI64Or    = 0x84

	typeI64      = 0x7e
	typeFunction = 0x60
)

// storeResult is the i64.store with which a call puts its return address on the stack.
var storeResult = []byte{0x37, 3, 0}

// firstFunction is the upper part of the address of a module's first function of its own
// (funcValueOffset in cmd/link/internal/wasm); the lower 16 bits count a function's blocks.
const firstFunction = 0x1000

// immediates says what follows an opcode: so many LEB128 numbers, or so many bytes.
type immediates struct{ numbers, bytes int }

// instructions are the immediates of the opcodes that the Go linker writes; br_table (0x0e) and
// those behind a prefix are read by themselves.
var instructions = func() map[byte]immediates {
	table := map[byte]immediates{}
	rows := []struct {
		from, to byte
		what     immediates
	}{
		{0x00, 0x01, immediates{}}, {0x02, 0x04, immediates{numbers: 1}}, {0x05, 0x05, immediates{}},
		{0x0b, 0x0b, immediates{}}, {0x0c, 0x0d, immediates{numbers: 1}}, {0x0f, 0x0f, immediates{}},
		{0x10, 0x10, immediates{numbers: 1}}, {0x11, 0x11, immediates{numbers: 2}}, {0x1a, 0x1b, immediates{}},
		{0x20, 0x24, immediates{numbers: 1}}, {0x28, 0x3e, immediates{numbers: 2}}, {0x3f, 0x42, immediates{numbers: 1}},
		{0x43, 0x43, immediates{bytes: 4}}, {0x44, 0x44, immediates{bytes: 8}}, {0x45, 0xc4, immediates{}},
	}
	for _, r := range rows {
		for op := int(r.from); op <= int(r.to); op++ {
			table[byte(op)] = r.what
		}
	}
	return table
}()

// prefixed are the immediates of what follows the prefix 0xfc: saturating conversions, memory.copy, memory.fill.
var prefixed = map[uint64]immediates{
	0: {}, 1: {}, 2: {}, 3: {}, 4: {}, 5: {}, 6: {}, 7: {}, 10: {numbers: 2}, 11: {numbers: 1},
}

// code rewrites a module's functions so that return addresses compress: a call pushes the constant
// of its function and block, of five bytes that differ from function to function. With the
// function's part in a local, all calls of a block of the same number read alike. An engine that
// optimizes folds the two again.
type code struct {
	params    []uint64 // of each type
	functions []uint64 // the type of each function of the module's own
}

// section notes what is needed of a section, or rewrites it.
func (c *code) section(id byte, body []byte) (_ []byte, err error) {
	switch id {
	case typeSection:
		c.params, err = readTypes(body)
	case functionSection:
		c.functions, err = readVector(bytes.NewReader(body))
	case codeSection:
		return c.rewrite(body)
	}
	return body, err
}

// readTypes reads how many parameters each function type has.
func readTypes(body []byte) ([]uint64, error) {
	r := bytes.NewReader(body)
	count, err := binary.ReadUvarint(r)
	if err != nil || count > uint64(len(body)) {
		return nil, errModule
	}
	params := make([]uint64, count)
	for i := range params {
		if form, err := r.ReadByte(); err != nil || form != typeFunction {
			return nil, errModule
		}
		in, err := readVector(r)
		if err != nil {
			return nil, err
		}
		if _, err := readVector(r); err != nil {
			return nil, err
		}
		params[i] = uint64(len(in))
	}
	return params, nil
}

// readVector reads numbers with their count in front.
func readVector(r *bytes.Reader) ([]uint64, error) {
	count, err := binary.ReadUvarint(r)
	if err != nil || count > uint64(r.Len()) {
		return nil, errModule
	}
	numbers := make([]uint64, count)
	for i := range numbers {
		if numbers[i], err = binary.ReadUvarint(r); err != nil {
			return nil, errModule
		}
	}
	return numbers, nil
}

func (c *code) rewrite(body []byte) ([]byte, error) {
	count, n := binary.Uvarint(body)
	if n <= 0 || count != uint64(len(c.functions)) {
		return nil, errModule
	}
	out, rest := bytes.Clone(body[:n]), body[n:]
	for i, kind := range c.functions {
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) || kind >= uint64(len(c.params)) {
			return nil, errModule
		}
		f := function{text: rest[n : n+int(size)], local: c.params[kind], address: int64(firstFunction+i) << 16}
		text, err := f.rewrite()
		if err != nil {
			return nil, err
		}
		out = append(binary.AppendUvarint(out, uint64(len(text))), text...)
		rest = rest[n+int(size):]
	}
	return out, nil
}

// function is one function being rewritten: its locals and instructions, the index of the new
// local, which stands behind the parameters, and the address of its first block.
type function struct {
	text    []byte
	local   uint64
	address int64
	pushes  int // return addresses found
}

func (f *function) rewrite() ([]byte, error) {
	at, err := instructionsAt(f.text)
	if err != nil {
		return nil, err
	}
	groups, _ := binary.Uvarint(f.text)
	locals := f.text[len(binary.AppendUvarint(nil, groups)):at]
	out := append(binary.AppendUvarint(nil, groups+1), 1, typeI64)
	out = append(out, locals...)
	out = vectorgen.AppendSigned(append(out, opI64Const), f.address)
	out = binary.AppendUvarint(append(out, opLocalSet), f.local)
	for at < len(f.text) {
		length, err := instructionLength(f.text[at:])
		if err != nil {
			return nil, err
		}
		if out, err = f.instruction(out, f.text[at:at+length], f.text[at+length:]); err != nil {
			return nil, err
		}
		at += length
	}
	if f.pushes == 0 {
		return f.text, nil
	}
	return out, nil
}

// instruction appends one instruction, given what follows it.
func (f *function) instruction(out, text, next []byte) ([]byte, error) {
	switch text[0] {
	case opLocalGet, opLocalSet, opLocalTee:
		index, _ := binary.Uvarint(text[1:])
		if index >= f.local {
			index++
		}
		return binary.AppendUvarint(append(out, text[0]), index), nil
	case opI64Const:
		value, err := readSigned(bytes.NewReader(text[1:]))
		if err != nil {
			return nil, err
		}
		if value&^0xffff == f.address && bytes.HasPrefix(next, storeResult) {
			f.pushes++
			out = binary.AppendUvarint(append(out, opLocalGet), f.local)
			return append(vectorgen.AppendSigned(append(out, opI64Const), value&0xffff), opI64Or), nil
		}
	}
	return append(out, text...), nil
}

// instructionLength is the length of the instruction that text starts with.
func instructionLength(text []byte) (int, error) {
	at := 1
	what, known := instructions[text[0]]
	switch text[0] {
	case 0x0e: // br_table: a vector and a default
		count, n := binary.Uvarint(text[at:])
		if n <= 0 || count > uint64(len(text)) {
			return 0, errModule
		}
		at, what, known = at+n, immediates{numbers: int(count) + 1}, true
	case 0xfc, vectorPrefix:
		op, n := binary.Uvarint(text[at:])
		if n <= 0 {
			return 0, errModule
		}
		at += n
		if what, known = prefixed[op]; text[0] == vectorPrefix {
			what, known = onVectors(op)
		}
	}
	if !known {
		return 0, errModule
	}
	for range what.numbers {
		for at < len(text) && text[at] >= 0x80 {
			at++
		}
		at++
	}
	at += what.bytes
	if at > len(text) {
		return 0, errModule
	}
	return at, nil
}
