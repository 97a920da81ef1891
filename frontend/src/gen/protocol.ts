// Code generated from runner/protocol/messages.go. DO NOT EDIT.

/** ClientMessage is a text frame from a client; exactly one field is set. */
export interface ClientMessage {
  hello?: ClientHello;
  submit?: Submit;
  cancel?: JobRef;
  release?: JobRef; // the client has the job's result, the runner may forget it
}

/** ClientHello is a connection's first message. */
export interface ClientHello {
  version: number;
  token?: string;
  name?: string; // of the client program, for whoever runs the runner
  resume?: Resume;
}

/** Resume takes up a session whose connection was lost. */
export interface Resume {
  session: string;
  seen: Seen[]; // a job that is not named is sent from its beginning
}

/** Seen says up to which event the client has a job's events. */
export interface Seen {
  job: number;
  seq: number;
}

/** JobRef names a job of the session. */
export interface JobRef {
  job: number;
}

/** Submit announces a job. Frames with its IR, then with its tensors in order, follow. */
export interface Submit {
  job: number; // greater than that of every job before it in the session, at most 2³²-1
  device?: string; // the id of a device in the runner's hello; the first where empty
  irBytes: number;
  grid: number[]; // three numbers
  args: Arg[]; // one for each parameter of the kernel
  tensors: Tensor[];
  numWarps?: number; // 0: the device's default
  numStages?: number; // 0: the device's default
  poison?: boolean; // lanes without a value get one that makes their use evident, where the device can
  races?: boolean; // look for races between programs, where the device can
  budget?: number; // bounds the work; 0: the device's default
  deadlineMs?: number;
  timing?: TimingRequest;
}

/** Tensor is a piece of memory that kernel arguments point into. Several may point into one. */
export interface Tensor {
  bytes: number;
  zero?: boolean; // begins as zeros; nothing is sent for it
  return?: boolean; // is sent back after the launch
}

/** Arg is a kernel argument: a pointer where Tensor is there, a scalar where Bits is there. */
export interface Arg {
  name?: string; // of the tensor, for messages; the parameter's where empty
  dtype: string; // as the IR's text form writes it: "fp32", "i32"
  tensor?: number; // index into the job's tensors
  offset?: number; // of the pointer, in elements
  bits?: string; // the scalar's memory image, zero-extended, in hexadecimal digits
}

/** TimingRequest asks for the launch to be measured after its results were taken. */
export interface TimingRequest {
  warmupMs?: number; // 0: 25
  measureMs?: number; // 0: 100
}

/** ServerMessage is a text frame from the runner; exactly one field besides Job and Seq is set. Events with a Seq are numbered from 1 in each job, frames with results among them, and are repeated after a resume; those without are only of use at the time. */
export interface ServerMessage {
  job?: number;
  seq?: number;
  hello?: ServerHello;
  error?: Error;
  queued?: Queued;
  started?: Started;
  compiled?: Compiled;
  progress?: Progress;
  prints?: Prints;
  diagnostics?: Diagnostics;
  timings?: Timings;
  done?: Done;
}

/** ServerHello answers the client's. */
export interface ServerHello {
  version: number; // of the protocol
  newt: string; // the runner's own version
  session: string; // the key to resume with: keep it secret
  resumed?: boolean;
  jobs: JobState[]; // after a resume: the jobs that the runner still has
  devices: Device[];
  limits: Limits;
}

/** JobState is a job as it stands. */
export interface JobState {
  job: number;
  state: string; // "arriving", "queued", "running", or a state of Done
}

/** Device is what a device is and can do. */
export interface Device {
  id: string; // "cpu", "cuda:0"
  name: string;
  memoryBytes: number; // 0 where there is no limit
  dtypes: string[];
  deterministic: boolean;
  poisons: boolean;
  findsRaces: boolean;
  times: boolean;
  arch?: string;
  driver?: string;
  processors?: number;
  bytesPerSecond?: number; // the most that memory can carry
  flops?: Record<string, number>; // operations a second, by the name of the arithmetic
}

/** Limits are what the runner takes. */
export interface Limits {
  messageBytes: number; // a text frame from a client
  chunkBytes: number; // the payload of a binary frame
  irBytes: number; // a kernel
  tensors: number; // of a job
  args: number; // of a job
  jobBytes: number; // tensors of a job
  totalBytes: number; // tensors of all jobs, results that wait to be fetched included
  clientJobs: number; // of a session that have not ended
  keptJobs: number; // of a session that have ended and were not released
  queuedJobs: number; // of all sessions that wait for a device
  connections: number; // in all
  strangers: number; // connections of one address that have not said hello
  sessions: number; // in all, those without a connection included
  helloMs: number; // until a client's hello
  arriveMs: number; // between two frames of a job that arrives
  queueMs: number; // in the queue
  defaultJobMs: number; // compiling and running, where a job says nothing
  maxJobMs: number; // that a job may ask for
  measureMs: number; // that a job may ask to be measured, warming up included
  vanishMs: number; // that jobs go on without a connection
  keepMs: number; // that a result is kept
  writeMs: number; // that a client may take to read a frame
  pingMs: number; // between two pings; a client that answers none of three is gone
  printBytes: number; // of a job's prints
  ptxBytes: number; // of PTX that is shown
  maxDiagnostics: number; // of a job
  stuckMs: number; // that a device has for stopping a job
}

/** Error says what a message did wrong. After a fatal one the connection is closed. */
export interface Error {
  fatal?: boolean;
  diagnostic: Diagnostic;
}

/** Queued says how many jobs will run before this one. */
export interface Queued {
  position: number;
}

/** Started says that a device has taken the job. */
export interface Started {
  device: string;
}

/** Compiled says what a device made of the kernel. */
export interface Compiled {
  ptx: string; // empty where it is longer than the runner shows
  lines: number[]; // for each line of PTX two byte offsets in the source, 0 and 0 where it came from nowhere
  registers: number;
  spillBytes: number;
  sharedBytes: number;
  toPtxMs: number;
  toSassMs: number;
  cacheHit: boolean;
  log: string;
}

/** Progress counts the programs of the launch. */
export interface Progress {
  done: number;
  total: number;
}

/** Prints are what the kernel printed, in program order. */
export interface Prints {
  prints: Print[];
  dropped: number; // prints that are not among them
}

/** Print is what one print operation of one program wrote. */
export interface Print {
  program: number[];
  start: number; // byte offsets in the source
  end: number;
  text: string;
}

/** Diagnostics are accesses out of bounds and races. */
export interface Diagnostics {
  list: Diagnostic[];
  dropped: number;
}

/** Timings are measured launches and their spread, in nanoseconds. */
export interface Timings {
  samples: number[];
  min: number;
  lowerQuartile: number;
  median: number;
  upperQuartile: number;
  n: number;
  clock: string; // that measured: "wall", "events"
  driver?: string;
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
  queueMs: number;
  loadMs: number; // compiling
  runMs: number; // copies included, measuring not
}

/** Diagnostic is a message about a place in the source, in both languages. */
export interface Diagnostic {
  code: string;
  severity: string; // "error", "warning", "hint"
  start: number; // byte offsets in the source
  end: number;
  args: DiagnosticArg[];
  related: Related[];
  runtime?: Runtime;
  en: Words;
  zh: Words;
}

/** Words are a diagnostic in one language. */
export interface Words {
  headline: string;
  label?: string;
  why?: string;
  help?: string;
}

/** DiagnosticArg is an argument of a diagnostic's words: a number, or text in both languages. */
export interface DiagnosticArg {
  number?: number;
  en?: string;
  zh?: string; // En where it is empty
}

/** Related is another place that explains a diagnostic. */
export interface Related {
  start: number;
  end: number;
  key: string; // of the catalogue's phrase
  args: DiagnosticArg[];
  en: string;
  zh: string;
}

/** Runtime says which program, tensor and element a fault concerns. */
export interface Runtime {
  program: number[];
  tensor: string;
  index: number;
  size: number; // elements that the tensor has
  count: number; // such accesses in the launch
}
