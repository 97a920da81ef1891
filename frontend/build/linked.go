package main

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/newtlab/newt/infra/vectorgen"
)

// More instructions and kinds (WebAssembly core specification, 5.3 to 5.5).
const (
	opIf           = 0x04
	opCall         = 0x10
	opCallIndirect = 0x11
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opI32Eqz       = 0x45

	noResult    = 0x40 // of a block
	typeI32     = 0x7f
	typeFuncref = 0x70
	mutable     = 1

	functionKind = 0 // of what is imported or exported
	tableKind    = 1
	memoryKind   = 2
	globalKind   = 3
)

// linked is a module that the Go linker wrote, with its functions apart. Their numbers begin behind those of the
// functions that it imports; all of them are in its table, in order, from firstFunction on.
type linked struct {
	sections []section
	imports  int
	kinds    []uint64 // the type of each function of its own
	texts    [][]byte // the locals and instructions of each
}

func readLinked(module []byte) (*linked, error) {
	sections, err := readModule(module)
	if err != nil {
		return nil, err
	}
	p := &linked{sections: sections}
	if p.imports, err = countImports(p.section(importSection)); err != nil {
		return nil, err
	}
	if p.kinds, err = readVector(bytes.NewReader(p.section(functionSection))); err != nil {
		return nil, err
	}
	if p.texts, err = readTexts(p.section(codeSection)); err != nil {
		return nil, err
	}
	if len(p.texts) != len(p.kinds) || !bytes.Equal(p.section(elementSection), p.elements()) {
		return nil, errModule
	}
	return p, nil
}

// section is the body of a section, empty where there is none.
func (p *linked) section(id byte) []byte {
	for _, s := range p.sections {
		if s.id == id {
			return s.body
		}
	}
	return nil
}

// set replaces the body of a section.
func (p *linked) set(id byte, body []byte) {
	for i := range p.sections {
		if p.sections[i].id == id {
			p.sections[i].body = body
		}
	}
}

// elements is the section that puts all functions into the table.
func (p *linked) elements() []byte {
	out := vectorgen.AppendSigned([]byte{1, 0, i32Const}, firstFunction)
	out = binary.AppendUvarint(append(out, end), uint64(len(p.kinds)))
	for i := range p.kinds {
		out = binary.AppendUvarint(out, uint64(p.imports+i))
	}
	return out
}

// bytes is the module.
func (p *linked) bytes() []byte {
	p.set(elementSection, p.elements())
	p.set(codeSection, appendTexts(p.texts))
	return writeModule(p.sections)
}

// addImport has the module import a function "newt" name, which takes numbers of the given types and returns
// nothing. Its number is behind those of the other imports, so all functions of the module's own move up by one.
func (p *linked) addImport(name string, params ...byte) (number int, err error) {
	kind := vectorLength(p.section(typeSection))
	p.appendTo(typeSection, append(appendSized([]byte{typeFunction}, params), 0))
	p.appendTo(importSection, appendImport(nil, name, append([]byte{functionKind}, binary.AppendUvarint(nil, kind)...)))
	number = p.imports
	p.imports++
	move := func(i uint64) uint64 {
		if i >= uint64(number) {
			i++
		}
		return i
	}
	for i, text := range p.texts {
		p.texts[i], err = rewriteText(text, func(out, instruction []byte) []byte {
			if instruction[0] == opCall {
				callee, _ := binary.Uvarint(instruction[1:])
				return binary.AppendUvarint(append(out, opCall), move(callee))
			}
			return append(out, instruction...)
		})
		if err != nil {
			return 0, err
		}
	}
	exports, err := readExports(p.section(exportSection))
	if err != nil {
		return 0, err
	}
	out := binary.AppendUvarint(nil, uint64(len(exports)))
	for _, e := range exports {
		if e.kind == functionKind {
			e.number = move(e.number)
		}
		out = appendExport(out, e)
	}
	p.set(exportSection, out)
	return number, nil
}

// appendTo appends an item to a section that is a vector.
func (p *linked) appendTo(id byte, item []byte) {
	body := p.section(id)
	count, n := binary.Uvarint(body)
	p.set(id, slices.Concat(binary.AppendUvarint(nil, count+1), body[n:], item))
}

// addGlobal adds a mutable i32 that begins as 0, and returns its number.
func (p *linked) addGlobal() uint64 {
	number := vectorLength(p.section(globalSection))
	p.appendTo(globalSection, []byte{typeI32, mutable, i32Const, 0, end})
	return number
}

func vectorLength(body []byte) uint64 {
	count, _ := binary.Uvarint(body)
	return count
}

// appendImport appends an import from "newt"; what is its kind and its type.
func appendImport(to []byte, name string, what []byte) []byte {
	return append(appendSized(appendSized(to, []byte("newt")), []byte(name)), what...)
}

// countImports counts what a module imports, which is functions alone.
func countImports(body []byte) (int, error) {
	r := bytes.NewReader(body)
	count, err := binary.ReadUvarint(r)
	if err != nil || count > uint64(len(body)) {
		return 0, errModule
	}
	for range count {
		for range 2 { // the names
			if _, err := readSized(r); err != nil {
				return 0, err
			}
		}
		if kind, err := r.ReadByte(); err != nil || kind != functionKind {
			return 0, errModule
		}
		if _, err := binary.ReadUvarint(r); err != nil {
			return 0, errModule
		}
	}
	return int(count), nil
}

// readSized reads bytes with their number in front.
func readSized(r *bytes.Reader) ([]byte, error) {
	size, err := binary.ReadUvarint(r)
	if err != nil || size > uint64(r.Len()) {
		return nil, errModule
	}
	data := make([]byte, size)
	_, err = r.Read(data)
	return data, err
}

// export is something of a module that has a name outside.
type export struct {
	name   string
	kind   byte
	number uint64
}

func readExports(body []byte) ([]export, error) {
	r := bytes.NewReader(body)
	count, err := binary.ReadUvarint(r)
	if err != nil || count > uint64(len(body)) {
		return nil, errModule
	}
	exports := make([]export, count)
	for i := range exports {
		name, err := readSized(r)
		if err != nil {
			return nil, err
		}
		kind, err := r.ReadByte()
		if err != nil {
			return nil, errModule
		}
		number, err := binary.ReadUvarint(r)
		if err != nil {
			return nil, errModule
		}
		exports[i] = export{string(name), kind, number}
	}
	return exports, nil
}

func appendExport(to []byte, e export) []byte {
	return binary.AppendUvarint(append(appendSized(to, []byte(e.name)), e.kind), e.number)
}

// readTexts reads the functions of a code section.
func readTexts(body []byte) ([][]byte, error) {
	count, n := binary.Uvarint(body)
	if n <= 0 || count > uint64(len(body)) {
		return nil, errModule
	}
	texts, rest := make([][]byte, count), body[n:]
	for i := range texts {
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) {
			return nil, errModule
		}
		texts[i], rest = rest[n:n+int(size)], rest[n+int(size):]
	}
	return texts, nil
}

func appendTexts(texts [][]byte) []byte {
	out := binary.AppendUvarint(nil, uint64(len(texts)))
	for _, text := range texts {
		out = appendSized(out, text)
	}
	return out
}

// instructionsAt is where the instructions of a function begin, behind its locals.
func instructionsAt(text []byte) (int, error) {
	groups, at := binary.Uvarint(text)
	if at <= 0 {
		return 0, errModule
	}
	for range groups { // a group is a count and a type
		_, n := binary.Uvarint(text[at:])
		if n <= 0 || at+n >= len(text) {
			return 0, errModule
		}
		at += n + 1
	}
	return at, nil
}

// rewriteText puts other instructions in the places of a function's; add appends them for one.
func rewriteText(text []byte, add func(out, instruction []byte) []byte) ([]byte, error) {
	at, err := instructionsAt(text)
	if err != nil {
		return nil, err
	}
	out := append(make([]byte, 0, len(text)+len(text)/8), text[:at]...)
	for at < len(text) {
		length, err := instructionLength(text[at:])
		if err != nil {
			return nil, err
		}
		out = add(out, text[at:at+length])
		at += length
	}
	return out, nil
}
