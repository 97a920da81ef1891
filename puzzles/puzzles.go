// Package puzzles holds the twelve puzzles and the warm-ups between them: for each a folder with its statement, its
// picture, a specification in torch, a starter, solutions and the launches that check an answer. The folder's format is
// described in README.md; Load reads any folder of that form.
package puzzles

import (
	"embed"
	"io/fs"
	"sync"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/puzzles/goal"
)

//go:embed [0-9]*_*/puzzle.json [0-9]*_*/spec.py
var machine embed.FS

// Phrase is a text in both languages.
type Phrase struct {
	En string `json:"en"`
	Zh string `json:"zh"`
}

// In returns the text in lang, "en" or "zh"; any other language gets English.
func (p Phrase) In(lang string) string {
	if lang == "zh" {
		return p.Zh
	}
	return p.En
}

// Puzzle is one puzzle: what a kernel must compute and the launches that check it.
//
// A kernel's parameters are, in this order: a pointer for each input, a pointer to the output, the
// Sizes, the Blocks, the Constants. The pointers are passed by position, or by keyword where the
// puzzle is Named; all else is passed by keyword.
type Puzzle struct {
	Number   int      `json:"number"`
	Slug     string   `json:"-"` // the folder's name: 02_constant_add_block
	Title    Phrase   `json:"title"`
	Kernel   string   `json:"kernel"` // the function that an answer must define
	Spec     string   `json:"spec"`   // the function of spec.py; it takes the inputs in order
	Inputs   []Tensor `json:"inputs"`
	Output   Tensor   `json:"output"`
	Sizes    []string `json:"sizes"`              // names of the run-time integers, in the kernel's order
	Blocks   []string `json:"blocks"`             // names of the constexpr block sizes, in the kernel's order
	Optional []string `json:"optional,omitempty"` // the blocks that a kernel may leave out of its signature
	Scratch  []string `json:"scratch,omitempty"`  // the inputs that a kernel may write to
	// Constants have the same value in every case.
	Constants map[string]Constant `json:"constants,omitempty"`
	Named     bool                `json:"named,omitempty"` // pointers are named like the tensors, in any order
	// Grid holds the programs along each axis, as expressions over sizes and blocks; where there is
	// none they are cdiv(N0, B0), cdiv(N1, B1) and cdiv(N2, B2).
	Grid      []string   `json:"grid,omitempty"`
	Tolerance Tolerances `json:"tolerance"`
	Classic   Case       `json:"classic"` // of a puzzle the published notebook's own launch; of a warm-up an easy one
	Strict    []Case     `json:"strict"`
	// Free are the sizes and blocks that the statement lets have other values than the tests': see OtherCases.
	Free map[string]Range `json:"free,omitempty"`
	// Goals, where there are any, are what makes an answer fast: of the classic case, on a simulated GPU. The starter
	// of such a puzzle is right, and slow.
	Goals []goal.Goal `json:"goals,omitempty"`
	// Timing are the sizes and blocks with which answers are timed on a GPU, as far as they differ from the classic
	// case's, which is too short for a clock.
	Timing map[string]int `json:"timing,omitempty"`

	SpecSource string `json:"-"` // the text of spec.py
	Text       *Text  `json:"-"` // what people read; nil where it was not loaded (in WASM)
}

// Tensor is an input or the output. Each element of Shape is an expression over the puzzle's
// sizes and blocks: see Eval.
type Tensor struct {
	Name  string   `json:"name"`
	DType DType    `json:"dtype"`
	Shape []string `json:"shape"`
	Fill  string   `json:"fill,omitempty"` // what it begins as, a key of Fills; "" is what Case says
}

// Fills are what a tensor can begin as, as torch expressions of its shape and dtype.
var Fills = map[string]string{
	"rand":    "torch.rand(*shape).to(dtype)",
	"randn":   "torch.randn(*shape).to(dtype)",
	"randint": "torch.randint(0, 100, shape).to(dtype)",
	"arange":  "torch.arange(math.prod(shape)).reshape(shape).to(dtype)",
	"zeros":   "torch.zeros(shape, dtype=dtype)",
	"ones":    "torch.ones(shape, dtype=dtype)",
	"nan":     "torch.full(shape, float('nan')).to(dtype)",
}

// Constant is an argument's value: nil, a bool, an int64, a float64 or a string. In JSON a number
// with a point or an exponent is a float.
type Constant struct{ Value any }

// DType is an element type that puzzle.json writes as torch names it: "float32", "int32".
type DType struct{ num.DType }

// Tolerances says how far an output may lie from the specification's.
type Tolerances struct {
	Classic Tolerance `json:"classic"`
	Strict  Tolerance `json:"strict"`
	// TF32, where there is one, widens both for a kernel whose dot rounds fp32 factors to tf32.
	TF32 *Tolerance `json:"tf32,omitempty"`
}

// Tolerance accepts |got - want| <= ATol + RTol * |want|, as torch.allclose does.
type Tolerance struct {
	RTol float64 `json:"rtol"`
	ATol float64 `json:"atol"`
}

// Widen accepts whatever t or other accepts.
func (t Tolerance) Widen(other Tolerance) Tolerance {
	return Tolerance{RTol: max(t.RTol, other.RTol), ATol: max(t.ATol, other.ATol)}
}

// Case is one launch of a check.
//
// Inputs are drawn after torch.manual_seed(Seed), in order and the output last: torch.rand(*shape)
// for each; an integer tensor is then replaced by torch.randint(-100000, 100000, shape). A tensor
// with a Fill is made by that instead. A float input whose values are random becomes value * Scale +
// Shift in float32 arithmetic; Scale 0 counts as 1.
type Case struct {
	Name   Phrase         `json:"name"`
	Sizes  map[string]int `json:"sizes"`
	Blocks map[string]int `json:"blocks"`
	Seed   int64          `json:"seed"`
	Scale  float64        `json:"scale,omitempty"`
	Shift  float64        `json:"shift,omitempty"`
}

// Range is what a statement lets a size or a block be. Blocks are powers of two anyway.
type Range struct {
	Max    int    `json:"max,omitempty"`    // 0 is no limit
	Step   int    `json:"step,omitempty"`   // only multiples of it; 0 counts as 1
	Equals string `json:"equals,omitempty"` // always as large as this other size or block
}

// Text is what people read of a puzzle.
type Text struct {
	Statement Phrase     // Markdown with KaTeX between $ and $$
	Picture   string     // SVG without text in any language; "" where there is none
	Starter   string     // Python
	Solutions []Solution // the first is the one to show first
	Hints     []Phrase   // a nudge, the approach, nearly the code; none where there is no text.json
	Learned   Phrase     // what the learner knows now, one sentence; empty where there is none
	// Refused, where there is any, is what a question is about: the code of a diagnostic whose example is shown, and
	// two others, whose reasons are none of its own.
	Refused []string
}

// Solution is a correct answer.
type Solution struct {
	File   string // its name in the puzzle's folder
	Title  Phrase
	Why    Phrase // why one might prefer it to the others, and when not; empty where nothing is said
	Source string
}

var all = sync.OnceValues(func() ([]*Puzzle, []*Problem) { return load(machine, ownText) })

// All returns the twelve puzzles and their warm-ups, in the order of the path. They are shared: do not modify them.
func All() []*Puzzle {
	list, _ := all()
	return list
}

// Get returns the puzzle with a number, and whether there is one.
func Get(number int) (*Puzzle, bool) {
	for _, p := range All() {
		if p.Number == number {
			return p, true
		}
	}
	return nil, false
}

// Load reads every puzzle folder of fsys, text and all. A folder with a problem is left out of the
// list, and each problem is reported. Questions are held to refusal.
func Load(fsys fs.FS, refusal Refusal) ([]*Puzzle, []*Problem) {
	return load(fsys, textOf(fsys, refusal))
}

// LoadFolder is Load of the puzzle in a folder of fsys.
func LoadFolder(fsys fs.FS, folder string, refusal Refusal) (*Puzzle, *Problem) {
	p, err := loadOne(fsys, folder, textOf(fsys, refusal))
	problem, _ := err.(*Problem)
	return p, problem
}

// LoadParts is Load of puzzles whose texts are in another file system than what the judge needs; they have none if it
// is nil.
func LoadParts(machine, words fs.FS) ([]*Puzzle, []*Problem) {
	if words == nil {
		return load(machine, nil)
	}
	return load(machine, textOf(words, nil))
}
