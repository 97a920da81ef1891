// Code generated from runner/protocol/messages.go. DO NOT EDIT.

/** ClientMessage is a text frame from a client; exactly one field is set. */
export interface ClientMessage {
  hello?: ClientHello; // the first message of a connection
  submit?: Submit; // announces a job
  cancel?: JobRef; // stops a job in any state; one that has ended stays as it is
  release?: JobRef; // the client has the job's result, the runner may forget it
  free?: Buffers; // frees buffers once no job of the session that names them is left
}

/** ClientHello is a connection's first message. */
export interface ClientHello {
  version: number; // of the protocol: 1
  token?: string; // needed if the runner has a token file
  name?: string; // of the client program, for the runner's log
  resume?: Resume; // resumes an earlier session
}

/** Resume names the session, whose connection was lost, that the client goes on with. */
export interface Resume {
  session: string; // the key of the runner's earlier hello
  seen: Seen[]; // a job that is not named is sent from its beginning
  connection?: number; // counts those that resume it: one that comes late is refused
}

/** Seen says up to which event the client has a job's events. */
export interface Seen {
  job: number; // its number
  seq: number; // the last event that the client has; 0: none
}

/** JobRef names a job of the session. */
export interface JobRef {
  job: number; // its number
}

/** Buffers names buffers of the session. */
export interface Buffers {
  buffers: number[]; // their numbers; those that do not exist are ignored
}

/** Submit announces a job. Frames with its IR, then with its tensors in order, follow. */
export interface Submit {
  job: number; // above every earlier one of the session, at most 2³²-1
  device?: string; // id of a device in the hello; the first if empty
  irBytes: number; // length of the IR's wire form; 0: nothing is launched
  grid: number[]; // three numbers
  args: Arg[]; // one for each parameter of the kernel; see Arg.address
  tensors: Tensor[]; // the memory of the launch
  numWarps?: number; // 0: the device's default
  numStages?: number; // 0: the device's default
  poison?: boolean; // masked-off lanes hold NaN or infinity, if the device can
  races?: boolean; // look for races between programs, where the device can
  budget?: number; // bounds the work; 0: the device's default
  deadlineMs?: number; // to compile and run; 0: defaultJobMs, at most maxJobMs
  timing?: TimingRequest; // measure the launch, too
  sass?: boolean; // report the kernel's machine code, where the device can
}

/** Tensor is a piece of memory that kernel arguments point into. Several may point into one. */
export interface Tensor {
  bytes: number; // its length
  zero?: boolean; // begins as zeros; nothing is sent for it
  return?: boolean; // is sent back after the launch
  buffer?: number; // number of the session's buffer as which it stays; 0: none
  held?: boolean; // begins as the buffer is; nothing is sent for it
}

/** Arg is a kernel argument: a pointer where Tensor is there, a scalar where Bits is there. */
export interface Arg {
  name?: string; // of the tensor, for messages; the parameter's where empty
  dtype: string; // as the IR's text form writes it: "fp32", "i32"
  tensor?: number; // index into the job's tensors
  offset?: number; // of the pointer, in elements
  address?: number; // what the kernel takes for that of the tensor
  bits?: string; // the scalar's memory image, zero-extended, in hexadecimal digits
}

/** TimingRequest asks for the launch to be measured after its results were taken. */
export interface TimingRequest {
  warmupMs?: number; // 0: 25
  measureMs?: number; // 0: 100
}

/** ServerMessage is a text frame from the runner; exactly one field besides Job and Seq is set. Events with a Seq are numbered from 1 in each job, frames with results among them, and are repeated after a resume; those without are only of use at the time. */
export interface ServerMessage {
  job?: number; // the job that an event concerns
  seq?: number; // the number of the event
  hello?: ServerHello; // the first message of a connection
  error?: Error; // of a message, or, with job, of a submit
  queued?: Queued; // the job has arrived and waits
  started?: Started; // a device has taken the job
  compiled?: Compiled; // from GPUs only
  progress?: Progress; // now and then
  prints?: Prints; // once, where the kernel printed
  diagnostics?: Diagnostics; // once, if there are any
  timings?: Timings; // where the submit asked for them
  sass?: SASS; // where the submit asked for it
  done?: Done; // the last event of a job
}

/** ServerHello answers the client's. */
export interface ServerHello {
  version: number; // of the protocol
  newt: string; // the runner's own version
  session: string; // the key to resume with: keep it secret
  resumed?: boolean; // the session is the one that resume named
  jobs: JobState[]; // after a resume: the jobs that the runner still has
  devices: Device[]; // at least one
  limits: Limits; // of this runner
}

/** JobState is the current state of a job. */
export interface JobState {
  job: number; // its number
  state: string; // "arriving", "queued", "running", or a state of Done
}

/** Device describes a device of the runner. */
export interface Device {
  id: string; // "cpu", "cuda:0"
  name: string; // for people
  memoryBytes: number; // 0 if there is no limit
  dtypes: string[]; // those that kernels may use
  deterministic: boolean; // the same launch gives the same bits
  poisons: boolean; // Submit.poison works
  findsRaces: boolean; // Submit.races works
  times: boolean; // Submit.timing works
  sass?: boolean; // Submit.sass works
  arch?: string; // the PTX target, such as "sm_90a"
  driver?: string; // its version
  processors?: number; // streaming multiprocessors
  bytesPerSecond?: number; // peak memory bandwidth
  flops?: Record<string, number>; // peak operations per second, by arithmetic
}

/** Limits are what the runner takes. */
export interface Limits {
  messageBytes: number; // a text frame from a client
  chunkBytes: number; // the payload of a binary frame
  irBytes: number; // a kernel
  tensors: number; // of a job
  args: number; // of a job
  jobBytes: number; // tensors of a job
  totalBytes: number; // of all jobs: kernels, tensors, results, messages
  clientBytes: number; // that the jobs of one address may take, of totalBytes
  buffers: number; // of a session; 0: the runner keeps none
  bufferSessions: number; // that may have buffers on one device
  maxBudget: number; // work that a job may ask for; a unit is about a nanosecond
  clientJobs: number; // of a session that have not ended
  keptJobs: number; // of a session that have ended and were not released
  queuedJobs: number; // of all sessions that wait for a device
  connections: number; // in all
  maxUnauthenticated: number; // connections of one address without an accepted hello
  clientConnections: number; // of one address
  clientSessions: number; // of one address, those without a connection included
  sessions: number; // in all, those without a connection included
  handshakeTimeoutMs: number; // from the connection to the client's hello
  uploadIdleTimeoutMs: number; // between two frames of an upload
  uploadTimeoutMs: number; // for the whole upload of a job
  queueMs: number; // that a job may wait in the queue
  defaultJobMs: number; // compiling and running, where a job says nothing
  maxJobMs: number; // that a job may ask for
  measureMs: number; // that a job may ask to be measured, warming up included
  disconnectGraceMs: number; // for which jobs keep running after a disconnect
  resultTtlMs: number; // for which a result is kept
  writeMs: number; // that a client may take to read a frame
  pingMs: number; // between two pings; a client that misses three is gone
  printBytes: number; // of a job's prints
  ptxBytes: number; // of PTX that is shown
  sassBytes: number; // of machine code that is shown
  maxDiagnostics: number; // of a job
  cancelGraceMs: number; // for which a device may take to stop a cancelled job
}

/** Error says what a message did wrong. After a fatal one the connection is closed. */
export interface Error {
  fatal?: boolean; // the connection ends
  diagnostic: Diagnostic; // what was wrong
}

/** Queued says how many jobs will run before this one. */
export interface Queued {
  position: number; // 1: the next
}

/** Started says that a device has taken the job. */
export interface Started {
  device: string; // its id
}

/** Compiled says what a device made of the kernel. */
export interface Compiled {
  ptx: string; // empty where it is longer than the runner shows
  lines: number[]; // two byte offsets in the source for each line of PTX; 0, 0: none
  registers: number; // of a thread
  spillBytes: number; // of a thread, in local memory
  sharedBytes: number; // of a program
  toPtxMs: number; // tile IR to PTX
  toSassMs: number; // PTX to machine code, in the driver
  cacheHit: boolean; // the kernel was compiled before
  log: string; // the driver's
}

/** SASS is the kernel's machine code. */
export interface SASS {
  arch: string; // that it is for, such as "sm_90a"
  assembled: boolean; // by ptxas, to be shown: it is not what has run
  text: string; // empty where it is longer than the runner shows, or with problem
  lines: number[]; // two byte offsets in the source for each line of text; 0, 0: none
  problem?: Diagnostic; // why there is none
}

/** Progress counts the programs of the launch. */
export interface Progress {
  done: number; // programs that ran to their end
  total: number; // programs of the grid
}

/** Prints are what the kernel printed, in program order. */
export interface Prints {
  prints: Print[]; // at most printBytes of text
  dropped: number; // prints that are not among them
}

/** Print is the output of one print operation of one program. */
export interface Print {
  program: number[]; // its index along each grid axis
  start: number; // byte offsets in the source
  end: number; // exclusive
  text: string; // without a line feed at its end
}

/** Diagnostics are accesses out of bounds and races. */
export interface Diagnostics {
  list: Diagnostic[]; // at most maxDiagnostics
  dropped: number; // those that are not among them
}

/** Timings are measured launches and their spread, in nanoseconds. */
export interface Timings {
  samples: number[]; // a launch each, in the order of measuring
  min: number; // the shortest
  lowerQuartile: number; // a quarter of the samples is shorter
  median: number; // half of the samples is shorter
  upperQuartile: number; // three quarters of the samples are shorter
  n: number; // number of samples
  clock: string; // that measured: "wall", "events"
  driver?: string; // its version
  smClock?: number; // MHz
  memClock?: number; // MHz
  flushedKb?: number; // of cache before each sample
}

/** Done is a job's last event. */
export interface Done {
  state: string; // "done", "fault", "cancelled", "refused"
  fault?: Diagnostic; // what stopped the kernel, in every state but "done"
  reason?: Diagnostic; // why the runner stopped it, where it did
  programs: number; // that ran to their end
  elapsedNs: number; // on the device
  queueMs: number; // waiting
  loadMs: number; // compiling
  runMs: number; // copies included, measuring not
}

/** Diagnostic is a message about a place in the source, in both languages. */
export interface Diagnostic {
  code: string; // row of newt's catalogue
  severity: string; // "error", "warning", "hint"
  start: number; // byte offsets in the source
  end: number; // exclusive
  args: DiagnosticArg[]; // of the catalogue's words
  related: Related[]; // other places that explain it
  runtime?: Runtime; // of faults and accesses out of bounds
  en: Words; // the words in English
  zh: Words; // the words in Chinese
}

/** Words are a diagnostic in one language. */
export interface Words {
  headline: string; // what is wrong
  label?: string; // at the place in the source
  why?: string; // why that is so
  help?: string; // what to do next
}

/** DiagnosticArg is an argument of a diagnostic's words: a number, or text in both languages. */
export interface DiagnosticArg {
  number?: number; // a number
  en?: string; // text
  zh?: string; // En where it is empty
}

/** Related is another place that explains a diagnostic. */
export interface Related {
  start: number; // byte offsets in the source
  end: number; // exclusive
  key: string; // of the catalogue's phrase
  args: DiagnosticArg[]; // of the phrase's words
  en: string; // the words in English
  zh: string; // the words in Chinese
}

/** Runtime says which program, tensor and element a fault concerns. */
export interface Runtime {
  program: number[]; // its index along each grid axis
  tensor: string; // its name
  index: number; // of the first element concerned, counted from the pointer that was passed
  size: number; // elements that the tensor has
  count: number; // such accesses in the launch
}
