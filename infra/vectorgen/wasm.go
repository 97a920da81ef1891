package vectorgen

import "encoding/binary"

// v128 is WebAssembly's vectors, in as many locals as a function asks for.
var v128 = processor{bytes: 16, saturates: true}

// Instructions and types (WebAssembly core specification, 5.3 and 5.4).
const (
	wasmBlock      = 0x02
	wasmLoop       = 0x03
	wasmEnd        = 0x0b
	wasmBranch     = 0x0c
	wasmBranchIf   = 0x0d
	wasmTable      = 0x0e
	wasmLocalGet   = 0x20
	wasmLocalSet   = 0x21
	wasmLocalTee   = 0x22
	wasmGlobalGet  = 0x23
	wasmGlobalSet  = 0x24
	wasmI32Load    = 0x28
	wasmI64Store   = 0x37
	wasmI32Store8  = 0x3a
	wasmI32Const   = 0x41
	wasmI32Eqz     = 0x45
	wasmI32Add     = 0x6a
	wasmI32Sub     = 0x6b
	wasmI32And     = 0x71
	wasmI32Shl     = 0x74
	wasmI64Extend  = 0xad
	wasmNoResult   = 0x40
	wasmI32        = 0x7f
	wasmV128       = 0x7b
	wasmVector     = 0xfd // in front of instructions on vectors
	wasmMostLocals = 128  // whose numbers are one byte
)

var v128Codes = [...]uint64{
	addF32: 0xe4, subF32: 0xe5, mulF32: 0xe6, divF32: 0xe7, sqrtF32: 0xe3, gtF32: 0x44, geF32: 0x46, eqF32: 0x41,
	addF64: 0xf0, subF64: 0xf1, mulF64: 0xf2, divF64: 0xf3, sqrtF64: 0xef, gtF64: 0x4a,
	addI32: 0xae, subI32: 0xb1, mulI32: 0xb5, gtI32: 0x3b, eqI32: 0x37, addI64: 0xce, subI64: 0xd1, mulU32: 0xde,
	and: 0x4e, or: 0x50, xor: 0x51, andNot: 0x4f, i32ToF32: 0xfa, f32ToI32: 0xf8, even: 0x0d, odd: 0x0d,
	shlI32: 0xab, shrI32: 0xad, shlI64: 0xcb, shrI64: 0xcd, choose: 0x52, constant: 0x0c, argument: 0x0a,
	load: 0x00, loadSplat: 0x09, loadHalves: 0x04, loadSingles: 0x5d,
	store: 0x0b, storeHalves: 0x5b, storeSingles: 0x5b,
}

const (
	v128Load64Splat = 0x0a
	v128I32Lane     = 0x1b
	v128Load64Lane  = 0x57
	v128Load64Zero  = 0x5d
	v128DemoteF64   = 0x5e
	v128PromoteF32  = 0x5f
	v128NarrowI32   = 0x86
)

// Go's functions find their arguments in memory, behind the return address that the stack pointer, global 0, points to.
// They remove that address, and return 0 if they have ended (cmd/internal/obj/wasm). Their parameter is of no use to
// what runs in one go; the stack pointer is in a local behind it.
const (
	wasmStackPointer = 0
	wasmFrame        = 1 // the local
	addressBytes     = 8
)

// wasm is the text of a function as it is written.
type wasm struct {
	text                []byte
	integers, registers int // locals
}

func (w *wasm) bytes(list ...byte)           { w.text = append(w.text, list...) }
func (w *wasm) number(n uint64)              { w.text = binary.AppendUvarint(w.text, n) }
func (w *wasm) vector(op uint64)             { w.bytes(wasmVector); w.number(op) }
func (w *wasm) i32(value int64)              { w.bytes(wasmI32Const); w.text = AppendSigned(w.text, value) }
func (w *wasm) memory(op uint64, offset int) { w.vector(op); w.bytes(0); w.number(uint64(offset)) }

// AppendSigned appends a signed LEB128 number.
func AppendSigned(to []byte, value int64) []byte {
	for {
		low := byte(value & 0x7f)
		value >>= 7
		if value == 0 && low < 0x40 || value == -1 && low >= 0x40 {
			return append(to, low)
		}
		to = append(to, low|0x80)
	}
}

// Functions are those that Go's compiler has no vectors for as WebAssembly, with their locals, by their names. Their
// bodies in Go are what is left where the build of the page does not replace them.
func Functions() map[string][]byte {
	out := map[string][]byte{"github.com/newtlab/newt/compiler/num.HasVectors": yes()}
	for _, p := range packages() {
		for _, table := range p.tables {
			out[p.path()+"."+table.name] = dispatched(table.functions)
		}
		for _, f := range p.functions {
			out[p.path()+"."+f.name] = wasmFunction(f)
		}
	}
	return out
}

// yes is func() bool.
func yes() []byte {
	w := &wasm{}
	w.enter()
	w.bytes(wasmLocalGet, wasmFrame)
	w.i32(1)
	w.bytes(wasmI32Store8, 0, addressBytes)
	return w.leave()
}

func wasmFunction(f function) []byte {
	w := &wasm{}
	code := w.prepare(f)
	w.enter()
	w.write(code)
	return w.leave()
}

// dispatched is a function that begins with the one of a table whose number is its first argument.
func dispatched(table []function) []byte {
	w := &wasm{}
	var codes [][]instruction
	for _, f := range table {
		codes = append(codes, w.prepare(f))
	}
	w.enter()
	for range len(table) + 1 { // around each function is the block whose end it begins at, and around all one to leave
		w.bytes(wasmBlock, wasmNoResult)
	}
	w.bytes(wasmLocalGet, wasmFrame, wasmI32Load, 0, addressBytes)
	w.i32(1)
	w.bytes(wasmI32Sub, wasmTable)
	w.number(uint64(len(table)))
	for i := range len(table) + 1 {
		w.number(uint64(i))
	}
	for i, code := range codes {
		w.bytes(wasmEnd)
		w.write(code)
		w.bytes(wasmBranch)
		w.number(uint64(len(table) - 1 - i))
	}
	w.bytes(wasmEnd)
	return w.leave()
}

// prepare is a function's code, with as many locals as it needs.
func (w *wasm) prepare(f function) []instruction {
	code, integers, registers := v128.build(f)
	w.integers, w.registers = max(w.integers, integers), max(w.registers, registers)
	return code
}

func (w *wasm) enter() {
	w.bytes(wasmGlobalGet, wasmStackPointer, wasmLocalSet, wasmFrame)
}

// leave returns to the caller, and is the function with its locals.
func (w *wasm) leave() []byte {
	w.bytes(wasmLocalGet, wasmFrame)
	w.i32(addressBytes)
	w.bytes(wasmI32Add, wasmGlobalSet, wasmStackPointer)
	w.i32(0)
	w.bytes(wasmEnd)
	if wasmFrame+w.integers+w.registers >= wasmMostLocals {
		panic("vectorgen: too many locals")
	}
	return append([]byte{2, byte(1 + w.integers), wasmI32, byte(w.registers), wasmV128}, w.text...)
}

// get pushes vectors.
func (w *wasm) get(list ...vector) {
	for _, v := range list {
		w.bytes(wasmLocalGet, byte(1+wasmFrame+w.integers+int(v)))
	}
}

func (w *wasm) set(v vector) { w.bytes(wasmLocalSet, byte(1+wasmFrame+w.integers+int(v))) }

func (w *wasm) write(code []instruction) {
	for _, i := range code {
		at, other := byte(1+wasmFrame+i.integers[0]), byte(1+wasmFrame+i.integers[1])
		op, offset := uint64(0), int(i.immediate)
		if int(i.operation) < len(v128Codes) {
			op = v128Codes[i.operation]
		}
		change := func(with byte) { // an integer, by a constant
			w.bytes(wasmLocalGet, at)
			w.i32(i.immediate)
			w.bytes(with, wasmLocalSet, at)
		}
		switch o := i.operation; o {
		default:
			w.get(i.a)
			if !o.unary() {
				w.get(i.b)
			}
			w.vector(op)
			w.set(i.to)
		case singleF64:
			w.get(i.a)
			w.vector(v128DemoteF64)
			w.vector(v128PromoteF32)
			w.set(i.to)
		case even, odd:
			w.get(i.a, i.b)
			w.vector(op)
			for lane := range byte(4) { // of 32 bits, by the numbers of their bytes
				first := 8*lane + map[operation]byte{odd: 4}[o]
				w.bytes(first, first+1, first+2, first+3)
			}
			w.set(i.to)
		case mulU32: // of what lies in the lower half of each vector then
			for _, v := range []vector{i.a, i.b} {
				w.get(v, v)
				w.vector(v128Codes[even])
				for lane := range byte(4) {
					first := 8 * (lane % 2)
					w.bytes(first, first+1, first+2, first+3)
				}
			}
			w.vector(op)
			w.set(i.to)
		case shlI32, shrI32, shlI64, shrI64:
			w.get(i.a)
			w.i32(i.immediate)
			w.vector(op)
			w.set(i.to)
		case choose:
			w.get(i.a, i.b, i.c)
			w.vector(op)
			w.set(i.to)
		case constant:
			w.vector(op)
			for range 16 / i.size {
				w.bytes(binary.LittleEndian.AppendUint64(nil, uint64(i.immediate))[:i.size]...)
			}
			w.set(i.to)
		case argument:
			w.bytes(wasmLocalGet, wasmFrame)
			w.memory(op, addressBytes+8*i.size)
			w.set(i.to)
		case load, loadSplat, loadHalves, loadSingles:
			if o == loadSplat && i.size == 8 {
				op = v128Load64Splat
			}
			w.bytes(wasmLocalGet, at)
			w.memory(op, offset)
			if o == loadSingles {
				w.vector(v128PromoteF32)
			}
			w.set(i.to)
		case lookUp:
			for lane := range byte(2) {
				w.bytes(wasmLocalGet, at)
				w.get(i.a)
				w.vector(v128I32Lane)
				w.bytes(2 * lane)
				w.i32(3)
				w.bytes(wasmI32Shl, wasmI32Add)
				if lane == 0 {
					w.memory(v128Load64Zero, 0)
				} else {
					w.get(i.to)
					w.memory(v128Load64Lane, 0)
					w.bytes(1)
				}
				w.set(i.to)
			}
		case store, storeHalves, storeSingles:
			w.bytes(wasmLocalGet, at)
			w.get(i.a)
			switch o {
			case storeHalves:
				w.get(i.a)
				w.vector(v128NarrowI32)
			case storeSingles:
				w.vector(v128DemoteF64)
			}
			w.memory(op, offset)
			if o != store {
				w.bytes(0) // the lane of 64 bits
			}
		case integerArgument:
			w.bytes(wasmLocalGet, wasmFrame, wasmI32Load, 0)
			w.number(uint64(addressBytes + 8*i.size))
			w.bytes(wasmLocalSet, at)
		case integerResult:
			w.bytes(wasmLocalGet, wasmFrame, wasmLocalGet, at, wasmI64Extend, wasmI64Store, 0)
			w.number(uint64(addressBytes + 8*i.size))
		case integerAdd:
			w.bytes(wasmLocalGet, other, wasmLocalGet, at, wasmI32Add, wasmLocalSet, other)
		case integerAddConstant:
			change(wasmI32Add)
		case integerAnd:
			change(wasmI32And)
		case integerShift:
			change(wasmI32Shl)
		case integerCopy:
			w.bytes(wasmLocalGet, at, wasmLocalSet, other)
		case skip:
			w.bytes(wasmBlock, wasmNoResult, wasmLocalGet, at, wasmI32Eqz, wasmBranchIf, 0)
		case loop:
			w.bytes(wasmLoop, wasmNoResult)
		case endLoop:
			w.bytes(wasmLocalGet, at)
			w.i32(i.immediate)
			w.bytes(wasmI32Sub, wasmLocalTee, at, wasmBranchIf, 0, wasmEnd)
		case endSkip:
			w.bytes(wasmEnd)
		}
	}
}
