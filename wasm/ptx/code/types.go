// Package code is what the page can ask of the compiler to PTX. It is a program of its own, fetched
// when somebody first looks at a kernel's PTX, so that a first visit need not pay for it. Requests
// and replies travel as JSON, as those of wasm/api do; the TypeScript types are generated from this
// file. Offsets are UTF-16 indices, as the editor counts.
package code

//go:generate go run ../../../infra/tsgen -in types.go -from wasm/ptx/code/types.go -out ../../../frontend/src/gen/code.ts

// Request asks for a kernel's PTX.
type Request struct {
	ID       int    `json:"id"`
	Lang     string `json:"lang"`   // "en" or "zh"
	IR       string `json:"ir"`     // base64, as wasm/api gives it
	Source   string `json:"source"` // that the IR was compiled from
	Target   string `json:"target"` // "sm_80" or "sm_90a"
	NumWarps int    `json:"numWarps,omitempty"`
}

// Reply answers the Request with the same ID. Where the kernel cannot be compiled for a GPU, Problem
// says why.
type Reply struct {
	ID      int     `json:"id"`
	Done    bool    `json:"done"`
	Error   string  `json:"error,omitempty"` // the request itself could not be served
	PTX     []Line  `json:"ptx"`
	Layouts []Line  `json:"layouts"`
	Threads int     `json:"threads"` // of a program
	Shared  int     `json:"shared"`  // bytes of a program
	TookMS  float64 `json:"tookMs"`
	Problem string  `json:"problem,omitempty"`
}

// Line is a line of text and the place in the source that it came from.
type Line struct {
	Text string `json:"text"`
	From int    `json:"from"`
	To   int    `json:"to"`
	Line int    `json:"line"` // in the source, counted from 1; 0 where it came from nowhere
}
