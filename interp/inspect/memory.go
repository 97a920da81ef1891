package inspect

import (
	"slices"
	"unsafe"

	"github.com/newtlab/newt/interp/trace"
)

// pageBytes is the size of the pieces in which memory is kept.
const pageBytes = 1 << 14

// memory is what the memory of a launch holds at a checkpoint: the pages of each storage. One that is nil is as it was
// before the launch. Checkpoints share pages that were not written in between.
type memory [][][]byte

// bytes is what m takes beyond the memory of the checkpoint before it.
func (m memory) bytes(before memory) (n int) {
	for i, pages := range m {
		var shared [][]byte
		if i < len(before) {
			if shared = before[i]; unsafe.SliceData(shared) == unsafe.SliceData(pages) {
				continue
			}
		}
		n += 24 * len(pages)
		for j, page := range pages {
			if len(shared) == 0 || unsafe.SliceData(shared[j]) != unsafe.SliceData(page) {
				n += len(page)
			}
		}
	}
	return n
}

// writes follows what a launch writes.
type writes struct {
	storages [][]byte
	args     []home // of each argument
	kept     memory // as of the last checkpoint
	dirty    [][]bool
}

// home is where an argument is: a storage, and the byte of it that offset 0 means.
type home struct {
	storage int // -1 has none
	origin  int64
}

// begin begins with the arguments of a launch, whose memory is to be as it was at a checkpoint; nil is before the
// launch, as it is.
func (w *writes) begin(args []trace.Buffer, at *checkpoint) {
	*w = writes{}
	known := map[*byte]int{}
	for _, a := range args {
		if len(a.Data) == 0 {
			w.args = append(w.args, home{storage: -1})
			continue
		}
		first := unsafe.SliceData(a.Data)
		i, ok := known[first]
		if !ok {
			i = len(w.storages)
			known[first] = i
			w.storages = append(w.storages, a.Data)
		}
		w.args = append(w.args, home{i, int64(a.Offset * a.DType.Info().Bytes)})
	}
	for _, data := range w.storages {
		pages := (len(data) + pageBytes - 1) / pageBytes
		w.kept, w.dirty = append(w.kept, make([][]byte, pages)), append(w.dirty, make([]bool, pages))
	}
	if at == nil {
		return
	}
	w.kept = at.memory
	for i, data := range w.storages {
		for j, page := range w.kept[i] {
			copy(data[j*pageBytes:], page)
		}
	}
}

// access notes the pages that an access writes to.
func (w *writes) access(a *trace.Access) {
	if a.Kind == trace.Load {
		return
	}
	size := int64(a.DType.Info().Bytes)
	for _, r := range a.Runs() {
		first, end := r.First, r.End
		arg, offset := trace.Split(a.Ptr[first])
		if arg >= len(w.args) || w.args[arg].storage < 0 {
			continue
		}
		at := w.args[arg]
		dirty := w.dirty[at.storage]
		from := at.origin + offset*size
		to := min(from+int64(end-first)*size, int64(len(w.storages[at.storage])))
		for page := max(0, from) / pageBytes; page*pageBytes < to; page++ {
			dirty[page] = true
		}
	}
}

// keep gives what memory holds now.
func (w *writes) keep() memory {
	w.kept = slices.Clone(w.kept)
	for i, dirty := range w.dirty {
		if !slices.Contains(dirty, true) {
			continue
		}
		w.kept[i] = slices.Clone(w.kept[i])
		for j, changed := range dirty {
			if changed {
				w.kept[i][j] = slices.Clone(w.storages[i][j*pageBytes : min((j+1)*pageBytes, len(w.storages[i]))])
			}
		}
		clear(dirty)
	}
	return w.kept
}

// reach is keep at a checkpoint that there is already.
func (w *writes) reach(c *checkpoint) {
	w.kept = c.memory
	for _, dirty := range w.dirty {
		clear(dirty)
	}
}
