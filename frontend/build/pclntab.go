package main

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// The table of functions that the Go runtime keeps: its header (pcHeader in runtime/symtab.go)
// and an entry's fixed part (_func in runtime/runtime2.go), of Go 1.20 to 1.26 on a 64-bit
// little-endian machine with instructions of one byte, as offsets in bytes.
const (
	headerCount   = 8
	headerNames   = 32
	headerUnits   = 40
	headerTables  = 56
	headerEntries = 64
	headerSize    = 72

	entryName      = 4
	entryStack     = 16
	entryFile      = 20
	entryLine      = 24
	entryPCCount   = 28
	entryUnit      = 32
	entryStart     = 36
	entryID        = 40
	entryDataCount = 43
	entrySize      = 44
)

var tableMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// wrapperID is abi.FuncIDWrapper, of methods that the compiler writes.
const wrapperID = 23

// noData is an entry of a function's data that is not there.
const noData = 1<<32 - 1

// blankTables are the tables that the runtime looks up by position in a function: the points where it may not be
// stopped (there are no signals in WASM), the calls inlined there, which arguments are live.
var blankTables = map[int]bool{0: true, 2: true, 3: true}

// blankData are the data that the runtime has of a function as a whole: the tree of inlined calls, how its arguments
// are printed, which of them are live, what it wraps.
var blankData = map[int]bool{3: true, 5: true, 6: true, 7: true}

// functions is the runtime's table of functions in a module's memory.
type functions struct {
	names   []byte // each closed by a zero
	units   []byte // which files a unit of compilation has, and their names
	tables  []byte // what is looked up by position
	entries []byte // for each function its address and its entry's offset here; the entries
	count   int

	runtimeName uint32 // where the name is that all functions of the runtime have
}

// blankFunctions zeroes what is there for stack traces alone: files, lines, inlined calls, printed
// arguments, and names but those that the runtime itself decides by. What remains is what the
// garbage collector, defer and recover need. A development build keeps it all.
func blankFunctions(memory []byte) error {
	f, err := findFunctions(memory)
	if err != nil {
		return err
	}
	names, tables := keeper{0: 1}, keeper{0: 1}
	for i := range f.count {
		entry, err := f.entry(i)
		if err != nil {
			return err
		}
		if err := f.blankEntry(entry, names, tables); err != nil {
			return err
		}
	}
	f.names[0] = 0 // the name at 0 is the linker's own; it serves as the empty one
	names.clearRest(f.names)
	tables.clearRest(f.tables)
	clear(f.units)
	return nil
}

func findFunctions(memory []byte) (*functions, error) {
	at := bytes.Index(memory, tableMagic)
	if at < 0 || bytes.Contains(memory[at+1:], tableMagic) || len(memory)-at < headerSize {
		return nil, errModule
	}
	memory = memory[at:]
	word := func(at int) uint64 { return binary.LittleEndian.Uint64(memory[at:]) }
	names, units, tables, entries := word(headerNames), word(headerUnits), word(headerTables), word(headerEntries)
	count, size := word(headerCount), uint64(len(memory))
	if names >= units || units > tables || tables >= entries || entries > size || count > (size-entries)/8 {
		return nil, errModule
	}
	return &functions{
		names: memory[names:units], units: memory[units:tables], tables: memory[tables:entries],
		entries: memory[entries:], count: int(count),
	}, nil
}

// entry is what the table says of function i: its entry, and what follows it.
func (f *functions) entry(i int) ([]byte, error) {
	at := uint64(binary.LittleEndian.Uint32(f.entries[8*i+4:]))
	if at+entrySize > uint64(len(f.entries)) {
		return nil, errModule
	}
	entry := f.entries[at:]
	words := uint64(binary.LittleEndian.Uint32(entry[entryPCCount:])) + uint64(entry[entryDataCount])
	if words > uint64(len(entry)-entrySize)/4 {
		return nil, errModule
	}
	return entry[:entrySize+4*words], nil
}

// name is that of function i, empty where it has been blanked.
func (f *functions) name(i int) (string, error) {
	entry, err := f.entry(i)
	if err != nil {
		return "", err
	}
	return nameAt(f.names, binary.LittleEndian.Uint32(entry[entryName:]))
}

// blankEntry blanks a function's entry and notes the name and the tables that it still needs.
func (f *functions) blankEntry(entry []byte, names, tables keeper) error {
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(entry[at:]) }
	set := func(at int, value uint32) { binary.LittleEndian.PutUint32(entry[at:], value) }
	name, err := nameAt(f.names, word(entryName))
	if err != nil {
		return err
	}
	at := word(entryName)
	set(entryName, f.keptName(at, name, entry[entryID]))
	if word(entryName) == at {
		names[at] = len(name) + 1
	}
	for _, at := range []int{entryFile, entryLine, entryUnit, entryStart} {
		set(at, 0)
	}
	positions := int(word(entryPCCount))
	for i := range positions {
		if blankTables[i] {
			set(entrySize+4*i, 0)
		}
	}
	for i := range int(entry[entryDataCount]) {
		if blankData[i] {
			set(entrySize+4*(positions+i), noData)
		}
	}
	for i := -1; i < positions; i++ {
		field := entryStack
		if i >= 0 {
			field = entrySize + 4*i
		}
		if tables[word(field)], err = tableLength(f.tables, word(field)); err != nil {
			return err
		}
	}
	return nil
}

// keptName is where the name of a function is that the runtime decides by: it takes goroutines started by itself
// apart by the beginning of a name, for which one of its own stands for all, two functions of reflect by their
// names, and takes a nil receiver's type from the name of a pointer's method. The name at 0 is empty.
func (f *functions) keptName(at uint32, name string, id byte) uint32 {
	switch {
	case strings.HasPrefix(name, "runtime."):
		if f.runtimeName == 0 {
			f.runtimeName = at
		}
		return f.runtimeName
	case name == "reflect.makeFuncStub", name == "reflect.methodValueCall":
		return at
	case id == wrapperID && strings.Contains(name, ".(*"):
		return at
	}
	return 0
}

func nameAt(names []byte, at uint32) (string, error) {
	if uint64(at) >= uint64(len(names)) {
		return "", errModule
	}
	name, _, found := bytes.Cut(names[at:], []byte{0})
	if !found {
		return "", errModule
	}
	return string(name), nil
}

// tableLength is the length of the table at an offset: pairs of numbers, how far the value and
// the position move, up to a value that does not move. There is no table at 0.
func tableLength(tables []byte, at uint32) (int, error) {
	if at == 0 {
		return 1, nil
	}
	n := int(at)
	for first := true; n < len(tables); first = false {
		if tables[n] == 0 && !first {
			return n + 1 - int(at), nil
		}
		for range 2 {
			_, size := binary.Uvarint(tables[min(n, len(tables)):])
			if size <= 0 {
				return 0, errModule
			}
			n += size
		}
	}
	return 0, errModule
}

// keeper is what is to be kept of a region: offsets with lengths.
type keeper map[uint32]int

func (k keeper) clearRest(region []byte) {
	old := bytes.Clone(region)
	clear(region)
	for at, length := range k {
		copy(region[at:], old[at:int(at)+length])
	}
}
