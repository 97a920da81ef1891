package main

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"github.com/newtlab/newt/infra/vectorgen"
)

// Names under which the two modules of a split program find each other; its globals are named by their numbers.
const (
	memoryName = "mem" // Go's own name of it
	tableName  = "table"
	hereName   = "here"
	loadName   = "load"
)

// split cuts a program in two: the functions that early names by their numbers in the module, with the data, and the
// others, with the files that they alone read. Each of the latter has a stand-in in the first module, which calls
// "newt" "load" unless the second module is there, and then goes on in it. The second module is instantiated with what
// the first one exports, takes the places of the stand-ins in the table, and calls functions of the first module by
// that table.
func split(module []byte, early []bool, files []embedded) (first, rest []byte, err error) {
	p, err := readLinked(module)
	if err != nil {
		return nil, nil, err
	}
	late, err := p.late(early)
	if err != nil {
		return nil, nil, err
	}
	texts, err := p.moveTexts(files, late)
	if err != nil {
		return nil, nil, err
	}
	if rest, err = p.rest(late, texts); err != nil {
		return nil, nil, err
	}
	first, err = p.first(late)
	return first, rest, err
}

// late numbers the functions of the second module by their places there, and gives -1 for the others: those that are
// asked for early, and those that the table cannot call alike or that call what the page's script serves.
func (p *linked) late(early []bool) ([]int, error) {
	if len(early) != len(p.texts) {
		return nil, errModule
	}
	usual, err := p.usualKind()
	if err != nil {
		return nil, err
	}
	late, count := make([]int, len(p.texts)), 0
	for i, text := range p.texts {
		late[i] = -1
		outside, err := p.callsOutside(text)
		if err != nil {
			return nil, err
		}
		if !early[i] && !outside && p.kinds[i] == usual {
			late[i] = count
			count++
		}
	}
	return late, nil
}

// usualKind is the type of what Go's compiler makes: it takes the block to go on at, and returns whether it is to be
// called again.
func (p *linked) usualKind() (uint64, error) {
	usual := []byte{typeFunction, 1, typeI32, 1, typeI32}
	if body := p.section(typeSection); len(body) > 1 && bytes.HasPrefix(body[1:], usual) {
		return 0, nil
	}
	return 0, errModule
}

// callsOutside reports whether a function calls one that the module imports.
func (p *linked) callsOutside(text []byte) (outside bool, err error) {
	_, err = rewriteText(text, func(out, instruction []byte) []byte {
		if instruction[0] == opCall {
			callee, _ := binary.Uvarint(instruction[1:])
			outside = outside || callee < uint64(p.imports)
		}
		return out
	})
	return outside, err
}

// first makes the module that holds the early functions.
func (p *linked) first(late []int) ([]byte, error) {
	load, err := p.addImport(loadName)
	if err != nil {
		return nil, err
	}
	here := vectorLength(p.section(globalSection))
	p.appendTo(exportSection, appendExport(nil, export{tableName, tableKind, 0}))
	for i := range here {
		p.appendTo(exportSection, appendExport(nil, export{globalName(int(i)), globalKind, i}))
	}
	p.appendTo(exportSection, appendExport(nil, export{hereName, globalKind, p.addGlobal()}))
	for i := range p.texts {
		if late[i] >= 0 {
			p.texts[i] = standIn(i, load, here)
		}
	}
	return p.bytes(), nil
}

// standIn is the text of a function whose own one is in the second module:
//
//	if !here { load() }
//	return table[slot](block)
func standIn(function, load int, here uint64) []byte {
	out := binary.AppendUvarint([]byte{0, opGlobalGet}, here)
	out = binary.AppendUvarint(append(out, opI32Eqz, opIf, noResult, opCall), uint64(load))
	out = append(out, end, opLocalGet, 0, i32Const)
	return append(vectorgen.AppendSigned(out, int64(firstFunction+function)), opCallIndirect, 0, 0, end)
}

func globalName(i int) string { return strconv.Itoa(i) }

// rest makes the module that holds the late functions, and texts for the first one's memory.
func (p *linked) rest(late []int, data []segment) ([]byte, error) {
	imports, err := p.restImports()
	if err != nil {
		return nil, err
	}
	var kinds, texts, elements []byte
	count, runs := 0, 0
	for i, text := range p.texts {
		if late[i] < 0 {
			continue
		}
		text, err := rewriteText(text, func(out, instruction []byte) []byte {
			return p.restCall(late, out, instruction)
		})
		if err != nil {
			return nil, err
		}
		count++
		kinds = binary.AppendUvarint(kinds, p.kinds[i])
		texts = appendSized(texts, text)
		if i > 0 && late[i-1] >= 0 {
			continue
		}
		// Neighbours in the table are one segment.
		runs++
		elements = append(vectorgen.AppendSigned(append(elements, 0, i32Const), int64(firstFunction+i)), end)
		length := 1
		for i+length < len(late) && late[i+length] >= 0 {
			length++
		}
		elements = binary.AppendUvarint(elements, uint64(length))
		for k := range length {
			elements = binary.AppendUvarint(elements, uint64(late[i+k]))
		}
	}
	var segments []byte
	for _, s := range data {
		segments = appendActive(segments, s)
	}
	vector := func(count int, items []byte) []byte {
		return append(binary.AppendUvarint(nil, uint64(count)), items...)
	}
	return writeModule([]section{
		{typeSection, p.section(typeSection)}, {importSection, imports}, {functionSection, vector(count, kinds)},
		{elementSection, vector(runs, elements)}, {codeSection, vector(count, texts)},
		{dataSection, vector(len(data), segments)},
	}), nil
}

// restCall appends an instruction of a late function; it calls the late ones directly and the others by the table.
func (p *linked) restCall(late []int, out, instruction []byte) []byte {
	if instruction[0] != opCall {
		return append(out, instruction...)
	}
	number, _ := binary.Uvarint(instruction[1:])
	callee := int(number) - p.imports
	if late[callee] >= 0 {
		return binary.AppendUvarint(append(out, opCall), uint64(late[callee]))
	}
	out = vectorgen.AppendSigned(append(out, i32Const), int64(firstFunction+callee))
	return append(binary.AppendUvarint(append(out, opCallIndirect), p.kinds[callee]), 0)
}

// restImports is what the second module takes from the first one: its memory, its table and its globals, which keep
// their numbers.
func (p *linked) restImports() ([]byte, error) {
	memory, table := p.section(memorySection), p.section(tableSection)
	if vectorLength(memory) != 1 || vectorLength(table) != 1 {
		return nil, errModule
	}
	globals, err := readGlobals(p.section(globalSection))
	if err != nil {
		return nil, err
	}
	out := binary.AppendUvarint(nil, uint64(2+len(globals)))
	out = appendImport(out, memoryName, append([]byte{memoryKind}, memory[1:]...))
	out = appendImport(out, tableName, append([]byte{tableKind}, table[1:]...))
	for i, kind := range globals {
		out = appendImport(out, globalName(i), []byte{globalKind, kind, mutable})
	}
	return out, nil
}

// readGlobals reads the types of a module's globals, all of which are mutable and begin as a constant.
func readGlobals(body []byte) ([]byte, error) {
	count, n := binary.Uvarint(body)
	if n <= 0 || count > uint64(len(body)) {
		return nil, errModule
	}
	types, rest := make([]byte, count), body[n:]
	for i := range types {
		if len(rest) < 3 || rest[1] != mutable {
			return nil, errModule
		}
		length, err := instructionLength(rest[2:])
		if err != nil || len(rest) < 3+length || rest[2+length] != end {
			return nil, errModule
		}
		types[i], rest = rest[0], rest[3+length:]
	}
	return types, nil
}
