package link

import (
	"io/fs"
	"strings"
	"unicode"
)

// State is the part of a page that a link carries. Its zero value is the empty free page.
type State struct {
	Source  string   // the editor's text
	Puzzle  int      // the puzzle's number; 0 on the free page
	Lang    string   // the language its author read in: "en", "zh", or "" for the reader's own
	Strict  bool     // refuse what Triton's GPU compiler refuses
	View    string   // the page's name of the selected view
	Free    *Free    // the free page's fields; nil elsewhere
	Results *Results // what its author saw; nil unless asked for
	Custom  *Custom  // a puzzle of the author's own; nil elsewhere
	Look    *Look    // what the author looks at in the memory view; nil where nothing was chosen there
	Code    *Code    // what the author looks at of the kernel's compilation; nil where nothing was chosen there
	// Document is that whose text Source is; nil elsewhere, and where neither its name nor its files matter.
	Document *Document
}

// version is the oldest version of the format that holds a state.
func (s *State) version() byte {
	switch {
	case s.Document != nil:
		return 4
	case s.Code != nil:
		return 3
	case s.Look != nil:
		return 2
	}
	return 1
}

// Free is how the free page calls a kernel; the fields are those of its form.
type Free struct {
	Kernel string // "" means the last kernel of the source
	Args   []FreeArg
	Grid   string // Python
	Seed   int64
}

// FreeArg is one argument of the free page.
type FreeArg struct {
	Name  string
	Kind  string // "tensor", "int", "float", "bool", "constexpr"
	DType string // tensors: as torch names it
	Shape string // tensors: Python
	Fill  string // tensors: rand, randn, randint, arange, zeros, ones, nan
	Value string // the rest: a Python literal
}

// Results are those of a run, as the author's page showed them. A reader's page shows them as the author's claim; only
// running again proves them.
type Results struct {
	Pass    bool
	Message string   // one sentence
	Made    int64    // when, in seconds since 1970
	Facts   []Fact   // device, driver, timings
	Tensors []Tensor // the kernel's tensors after the run
	Prints  []string // lines that the kernel printed
}

// Fact is one named measure: "device" is "NVIDIA H200", "median" is "0.012 ms".
type Fact struct{ Name, Value string }

// Tensor is a tensor as the author's page printed it.
type Tensor struct{ Name, DType, Shape, Text string }

// Custom is a whole puzzle folder: see puzzles/README.md.
type Custom struct {
	Folder string // the folder's name, such as 01_my_puzzle
	Files  []File // Decode gives them in the order of their names
}

// File is one text file of a puzzle.
type File struct{ Name, Text string }

// Look is what of a kernel's launch the memory view shows. A text may name a test, program or step that its kernel does
// not have: the page then shows the last one.
type Look struct {
	// Test is one of a puzzle's tests; 0 is the first. Of a document's launches, in the order of the text, 1 is the
	// first and 0 the last.
	Test    int
	All     bool  // all programs at once
	Program []int // program_id by axis; nil: that of the first problem, or else the first one
	Step    int64 // counted from 0, or LastStep or FirstProblem
}

// Steps of a Look that are not known by number.
const (
	LastStep     = -1
	FirstProblem = -2
)

// Code is which stage of a kernel's compilation is shown. Stages and targets have the page's names; where a reader's
// page knows no such name, it shows what it shows at first.
type Code struct {
	Stage     string
	Target    string
	Unchecked bool  // without the checks of bounds and of loops
	Base      *Base // nil: compared with nothing
}

// Base is what a stage is compared with: one of the same kernel with options of its own, or of another text.
type Base struct {
	Stage     string
	Target    string
	NumWarps  int    // 0: as the launch has them
	NumStages int    // 0: likewise
	Source    string // "" is the state's own
}

// Document is the file of a document, and those next to it.
type Document struct {
	Name   string
	Format string      // the page's name of how it is written: "python", "notebook"
	Files  []NamedData // Decode gives them in the order of their names
}

// NamedData is a file of any content. Its name is a relative path with slashes.
type NamedData struct {
	Name string
	Data []byte
}

// Limits of the parts; MaxDecoded bounds them all together.
const (
	maxPuzzle  = 1 << 20
	maxWord    = 64       // bytes of a name that the page chose
	maxField   = 1 << 10  // bytes of a field of the free page's form
	maxText    = 64 << 10 // bytes of a message, a printed tensor or a puzzle's file
	maxArgs    = 64
	maxFacts   = 64
	maxTensors = 32
	maxPrints  = 1 << 10
	maxFiles   = 32
	maxGiven   = 256 // files next to a document
	maxTests   = 1 << 20
	maxAxes    = 3
	maxProgram = 1<<31 - 1
	maxStep    = 1 << 48
	maxOption  = 1 << 10
)

// state is the body of any version: what a later one adds follows what the one before has. The fields of a version may
// be neither added to nor moved.
func (c *codec) state(s *State) {
	c.text("source", &s.Source, MaxDecoded)
	c.count("puzzle", &s.Puzzle, maxPuzzle)
	c.text("lang", &s.Lang, maxWord)
	c.flag(&s.Strict)
	c.text("view", &s.View, maxWord)
	optional(c, &s.Free, (*codec).free)
	optional(c, &s.Results, (*codec).results)
	optional(c, &s.Custom, (*codec).custom)
	switch c.version {
	case 2:
		required(c, &s.Look, (*codec).look)
	case 3:
		optional(c, &s.Look, (*codec).look)
		required(c, &s.Code, (*codec).code)
	case 4:
		optional(c, &s.Look, (*codec).look)
		optional(c, &s.Code, (*codec).code)
		required(c, &s.Document, (*codec).document)
	}
}

func (c *codec) document(d *Document) {
	c.text("name", &d.Name, maxField)
	c.check("name", isPath(d.Name))
	c.text("format", &d.Format, maxWord)
	before := ""
	list(c, "files", &d.Files, maxGiven, func(c *codec, f *NamedData) {
		c.text("files", &f.Name, maxField)
		c.check("files", isPath(f.Name) && f.Name > before)
		data := string(f.Data)
		c.bytes("files", &data, MaxDecoded)
		f.Data, before = []byte(data), f.Name
	})
}

func (c *codec) look(l *Look) {
	c.count("test", &l.Test, maxTests)
	c.flag(&l.All)
	list(c, "program", &l.Program, maxAxes, func(c *codec, id *int) { c.count("program", id, maxProgram) })
	c.integer(&l.Step)
	c.check("step", l.Step >= FirstProblem && l.Step <= maxStep)
}

func (c *codec) code(k *Code) {
	c.text("stage", &k.Stage, maxWord)
	c.text("target", &k.Target, maxWord)
	c.flag(&k.Unchecked)
	optional(c, &k.Base, (*codec).base)
}

func (c *codec) base(b *Base) {
	c.text("base stage", &b.Stage, maxWord)
	c.text("base target", &b.Target, maxWord)
	c.count("num_warps", &b.NumWarps, maxOption)
	c.count("num_stages", &b.NumStages, maxOption)
	c.text("base source", &b.Source, MaxDecoded)
}

func (c *codec) free(f *Free) {
	c.text("kernel", &f.Kernel, maxField)
	list(c, "args", &f.Args, maxArgs, (*codec).arg)
	c.text("grid", &f.Grid, maxField)
	c.integer(&f.Seed)
}

func (c *codec) arg(a *FreeArg) {
	for _, field := range []*string{&a.Name, &a.Kind, &a.DType, &a.Shape, &a.Fill, &a.Value} {
		c.text("args", field, maxField)
	}
}

func (c *codec) results(r *Results) {
	c.flag(&r.Pass)
	c.text("message", &r.Message, maxText)
	c.integer(&r.Made)
	list(c, "facts", &r.Facts, maxFacts, func(c *codec, f *Fact) {
		c.text("facts", &f.Name, maxWord)
		c.text("facts", &f.Value, maxField)
	})
	list(c, "tensors", &r.Tensors, maxTensors, func(c *codec, t *Tensor) {
		c.text("tensors", &t.Name, maxField)
		c.text("tensors", &t.DType, maxWord)
		c.text("tensors", &t.Shape, maxField)
		c.text("tensors", &t.Text, maxText)
	})
	list(c, "prints", &r.Prints, maxPrints, func(c *codec, line *string) { c.text("prints", line, maxText) })
}

func (c *codec) custom(p *Custom) {
	c.text("folder", &p.Folder, maxWord)
	c.check("folder", isFolder(p.Folder))
	before := ""
	list(c, "files", &p.Files, maxFiles, func(c *codec, f *File) {
		c.text("files", &f.Name, maxWord)
		// Ascending names leave no room for two files of one name.
		c.check("files", isFile(f.Name) && f.Name > before)
		c.text("files", &f.Text, maxText)
		before = f.Name
	})
}

// isPath reports whether name is a relative path that stays below its folder, without control characters.
func isPath(name string) bool {
	foreign := func(r rune) bool { return r == '\\' || unicode.IsControl(r) }
	return fs.ValidPath(name) && name != "." && !strings.ContainsFunc(name, foreign)
}

// isFolder reports whether name is digits, an underscore and a name.
func isFolder(name string) bool {
	digits := 0
	for digits < len(name) && name[digits] >= '0' && name[digits] <= '9' {
		digits++
	}
	return digits > 0 && digits < len(name)-1 && name[digits] == '_' && isName(name, "_-")
}

// isFile reports whether name is a file name without folders that is not hidden.
func isFile(name string) bool { return name != "" && name[0] != '.' && isName(name, "_-.") }

func isName(name, marks string) bool {
	for _, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		marked := false
		for _, m := range marks {
			marked = marked || r == m
		}
		if !letter && !marked {
			return false
		}
	}
	return true
}
