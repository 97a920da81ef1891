package wire

import (
	"encoding/binary"
	"slices"
)

// Info is a worker's greeting: the GPU and its driver.
type Info struct {
	Version                  uint64
	Memory                   uint64 // bytes
	Major, Minor             uint64 // compute capability
	Processors               uint64
	SMClock, MemClock        uint64 // the highest, in kHz
	BusWidth                 uint64 // of the memory, in bits
	Driver                   uint64 // 1000·major + 10·minor of the CUDA that the driver offers
	SharedBytes              uint64 // dynamic shared memory that a block may ask for
	L2Bytes                  uint64
	Name, DriverText, Serial string // Serial tells devices of one name apart
}

func (i *Info) numbers() []*uint64 {
	return []*uint64{
		&i.Version, &i.Memory, &i.Major, &i.Minor, &i.Processors, &i.SMClock, &i.MemClock, &i.BusWidth,
		&i.Driver, &i.SharedBytes, &i.L2Bytes,
	}
}

func (i *Info) texts() []*string { return []*string{&i.Name, &i.DriverText, &i.Serial} }

// Message returns the greeting.
func (i Info) Message() *Message { return record(Greeting, i.numbers(), i.texts()) }

// ParseInfo reads a greeting.
func ParseInfo(m *Message) (Info, error) {
	var i Info
	return i, m.into(i.numbers(), i.texts())
}

// Loaded is the answer to Load.
type Loaded struct {
	Module, Registers, LocalBytes, Nanoseconds uint64
	Log, Cubin                                 string // Cubin is empty where the image was one
}

func (l *Loaded) numbers() []*uint64 {
	return []*uint64{&l.Module, &l.Registers, &l.LocalBytes, &l.Nanoseconds}
}

func (l *Loaded) texts() []*string { return []*string{&l.Log, &l.Cubin} }

// Message returns the answer.
func (l Loaded) Message() *Message { return record(Done, l.numbers(), l.texts()) }

// ParseLoaded reads the answer to Load.
func ParseLoaded(m *Message) (Loaded, error) {
	var l Loaded
	return l, m.into(l.numbers(), l.texts())
}

func record(k Kind, numbers []*uint64, texts []*string) *Message {
	m := &Message{Kind: k}
	for _, n := range numbers {
		m.Numbers = append(m.Numbers, *n)
	}
	for _, t := range texts {
		m.Blobs = append(m.Blobs, []byte(*t))
	}
	return m
}

func (m *Message) into(numbers []*uint64, texts []*string) error {
	if len(m.Numbers) != len(numbers) || len(m.Blobs) != len(texts) {
		return ErrMalformed
	}
	for i, n := range numbers {
		*n = m.Numbers[i]
	}
	for i, t := range texts {
		*t = string(m.Blobs[i])
	}
	return nil
}

// Area is a range of device memory.
type Area struct{ Address, Bytes uint64 }

// Run is a launch: the request of Launch and Time.
type Run struct {
	Module          uint64
	Grid            [3]uint64
	Threads, Shared uint64
	Params          []uint64
	TensorMaps      []TensorMap // parameters that are tensor maps, of any value in Params
	Clear, Read     []Area      // set to zero before; given back after
	Warmup, Measure uint64      // nanoseconds; of Time alone
}

// Message returns the request.
func (r *Run) Message(k Kind) *Message {
	return &Message{
		Kind:    k,
		Numbers: []uint64{r.Module, r.Grid[0], r.Grid[1], r.Grid[2], r.Threads, r.Shared, r.Warmup, r.Measure},
		Blobs:   [][]byte{Words(r.Params), areas(r.Clear), areas(r.Read), tensorMaps(r.TensorMaps)},
	}
}

// ParseRun reads the request of Launch or Time.
func ParseRun(m *Message) (*Run, error) {
	if len(m.Numbers) != 8 || len(m.Blobs) != 4 {
		return nil, ErrMalformed
	}
	n := m.Numbers
	r := &Run{Module: n[0], Grid: [3]uint64(n[1:4]), Threads: n[4], Shared: n[5], Warmup: n[6], Measure: n[7]}
	var err error
	if r.Params, err = ParseWords(m.Blobs[0]); err != nil {
		return nil, err
	}
	for i, into := range []*[]Area{&r.Clear, &r.Read} {
		words, err := ParseWords(m.Blobs[1+i])
		if err != nil || len(words)%2 != 0 {
			return nil, ErrMalformed
		}
		for pair := range slices.Chunk(words, 2) {
			*into = append(*into, Area{pair[0], pair[1]})
		}
	}
	words, err := ParseWords(m.Blobs[3])
	if err != nil || len(words)%tensorMapWords != 0 {
		return nil, ErrMalformed
	}
	for w := range slices.Chunk(words, tensorMapWords) {
		t := TensorMap{w[0], w[1], w[2], [3]uint64(w[3:]), [2]uint64(w[6:]), [3]uint64(w[8:])}
		if t.Param >= uint64(len(r.Params)) {
			return nil, ErrMalformed
		}
		r.TensorMaps = append(r.TensorMaps, t)
	}
	return r, nil
}

// TensorMap is a parameter that is a tensor map, as sim.TensorMap describes it.
type TensorMap struct {
	Param, Base, ElemBytes uint64
	Dims                   [3]uint64 // elements
	Strides                [2]uint64 // bytes
	Box                    [3]uint64 // elements
}

const tensorMapWords = 11

func tensorMaps(list []TensorMap) []byte {
	var words []uint64
	for _, t := range list {
		words = append(words, t.Param, t.Base, t.ElemBytes)
		words = slices.Concat(words, t.Dims[:], t.Strides[:], t.Box[:])
	}
	return Words(words)
}

func areas(list []Area) []byte {
	var words []uint64
	for _, a := range list {
		words = append(words, a.Address, a.Bytes)
	}
	return Words(words)
}

// Words writes a list of numbers as a blob.
func Words(list []uint64) []byte {
	raw := make([]byte, 0, 8*len(list))
	for _, n := range list {
		raw = binary.LittleEndian.AppendUint64(raw, n)
	}
	return raw
}

// ParseWords reads a list of numbers.
func ParseWords(raw []byte) ([]uint64, error) {
	if len(raw)%8 != 0 {
		return nil, ErrMalformed
	}
	list := make([]uint64, len(raw)/8)
	for i := range list {
		list[i] = binary.LittleEndian.Uint64(raw[8*i:])
	}
	return list, nil
}

// Times is the answer to Time: numbers are the clocks in MHz and the bytes flushed, the blob is
// the samples in nanoseconds.
type Times struct {
	SMClock, MemClock, Flushed uint64
	Samples                    []uint64
}

// Message returns the answer.
func (t *Times) Message() *Message {
	return &Message{Kind: Done, Numbers: []uint64{t.SMClock, t.MemClock, t.Flushed}, Blobs: [][]byte{Words(t.Samples)}}
}

// ParseTimes reads the answer to Time.
func ParseTimes(m *Message) (*Times, error) {
	if len(m.Numbers) != 3 || len(m.Blobs) != 1 {
		return nil, ErrMalformed
	}
	samples, err := ParseWords(m.Blobs[0])
	return &Times{m.Numbers[0], m.Numbers[1], m.Numbers[2], samples}, err
}
