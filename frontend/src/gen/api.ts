// Code generated from wasm/api/types.go. DO NOT EDIT.
import type { Goal } from "./goal";

/** Request is one call; exactly one field besides Lang is set. */
export interface Request {
  lang: string; // "en" or "zh"
  check?: CheckRequest;
  puzzle?: PuzzleRequest;
  free?: FreeRequest;
  complete?: CompleteRequest;
  hover?: HoverRequest;
  signature?: SignatureRequest;
  kernels?: KernelsRequest;
  pack?: PackRequest;
  unpack?: UnpackRequest;
  load?: LoadRequest;
  make?: MakeRequest;
  ir?: IRRequest;
  versions?: CheckRequest; // what each version of Triton makes of the text
  document?: DocumentRequest;
  look?: LookRequest;
  open?: OpenRequest;
  save?: SaveRequest;
  script?: ScriptRequest;
  otherSizes?: PuzzleRequest;
  mistake?: PuzzleRequest;
  case?: CaseRequest;
  launched?: LaunchedRequest;
  launchIR?: LookRequest;
  job?: JobRequest;
  inspect?: InspectRequest;
  why?: WhyRequest;
  seek?: SeekRequest;
  courses?: CoursesRequest;
  findings?: FindingsRequest;
  stop?: StopRequest;
  prose?: ProseRequest;
}

/** Reply answers the call with that ID. Progress replies may precede the last one (Done). */
export interface Reply {
  id: number;
  done: boolean;
  error?: string; // the request itself could not be served
  larger?: boolean; // this program lacks what the larger one has
  progress?: Progress;
  check?: CheckReply;
  verdict?: Verdict;
  free?: FreeReply;
  complete?: CompleteReply;
  hover?: HoverReply;
  signature?: SignatureReply;
  kernels?: KernelsReply;
  pack?: PackReply;
  unpack?: UnpackReply;
  load?: LoadReply;
  make?: MakeReply;
  ir?: IRReply;
  versions?: VersionsReply;
  job?: JobReply;
  document?: DocumentReply; // also before the last reply
  open?: OpenReply;
  save?: SaveReply;
  prose?: ProseReply;
  script?: ScriptReply;
  inspect?: InspectReply;
  otherSizes?: OtherSizesReply;
  mistake?: MistakeReply;
  case?: CaseDetail;
  why?: WhyReply;
  seek?: SeekReply;
  courses?: CoursesReply;
  findings?: FindingsReply;
  launch?: Launch; // for a runner's device to make; LaunchedRequest follows
  estimate?: JobReply;
}

/** Progress tells how far a long run has come. */
export interface Progress {
  stage: string;
  done: number;
  total: number;
}

/** CheckRequest asks for diagnostics only. A Puzzle number or Args say what the kernel is called with. */
export interface CheckRequest {
  source: string;
  puzzle?: number;
  custom?: Custom; // instead of Puzzle
  kernel?: string;
  args?: FreeArg[];
  grid?: string; // with Args: checked like them
  strict?: boolean;
  document?: boolean;
  files?: string[];
}

/** CheckReply holds the diagnostics in the order of the text. */
export interface CheckReply {
  diagnostics: Diagnostic[];
  field?: FieldProblem;
}

/** FieldProblem is what is wrong with one field of the free page's form. */
export interface FieldProblem {
  field: string; // an argument's name, or "grid"
  text: string;
}

/** PuzzleRequest runs a puzzle's checks on a source. */
export interface PuzzleRequest {
  puzzle: number;
  custom?: Custom; // instead of Puzzle
  source: string;
  strict?: boolean; // refuse what Triton's GPU compiler refuses
  remote?: Remote; // where the launches run; in the page where it is absent
}

/** Verdict is the outcome of a puzzle's checks. */
export interface Verdict {
  puzzle: number;
  pass: boolean;
  message: string; // one sentence that sums it up
  tests: number; // of the puzzle, run or not
  classic: Check;
  strict: Check;
  diagnostics: Diagnostic[];
  prints: Print[];
  compileMs: number;
  runMs: number;
  compared?: Compared;
}

/** OtherSizesReply is what came of an answer at sizes that no test has. */
export interface OtherSizesReply {
  message: string; // a sentence; empty where no other sizes were tried
  failure?: FailureAtSizes;
}

/** MistakeReply is the mistake in an answer, if it is known. Its first fix makes the answer pass every test. It may be one of the diagnostics of the verdict. */
export interface MistakeReply {
  found?: Diagnostic;
}

/** FailureAtSizes is a launch that fails: an InspectRequest takes its case and sizes. */
export interface FailureAtSizes {
  case: number;
  sizes: Record<string, number>;
  text: string; // the sizes as a person reads them: N0 = 7
  diagnostics: Diagnostic[];
}

/** Check is one of the two checks: the notebooks' own, and the stricter one. */
export interface Check {
  pass: boolean;
  ran: boolean;
  cases: Case[];
}

/** Case is one launch of a check. */
export interface Case {
  name: string; // what is special about it, in the request's language
  sizes: string;
  seed: number;
  pass: boolean;
  detail?: CaseDetail;
}

/** CaseRequest asks for the detail of the test of an answer with a number, counted from 0. */
export interface CaseRequest {
  of: PuzzleRequest;
  number: number;
}

/** CaseDetail is what came of a launch of a check. */
export interface CaseDetail {
  message: string;
  wrong: number; // elements outside the tolerance
  compared: boolean; // the launch ended, and its output was compared
  maxError: number;
  rtol: number;
  atol: number;
  first: Element[]; // the first wrong elements, at most 16
  output?: TensorView;
  expected?: TensorView;
  inputs?: Tensor[];
}

/** Element is one output element beside what it should be. */
export interface Element {
  index: number[];
  got: string;
  want: string;
  program?: number[]; // the program that wrote it last, if one did
}

/** TensorView shows a tensor's values, one element in each cell of a picture with rows and columns: the last dimension runs across, the others down. */
export interface TensorView {
  name: string;
  dtype: string; // as torch names it: float32
  shape: number[];
  values: string; // of the cells, row by row: float64s, little-endian, in base64
  step?: number[];
  at?: number[];
  wrong: number[]; // cells whose element lies outside the tolerance
  unwritten: number[]; // cells whose element no program wrote, where that is known
}

/** Tensor is a tensor as torch prints it. */
export interface Tensor {
  name: string;
  text: string;
}

/** Print is one line that the kernel printed. */
export interface Print {
  program: number[];
  line: number;
  text: string;
}

/** FreeRequest runs any kernel on arguments of the user's own. */
export interface FreeRequest {
  source: string;
  kernel: string; // empty: the last kernel of the source
  args: FreeArg[];
  grid: string; // Python: "4", "(4, 2)", "triton.cdiv(n, BLOCK)"; argument names may be used
  seed: number;
  strict?: boolean;
  remote?: Remote;
}

/** FreeArg is one argument of a free run. */
export interface FreeArg {
  name: string;
  kind: string; // "tensor", "int", "float", "bool", "constexpr"
  dtype?: string; // tensors: as torch names it
  shape?: string; // tensors: Python, as "4, 200" or "M, K", of the other arguments' names too
  fill?: string; // tensors: rand, randn, randint, arange, zeros, ones, nan
  value?: string; // the rest: Python; names of other arguments may be used
}

/** FreeReply shows every tensor argument after the run. */
export interface FreeReply {
  ok: boolean;
  message: string;
  diagnostics: Diagnostic[];
  prints: Print[];
  tensors: FreeTensor[];
  grid: number[];
  compileMs: number;
  runMs: number;
  compared?: Compared;
}

/** Remote is a device of a runner, to which the page passes launches on. */
export interface Remote {
  poisons: boolean; // the device gives lanes without a value one that makes their use evident
  times: boolean; // the first launch is measured
}

/** Launch is a launch for a runner's device. Its buffers are the kernel's IR in wire form and the tensors of Submit; that of a tensor of zeros is empty. */
export interface Launch {
  number: number; // from 0 in its request
  submit: string; // the protocol's message, as JSON, without job; a document's names the device
  free?: number[];
}

/** LaunchedRequest tells what came of a Launch or an Estimate, as a further request of the call that asked for it. There is no reply to it but those of the call. Its buffers are the tensors that a Launch returned, and an empty one for each other. */
export interface LaunchedRequest {
  messages: string[]; // the runner's about the job, as they came
  lost?: string; // code of the catalogue that says why nothing came of it
  expected?: Expected; // of an Estimate; absent where Messages say why there is none
}

/** Expected is how long a launch may take, as a model of a GPU has it. */
export interface Expected {
  ms: number;
  bound: string; // what it is bound by: "memory", "cache", "compute" or "latency"
}

/** Compared are a device's results beside those of the page's own interpreter. */
export interface Compared {
  launches: number; // that both ran to their end
  unfinished: number; // launches that the device ran to their end and the page did not
  elements: number; // of the tensors that the kernel may write to
  different: number;
  maxDifference: number;
  first?: Different;
  readBytes: number;
  writtenBytes: number;
  products?: Record<string, number>;
}

/** Different is an element that the page and the device left with different values. */
export interface Different {
  launch: number;
  tensor: string;
  index: number; // row-major
  page: string;
  device: string;
}

/** VersionsReply says what each version of Triton makes of a text, the oldest first. */
export interface VersionsReply {
  versions: VersionReply[];
  rewrite?: Fix;
  kept: Diagnostic[];
}

/** VersionReply is what a version makes of a text. Verdict is "accepts", "warns", "refuses", or "unknown" where newt lacks what it would take to say. */
export interface VersionReply {
  triton: string; // 3.8
  chosen: boolean; // the text is checked and run for this one
  verdict: string;
  diagnostics: Diagnostic[]; // errors and warnings
  choose: Fix; // writes the line with which the text is for this version
}

/** IRRequest asks for the kernel that a CheckRequest compiles, as runners and the compiler to PTX take it. */
export interface IRRequest {
  of: CheckRequest;
}

/** IRReply holds the kernel; its IR is empty where it does not compile. */
export interface IRReply {
  ir: string; // base64
  lowered?: string; // the same before its passes
  kernel: string;
  signature: string; // what it was compiled for
  numWarps?: number;
  numStages?: number;
}

/** JobRequest asks for a launch as it travels to a device. */
export interface JobRequest {
  of: InspectRequest; // the launch
}

/** JobReply holds a launch. Its buffers are the launch's tensors, with an empty one for each that is all zeros. */
export interface JobReply {
  message?: string; // why there is none
  kernel: IRReply;
  launch: string; // the protocol's message, as JSON
}

/** StopRequest ends a document's run, as a further request of the call that asked for it: the cell that runs is interrupted, those after it do not run, and the session goes on. There is no reply to it but that of the call. */
export interface StopRequest {
  sweep?: boolean; // only what is left of the sweep that is measured
}

/** FreeTensor is a tensor argument after the run; Changed counts elements the kernel changed. */
export interface FreeTensor {
  view: TensorView;
  text: string;
  changed: number;
}

/** KernelsRequest asks which kernels a source defines, and for sensible arguments of each. */
export interface KernelsRequest {
  source: string;
}

/** KernelsReply lists the kernels in order. */
export interface KernelsReply {
  kernels: Kernel[];
}

/** Kernel is one @triton.jit function with the launch proposed for it. */
export interface Kernel {
  name: string;
  args: FreeArg[];
  grid: string;
}

/** CompleteRequest asks for completions at an offset. */
export interface CompleteRequest {
  source: string;
  offset: number;
  needed?: string[]; // names of tl that the puzzle asks for, the newest first
}

/** CompleteReply lists completions that replace From…offset. */
export interface CompleteReply {
  from: number;
  items: Completion[];
}

/** Completion is one proposal. */
export interface Completion {
  label: string;
  kind: string; // "function", "keyword", "variable", "type", "property"
  detail: string; // signature
  doc: string; // one paragraph, Markdown-free
  rank: number; // from 0 to 99: how likely it is meant
}

/** SignatureRequest asks for the call whose arguments are written at an offset. */
export interface SignatureRequest {
  source: string;
  offset: number;
}

/** SignatureReply describes a call; its name is empty where there is none that is known. */
export interface SignatureReply {
  open: number; // where the call's bracket opens
  name: string;
  params: string[]; // as Python writes them
  active: number; // the parameter being given; -1 for none
  doc: string; // one sentence
}

/** HoverRequest asks what stands at an offset. */
export interface HoverRequest {
  source: string;
  offset: number;
}

/** HoverReply is empty where nothing is known. */
export interface HoverReply {
  from: number;
  to: number;
  signature: string;
  doc: string;
  example: string;
}

/** Diagnostic is a diag.Diagnostic in the request's language. */
export interface Diagnostic {
  code: string;
  severity: string; // "error", "warning", "hint"
  headline: string;
  label: string;
  why: string;
  help: string;
  triton?: string;
  from: number;
  to: number;
  line: number;
  column: number;
  related: Related[];
  fixes: Fix[];
  test?: number; // of a puzzle, counted from 1: whose launch it is of
}

/** Related is another place that explains a diagnostic. */
export interface Related {
  from: number;
  to: number;
  line: number;
  text: string;
}

/** Fix is a set of edits to apply together. */
export interface Fix {
  title: string;
  safe: boolean;
  edits: Edit[];
}

/** Edit replaces From…To by Insert. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
}

/** DocumentRequest runs cells of a document, one after another. */
export interface DocumentRequest {
  text: string; // the whole document, in the percent format
  name?: string;
  cells: CellPlace[]; // those to run
  session: string; // whose variables they share; a name that is not the last one begins a session
  strict?: boolean;
  files?: GivenFile[];
  remote?: RemoteDevice;
  rank?: boolean;
}

/** RemoteDevice is a device of a runner, on which a document's tensors stay between launches. */
export interface RemoteDevice {
  hello: string; // the runner's, as JSON
  device: string; // its id
}

/** GivenFile is a file next to a document. */
export interface GivenFile {
  name: string;
  bytes: number;
}

/** CellPlace is where the code of a cell lies in the text of its document. */
export interface CellPlace {
  run: number; // what the replies call this run of the cell
  instead?: number; // the earlier run of the cell, whose launches are forgotten
  from: number;
  to: number;
}

/** DocumentReply tells what happened since the reply before it. The last one has no run. */
export interface DocumentReply {
  run?: number; // of a cell
  outputs: CellOutput[];
  launches: CellLaunch[]; // that ended
  sweep?: SweepPoint[];
  sweeping?: Sweeping; // the point that is measured now
  rankings?: Ranking[]; // those that are new or have changed, as they are now
  ended?: CellEnd;
  diagnostics: Diagnostic[]; // in the last reply: of all the cells
}

/** CellOutput is a piece of what a cell prints or shows. Its kind is "stdout", "stderr", "error" for a traceback, "display", or "value" for the last expression's. Text is there in every form. */
export interface CellOutput {
  kind: string;
  text: string;
  html?: string; // by a stranger: sanitize it before it is shown
  markdown?: string;
  figure?: Plot;
  mime?: string;
  image?: string; // base64 of what MIME says
}

/** Plot is a figure of matplotlib's. */
export interface Plot {
  json: string; // a figure.Figure
  tables: Table[]; // its numbers
  pixels: string[]; // of its images in order: PNG, in base64
  colorbars: string[];
}

/** Table is the numbers of a plot as text. */
export interface Table {
  title?: string;
  columns: string[];
  rows: string[][];
  cut?: boolean; // it goes on
}

/** SweepPoint is a measurement of a sweep: of a config that autotune has timed, or of a point of perf_report. */
export interface SweepPoint {
  name: string; // the kernel's, or the plot's
  label: string; // the config, or the line with its point
  number: number;
  total: number;
  value: number;
  failed: boolean; // the config cannot run
  best?: string; // label of the fastest config so far
  registers: number; // of a thread; 0 where nothing has counted them
  spillBytes: number; // of a thread
  compileMs: number; // 0 where it is not known
}

/** Sweeping is how far a sweep by perf_report has come. */
export interface Sweeping {
  name: string; // the plot's
  number: number; // of the point that is measured now, from 1
  total: number;
  leftMs: number; // what the rest may take if it goes on like this; 0 at the first point
}

/** Ranking is the order of a kernel's configs for a key of triton.autotune, by what a model of an H100 expects of them. */
export interface Ranking {
  number: number; // from 0 in the run of its cell
  kernel: string;
  key: string; // as Python prints it
  configs: RankedConfig[]; // the one that is expected to take least first
  correlation?: number;
}

/** RankedConfig is a config in a Ranking. */
export interface RankedConfig {
  label: string;
  expected?: Expected; // absent where the config needs more than the GPU has
  kept: boolean; // it is timed, or used without that
  measured?: number; // milliseconds; absent where it was not timed
  failed?: boolean; // it was to be timed, and cannot run
  used?: boolean; // it is the first, or the fastest of those measured so far
}

/** CellEnd is how the run of a cell ended. */
export interface CellEnd {
  ok: boolean;
  ms: number;
  count: number; // of the cells that the session has run: In [Count]
  launches: number; // of kernels, listed or not
}

/** CellLaunch is a launch of a kernel that a cell made. */
export interface CellLaunch {
  number: number; // from 1 in its session
  kernel: string;
  grid: number[];
  args: LaunchArg[];
  options: LaunchArg[]; // num_warps and num_stages, those of Triton where none are given, then others
  line: number; // of the document
  ms: number;
  ok: boolean;
  message: string; // why it failed
  kept: boolean; // can be opened: of many by one call, only the first are
}

/** LaunchArg is an argument of a launch: a tensor's type and shape, or a value; or an option. */
export interface LaunchArg {
  name: string;
  text: string;
}

/** LookRequest asks for a launch of a session: for what it did to its tensors, as a free run, or for its kernel's IR. Nothing is in the reply where the launch's arguments are no longer kept. */
export interface LookRequest {
  session: string;
  number: number;
  text: string; // that the document has now, for places
}

/** InspectRequest asks what one launch does to memory: all its programs in summary, and one of them step by step. One of Puzzle, Free and Look says which launch; it is made on copies of its tensors. */
export interface InspectRequest {
  puzzle?: PuzzleRequest;
  case?: number; // of the puzzle's tests; 0 is the first
  sizes?: Record<string, number>;
  free?: FreeRequest;
  look?: LookRequest;
  program?: number[];
  from?: number;
  whole?: boolean;
}

/** WhyRequest asks what one element comes from: of a tensor, with what wrote it or why nothing did, or of a step's value. */
export interface WhyRequest {
  of: InspectRequest; // the launch
  tensor: number; // of InspectReply.Tensors; -1 is the last, a puzzle's output
  element: number; // by its number row by row
  value?: StepValue; // instead of Tensor
}

/** StepValue is the value of a program's step. */
export interface StepValue {
  program: number[];
  step: number; // of the program
}

/** WhyReply begins with the store that wrote the element, or should have, or with the step of the value. Each of Origins is followed by those that it comes from, one deeper. */
export interface WhyReply {
  message?: string; // why there is nothing to say
  tensor: number; // -1 where a value was asked of
  element: string; // z[5]
  got: string;
  expected?: string; // where it is known
  program: number[]; // whose steps Origins are
  origins: Origin[];
  left: number; // origins that are not listed
  formulas?: Formulas;
}

/** Formulas are how an element was computed, and how the specification computes it, side by side. */
export interface Formulas {
  says: string;
  yours: FormulaText[];
  expected: FormulaText[];
  marks: FormulaMark[];
}

/** FormulaText is a piece of a formula. */
export interface FormulaText {
  text: string;
  kind?: string;
  differs?: boolean;
}

/** FormulaMark is elements of a tensor that one of two formulas has and the other has not. */
export interface FormulaMark {
  tensor: number; // of InspectReply.Tensors
  yours: number[];
  expected: number[];
}

/** Origin is an operation that an element comes from, or an argument. */
export interface Origin {
  depth: number;
  line: number; // 0 where it is no operation
  step: number; // of the program; -1 where it is no operation
  sentence: string;
}

/** SeekRequest asks for the next step, or the one before, at which a program is at one of Stops, from a step of a program on. A StopRequest ends it. */
export interface SeekRequest {
  of: InspectRequest; // the launch
  program: number[]; // an index for each of three axes
  step: number; // -1 is before the first
  back?: boolean;
  within?: boolean; // the program alone
  stops: Stop[];
}

/** Stop is where a line has run, in an iteration, and a condition holds. */
export interface Stop {
  line: number;
  condition?: string; // of Python; empty holds everywhere
  iterations?: number[]; // of the loops around it, as many as are given
}

/** SeekReply is a step of a program. */
export interface SeekReply {
  message?: string;
  stop: number; // in SeekRequest.Stops; -1 where no step was found
  program: number[];
  step: number;
}

/** CoursesRequest asks for the courses of several programs of a launch. A StopRequest ends it. */
export interface CoursesRequest {
  of: InspectRequest;
  from: number; // the first program, by its number
  count: number;
}

/** CoursesReply holds them in program order; fewer where the grid or the launch ends before. */
export interface CoursesReply {
  message?: string; // why there is nothing to show
  courses: Course[];
}

/** Course is what a program does, in short. */
export interface Course {
  program: number[];
  steps: number;
  loads: number;
  stores: number;
  atomics: number;
  problem: number; // the first step at which something is wrong; -1 where none is
  stride: number; // steps that each of Marks stands for
  marks: number[]; // what they do, as bits: 1 loads, 2 stores, 4 updates atomically, 8 is wrong
}

/** InspectReply is what a launch does to memory. Arrays are in the reply's one buffer, little-endian: eight bytes, of which the first four tell how many bytes follow, then its elements, padded to a multiple of eight. A field that names an array holds where it begins there, or -1 where there is none. */
export interface InspectReply {
  message?: string; // why there is nothing to show
  kernel: string;
  case: number; // the puzzle's test that is shown
  cases: number; // tests of the puzzle; 0 elsewhere
  grid: number[];
  program: number[]; // the one whose steps these are
  arguments: Argument[];
  tensors: InspectedTensor[];
  sites: Site[]; // that Steps are of
  loops: Loop[];
  iterations: Iteration[]; // that Steps are in
  steps: Step[];
  from: number; // the number of the first of Steps
  total: number; // steps of the program
  more?: boolean; // the launch was ended early: one that is Whole has more
  diagnostics: Diagnostic[];
}

/** Argument is an argument of the launch's call. */
export interface Argument {
  name: string;
  type: string; // int32, pointer<float32>; constexpr where the value is known while compiling
  text: string; // 200, True; the first element of a tensor: x[0]
}

/** Loop is one execution of a loop. */
export interface Loop {
  line: number;
  last: number; // the number of its last iteration; a while has one more, in which its condition is false
}

/** InspectedTensor is a tensor argument before and after a launch, one element in each cell of a picture, as in TensorView, and which programs touch it. Programs are numbered in program order: z runs fastest. */
export interface InspectedTensor {
  name: string;
  dtype: string;
  shape: number[];
  rows: number;
  columns: number;
  covers: number[]; // the rows and columns of elements that a cell covers
  before: number; // float64 of each cell
  after: number; // float64 of each cell
  readers: number; // int32 of each cell: the program that reads an element; -1 is none, -2 several
  writers: number; // int32 of each cell: the program that writes an element; -1 is none, -2 several
}

/** Site is an operation as the source writes it, with the type of the value that it gives. */
export interface Site {
  from: number; // of the operation's text
  to: number;
  line: number;
  name?: string; // the variable that it is assigned to
  op: string; // as written: tl.load, pid * B0, tl.sum
  type?: string; // int32[32], pointer<float32>[32]; absent without a value
}

/** Iteration is where in loops some steps are. */
export interface Iteration {
  loops: number[]; // around them, outermost first, in InspectReply.Loops
  numbers: number[]; // of their iterations
}

/** Step is one operation of a program, with the value that it gives. */
export interface Step {
  site: number; // in InspectReply.Sites
  iteration: number; // in InspectReply.Iterations; -1 is in no loop
  text?: string; // of the value, shortened: 192 193 … 223, 8 of 32 true
  values: number; // float64 of each lane, row by row; offsets of a pointer
  inputs?: StepInputs; // of a reduction or a matrix product
  access?: StepAccess;
  problem?: string; // what is wrong at this step, as a headline
}

/** StepInputs are what a reduction or a matrix product computes its value of. */
export interface StepInputs {
  axis: number; // of the reduction; -1 is a matrix product
  values: StepInput[]; // of a matrix product the factors and the accumulator
}

/** StepInput is a value that a step takes. */
export interface StepInput {
  name?: string; // the variable that holds it
  type: string;
  values: number; // float64 of each lane, row by row
}

/** StepAccess is what a step's load, store or atomic operation does to one tensor. */
export interface StepAccess {
  tensor: number; // in InspectReply.Tensors
  kind: string; // load, store, atomic
  elements: number; // int32 of each lane: the element, row-major; outside where not in the tensor
  mask: number; // a byte of each lane: whether it takes part; -1 where all do
  masked: number; // lanes that the mask leaves out
  outside: number; // lanes that take part and lie outside of the tensor
  sentence: string; // program 6 reads x[192:224]; 24 lanes lie past the end
}

/** FindingsRequest asks what the sanitizers find in a launch. A StopRequest ends it. */
export interface FindingsRequest {
  of: InspectRequest;
  whole?: boolean; // check all programs of a large launch, which takes seconds
}

/** FindingsReply holds what they find in the order of the text, accesses out of bounds included. */
export interface FindingsReply {
  message: string; // why the launch was not checked; empty where it was
  findings: Finding[];
  total: number; // with those that are not listed
  limits: string[]; // why not all of the launch was checked
  more: boolean; // Whole checks more of it
  proof?: Proof;
}

/** Proof is what is proved of a launch. A level is "no", "launch" for this one, "grid" for any grid, or "size" for any size. */
export interface Proof {
  accesses: ProvedAccess[]; // in the order of the code
  tensors: ProvedTensor[]; // that the kernel writes
  limits: string; // what any grid and any size mean
  overflows: ProvedOverflow[];
}

/** ProvedOverflow is an integer that wraps at larger sizes than this launch has, where an address or a mask rests on it. */
export interface ProvedOverflow {
  text: string;
  diagnostic: Diagnostic; // with a fix
}

/** ProvedAccess is a load, store or atomic operation, and how far it is proved to stay in bounds. */
export interface ProvedAccess {
  line: number;
  tensor: number; // in InspectReply.Tensors; -1 where it may be one of several
  level: string;
  text: string; // line 11: load `x` in bounds: proved for any size
  counterexample?: Counterexample;
}

/** Counterexample is the smallest launch found in which an access leaves its tensor. */
export interface Counterexample {
  sizes: string; // N0 = 33
  text: string;
  program: number[];
  launch?: InspectRequest; // absent where the page cannot make it
}

/** ProvedTensor is a tensor, and how far it is proved that no two programs race on it. */
export interface ProvedTensor {
  tensor: number;
  level: string;
  text: string;
}

/** Finding is one place in the source at which something is found, with the first program that shows it. */
export interface Finding {
  diagnostic: Diagnostic;
  program: number[];
  step: number; // of the program, as in InspectReply; -1 where that is not known
  tensor: number; // in InspectReply.Tensors; -1 where none is accessed
  elements: number[]; // that the lanes concerned access, as in StepAccess
  where: string; // program 1, lanes 8 to 31: x[40:64]
  value: string; // that the first of the lanes loads or stores; empty where it is not known
}

/** OpenRequest asks what a file holds, whose bytes are the request's buffer. */
export interface OpenRequest {
  name: string;
}

/** OpenReply is a document as one text in the percent format, or the problem with its file. Files are what the file holds beside the text, one buffer each: those of recorded launches, which become a script. */
export interface OpenReply {
  name: string; // of the document; not that of the file where that was no document itself
  text: string;
  format: string; // "python", "notebook", "markdown", "transcript"
  cells: OpenedCell[]; // those of code, in order
  pictures: Picture[]; // within its prose
  files: GivenFile[];
  problem?: string;
}

/** Picture is a picture that the text has by its name only. */
export interface Picture {
  name: string;
  mime: string;
  data: string; // base64
}

/** OpenedCell is what a notebook has kept of a run of a cell. */
export interface OpenedCell {
  outputs: CellOutput[];
  count: number;
}

/** ProseRequest asks for Markdown as HTML. */
export interface ProseRequest {
  sources: string[];
  plain?: boolean; // HTML in them is text
}

/** ProseReply holds the HTML of each source, by a stranger: sanitize it before it is shown. Formulas are <code class="math"> elements; pictures that the document names have their names as addresses. */
export interface ProseReply {
  html: string[];
}

/** SaveRequest asks for a document as a file. Its buffer is the file that it was opened from, if there is one. */
export interface SaveRequest {
  name: string; // of the file to write
  from: string; // the name of the file that it was opened from; "" if there is none
  format: string; // as in OpenReply
  text: string; // in the percent format
  cells: SavedCell[];
}

/** SavedCell is what the page shows beneath a cell of code. */
export interface SavedCell {
  cell: number; // its place among the cells of code
  outputs: CellOutput[];
  count: number;
}

/** SaveReply holds the file. */
export interface SaveReply {
  text: string;
  mime: string;
}

/** ScriptRequest asks for a call of the free page's form as Python beneath its kernel. */
export interface ScriptRequest {
  of: FreeRequest;
}

/** ScriptReply holds the document, or what is wrong with the form. */
export interface ScriptReply {
  source: string;
  problem?: string;
}

/** Custom is a puzzle of somebody's own: its folder, as puzzles/README.md describes it. */
export interface Custom {
  folder: string; // such as 01_my_puzzle
  files: File[];
}

/** File is one text file of a puzzle's folder. */
export interface File {
  name: string;
  text: string;
}

/** LoadRequest asks whether a puzzle of somebody's own is sound, and for what the page shows of it. */
export interface LoadRequest {
  custom: Custom;
}

/** LoadReply holds the puzzle, or why it cannot be used. */
export interface LoadReply {
  ok: boolean;
  problems: Problem[];
  number: number;
  title: string;
  kernel: string;
  statement: string;
  picture: string; // SVG that passed the check of pictures
  starter: string;
  hints: string[];
  solutions: Solution[];
  learned: string;
  refused?: string[]; // codes of diagnostics that a question is about
  goals?: Goal[];
  timing?: Record<string, number>;
}

/** MakeRequest asks for a puzzle made of a kernel that works, and of a call of it. */
export interface MakeRequest {
  of: FreeRequest;
  number: number; // of the puzzle
}

/** MakeReply holds the puzzle, or why there is none. */
export interface MakeReply {
  custom?: Custom;
  problem?: string;
}

/** Problem is what is wrong with a file of a puzzle. */
export interface Problem {
  file: string;
  line: number;
  text: string;
  label: string; // what was meant, perhaps
  help: string;
}

/** Solution is a correct answer of a puzzle. */
export interface Solution {
  title: string;
  why: string; // Markdown: why one might prefer it to the others, and when not; may be empty
  source: string;
}

/** LinkState is everything that a share link carries. */
export interface LinkState {
  source: string;
  puzzle: number; // 0 on the free page
  lang: string; // that its author read in; "" for the reader's own
  strict: boolean;
  view: string;
  free?: LinkFree;
  results?: LinkResults; // what its author saw, as a claim
  custom?: Custom;
  look?: LinkLook; // what its author chose in the memory view
  code?: LinkCode; // what its author chose of the kernel's code
  document?: LinkDocument;
}

/** LinkDocument is a document's file, whose text is the link's source, and those next to it. */
export interface LinkDocument {
  name: string;
  format: string;
  files: LinkFile[];
}

/** LinkFile is a file of any content. */
export interface LinkFile {
  name: string;
  data: string; // in base64
}

/** LinkLook is what of a launch the memory view shows, by a stranger: the kernel may have no such test, program or step. */
export interface LinkLook {
  test: number; // as link.Look has it: of a puzzle's tests, or of a document's launches
  all: boolean; // all programs at once
  program?: number[];
  step: number; // counted from 0; -1 is the last one, -2 that of the first problem
}

/** LinkCode is which stage of compilation is shown, by a stranger: the page may have no stage or target of these names. */
export interface LinkCode {
  stage: string;
  target: string;
  unchecked: boolean;
  base?: LinkBase;
}

/** LinkBase is what a stage is compared with. */
export interface LinkBase {
  stage: string;
  target: string;
  numWarps: number; // 0: as the launch has them
  numStages: number;
  source: string; // "" is the link's own
}

/** LinkFree is the free page's form. */
export interface LinkFree {
  kernel: string;
  args: FreeArg[];
  grid: string;
  seed: number;
}

/** LinkResults is what an author's page showed. */
export interface LinkResults {
  pass: boolean;
  message: string;
  made: number; // seconds since 1970
  tensors: LinkTensor[];
  prints: string[];
}

/** LinkTensor is a tensor as the author's page printed it. */
export interface LinkTensor {
  name: string;
  dtype: string;
  shape: string;
  text: string;
}

/** PackRequest asks for the payload of a link. */
export interface PackRequest {
  state: LinkState;
}

/** PackReply holds the payload, or why there is none. */
export interface PackReply {
  payload: string;
  most: number; // letters of a payload that an address should hold; a short link holds longer ones
  error?: string;
  tooLarge?: boolean; // with less content there would be a payload
}

/** UnpackRequest asks what a link's payload holds. */
export interface UnpackRequest {
  payload: string;
}

/** UnpackReply holds the state, or why it cannot be read. */
export interface UnpackReply {
  state?: LinkState;
  error?: string;
}
