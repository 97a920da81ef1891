package main

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/newtlab/newt/infra/vectorgen"
)

// Where the runtime finds its table of functions (moduledata in runtime/symtab.go), as offsets in bytes, and the
// table by which it comes from a place in the code to a function: a bucket for each 4096 addresses, of which a
// function has sixteen, begins with the number of the function at its first address (findfuncbucket there).
const (
	dataNames   = 8
	dataBuckets = 19 * 8
	dataMinPC   = 20 * 8
	dataMaxPC   = 21 * 8

	bucketSize     = 20
	bucketRange    = 4096
	bucketsOfEach  = 16
	subbucketRange = 256
)

// startSection and more instructions (WebAssembly core specification, 5.4 and 5.5.2).
const (
	startSection = 8

	opLoop      = 0x03
	opBranchIf  = 0x0d
	opI32Load   = 0x28
	opI32Load8U = 0x2d
	opI32Store  = 0x36
	opI32LtU    = 0x49
	opI32Add    = 0x6a
	opI32Sub    = 0x6b
	opI32Mul    = 0x6c
	opI32DivU   = 0x6e
	opI32And    = 0x71
)

// minGap is how many zeros part two segments of data, which take a few bytes each.
const minGap = 1024

// order is what a module's data says of its functions that follows from their order: the rows of the table and the
// entries that they point to, each with the number of its function, one entry behind the other; the buckets.
type order struct {
	rows, entries, buckets     int // their addresses
	functionCount, bucketCount int
	table, bucketBytes         []byte // what is in memory from the first row and from the first bucket on
}

// orderly has a module write what follows from the order of its functions as it starts, and leaves it out of the data:
// half of that, which the browser would decompress, check and copy, and a ninth once compressed.
func orderly(module []byte) ([]byte, error) {
	p, err := readLinked(module)
	if err != nil {
		return nil, err
	}
	memory, err := readMemory(p.section(dataSection))
	if err != nil {
		return nil, err
	}
	o, err := findOrder(memory)
	if err != nil {
		return nil, err
	}
	if err := o.blank(); err != nil {
		return nil, err
	}
	p.set(dataSection, appendSegments(memory))
	p.startWith(o.text())
	return writeModule(p.sections), nil
}

func findOrder(memory segment) (*order, error) {
	f, err := findFunctions(memory.bytes)
	if err != nil {
		return nil, err
	}
	header := bytes.Index(memory.bytes, tableMagic)
	names := header + int(binary.LittleEndian.Uint64(memory.bytes[header+headerNames:]))
	address := func(at int) []byte { return binary.LittleEndian.AppendUint64(nil, memory.address+uint64(at)) }
	at := bytes.Index(memory.bytes, slices.Concat(address(header), address(names)))
	if at < 0 || len(memory.bytes)-at < dataMaxPC+8 {
		return nil, errModule
	}
	word := func(field int) int { return int(binary.LittleEndian.Uint64(memory.bytes[at+field:])) }
	size, buckets := word(dataMaxPC)-word(dataMinPC), word(dataBuckets)-int(memory.address)
	rows := int(memory.address) + len(memory.bytes) - len(f.entries)
	bucketCount := (size + bucketRange - 1) / bucketRange
	length := 4*bucketCount + (size+subbucketRange-1)/subbucketRange
	if size < 0 || buckets < 0 || buckets+length > len(memory.bytes) || f.count == 0 || rows%8 != 0 {
		return nil, errModule
	}
	return &order{
		rows: rows, buckets: buckets + int(memory.address), functionCount: f.count, bucketCount: bucketCount,
		table: f.entries, bucketBytes: memory.bytes[buckets : buckets+length],
	}, nil
}

// blank zeroes what text writes, once it has made sure that it is that.
func (o *order) blank() error {
	for b := range o.bucketCount {
		if !take(o.bucketBytes[bucketSize*b:], b/bucketsOfEach) {
			return errModule
		}
	}
	if len(bytes.Trim(o.bucketBytes, "\x00")) > 0 {
		return errModule
	}
	next := int(binary.LittleEndian.Uint32(o.table[4:]))
	o.entries = o.rows + next
	for i := range o.functionCount {
		entry := next
		row := o.table[8*i:]
		if entry+entrySize > len(o.table) || !take(row, firstFunction+i) || !take(row[4:], entry) ||
			!take(o.table[entry:], firstFunction+i) {
			return errModule
		}
		words := int(binary.LittleEndian.Uint32(o.table[entry+entryPCCount:])) + int(o.table[entry+entryDataCount])
		next = (entry + entrySize + 4*words + 7) &^ 7
	}
	return nil
}

// take zeroes a number of four bytes if it is the given one.
func take(bytes []byte, number int) bool {
	if len(bytes) < 4 || binary.LittleEndian.Uint32(bytes) != uint32(number) {
		return false
	}
	clear(bytes[:4])
	return true
}

// text is the function that writes what blank takes out:
//
//	for i < functionCount {
//		rows[i] = {firstFunction + i, entry - rows}
//		*entry = firstFunction + i
//		entry += its size
//	}
//	for i < bucketCount { buckets[i] = i / bucketsOfEach }
func (o *order) text() []byte {
	const i, entry = 0, 1
	a := assembly{1, 2, typeI32} // two locals
	a = a.constant(o.entries).local(opLocalSet, entry)
	a = append(a, opLoop, noResult)
	a = a.local(opLocalGet, i).constant(8).op(opI32Mul)
	a = a.local(opLocalGet, i).constant(firstFunction).op(opI32Add).memory(opI32Store, o.rows)
	a = a.local(opLocalGet, i).constant(8).op(opI32Mul)
	a = a.local(opLocalGet, entry).constant(o.rows).op(opI32Sub).memory(opI32Store, o.rows+4)
	a = a.local(opLocalGet, entry)
	a = a.local(opLocalGet, i).constant(firstFunction).op(opI32Add).memory(opI32Store, 0)
	a = a.local(opLocalGet, entry).memory(opI32Load, entryPCCount)
	a = append(a.local(opLocalGet, entry), opI32Load8U, 0, entryDataCount, opI32Add)
	a = a.constant(4).op(opI32Mul).local(opLocalGet, entry).op(opI32Add).constant(entrySize + 7).op(opI32Add)
	a = a.constant(-8).op(opI32And).local(opLocalSet, entry)
	a = a.next(i, o.functionCount)
	a = a.constant(0).local(opLocalSet, i)
	a = append(a, opLoop, noResult)
	a = a.local(opLocalGet, i).constant(bucketSize).op(opI32Mul)
	a = a.local(opLocalGet, i).constant(bucketsOfEach).op(opI32DivU).memory(opI32Store, o.buckets)
	a = a.next(i, o.bucketCount)
	return append(a, end)
}

// assembly is a function's locals and instructions as far as they are written.
type assembly []byte

func (a assembly) op(code byte) assembly { return append(a, code) }

func (a assembly) constant(value int) assembly {
	return vectorgen.AppendSigned(append(a, i32Const), int64(value))
}

func (a assembly) local(op, number byte) assembly { return append(a, op, number) }

// memory loads or stores four bytes, which may lie anywhere.
func (a assembly) memory(op byte, offset int) assembly {
	return binary.AppendUvarint(append(a, op, 0), uint64(offset))
}

// next ends a loop that counts a local up to count.
func (a assembly) next(local byte, count int) assembly {
	a = a.local(opLocalGet, local).constant(1).op(opI32Add).local(opLocalTee, local).constant(count)
	return append(a, opI32LtU, opBranchIf, 0, end)
}

// startWith adds a function to a module that runs as it is instantiated. It is not in the table.
func (p *linked) startWith(text []byte) {
	kind := vectorLength(p.section(typeSection))
	p.appendTo(typeSection, []byte{typeFunction, 0, 0})
	p.appendTo(functionSection, binary.AppendUvarint(nil, kind))
	p.appendTo(codeSection, appendSized(nil, text))
	at := slices.IndexFunc(p.sections, func(s section) bool { return s.id > startSection })
	number := binary.AppendUvarint(nil, uint64(p.imports+len(p.texts)))
	p.sections = slices.Insert(p.sections, at, section{startSection, number})
}

// appendSegments is a data section without what memory holds of zeros.
func appendSegments(memory segment) []byte {
	var out []byte
	count := 0
	for at := 0; at < len(memory.bytes); {
		if memory.bytes[at] == 0 {
			at++
			continue
		}
		length := bytes.Index(memory.bytes[at:], make([]byte, minGap))
		if length < 0 {
			length = len(bytes.TrimRight(memory.bytes[at:], "\x00"))
		}
		out = appendActive(out, segment{memory.address + uint64(at), memory.bytes[at : at+length]})
		at += length
		count++
	}
	return append(binary.AppendUvarint(nil, uint64(count)), out...)
}
