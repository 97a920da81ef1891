package protocol

//go:generate go run ../../infra/tsgen -in messages.go -from runner/protocol/messages.go -out ../../frontend/src/gen/protocol.ts

// ClientMessage is a text frame from a client; exactly one field is set.
type ClientMessage struct {
	Hello   *ClientHello `json:"hello,omitempty"`
	Submit  *Submit      `json:"submit,omitempty"`
	Cancel  *JobRef      `json:"cancel,omitempty"`
	Release *JobRef      `json:"release,omitempty"` // the client has the job's result, the runner may forget it
}

// ClientHello is a connection's first message.
type ClientHello struct {
	Version int     `json:"version"`
	Token   string  `json:"token,omitempty"`
	Name    string  `json:"name,omitempty"` // of the client program, for whoever runs the runner
	Resume  *Resume `json:"resume,omitempty"`
}

// Resume takes up a session whose connection was lost.
type Resume struct {
	Session string `json:"session"`
	Seen    []Seen `json:"seen"` // a job that is not named is sent from its beginning
}

// Seen says up to which event the client has a job's events.
type Seen struct {
	Job int64 `json:"job"`
	Seq int   `json:"seq"`
}

// JobRef names a job of the session.
type JobRef struct {
	Job int64 `json:"job"`
}

// Submit announces a job. Frames with its IR, then with its tensors in order, follow.
type Submit struct {
	Job        int64          `json:"job"`              // greater than that of every job before it in the session, at most 2³²-1
	Device     string         `json:"device,omitempty"` // the id of a device in the runner's hello; the first where empty
	IRBytes    int            `json:"irBytes"`
	Grid       []int          `json:"grid"` // three numbers
	Args       []Arg          `json:"args"` // one for each parameter of the kernel
	Tensors    []Tensor       `json:"tensors"`
	NumWarps   int            `json:"numWarps,omitempty"`  // 0: the device's default
	NumStages  int            `json:"numStages,omitempty"` // 0: the device's default
	Poison     bool           `json:"poison,omitempty"`    // lanes without a value get one that makes their use evident, where the device can
	Races      bool           `json:"races,omitempty"`     // look for races between programs, where the device can
	Budget     int64          `json:"budget,omitempty"`    // bounds the work; 0: the device's default
	DeadlineMS int            `json:"deadlineMs,omitempty"`
	Timing     *TimingRequest `json:"timing,omitempty"`
}

// Tensor is a piece of memory that kernel arguments point into. Several may point into one.
type Tensor struct {
	Bytes  int  `json:"bytes"`
	Zero   bool `json:"zero,omitempty"`   // begins as zeros; nothing is sent for it
	Return bool `json:"return,omitempty"` // is sent back after the launch
}

// Arg is a kernel argument: a pointer where Tensor is there, a scalar where Bits is there.
type Arg struct {
	Name   string `json:"name,omitempty"`   // of the tensor, for messages; the parameter's where empty
	DType  string `json:"dtype"`            // as the IR's text form writes it: "fp32", "i32"
	Tensor *int   `json:"tensor,omitempty"` // index into the job's tensors
	Offset int    `json:"offset,omitempty"` // of the pointer, in elements
	Bits   string `json:"bits,omitempty"`   // the scalar's memory image, zero-extended, in hexadecimal digits
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
	Job         int64        `json:"job,omitempty"`
	Seq         int          `json:"seq,omitempty"`
	Hello       *ServerHello `json:"hello,omitempty"`
	Error       *Error       `json:"error,omitempty"`
	Queued      *Queued      `json:"queued,omitempty"`
	Started     *Started     `json:"started,omitempty"`
	Compiled    *Compiled    `json:"compiled,omitempty"`
	Progress    *Progress    `json:"progress,omitempty"`
	Prints      *Prints      `json:"prints,omitempty"`
	Diagnostics *Diagnostics `json:"diagnostics,omitempty"`
	Timings     *Timings     `json:"timings,omitempty"`
	Done        *Done        `json:"done,omitempty"`
}

// ServerHello answers the client's.
type ServerHello struct {
	Version int        `json:"version"` // of the protocol
	Newt    string     `json:"newt"`    // the runner's own version
	Session string     `json:"session"` // the key to resume with: keep it secret
	Resumed bool       `json:"resumed,omitempty"`
	Jobs    []JobState `json:"jobs"` // after a resume: the jobs that the runner still has
	Devices []Device   `json:"devices"`
	Limits  Limits     `json:"limits"`
}

// JobState is a job as it stands.
type JobState struct {
	Job   int64  `json:"job"`
	State string `json:"state"` // "arriving", "queued", "running", or a state of Done
}

// Device is what a device is and can do.
type Device struct {
	ID             string             `json:"id"` // "cpu", "cuda:0"
	Name           string             `json:"name"`
	MemoryBytes    int                `json:"memoryBytes"` // 0 where there is no limit
	DTypes         []string           `json:"dtypes"`
	Deterministic  bool               `json:"deterministic"`
	Poisons        bool               `json:"poisons"`
	FindsRaces     bool               `json:"findsRaces"`
	Times          bool               `json:"times"`
	Arch           string             `json:"arch,omitempty"`
	Driver         string             `json:"driver,omitempty"`
	Processors     int                `json:"processors,omitempty"`
	BytesPerSecond float64            `json:"bytesPerSecond,omitempty"` // the most that memory can carry
	FLOPs          map[string]float64 `json:"flops,omitempty"`          // operations a second, by the name of the arithmetic
}

// Limits are what the runner takes.
type Limits struct {
	MessageBytes   int   `json:"messageBytes"`   // a text frame from a client
	ChunkBytes     int   `json:"chunkBytes"`     // the payload of a binary frame
	IRBytes        int   `json:"irBytes"`        // a kernel
	Tensors        int   `json:"tensors"`        // of a job
	Args           int   `json:"args"`           // of a job
	JobBytes       int64 `json:"jobBytes"`       // tensors of a job
	TotalBytes     int64 `json:"totalBytes"`     // tensors of all jobs, results that wait to be fetched included
	ClientJobs     int   `json:"clientJobs"`     // of a session that have not ended
	KeptJobs       int   `json:"keptJobs"`       // of a session that have ended and were not released
	QueuedJobs     int   `json:"queuedJobs"`     // of all sessions that wait for a device
	Connections    int   `json:"connections"`    // in all
	Strangers      int   `json:"strangers"`      // connections of one address that have not said hello
	Sessions       int   `json:"sessions"`       // in all, those without a connection included
	HelloMS        int   `json:"helloMs"`        // until a client's hello
	ArriveMS       int   `json:"arriveMs"`       // between two frames of a job that arrives
	QueueMS        int   `json:"queueMs"`        // in the queue
	DefaultJobMS   int   `json:"defaultJobMs"`   // compiling and running, where a job says nothing
	MaxJobMS       int   `json:"maxJobMs"`       // that a job may ask for
	MeasureMS      int   `json:"measureMs"`      // that a job may ask to be measured, warming up included
	VanishMS       int   `json:"vanishMs"`       // that jobs go on without a connection
	KeepMS         int   `json:"keepMs"`         // that a result is kept
	WriteMS        int   `json:"writeMs"`        // that a client may take to read a frame
	PingMS         int   `json:"pingMs"`         // between two pings; a client that answers none of three is gone
	PrintBytes     int   `json:"printBytes"`     // of a job's prints
	PTXBytes       int   `json:"ptxBytes"`       // of PTX that is shown
	MaxDiagnostics int   `json:"maxDiagnostics"` // of a job
	StuckMS        int   `json:"stuckMs"`        // that a device has for stopping a job
}

// Error says what a message did wrong. After a fatal one the connection is closed.
type Error struct {
	Fatal      bool       `json:"fatal,omitempty"`
	Diagnostic Diagnostic `json:"diagnostic"`
}

// Queued says how many jobs will run before this one.
type Queued struct {
	Position int `json:"position"`
}

// Started says that a device has taken the job.
type Started struct {
	Device string `json:"device"`
}

// Compiled says what a device made of the kernel.
type Compiled struct {
	PTX         string  `json:"ptx"`   // empty where it is longer than the runner shows
	Lines       []int   `json:"lines"` // for each line of PTX two byte offsets in the source, 0 and 0 where it came from nowhere
	Registers   int     `json:"registers"`
	SpillBytes  int     `json:"spillBytes"`
	SharedBytes int     `json:"sharedBytes"`
	ToPTXMS     float64 `json:"toPtxMs"`
	ToSASSMS    float64 `json:"toSassMs"`
	CacheHit    bool    `json:"cacheHit"`
	Log         string  `json:"log"`
}

// Progress counts the programs of the launch.
type Progress struct {
	Done  int64 `json:"done"`
	Total int64 `json:"total"`
}

// Prints are what the kernel printed, in program order.
type Prints struct {
	Prints  []Print `json:"prints"`
	Dropped int     `json:"dropped"` // prints that are not among them
}

// Print is what one print operation of one program wrote.
type Print struct {
	Program []int  `json:"program"`
	Start   int    `json:"start"` // byte offsets in the source
	End     int    `json:"end"`
	Text    string `json:"text"`
}

// Diagnostics are accesses out of bounds and races.
type Diagnostics struct {
	List    []Diagnostic `json:"list"`
	Dropped int          `json:"dropped"`
}

// Timings are measured launches and their spread, in nanoseconds.
type Timings struct {
	Samples       []int64 `json:"samples"`
	Min           int64   `json:"min"`
	LowerQuartile int64   `json:"lowerQuartile"`
	Median        int64   `json:"median"`
	UpperQuartile int64   `json:"upperQuartile"`
	N             int     `json:"n"`
	Clock         string  `json:"clock"` // that measured: "wall", "events"
	Driver        string  `json:"driver,omitempty"`
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
	QueueMS   float64     `json:"queueMs"`
	LoadMS    float64     `json:"loadMs"` // compiling
	RunMS     float64     `json:"runMs"`  // copies included, measuring not
}

// Diagnostic is a message about a place in the source, in both languages.
type Diagnostic struct {
	Code     string          `json:"code"`
	Severity string          `json:"severity"` // "error", "warning", "hint"
	Start    int             `json:"start"`    // byte offsets in the source
	End      int             `json:"end"`
	Args     []DiagnosticArg `json:"args"`
	Related  []Related       `json:"related"`
	Runtime  *Runtime        `json:"runtime,omitempty"`
	En       Words           `json:"en"`
	Zh       Words           `json:"zh"`
}

// Words are a diagnostic in one language.
type Words struct {
	Headline string `json:"headline"`
	Label    string `json:"label,omitempty"`
	Why      string `json:"why,omitempty"`
	Help     string `json:"help,omitempty"`
}

// DiagnosticArg is an argument of a diagnostic's words: a number, or text in both languages.
type DiagnosticArg struct {
	Number *int64 `json:"number,omitempty"`
	En     string `json:"en,omitempty"`
	Zh     string `json:"zh,omitempty"` // En where it is empty
}

// Related is another place that explains a diagnostic.
type Related struct {
	Start int             `json:"start"`
	End   int             `json:"end"`
	Key   string          `json:"key"` // of the catalogue's phrase
	Args  []DiagnosticArg `json:"args"`
	En    string          `json:"en"`
	Zh    string          `json:"zh"`
}

// Runtime says which program, tensor and element a fault concerns.
type Runtime struct {
	Program []int  `json:"program"`
	Tensor  string `json:"tensor"`
	Index   int64  `json:"index"`
	Size    int64  `json:"size"`  // elements that the tensor has
	Count   int64  `json:"count"` // such accesses in the launch
}
