// Package api is everything the page can ask of newt, as plain Go: requests and replies that
// travel as JSON between the page and its Web Worker, with the buffers that some of them name
// (package rpc). The TypeScript types are generated from this file. Offsets are UTF-16 indices, as the editor counts;
// text is in the request's language.
package api

import "github.com/newtlab/newt/puzzles/goal"

//go:generate go run ../../infra/tsgen -in types.go -from wasm/api/types.go -out ../../frontend/src/gen/api.ts

// Request is one call; exactly one field besides Lang is set.
type Request struct {
	Lang      string            `json:"lang"` // "en" or "zh"
	Check     *CheckRequest     `json:"check,omitempty"`
	Puzzle    *PuzzleRequest    `json:"puzzle,omitempty"`
	Free      *FreeRequest      `json:"free,omitempty"`
	Complete  *CompleteRequest  `json:"complete,omitempty"`
	Hover     *HoverRequest     `json:"hover,omitempty"`
	Signature *SignatureRequest `json:"signature,omitempty"`
	Kernels   *KernelsRequest   `json:"kernels,omitempty"`
	Pack      *PackRequest      `json:"pack,omitempty"`
	Unpack    *UnpackRequest    `json:"unpack,omitempty"`
	Load      *LoadRequest      `json:"load,omitempty"`
	Make      *MakeRequest      `json:"make,omitempty"`
	IR        *IRRequest        `json:"ir,omitempty"`
	Versions  *CheckRequest     `json:"versions,omitempty"` // what each version of Triton makes of the text
	Document  *DocumentRequest  `json:"document,omitempty"`
	Look      *LookRequest      `json:"look,omitempty"`
	Open      *OpenRequest      `json:"open,omitempty"`
	Save      *SaveRequest      `json:"save,omitempty"`
	Script    *ScriptRequest    `json:"script,omitempty"`
	// OtherSizes tries an answer that passes its tests at other sizes than theirs. A StopRequest ends it.
	OtherSizes *PuzzleRequest `json:"otherSizes,omitempty"`
	// Mistake looks for the mistake in an answer that fails a test. A StopRequest ends it.
	Mistake  *PuzzleRequest   `json:"mistake,omitempty"`
	Case     *CaseRequest     `json:"case,omitempty"`
	Launched *LaunchedRequest `json:"launched,omitempty"`
	LaunchIR *LookRequest     `json:"launchIR,omitempty"`
	Job      *JobRequest      `json:"job,omitempty"`
	Inspect  *InspectRequest  `json:"inspect,omitempty"`
	Why      *WhyRequest      `json:"why,omitempty"`
	Seek     *SeekRequest     `json:"seek,omitempty"`
	Courses  *CoursesRequest  `json:"courses,omitempty"`
	Findings *FindingsRequest `json:"findings,omitempty"`
	Stop     *StopRequest     `json:"stop,omitempty"`
	Prose    *ProseRequest    `json:"prose,omitempty"`
}

// Reply answers the call with that ID. Progress replies may precede the last one (Done).
type Reply struct {
	ID         int              `json:"id"`
	Done       bool             `json:"done"`
	Error      string           `json:"error,omitempty"`  // the request itself could not be served
	Larger     bool             `json:"larger,omitempty"` // this program lacks what the larger one has
	Progress   *Progress        `json:"progress,omitempty"`
	Check      *CheckReply      `json:"check,omitempty"`
	Verdict    *Verdict         `json:"verdict,omitempty"`
	Free       *FreeReply       `json:"free,omitempty"`
	Complete   *CompleteReply   `json:"complete,omitempty"`
	Hover      *HoverReply      `json:"hover,omitempty"`
	Signature  *SignatureReply  `json:"signature,omitempty"`
	Kernels    *KernelsReply    `json:"kernels,omitempty"`
	Pack       *PackReply       `json:"pack,omitempty"`
	Unpack     *UnpackReply     `json:"unpack,omitempty"`
	Load       *LoadReply       `json:"load,omitempty"`
	Make       *MakeReply       `json:"make,omitempty"`
	IR         *IRReply         `json:"ir,omitempty"`
	Versions   *VersionsReply   `json:"versions,omitempty"`
	Job        *JobReply        `json:"job,omitempty"`
	Document   *DocumentReply   `json:"document,omitempty"` // also before the last reply
	Open       *OpenReply       `json:"open,omitempty"`
	Save       *SaveReply       `json:"save,omitempty"`
	Prose      *ProseReply      `json:"prose,omitempty"`
	Script     *ScriptReply     `json:"script,omitempty"`
	Inspect    *InspectReply    `json:"inspect,omitempty"`
	OtherSizes *OtherSizesReply `json:"otherSizes,omitempty"`
	Mistake    *MistakeReply    `json:"mistake,omitempty"`
	Case       *CaseDetail      `json:"case,omitempty"`
	Why        *WhyReply        `json:"why,omitempty"`
	Seek       *SeekReply       `json:"seek,omitempty"`
	Courses    *CoursesReply    `json:"courses,omitempty"`
	Findings   *FindingsReply   `json:"findings,omitempty"`
	Launch     *Launch          `json:"launch,omitempty"` // for a runner's device to make; LaunchedRequest follows
	// Estimate is a launch for the model of a GPU (wasm/ptx/code), with its tensors as buffers. It is answered
	// by a LaunchedRequest.
	Estimate *JobReply `json:"estimate,omitempty"`
}

// Progress tells how far a long run has come.
type Progress struct {
	// Stage is "compile", "classic", "strict", "run", "rank" of the configs of a kernel, or of a look at a launch
	// "programs", or "steps" of the program that runs, of which there is no total.
	Stage string `json:"stage"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
}

// CheckRequest asks for diagnostics only. A Puzzle number or Args say what the kernel is called with.
type CheckRequest struct {
	Source string    `json:"source"`
	Puzzle int       `json:"puzzle,omitempty"`
	Custom *Custom   `json:"custom,omitempty"` // instead of Puzzle
	Kernel string    `json:"kernel,omitempty"`
	Args   []FreeArg `json:"args,omitempty"`
	Grid   string    `json:"grid,omitempty"` // with Args: checked like them
	Strict bool      `json:"strict,omitempty"`
	// Document says that the source is a document in the percent format, whose cells may have IPython's magics.
	Document bool `json:"document,omitempty"`
	// Files are the names of those given with the document.
	Files []string `json:"files,omitempty"`
}

// CheckReply holds the diagnostics in the order of the text.
type CheckReply struct {
	Diagnostics []Diagnostic  `json:"diagnostics"`
	Field       *FieldProblem `json:"field,omitempty"`
}

// FieldProblem is what is wrong with one field of the free page's form.
type FieldProblem struct {
	Field string `json:"field"` // an argument's name, or "grid"
	Text  string `json:"text"`
}

// PuzzleRequest runs a puzzle's checks on a source.
type PuzzleRequest struct {
	Puzzle int     `json:"puzzle"`
	Custom *Custom `json:"custom,omitempty"` // instead of Puzzle
	Source string  `json:"source"`
	Strict bool    `json:"strict,omitempty"` // refuse what Triton's GPU compiler refuses
	Remote *Remote `json:"remote,omitempty"` // where the launches run; in the page where it is absent
}

// Verdict is the outcome of a puzzle's checks.
type Verdict struct {
	Puzzle      int          `json:"puzzle"`
	Pass        bool         `json:"pass"`
	Message     string       `json:"message"` // one sentence that sums it up
	Tests       int          `json:"tests"`   // of the puzzle, run or not
	Classic     Check        `json:"classic"`
	Strict      Check        `json:"strict"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	Prints      []Print      `json:"prints"`
	CompileMS   float64      `json:"compileMs"`
	RunMS       float64      `json:"runMs"`
	Compared    *Compared    `json:"compared,omitempty"`
}

// OtherSizesReply is what came of an answer at sizes that no test has.
type OtherSizesReply struct {
	Message string          `json:"message"` // a sentence; empty where no other sizes were tried
	Failure *FailureAtSizes `json:"failure,omitempty"`
}

// MistakeReply is the mistake in an answer, if it is known. Its first fix makes the answer pass every test. It may be
// one of the diagnostics of the verdict.
type MistakeReply struct {
	Found *Diagnostic `json:"found,omitempty"`
}

// FailureAtSizes is a launch that fails: an InspectRequest takes its case and sizes.
type FailureAtSizes struct {
	Case        int            `json:"case"`
	Sizes       map[string]int `json:"sizes"`
	Text        string         `json:"text"` // the sizes as a person reads them: N0 = 7
	Diagnostics []Diagnostic   `json:"diagnostics"`
}

// Check is one of the two checks: the notebooks' own, and the stricter one.
type Check struct {
	Pass  bool   `json:"pass"`
	Ran   bool   `json:"ran"`
	Cases []Case `json:"cases"`
}

// Case is one launch of a check.
type Case struct {
	Name  string `json:"name"` // what is special about it, in the request's language
	Sizes string `json:"sizes"`
	Seed  int64  `json:"seed"`
	Pass  bool   `json:"pass"`
	// Detail is there for the first test and for the first that fails, and for all that ran on a device. A CaseRequest
	// asks for that of another one.
	Detail *CaseDetail `json:"detail,omitempty"`
}

// CaseRequest asks for the detail of the test of an answer with a number, counted from 0.
type CaseRequest struct {
	Of     PuzzleRequest `json:"of"`
	Number int           `json:"number"`
}

// CaseDetail is what came of a launch of a check.
type CaseDetail struct {
	Message  string      `json:"message"`
	Wrong    int         `json:"wrong"`    // elements outside the tolerance
	Compared bool        `json:"compared"` // the launch ended, and its output was compared
	MaxError float64     `json:"maxError"`
	RTol     float64     `json:"rtol"`
	ATol     float64     `json:"atol"`
	First    []Element   `json:"first"` // the first wrong elements, at most 16
	Output   *TensorView `json:"output,omitempty"`
	Expected *TensorView `json:"expected,omitempty"`
	Inputs   []Tensor    `json:"inputs,omitempty"`
}

// Element is one output element beside what it should be.
type Element struct {
	Index   []int  `json:"index"`
	Got     string `json:"got"`
	Want    string `json:"want"`
	Program []int  `json:"program,omitempty"` // the program that wrote it last, if one did
}

// TensorView shows a tensor's values, one element in each cell of a picture with rows and columns: the last
// dimension runs across, the others down.
type TensorView struct {
	Name   string `json:"name"`
	DType  string `json:"dtype"` // as torch names it: float32
	Shape  []int  `json:"shape"`
	Values string `json:"values"` // of the cells, row by row: float64s, little-endian, in base64
	// Step and At are there where the tensor has too many elements for a cell each: the rows and columns of
	// elements that a cell covers, and the element that each cell shows of them: the first wrong one, or
	// else the first.
	Step      []int `json:"step,omitempty"`
	At        []int `json:"at,omitempty"`
	Wrong     []int `json:"wrong"`     // cells whose element lies outside the tolerance
	Unwritten []int `json:"unwritten"` // cells whose element no program wrote, where that is known
}

// Tensor is a tensor as torch prints it.
type Tensor struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Print is one line that the kernel printed.
type Print struct {
	Program []int  `json:"program"`
	Line    int    `json:"line"`
	Text    string `json:"text"`
}

// FreeRequest runs any kernel on arguments of the user's own.
type FreeRequest struct {
	Source string    `json:"source"`
	Kernel string    `json:"kernel"` // empty: the last kernel of the source
	Args   []FreeArg `json:"args"`
	Grid   string    `json:"grid"` // Python: "4", "(4, 2)", "triton.cdiv(n, BLOCK)"; argument names may be used
	Seed   int64     `json:"seed"`
	Strict bool      `json:"strict,omitempty"`
	Remote *Remote   `json:"remote,omitempty"`
}

// FreeArg is one argument of a free run.
type FreeArg struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`            // "tensor", "int", "float", "bool", "constexpr"
	DType string `json:"dtype,omitempty"` // tensors: as torch names it
	Shape string `json:"shape,omitempty"` // tensors: Python, as "4, 200" or "M, K", of the other arguments' names too
	Fill  string `json:"fill,omitempty"`  // tensors: rand, randn, randint, arange, zeros, ones, nan
	Value string `json:"value,omitempty"` // the rest: Python; names of other arguments may be used
}

// FreeReply shows every tensor argument after the run.
type FreeReply struct {
	OK          bool         `json:"ok"`
	Message     string       `json:"message"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	Prints      []Print      `json:"prints"`
	Tensors     []FreeTensor `json:"tensors"`
	Grid        []int        `json:"grid"`
	CompileMS   float64      `json:"compileMs"`
	RunMS       float64      `json:"runMs"`
	Compared    *Compared    `json:"compared,omitempty"`
}

// Remote is a device of a runner, to which the page passes launches on.
type Remote struct {
	Poisons bool `json:"poisons"` // the device gives lanes without a value one that makes their use evident
	Times   bool `json:"times"`   // the first launch is measured
}

// Launch is a launch for a runner's device. Its buffers are the kernel's IR in wire form and the tensors of Submit;
// that of a tensor of zeros is empty.
type Launch struct {
	Number int    `json:"number"` // from 0 in its request
	Submit string `json:"submit"` // the protocol's message, as JSON, without job; a document's names the device
	// Free are buffers that the runner need not keep any longer.
	Free []int64 `json:"free,omitempty"`
}

// LaunchedRequest tells what came of a Launch or an Estimate, as a further request of the call that asked for it.
// There is no reply to it but those of the call. Its buffers are the tensors that a Launch returned, and an empty one
// for each other.
type LaunchedRequest struct {
	Messages []string  `json:"messages"`           // the runner's about the job, as they came
	Lost     string    `json:"lost,omitempty"`     // code of the catalogue that says why nothing came of it
	Expected *Expected `json:"expected,omitempty"` // of an Estimate; absent where Messages say why there is none
}

// Expected is how long a launch may take, as a model of a GPU has it.
type Expected struct {
	MS    float64 `json:"ms"`
	Bound string  `json:"bound"` // what it is bound by: "memory", "cache", "compute" or "latency"
}

// Compared are a device's results beside those of the page's own interpreter.
type Compared struct {
	Launches      int        `json:"launches"`   // that both ran to their end
	Unfinished    int        `json:"unfinished"` // launches that the device ran to their end and the page did not
	Elements      int        `json:"elements"`   // of the tensors that the kernel may write to
	Different     int        `json:"different"`
	MaxDifference float64    `json:"maxDifference"`
	First         *Different `json:"first,omitempty"`
	// ReadBytes and WrittenBytes are of the first launch: each element that a program read or wrote, once.
	ReadBytes    int `json:"readBytes"`
	WrittenBytes int `json:"writtenBytes"`
	// Products are the operations of the first launch's products, a multiplication with an addition counting
	// as two, by the name of the arithmetic: a dtype, or the precision of fp32's.
	Products map[string]float64 `json:"products,omitempty"`
}

// Different is an element that the page and the device left with different values.
type Different struct {
	Launch int    `json:"launch"`
	Tensor string `json:"tensor"`
	Index  int    `json:"index"` // row-major
	Page   string `json:"page"`
	Device string `json:"device"`
}

// VersionsReply says what each version of Triton makes of a text, the oldest first.
type VersionsReply struct {
	Versions []VersionReply `json:"versions"`
	// Rewrite writes block pointers as pointers with masks; absent where there are none. Kept says why some are left.
	Rewrite *Fix         `json:"rewrite,omitempty"`
	Kept    []Diagnostic `json:"kept"`
}

// VersionReply is what a version makes of a text. Verdict is "accepts", "warns", "refuses", or "unknown" where newt
// lacks what it would take to say.
type VersionReply struct {
	Triton      string       `json:"triton"` // 3.8
	Chosen      bool         `json:"chosen"` // the text is checked and run for this one
	Verdict     string       `json:"verdict"`
	Diagnostics []Diagnostic `json:"diagnostics"` // errors and warnings
	Choose      Fix          `json:"choose"`      // writes the line with which the text is for this version
}

// IRRequest asks for the kernel that a CheckRequest compiles, as runners and the compiler to PTX take it.
type IRRequest struct {
	Of CheckRequest `json:"of"`
}

// IRReply holds the kernel; its IR is empty where it does not compile.
type IRReply struct {
	IR        string `json:"ir"`                // base64
	Lowered   string `json:"lowered,omitempty"` // the same before its passes
	Kernel    string `json:"kernel"`
	Signature string `json:"signature"` // what it was compiled for
	NumWarps  int    `json:"numWarps,omitempty"`
	NumStages int    `json:"numStages,omitempty"`
}

// JobRequest asks for a launch as it travels to a device.
type JobRequest struct {
	Of InspectRequest `json:"of"` // the launch
}

// JobReply holds a launch. Its buffers are the launch's tensors, with an empty one for each that is all zeros.
type JobReply struct {
	Message string  `json:"message,omitempty"` // why there is none
	Kernel  IRReply `json:"kernel"`
	Launch  string  `json:"launch"` // the protocol's message, as JSON
}

// StopRequest ends a document's run, as a further request of the call that asked for it: the cell that runs is
// interrupted, those after it do not run, and the session goes on. There is no reply to it but that of the call.
type StopRequest struct {
	Sweep bool `json:"sweep,omitempty"` // only what is left of the sweep that is measured
}

// FreeTensor is a tensor argument after the run; Changed counts elements the kernel changed.
type FreeTensor struct {
	View    TensorView `json:"view"`
	Text    string     `json:"text"`
	Changed int        `json:"changed"`
}

// KernelsRequest asks which kernels a source defines, and for sensible arguments of each.
type KernelsRequest struct {
	Source string `json:"source"`
}

// KernelsReply lists the kernels in order.
type KernelsReply struct {
	Kernels []Kernel `json:"kernels"`
}

// Kernel is one @triton.jit function with the launch proposed for it.
type Kernel struct {
	Name string    `json:"name"`
	Args []FreeArg `json:"args"`
	Grid string    `json:"grid"`
}

// CompleteRequest asks for completions at an offset.
type CompleteRequest struct {
	Source string   `json:"source"`
	Offset int      `json:"offset"`
	Needed []string `json:"needed,omitempty"` // names of tl that the puzzle asks for, the newest first
}

// CompleteReply lists completions that replace From…offset.
type CompleteReply struct {
	From  int          `json:"from"`
	Items []Completion `json:"items"`
}

// Completion is one proposal.
type Completion struct {
	Label  string `json:"label"`
	Kind   string `json:"kind"`   // "function", "keyword", "variable", "type", "property"
	Detail string `json:"detail"` // signature
	Doc    string `json:"doc"`    // one paragraph, Markdown-free
	Rank   int    `json:"rank"`   // from 0 to 99: how likely it is meant
}

// SignatureRequest asks for the call whose arguments are written at an offset.
type SignatureRequest struct {
	Source string `json:"source"`
	Offset int    `json:"offset"`
}

// SignatureReply describes a call; its name is empty where there is none that is known.
type SignatureReply struct {
	Open   int      `json:"open"` // where the call's bracket opens
	Name   string   `json:"name"`
	Params []string `json:"params"` // as Python writes them
	Active int      `json:"active"` // the parameter being given; -1 for none
	Doc    string   `json:"doc"`    // one sentence
}

// HoverRequest asks what stands at an offset.
type HoverRequest struct {
	Source string `json:"source"`
	Offset int    `json:"offset"`
}

// HoverReply is empty where nothing is known.
type HoverReply struct {
	From      int    `json:"from"`
	To        int    `json:"to"`
	Signature string `json:"signature"`
	Doc       string `json:"doc"`
	Example   string `json:"example"`
}

// Diagnostic is a diag.Diagnostic in the request's language.
type Diagnostic struct {
	Code     string    `json:"code"`
	Severity string    `json:"severity"` // "error", "warning", "hint"
	Headline string    `json:"headline"`
	Label    string    `json:"label"`
	Why      string    `json:"why"`
	Help     string    `json:"help"`
	Triton   string    `json:"triton,omitempty"`
	From     int       `json:"from"`
	To       int       `json:"to"`
	Line     int       `json:"line"`
	Column   int       `json:"column"`
	Related  []Related `json:"related"`
	Fixes    []Fix     `json:"fixes"`
	Test     int       `json:"test,omitempty"` // of a puzzle, counted from 1: whose launch it is of
}

// Related is another place that explains a diagnostic.
type Related struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Fix is a set of edits to apply together.
type Fix struct {
	Title string `json:"title"`
	Safe  bool   `json:"safe"`
	Edits []Edit `json:"edits"`
}

// Edit replaces From…To by Insert.
type Edit struct {
	From   int    `json:"from"`
	To     int    `json:"to"`
	Insert string `json:"insert"`
}

// DocumentRequest runs cells of a document, one after another.
type DocumentRequest struct {
	Text string `json:"text"` // the whole document, in the percent format
	// Name is that of its file, for tracebacks; the first request of a session counts.
	Name    string      `json:"name,omitempty"`
	Cells   []CellPlace `json:"cells"`   // those to run
	Session string      `json:"session"` // whose variables they share; a name that is not the last one begins a session
	Strict  bool        `json:"strict,omitempty"`
	// Files are those given with the document, in the order in which the request's buffers hold them; absent where
	// they are those of the last run.
	Files []GivenFile `json:"files,omitempty"`
	// Remote is the device that "cuda" is in the session, from its first request on: the page's own where it is absent.
	Remote *RemoteDevice `json:"remote,omitempty"`
	// Rank has the configs of triton.autotune ranked by a model of a GPU. The best few are then timed, if the device is
	// a GPU; if not, the first is used.
	Rank bool `json:"rank,omitempty"`
}

// RemoteDevice is a device of a runner, on which a document's tensors stay between launches.
type RemoteDevice struct {
	Hello  string `json:"hello"`  // the runner's, as JSON
	Device string `json:"device"` // its id
}

// GivenFile is a file next to a document.
type GivenFile struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

// CellPlace is where the code of a cell lies in the text of its document.
type CellPlace struct {
	Run     int `json:"run"`               // what the replies call this run of the cell
	Instead int `json:"instead,omitempty"` // the earlier run of the cell, whose launches are forgotten
	From    int `json:"from"`
	To      int `json:"to"`
}

// DocumentReply tells what happened since the reply before it. The last one has no run.
type DocumentReply struct {
	Run         int          `json:"run,omitempty"` // of a cell
	Outputs     []CellOutput `json:"outputs"`
	Launches    []CellLaunch `json:"launches"` // that ended
	Sweep       []SweepPoint `json:"sweep,omitempty"`
	Sweeping    *Sweeping    `json:"sweeping,omitempty"` // the point that is measured now
	Rankings    []Ranking    `json:"rankings,omitempty"` // those that are new or have changed, as they are now
	Ended       *CellEnd     `json:"ended,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics"` // in the last reply: of all the cells
}

// CellOutput is a piece of what a cell prints or shows. Its kind is "stdout", "stderr", "error" for a traceback,
// "display", or "value" for the last expression's. Text is there in every form.
type CellOutput struct {
	Kind     string `json:"kind"`
	Text     string `json:"text"`
	HTML     string `json:"html,omitempty"` // by a stranger: sanitize it before it is shown
	Markdown string `json:"markdown,omitempty"`
	Figure   *Plot  `json:"figure,omitempty"`
	MIME     string `json:"mime,omitempty"`
	Image    string `json:"image,omitempty"` // base64 of what MIME says
}

// Plot is a figure of matplotlib's.
type Plot struct {
	JSON   string   `json:"json"`   // a figure.Figure
	Tables []Table  `json:"tables"` // its numbers
	Pixels []string `json:"pixels"` // of its images in order: PNG, in base64
	// Colorbars are those of the images, likewise; "" for an image without one.
	Colorbars []string `json:"colorbars"`
}

// Table is the numbers of a plot as text.
type Table struct {
	Title   string     `json:"title,omitempty"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
	Cut     bool       `json:"cut,omitempty"` // it goes on
}

// SweepPoint is a measurement of a sweep: of a config that autotune has timed, or of a point of perf_report.
type SweepPoint struct {
	Name   string `json:"name"`  // the kernel's, or the plot's
	Label  string `json:"label"` // the config, or the line with its point
	Number int    `json:"number"`
	Total  int    `json:"total"`
	// Value is milliseconds of a config, else what the benchmark returned; 0 where it failed.
	Value      float64 `json:"value"`
	Failed     bool    `json:"failed"`         // the config cannot run
	Best       string  `json:"best,omitempty"` // label of the fastest config so far
	Registers  int     `json:"registers"`      // of a thread; 0 where nothing has counted them
	SpillBytes int     `json:"spillBytes"`     // of a thread
	CompileMS  float64 `json:"compileMs"`      // 0 where it is not known
}

// Sweeping is how far a sweep by perf_report has come.
type Sweeping struct {
	Name   string  `json:"name"`   // the plot's
	Number int     `json:"number"` // of the point that is measured now, from 1
	Total  int     `json:"total"`
	LeftMS float64 `json:"leftMs"` // what the rest may take if it goes on like this; 0 at the first point
}

// Ranking is the order of a kernel's configs for a key of triton.autotune, by what a model of an H100 expects of them.
type Ranking struct {
	Number  int            `json:"number"` // from 0 in the run of its cell
	Kernel  string         `json:"kernel"`
	Key     string         `json:"key"`     // as Python prints it
	Configs []RankedConfig `json:"configs"` // the one that is expected to take least first
	// Correlation is Spearman's rank correlation of expected and measured times; absent for fewer than three.
	Correlation *float64 `json:"correlation,omitempty"`
}

// RankedConfig is a config in a Ranking.
type RankedConfig struct {
	Label    string    `json:"label"`
	Expected *Expected `json:"expected,omitempty"` // absent where the config needs more than the GPU has
	Kept     bool      `json:"kept"`               // it is timed, or used without that
	Measured float64   `json:"measured,omitempty"` // milliseconds; absent where it was not timed
	Failed   bool      `json:"failed,omitempty"`   // it was to be timed, and cannot run
	Used     bool      `json:"used,omitempty"`     // it is the first, or the fastest of those measured so far
}

// CellEnd is how the run of a cell ended.
type CellEnd struct {
	OK       bool    `json:"ok"`
	MS       float64 `json:"ms"`
	Count    int     `json:"count"`    // of the cells that the session has run: In [Count]
	Launches int     `json:"launches"` // of kernels, listed or not
}

// CellLaunch is a launch of a kernel that a cell made.
type CellLaunch struct {
	Number  int         `json:"number"` // from 1 in its session
	Kernel  string      `json:"kernel"`
	Grid    []int       `json:"grid"`
	Args    []LaunchArg `json:"args"`
	Options []LaunchArg `json:"options"` // num_warps and num_stages, those of Triton where none are given, then others
	Line    int         `json:"line"`    // of the document
	MS      float64     `json:"ms"`
	OK      bool        `json:"ok"`
	Message string      `json:"message"` // why it failed
	Kept    bool        `json:"kept"`    // can be opened: of many by one call, only the first are
}

// LaunchArg is an argument of a launch: a tensor's type and shape, or a value; or an option.
type LaunchArg struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// LookRequest asks for a launch of a session: for what it did to its tensors, as a free run, or for its kernel's IR.
// Nothing is in the reply where the launch's arguments are no longer kept.
type LookRequest struct {
	Session string `json:"session"`
	Number  int    `json:"number"`
	Text    string `json:"text"` // that the document has now, for places
}

// InspectRequest asks what one launch does to memory: all its programs in summary, and one of them step by step. One of
// Puzzle, Free and Look says which launch; it is made on copies of its tensors.
type InspectRequest struct {
	Puzzle *PuzzleRequest `json:"puzzle,omitempty"`
	Case   int            `json:"case,omitempty"` // of the puzzle's tests; 0 is the first
	// Sizes replace some of the test's sizes and blocks, as an OtherSizesReply has them.
	Sizes map[string]int `json:"sizes,omitempty"`
	Free  *FreeRequest   `json:"free,omitempty"`
	Look  *LookRequest   `json:"look,omitempty"`
	// Program is the one whose steps are asked for; absent, it is that of the first problem, or else the first one.
	Program []int `json:"program,omitempty"`
	// From is the first step that the reply is to hold, where a program has more of them than a reply. Of a program
	// that has fewer, the reply holds the last ones.
	From int `json:"from,omitempty"`
	// Whole makes the launch up to its end, with progress meanwhile; absent, it ends after some tenths of a second. A
	// StopRequest ends it sooner.
	Whole bool `json:"whole,omitempty"`
}

// WhyRequest asks what one element comes from: of a tensor, with what wrote it or why nothing did, or of a step's
// value.
type WhyRequest struct {
	Of      InspectRequest `json:"of"`              // the launch
	Tensor  int            `json:"tensor"`          // of InspectReply.Tensors; -1 is the last, a puzzle's output
	Element int            `json:"element"`         // by its number row by row
	Value   *StepValue     `json:"value,omitempty"` // instead of Tensor
}

// StepValue is the value of a program's step.
type StepValue struct {
	Program []int `json:"program"`
	Step    int   `json:"step"` // of the program
}

// WhyReply begins with the store that wrote the element, or should have, or with the step of the value. Each of Origins
// is followed by those that it comes from, one deeper.
type WhyReply struct {
	Message  string   `json:"message,omitempty"` // why there is nothing to say
	Tensor   int      `json:"tensor"`            // -1 where a value was asked of
	Element  string   `json:"element"`           // z[5]
	Got      string   `json:"got"`
	Expected string   `json:"expected,omitempty"` // where it is known
	Program  []int    `json:"program"`            // whose steps Origins are
	Origins  []Origin `json:"origins"`
	Left     int      `json:"left"` // origins that are not listed
	// Formulas are there where the element is wrong and what it should be is known to come from the inputs.
	Formulas *Formulas `json:"formulas,omitempty"`
}

// Formulas are how an element was computed, and how the specification computes it, side by side.
type Formulas struct {
	// Says is what was found: "differ"; "same", so that only rounding is left; "sameElements", which are combined
	// otherwise; "readOthers", where formulas are too long and list what they are computed from; "notStored" and
	// "notFollowed", where Yours is empty.
	Says     string        `json:"says"`
	Yours    []FormulaText `json:"yours"`
	Expected []FormulaText `json:"expected"`
	Marks    []FormulaMark `json:"marks"`
}

// FormulaText is a piece of a formula.
type FormulaText struct {
	Text string `json:"text"`
	// Kind is "outside" of its tensor, "undefined" or "more", that is not written, both without a text; mostly absent.
	Kind    string `json:"kind,omitempty"`
	Differs bool   `json:"differs,omitempty"`
}

// FormulaMark is elements of a tensor that one of two formulas has and the other has not.
type FormulaMark struct {
	Tensor   int   `json:"tensor"` // of InspectReply.Tensors
	Yours    []int `json:"yours"`
	Expected []int `json:"expected"`
}

// Origin is an operation that an element comes from, or an argument.
type Origin struct {
	Depth    int    `json:"depth"`
	Line     int    `json:"line"` // 0 where it is no operation
	Step     int    `json:"step"` // of the program; -1 where it is no operation
	Sentence string `json:"sentence"`
}

// SeekRequest asks for the next step, or the one before, at which a program is at one of Stops, from a step of a
// program on. A StopRequest ends it.
type SeekRequest struct {
	Of      InspectRequest `json:"of"`      // the launch
	Program []int          `json:"program"` // an index for each of three axes
	Step    int            `json:"step"`    // -1 is before the first
	Back    bool           `json:"back,omitempty"`
	Within  bool           `json:"within,omitempty"` // the program alone
	Stops   []Stop         `json:"stops"`
}

// Stop is where a line has run, in an iteration, and a condition holds.
type Stop struct {
	Line       int    `json:"line"`
	Condition  string `json:"condition,omitempty"`  // of Python; empty holds everywhere
	Iterations []int  `json:"iterations,omitempty"` // of the loops around it, as many as are given
}

// SeekReply is a step of a program.
type SeekReply struct {
	// Message says what is wrong with the condition of Stop, or why there is no launch.
	Message string `json:"message,omitempty"`
	Stop    int    `json:"stop"` // in SeekRequest.Stops; -1 where no step was found
	Program []int  `json:"program"`
	Step    int    `json:"step"`
}

// CoursesRequest asks for the courses of several programs of a launch. A StopRequest ends it.
type CoursesRequest struct {
	Of    InspectRequest `json:"of"`
	From  int            `json:"from"` // the first program, by its number
	Count int            `json:"count"`
}

// CoursesReply holds them in program order; fewer where the grid or the launch ends before.
type CoursesReply struct {
	Message string   `json:"message,omitempty"` // why there is nothing to show
	Courses []Course `json:"courses"`
}

// Course is what a program does, in short.
type Course struct {
	Program []int `json:"program"`
	Steps   int   `json:"steps"`
	Loads   int   `json:"loads"`
	Stores  int   `json:"stores"`
	Atomics int   `json:"atomics"`
	Problem int   `json:"problem"` // the first step at which something is wrong; -1 where none is
	Stride  int   `json:"stride"`  // steps that each of Marks stands for
	Marks   []int `json:"marks"`   // what they do, as bits: 1 loads, 2 stores, 4 updates atomically, 8 is wrong
}

// InspectReply is what a launch does to memory. Arrays are in the reply's one buffer, little-endian: eight bytes, of
// which the first four tell how many bytes follow, then its elements, padded to a multiple of eight. A field that names
// an array holds where it begins there, or -1 where there is none.
type InspectReply struct {
	Message     string            `json:"message,omitempty"` // why there is nothing to show
	Kernel      string            `json:"kernel"`
	Case        int               `json:"case"`  // the puzzle's test that is shown
	Cases       int               `json:"cases"` // tests of the puzzle; 0 elsewhere
	Grid        []int             `json:"grid"`
	Program     []int             `json:"program"` // the one whose steps these are
	Arguments   []Argument        `json:"arguments"`
	Tensors     []InspectedTensor `json:"tensors"`
	Sites       []Site            `json:"sites"` // that Steps are of
	Loops       []Loop            `json:"loops"`
	Iterations  []Iteration       `json:"iterations"` // that Steps are in
	Steps       []Step            `json:"steps"`
	From        int               `json:"from"`           // the number of the first of Steps
	Total       int               `json:"total"`          // steps of the program
	More        bool              `json:"more,omitempty"` // the launch was ended early: one that is Whole has more
	Diagnostics []Diagnostic      `json:"diagnostics"`
}

// Argument is an argument of the launch's call.
type Argument struct {
	Name string `json:"name"`
	Type string `json:"type"` // int32, pointer<float32>; constexpr where the value is known while compiling
	Text string `json:"text"` // 200, True; the first element of a tensor: x[0]
}

// Loop is one execution of a loop.
type Loop struct {
	Line int `json:"line"`
	Last int `json:"last"` // the number of its last iteration; a while has one more, in which its condition is false
}

// InspectedTensor is a tensor argument before and after a launch, one element in each cell of a picture, as in
// TensorView, and which programs touch it. Programs are numbered in program order: z runs fastest.
type InspectedTensor struct {
	Name    string `json:"name"`
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Rows    int    `json:"rows"`
	Columns int    `json:"columns"`
	Covers  []int  `json:"covers"`  // the rows and columns of elements that a cell covers
	Before  int    `json:"before"`  // float64 of each cell
	After   int    `json:"after"`   // float64 of each cell
	Readers int    `json:"readers"` // int32 of each cell: the program that reads an element; -1 is none, -2 several
	Writers int    `json:"writers"` // int32 of each cell: the program that writes an element; -1 is none, -2 several
}

// Site is an operation as the source writes it, with the type of the value that it gives.
type Site struct {
	From int    `json:"from"` // of the operation's text
	To   int    `json:"to"`
	Line int    `json:"line"`
	Name string `json:"name,omitempty"` // the variable that it is assigned to
	Op   string `json:"op"`             // as written: tl.load, pid * B0, tl.sum
	Type string `json:"type,omitempty"` // int32[32], pointer<float32>[32]; absent without a value
}

// Iteration is where in loops some steps are.
type Iteration struct {
	Loops   []int `json:"loops"`   // around them, outermost first, in InspectReply.Loops
	Numbers []int `json:"numbers"` // of their iterations
}

// Step is one operation of a program, with the value that it gives.
type Step struct {
	Site      int         `json:"site"`             // in InspectReply.Sites
	Iteration int         `json:"iteration"`        // in InspectReply.Iterations; -1 is in no loop
	Text      string      `json:"text,omitempty"`   // of the value, shortened: 192 193 … 223, 8 of 32 true
	Values    int         `json:"values"`           // float64 of each lane, row by row; offsets of a pointer
	Inputs    *StepInputs `json:"inputs,omitempty"` // of a reduction or a matrix product
	Access    *StepAccess `json:"access,omitempty"`
	Problem   string      `json:"problem,omitempty"` // what is wrong at this step, as a headline
}

// StepInputs are what a reduction or a matrix product computes its value of.
type StepInputs struct {
	Axis   int         `json:"axis"`   // of the reduction; -1 is a matrix product
	Values []StepInput `json:"values"` // of a matrix product the factors and the accumulator
}

// StepInput is a value that a step takes.
type StepInput struct {
	Name   string `json:"name,omitempty"` // the variable that holds it
	Type   string `json:"type"`
	Values int    `json:"values"` // float64 of each lane, row by row
}

// StepAccess is what a step's load, store or atomic operation does to one tensor.
type StepAccess struct {
	Tensor   int    `json:"tensor"`   // in InspectReply.Tensors
	Kind     string `json:"kind"`     // load, store, atomic
	Elements int    `json:"elements"` // int32 of each lane: the element, row-major; outside where not in the tensor
	Mask     int    `json:"mask"`     // a byte of each lane: whether it takes part; -1 where all do
	Masked   int    `json:"masked"`   // lanes that the mask leaves out
	Outside  int    `json:"outside"`  // lanes that take part and lie outside of the tensor
	Sentence string `json:"sentence"` // program 6 reads x[192:224]; 24 lanes lie past the end
}

// FindingsRequest asks what the sanitizers find in a launch. A StopRequest ends it.
type FindingsRequest struct {
	Of    InspectRequest `json:"of"`
	Whole bool           `json:"whole,omitempty"` // check all programs of a large launch, which takes seconds
}

// FindingsReply holds what they find in the order of the text, accesses out of bounds included.
type FindingsReply struct {
	Message  string    `json:"message"` // why the launch was not checked; empty where it was
	Findings []Finding `json:"findings"`
	Total    int       `json:"total"`  // with those that are not listed
	Limits   []string  `json:"limits"` // why not all of the launch was checked
	More     bool      `json:"more"`   // Whole checks more of it
	Proof    *Proof    `json:"proof,omitempty"`
}

// Proof is what is proved of a launch. A level is "no", "launch" for this one, "grid" for any grid, or "size" for any
// size.
type Proof struct {
	Accesses []ProvedAccess `json:"accesses"` // in the order of the code
	Tensors  []ProvedTensor `json:"tensors"`  // that the kernel writes
	Limits   string         `json:"limits"`   // what any grid and any size mean
	// Overflows are the integers that wrap at larger sizes.
	Overflows []ProvedOverflow `json:"overflows"`
}

// ProvedOverflow is an integer that wraps at larger sizes than this launch has, where an address or a mask rests on it.
type ProvedOverflow struct {
	Text       string     `json:"text"`
	Diagnostic Diagnostic `json:"diagnostic"` // with a fix
}

// ProvedAccess is a load, store or atomic operation, and how far it is proved to stay in bounds.
type ProvedAccess struct {
	Line           int             `json:"line"`
	Tensor         int             `json:"tensor"` // in InspectReply.Tensors; -1 where it may be one of several
	Level          string          `json:"level"`
	Text           string          `json:"text"` // line 11: load `x` in bounds: proved for any size
	Counterexample *Counterexample `json:"counterexample,omitempty"`
}

// Counterexample is the smallest launch found in which an access leaves its tensor.
type Counterexample struct {
	Sizes   string          `json:"sizes"` // N0 = 33
	Text    string          `json:"text"`
	Program []int           `json:"program"`
	Launch  *InspectRequest `json:"launch,omitempty"` // absent where the page cannot make it
}

// ProvedTensor is a tensor, and how far it is proved that no two programs race on it.
type ProvedTensor struct {
	Tensor int    `json:"tensor"`
	Level  string `json:"level"`
	Text   string `json:"text"`
}

// Finding is one place in the source at which something is found, with the first program that shows it.
type Finding struct {
	Diagnostic Diagnostic `json:"diagnostic"`
	Program    []int      `json:"program"`
	Step       int        `json:"step"`     // of the program, as in InspectReply; -1 where that is not known
	Tensor     int        `json:"tensor"`   // in InspectReply.Tensors; -1 where none is accessed
	Elements   []int32    `json:"elements"` // that the lanes concerned access, as in StepAccess
	Where      string     `json:"where"`    // program 1, lanes 8 to 31: x[40:64]
	Value      string     `json:"value"`    // that the first of the lanes loads or stores; empty where it is not known
}

// OpenRequest asks what a file holds, whose bytes are the request's buffer.
type OpenRequest struct {
	Name string `json:"name"`
}

// OpenReply is a document as one text in the percent format, or the problem with its file. Files are what the file
// holds beside the text, one buffer each: those of recorded launches, which become a script.
type OpenReply struct {
	Name     string       `json:"name"` // of the document; not that of the file where that was no document itself
	Text     string       `json:"text"`
	Format   string       `json:"format"`   // "python", "notebook", "markdown", "transcript"
	Cells    []OpenedCell `json:"cells"`    // those of code, in order
	Pictures []Picture    `json:"pictures"` // within its prose
	Files    []GivenFile  `json:"files"`
	Problem  string       `json:"problem,omitempty"`
}

// Picture is a picture that the text has by its name only.
type Picture struct {
	Name string `json:"name"`
	MIME string `json:"mime"`
	Data string `json:"data"` // base64
}

// OpenedCell is what a notebook has kept of a run of a cell.
type OpenedCell struct {
	Outputs []CellOutput `json:"outputs"`
	Count   int          `json:"count"`
}

// ProseRequest asks for Markdown as HTML.
type ProseRequest struct {
	Sources []string `json:"sources"`
	Plain   bool     `json:"plain,omitempty"` // HTML in them is text
}

// ProseReply holds the HTML of each source, by a stranger: sanitize it before it is shown. Formulas are
// <code class="math"> elements; pictures that the document names have their names as addresses.
type ProseReply struct {
	HTML []string `json:"html"`
}

// SaveRequest asks for a document as a file. Its buffer is the file that it was opened from, if there is one.
type SaveRequest struct {
	Name   string      `json:"name"`   // of the file to write
	From   string      `json:"from"`   // the name of the file that it was opened from; "" if there is none
	Format string      `json:"format"` // as in OpenReply
	Text   string      `json:"text"`   // in the percent format
	Cells  []SavedCell `json:"cells"`
}

// SavedCell is what the page shows beneath a cell of code.
type SavedCell struct {
	Cell    int          `json:"cell"` // its place among the cells of code
	Outputs []CellOutput `json:"outputs"`
	Count   int          `json:"count"`
}

// SaveReply holds the file.
type SaveReply struct {
	Text string `json:"text"`
	MIME string `json:"mime"`
}

// ScriptRequest asks for a call of the free page's form as Python beneath its kernel.
type ScriptRequest struct {
	Of FreeRequest `json:"of"`
}

// ScriptReply holds the document, or what is wrong with the form.
type ScriptReply struct {
	Source  string `json:"source"`
	Problem string `json:"problem,omitempty"`
}

// Custom is a puzzle of somebody's own: its folder, as puzzles/README.md describes it.
type Custom struct {
	Folder string `json:"folder"` // such as 01_my_puzzle
	Files  []File `json:"files"`
}

// File is one text file of a puzzle's folder.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// LoadRequest asks whether a puzzle of somebody's own is sound, and for what the page shows of it.
type LoadRequest struct {
	Custom Custom `json:"custom"`
}

// LoadReply holds the puzzle, or why it cannot be used.
type LoadReply struct {
	OK       bool      `json:"ok"`
	Problems []Problem `json:"problems"`
	Number   int       `json:"number"`
	Title    string    `json:"title"`
	Kernel   string    `json:"kernel"`
	// Statement, Hints and Learned are Markdown by a stranger: show them without interpreting HTML.
	Statement string     `json:"statement"`
	Picture   string     `json:"picture"` // SVG that passed the check of pictures
	Starter   string     `json:"starter"`
	Hints     []string   `json:"hints"`
	Solutions []Solution `json:"solutions"`
	Learned   string     `json:"learned"`
	Refused   []string   `json:"refused,omitempty"` // codes of diagnostics that a question is about
	// Goals are what makes an answer fast, where the puzzle has any.
	Goals []goal.Goal `json:"goals,omitempty"`
	// Timing are the sizes and blocks with which it is timed on a GPU, as far as they differ from the first test's.
	Timing map[string]int `json:"timing,omitempty"`
}

// MakeRequest asks for a puzzle made of a kernel that works, and of a call of it.
type MakeRequest struct {
	Of     FreeRequest `json:"of"`
	Number int         `json:"number"` // of the puzzle
}

// MakeReply holds the puzzle, or why there is none.
type MakeReply struct {
	Custom  *Custom `json:"custom,omitempty"`
	Problem string  `json:"problem,omitempty"`
}

// Problem is what is wrong with a file of a puzzle.
type Problem struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Text  string `json:"text"`
	Label string `json:"label"` // what was meant, perhaps
	Help  string `json:"help"`
}

// Solution is a correct answer of a puzzle.
type Solution struct {
	Title  string `json:"title"`
	Why    string `json:"why"` // Markdown: why one might prefer it to the others, and when not; may be empty
	Source string `json:"source"`
}

// LinkState is everything that a share link carries.
type LinkState struct {
	Source  string       `json:"source"`
	Puzzle  int          `json:"puzzle"` // 0 on the free page
	Lang    string       `json:"lang"`   // that its author read in; "" for the reader's own
	Strict  bool         `json:"strict"`
	View    string       `json:"view"`
	Free    *LinkFree    `json:"free,omitempty"`
	Results *LinkResults `json:"results,omitempty"` // what its author saw, as a claim
	Custom  *Custom      `json:"custom,omitempty"`
	Look    *LinkLook    `json:"look,omitempty"` // what its author chose in the memory view
	Code    *LinkCode    `json:"code,omitempty"` // what its author chose of the kernel's code
	// Document is the file of a document; absent in links of pages that sent no name and no files.
	Document *LinkDocument `json:"document,omitempty"`
}

// LinkDocument is a document's file, whose text is the link's source, and those next to it.
type LinkDocument struct {
	Name   string     `json:"name"`
	Format string     `json:"format"`
	Files  []LinkFile `json:"files"`
}

// LinkFile is a file of any content.
type LinkFile struct {
	Name string `json:"name"`
	Data string `json:"data"` // in base64
}

// LinkLook is what of a launch the memory view shows, by a stranger: the kernel may have no such test, program or step.
type LinkLook struct {
	Test    int   `json:"test"` // as link.Look has it: of a puzzle's tests, or of a document's launches
	All     bool  `json:"all"`  // all programs at once
	Program []int `json:"program,omitempty"`
	Step    int64 `json:"step"` // counted from 0; -1 is the last one, -2 that of the first problem
}

// LinkCode is which stage of compilation is shown, by a stranger: the page may have no stage or target of these names.
type LinkCode struct {
	Stage     string    `json:"stage"`
	Target    string    `json:"target"`
	Unchecked bool      `json:"unchecked"`
	Base      *LinkBase `json:"base,omitempty"`
}

// LinkBase is what a stage is compared with.
type LinkBase struct {
	Stage     string `json:"stage"`
	Target    string `json:"target"`
	NumWarps  int    `json:"numWarps"` // 0: as the launch has them
	NumStages int    `json:"numStages"`
	Source    string `json:"source"` // "" is the link's own
}

// LinkFree is the free page's form.
type LinkFree struct {
	Kernel string    `json:"kernel"`
	Args   []FreeArg `json:"args"`
	Grid   string    `json:"grid"`
	Seed   int64     `json:"seed"`
}

// LinkResults is what an author's page showed.
type LinkResults struct {
	Pass    bool         `json:"pass"`
	Message string       `json:"message"`
	Made    int64        `json:"made"` // seconds since 1970
	Tensors []LinkTensor `json:"tensors"`
	Prints  []string     `json:"prints"`
}

// LinkTensor is a tensor as the author's page printed it.
type LinkTensor struct {
	Name  string `json:"name"`
	DType string `json:"dtype"`
	Shape string `json:"shape"`
	Text  string `json:"text"`
}

// PackRequest asks for the payload of a link.
type PackRequest struct {
	State LinkState `json:"state"`
}

// PackReply holds the payload, or why there is none.
type PackReply struct {
	Payload  string `json:"payload"`
	Most     int    `json:"most"` // letters of a payload that an address should hold; a short link holds longer ones
	Error    string `json:"error,omitempty"`
	TooLarge bool   `json:"tooLarge,omitempty"` // with less content there would be a payload
}

// UnpackRequest asks what a link's payload holds.
type UnpackRequest struct {
	Payload string `json:"payload"`
}

// UnpackReply holds the state, or why it cannot be read.
type UnpackReply struct {
	State *LinkState `json:"state,omitempty"`
	Error string     `json:"error,omitempty"`
}
