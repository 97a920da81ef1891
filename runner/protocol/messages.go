package protocol

//go:generate go run ../../infra/tsgen -in messages.go -from runner/protocol/messages.go -out ../../frontend/src/gen/protocol.ts

// ClientMessage is a text frame from a client; exactly one field is set.
type ClientMessage struct {
	Hello   *ClientHello `json:"hello,omitempty"`   // the first message of a connection
	Submit  *Submit      `json:"submit,omitempty"`  // announces a job
	Cancel  *JobRef      `json:"cancel,omitempty"`  // stops a job in any state; one that has ended stays as it is
	Release *JobRef      `json:"release,omitempty"` // the client has the job's result, the runner may forget it
	Free    *Buffers     `json:"free,omitempty"`    // frees buffers once no job of the session that names them is left
}

// ClientHello is a connection's first message.
type ClientHello struct {
	Version int     `json:"version"`          // of the protocol: 1
	Token   string  `json:"token,omitempty"`  // needed if the runner has a token file
	Name    string  `json:"name,omitempty"`   // of the client program, for the runner's log
	Resume  *Resume `json:"resume,omitempty"` // resumes an earlier session
}

// Resume names the session, whose connection was lost, that the client goes on with.
type Resume struct {
	Session    string `json:"session"`              // the key of the runner's earlier hello
	Seen       []Seen `json:"seen"`                 // a job that is not named is sent from its beginning
	Connection int    `json:"connection,omitempty"` // counts those that resume it: one that comes late is refused
}

// Seen says up to which event the client has a job's events.
type Seen struct {
	Job int64 `json:"job"` // its number
	Seq int   `json:"seq"` // the last event that the client has; 0: none
}

// JobRef names a job of the session.
type JobRef struct {
	Job int64 `json:"job"` // its number
}

// Buffers names buffers of the session.
type Buffers struct {
	Buffers []int64 `json:"buffers"` // their numbers; those that do not exist are ignored
}

// Submit announces a job. Frames with its IR, then with its tensors in order, follow.
type Submit struct {
	Job        int64          `json:"job"`                  // above every earlier one of the session, at most 2³²-1
	Device     string         `json:"device,omitempty"`     // id of a device in the hello; the first if empty
	IRBytes    int            `json:"irBytes"`              // length of the IR's wire form; 0: nothing is launched
	Grid       []int          `json:"grid"`                 // three numbers
	Args       []Arg          `json:"args"`                 // one for each parameter of the kernel; see Arg.address
	Tensors    []Tensor       `json:"tensors"`              // the memory of the launch
	NumWarps   int            `json:"numWarps,omitempty"`   // 0: the device's default
	NumStages  int            `json:"numStages,omitempty"`  // 0: the device's default
	Poison     bool           `json:"poison,omitempty"`     // masked-off lanes hold NaN or infinity, if the device can
	Races      bool           `json:"races,omitempty"`      // look for races between programs, where the device can
	Budget     int64          `json:"budget,omitempty"`     // bounds the work; 0: the device's default
	DeadlineMS int            `json:"deadlineMs,omitempty"` // to compile and run; 0: defaultJobMs, at most maxJobMs
	Timing     *TimingRequest `json:"timing,omitempty"`     // measure the launch, too
	SASS       bool           `json:"sass,omitempty"`       // report the kernel's machine code, where the device can
}

// Tensor is a piece of memory that kernel arguments point into. Several may point into one.
type Tensor struct {
	Bytes  int   `json:"bytes"`            // its length
	Zero   bool  `json:"zero,omitempty"`   // begins as zeros; nothing is sent for it
	Return bool  `json:"return,omitempty"` // is sent back after the launch
	Buffer int64 `json:"buffer,omitempty"` // number of the session's buffer as which it stays; 0: none
	Held   bool  `json:"held,omitempty"`   // begins as the buffer is; nothing is sent for it
}

// Arg is a kernel argument: a pointer where Tensor is there, a scalar where Bits is there.
type Arg struct {
	Name    string `json:"name,omitempty"`    // of the tensor, for messages; the parameter's where empty
	DType   string `json:"dtype"`             // as the IR's text form writes it: "fp32", "i32"
	Tensor  *int   `json:"tensor,omitempty"`  // index into the job's tensors
	Offset  int    `json:"offset,omitempty"`  // of the pointer, in elements
	Address int64  `json:"address,omitempty"` // what the kernel takes for that of the tensor
	Bits    string `json:"bits,omitempty"`    // the scalar's memory image, zero-extended, in hexadecimal digits
}

// TimingRequest asks for the launch to be measured after its results were taken.
type TimingRequest struct {
	WarmupMS  int `json:"warmupMs,omitempty"`  // 0: 25
	MeasureMS int `json:"measureMs,omitempty"` // 0: 100
}

// ServerMessage is a text frame from the runner; exactly one field besides Job and Seq is set.
// Events with a Seq are numbered from 1 in each job, frames with results among them, and are
// repeated after a resume; those without are only of use at the time.
type ServerMessage struct {
	Job         int64        `json:"job,omitempty"`         // the job that an event concerns
	Seq         int          `json:"seq,omitempty"`         // the number of the event
	Hello       *ServerHello `json:"hello,omitempty"`       // the first message of a connection
	Error       *Error       `json:"error,omitempty"`       // of a message, or, with job, of a submit
	Queued      *Queued      `json:"queued,omitempty"`      // the job has arrived and waits
	Started     *Started     `json:"started,omitempty"`     // a device has taken the job
	Compiled    *Compiled    `json:"compiled,omitempty"`    // from GPUs only
	Progress    *Progress    `json:"progress,omitempty"`    // now and then
	Prints      *Prints      `json:"prints,omitempty"`      // once, where the kernel printed
	Diagnostics *Diagnostics `json:"diagnostics,omitempty"` // once, if there are any
	Timings     *Timings     `json:"timings,omitempty"`     // where the submit asked for them
	SASS        *SASS        `json:"sass,omitempty"`        // where the submit asked for it
	Done        *Done        `json:"done,omitempty"`        // the last event of a job
}

// ServerHello answers the client's.
type ServerHello struct {
	Version int        `json:"version"`           // of the protocol
	Newt    string     `json:"newt"`              // the runner's own version
	Session string     `json:"session"`           // the key to resume with: keep it secret
	Resumed bool       `json:"resumed,omitempty"` // the session is the one that resume named
	Jobs    []JobState `json:"jobs"`              // after a resume: the jobs that the runner still has
	Devices []Device   `json:"devices"`           // at least one
	Limits  Limits     `json:"limits"`            // of this runner
}

// JobState is the current state of a job.
type JobState struct {
	Job   int64  `json:"job"`   // its number
	State string `json:"state"` // "arriving", "queued", "running", or a state of Done
}

// Device describes a device of the runner.
type Device struct {
	ID             string             `json:"id"`                       // "cpu", "cuda:0"
	Name           string             `json:"name"`                     // for people
	MemoryBytes    int                `json:"memoryBytes"`              // 0 if there is no limit
	DTypes         []string           `json:"dtypes"`                   // those that kernels may use
	Deterministic  bool               `json:"deterministic"`            // the same launch gives the same bits
	Poisons        bool               `json:"poisons"`                  // Submit.poison works
	FindsRaces     bool               `json:"findsRaces"`               // Submit.races works
	Times          bool               `json:"times"`                    // Submit.timing works
	SASS           bool               `json:"sass,omitempty"`           // Submit.sass works
	Arch           string             `json:"arch,omitempty"`           // the PTX target, such as "sm_90a"
	Driver         string             `json:"driver,omitempty"`         // its version
	Processors     int                `json:"processors,omitempty"`     // streaming multiprocessors
	BytesPerSecond float64            `json:"bytesPerSecond,omitempty"` // peak memory bandwidth
	FLOPs          map[string]float64 `json:"flops,omitempty"`          // peak operations per second, by arithmetic
}

// Limits are what the runner takes.
type Limits struct {
	MessageBytes        int   `json:"messageBytes"`        // a text frame from a client
	ChunkBytes          int   `json:"chunkBytes"`          // the payload of a binary frame
	IRBytes             int   `json:"irBytes"`             // a kernel
	Tensors             int   `json:"tensors"`             // of a job
	Args                int   `json:"args"`                // of a job
	JobBytes            int64 `json:"jobBytes"`            // tensors of a job
	TotalBytes          int64 `json:"totalBytes"`          // of all jobs: kernels, tensors, results, messages
	ClientBytes         int64 `json:"clientBytes"`         // that the jobs of one address may take, of totalBytes
	Buffers             int   `json:"buffers"`             // of a session; 0: the runner keeps none
	BufferSessions      int   `json:"bufferSessions"`      // that may have buffers on one device
	MaxBudget           int64 `json:"maxBudget"`           // work that a job may ask for; a unit is about a nanosecond
	ClientJobs          int   `json:"clientJobs"`          // of a session that have not ended
	KeptJobs            int   `json:"keptJobs"`            // of a session that have ended and were not released
	QueuedJobs          int   `json:"queuedJobs"`          // of all sessions that wait for a device
	Connections         int   `json:"connections"`         // in all
	MaxUnauthenticated  int   `json:"maxUnauthenticated"`  // connections of one address without an accepted hello
	ClientConnections   int   `json:"clientConnections"`   // of one address
	ClientSessions      int   `json:"clientSessions"`      // of one address, those without a connection included
	Sessions            int   `json:"sessions"`            // in all, those without a connection included
	HandshakeTimeoutMS  int   `json:"handshakeTimeoutMs"`  // from the connection to the client's hello
	UploadIdleTimeoutMS int   `json:"uploadIdleTimeoutMs"` // between two frames of an upload
	UploadTimeoutMS     int   `json:"uploadTimeoutMs"`     // for the whole upload of a job
	QueueMS             int   `json:"queueMs"`             // that a job may wait in the queue
	DefaultJobMS        int   `json:"defaultJobMs"`        // compiling and running, where a job says nothing
	MaxJobMS            int   `json:"maxJobMs"`            // that a job may ask for
	MeasureMS           int   `json:"measureMs"`           // that a job may ask to be measured, warming up included
	DisconnectGraceMS   int   `json:"disconnectGraceMs"`   // for which jobs keep running after a disconnect
	ResultTTLMS         int   `json:"resultTtlMs"`         // for which a result is kept
	WriteMS             int   `json:"writeMs"`             // that a client may take to read a frame
	PingMS              int   `json:"pingMs"`              // between two pings; a client that misses three is gone
	PrintBytes          int   `json:"printBytes"`          // of a job's prints
	PTXBytes            int   `json:"ptxBytes"`            // of PTX that is shown
	SASSBytes           int   `json:"sassBytes"`           // of machine code that is shown
	MaxDiagnostics      int   `json:"maxDiagnostics"`      // of a job
	CancelGraceMS       int   `json:"cancelGraceMs"`       // for which a device may take to stop a cancelled job
}

// Error says what a message did wrong. After a fatal one the connection is closed.
type Error struct {
	Fatal      bool       `json:"fatal,omitempty"` // the connection ends
	Diagnostic Diagnostic `json:"diagnostic"`      // what was wrong
}

// Queued says how many jobs will run before this one.
type Queued struct {
	Position int `json:"position"` // 1: the next
}

// Started says that a device has taken the job.
type Started struct {
	Device string `json:"device"` // its id
}

// Compiled says what a device made of the kernel.
type Compiled struct {
	PTX         string  `json:"ptx"`         // empty where it is longer than the runner shows
	Lines       []int   `json:"lines"`       // two byte offsets in the source for each line of PTX; 0, 0: none
	Registers   int     `json:"registers"`   // of a thread
	SpillBytes  int     `json:"spillBytes"`  // of a thread, in local memory
	SharedBytes int     `json:"sharedBytes"` // of a program
	ToPTXMS     float64 `json:"toPtxMs"`     // tile IR to PTX
	ToSASSMS    float64 `json:"toSassMs"`    // PTX to machine code, in the driver
	CacheHit    bool    `json:"cacheHit"`    // the kernel was compiled before
	Log         string  `json:"log"`         // the driver's
}

// SASS is the kernel's machine code.
type SASS struct {
	Arch      string      `json:"arch"`              // that it is for, such as "sm_90a"
	Assembled bool        `json:"assembled"`         // by ptxas, to be shown: it is not what has run
	Text      string      `json:"text"`              // empty where it is longer than the runner shows, or with problem
	Lines     []int       `json:"lines"`             // two byte offsets in the source for each line of text; 0, 0: none
	Problem   *Diagnostic `json:"problem,omitempty"` // why there is none
}

// Progress counts the programs of the launch.
type Progress struct {
	Done  int64 `json:"done"`  // programs that ran to their end
	Total int64 `json:"total"` // programs of the grid
}

// Prints are what the kernel printed, in program order.
type Prints struct {
	Prints  []Print `json:"prints"`  // at most printBytes of text
	Dropped int     `json:"dropped"` // prints that are not among them
}

// Print is the output of one print operation of one program.
type Print struct {
	Program []int  `json:"program"` // its index along each grid axis
	Start   int    `json:"start"`   // byte offsets in the source
	End     int    `json:"end"`     // exclusive
	Text    string `json:"text"`    // without a line feed at its end
}

// Diagnostics are accesses out of bounds and races.
type Diagnostics struct {
	List    []Diagnostic `json:"list"`    // at most maxDiagnostics
	Dropped int          `json:"dropped"` // those that are not among them
}

// Timings are measured launches and their spread, in nanoseconds.
type Timings struct {
	Samples       []int64 `json:"samples"`             // a launch each, in the order of measuring
	Min           int64   `json:"min"`                 // the shortest
	LowerQuartile int64   `json:"lowerQuartile"`       // a quarter of the samples is shorter
	Median        int64   `json:"median"`              // half of the samples is shorter
	UpperQuartile int64   `json:"upperQuartile"`       // three quarters of the samples are shorter
	N             int     `json:"n"`                   // number of samples
	Clock         string  `json:"clock"`               // that measured: "wall", "events"
	Driver        string  `json:"driver,omitempty"`    // its version
	SMClock       int     `json:"smClock,omitempty"`   // MHz
	MemClock      int     `json:"memClock,omitempty"`  // MHz
	FlushedKB     int     `json:"flushedKb,omitempty"` // of cache before each sample
}

// Done is a job's last event.
type Done struct {
	State     string      `json:"state"`            // "done", "fault", "cancelled", "refused"
	Fault     *Diagnostic `json:"fault,omitempty"`  // what stopped the kernel, in every state but "done"
	Reason    *Diagnostic `json:"reason,omitempty"` // why the runner stopped it, where it did
	Programs  int64       `json:"programs"`         // that ran to their end
	ElapsedNS int64       `json:"elapsedNs"`        // on the device
	QueueMS   float64     `json:"queueMs"`          // waiting
	LoadMS    float64     `json:"loadMs"`           // compiling
	RunMS     float64     `json:"runMs"`            // copies included, measuring not
}

// Diagnostic is a message about a place in the source, in both languages.
type Diagnostic struct {
	Code     string          `json:"code"`              // row of newt's catalogue
	Severity string          `json:"severity"`          // "error", "warning", "hint"
	Start    int             `json:"start"`             // byte offsets in the source
	End      int             `json:"end"`               // exclusive
	Args     []DiagnosticArg `json:"args"`              // of the catalogue's words
	Related  []Related       `json:"related"`           // other places that explain it
	Runtime  *Runtime        `json:"runtime,omitempty"` // of faults and accesses out of bounds
	En       Words           `json:"en"`                // the words in English
	Zh       Words           `json:"zh"`                // the words in Chinese
}

// Words are a diagnostic in one language.
type Words struct {
	Headline string `json:"headline"`        // what is wrong
	Label    string `json:"label,omitempty"` // at the place in the source
	Why      string `json:"why,omitempty"`   // why that is so
	Help     string `json:"help,omitempty"`  // what to do next
}

// DiagnosticArg is an argument of a diagnostic's words: a number, or text in both languages.
type DiagnosticArg struct {
	Number *int64 `json:"number,omitempty"` // a number
	En     string `json:"en,omitempty"`     // text
	Zh     string `json:"zh,omitempty"`     // En where it is empty
}

// Related is another place that explains a diagnostic.
type Related struct {
	Start int             `json:"start"` // byte offsets in the source
	End   int             `json:"end"`   // exclusive
	Key   string          `json:"key"`   // of the catalogue's phrase
	Args  []DiagnosticArg `json:"args"`  // of the phrase's words
	En    string          `json:"en"`    // the words in English
	Zh    string          `json:"zh"`    // the words in Chinese
}

// Runtime says which program, tensor and element a fault concerns.
type Runtime struct {
	Program []int  `json:"program"` // its index along each grid axis
	Tensor  string `json:"tensor"`  // its name
	Index   int64  `json:"index"`   // of the first element concerned, counted from the pointer that was passed
	Size    int64  `json:"size"`    // elements that the tensor has
	Count   int64  `json:"count"`   // such accesses in the launch
}
