// Package code is what the page can ask of the compiler to PTX and of the PTX simulator. It is a program of its own,
// fetched when somebody first looks at a kernel's PTX or at what it asks of a GPU, so that a first visit need not pay
// for it. Requests and replies travel as JSON, as those of wasm/api do; the TypeScript types are generated from this
// file. Offsets are UTF-16 indices, as the editor counts.
package code

import (
	"github.com/newtlab/newt/compiler/ptx/lens"
	"github.com/newtlab/newt/puzzles/goal"
)

//go:generate go run ../../../infra/tsgen -in types.go -from wasm/ptx/code/types.go -out ../../../frontend/src/gen/code.ts

// Request asks for a kernel's PTX.
type Request struct {
	Lang   string `json:"lang"`   // "en" or "zh"
	IR     string `json:"ir"`     // base64, as wasm/api gives it
	Source string `json:"source"` // that the IR was compiled from
	Target string `json:"target"` // a name of package arch, as "sm_90a"
	// Lowered is the kernel before its passes: asks for the stages as well.
	Lowered   string `json:"lowered,omitempty"`
	NumWarps  int    `json:"numWarps,omitempty"`
	NumStages int    `json:"numStages,omitempty"`
	// Unchecked compiles as if every access were proved to be inside its tensor and every loop to end.
	Unchecked bool `json:"unchecked,omitempty"`
	// Launch is the launch to simulate, as wasm/api gives it (JobReply); the buffers of the request are its tensors. It
	// asks for a Lens in place of PTX.
	Launch string `json:"launch,omitempty"`
	// Goals are those of the puzzle that the Launch, of an answer that is right, is graded by: they ask for a Ladder.
	Goals []goal.Goal `json:"goals,omitempty"`
	// Estimate asks what a model expects of the Launch, in place of a Lens.
	Estimate bool `json:"estimate,omitempty"`
}

// Reply answers the call with that ID. Where the kernel cannot be compiled for a GPU, Problem
// says why.
type Reply struct {
	ID    int    `json:"id"`
	Done  bool   `json:"done"`
	Error string `json:"error,omitempty"` // the request itself could not be served
	PTX   []Line `json:"ptx"`
	// Stages are the IR as lowered and after each pass, and the plan of the PTX; with Request.Lowered.
	Stages  []Stage `json:"stages"`
	Layouts []Tile  `json:"layouts"`
	Idle    bool    `json:"idle"`    // the kernel has no effect: it writes nothing and prints nothing
	Threads int     `json:"threads"` // of a program
	Shared  int     `json:"shared"`  // bytes of a program
	TookMS  float64 `json:"tookMs"`
	Problem string  `json:"problem,omitempty"`
	// Refused are the sentences of a launch that Triton refuses for want of shared memory, though newt can make it.
	Refused []string `json:"refused,omitempty"`
	// Lens is what the simulated launch took; absent where Problem says why it did not end.
	Lens *lens.Report `json:"lens,omitempty"`
	// Ladder is how far the launch meets the goals; absent where not all of it was simulated, because it is too long.
	Ladder *goal.Ladder `json:"ladder,omitempty"`
	// Expected is what the model expects of the launch; absent where Ended says why that is nothing.
	Expected *Expected `json:"expected,omitempty"`
	// Ended is how the programs ended that the model has looked at: the protocol's message of a runner, as JSON.
	Ended string `json:"ended,omitempty"`
}

// Expected is how long a launch may take on a GPU of the target, by a model.
type Expected struct {
	MS    float64 `json:"ms"`
	Bound string  `json:"bound"` // what it is bound by: "memory", "cache", "compute" or "latency"
}

// Stage is a kernel after one step of compilation.
type Stage struct {
	Name    string `json:"name"` // "lower", a pass of compiler/opt, or "plan"
	Lines   []Line `json:"lines"`
	Changed bool   `json:"changed"` // whether a pass changed anything
}

// Tile is a tile of the kernel and the threads that keep its elements. Elements are numbered in row-major order. Bit i
// of a register, lane or warp number adds the element Reg[i], Lane[i] or Warp[i] by exclusive or; 0 makes no
// difference, so that its two values keep copies.
type Tile struct {
	Name  string `json:"name"` // of its variable; empty where it has none
	Type  string `json:"type"`
	Shape []int  `json:"shape"`
	Reg   []int  `json:"reg"`
	Lane  []int  `json:"lane"`
	Warp  []int  `json:"warp"`
	Line  Line   `json:"line"` // the source that makes it
}

// Line is a line of text and the place in the source that it came from.
type Line struct {
	Text string `json:"text"`
	From int    `json:"from"`
	To   int    `json:"to"`
	Line int    `json:"line"` // in the source, counted from 1; 0 where it came from nowhere
}
