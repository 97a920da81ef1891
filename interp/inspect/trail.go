package inspect

import (
	"slices"
	"sort"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/trace"
)

// checkpoint is a launch where a program begins, or one that was observed begins an iteration of a loop of the source:
// all that it takes to go on from there.
type checkpoint struct {
	*trace.State
	memory memory
	steps  int // of the program so far
	loops  []iteration
	inputs map[*ir.Value]num.Vec // stepper.inputs
	set    []int                 // stepper.set
}

// isBeginning reports whether c is where its program begins; nil is where the launch does.
func (c *checkpoint) isBeginning() bool { return c == nil || len(c.Path) == 0 }

// bytes is about what c takes beyond the checkpoint before it.
func (c *checkpoint) bytes(before *checkpoint) int {
	n := c.State.Bytes() + 8*len(c.set)
	for _, v := range c.inputs {
		n += 8 * v.Len()
	}
	var shared memory
	if before != nil {
		shared = before.memory
	}
	return n + c.memory.bytes(shared)
}

// trail is the checkpoints that looks at a launch have left on their ways. There are at most maxCheckpoints of them,
// and they take about maxTrail bytes: where there would be more, every other one is given up, and from then on they are
// twice as far apart. So a look goes through a bounded share of what was gone through before.
type trail struct {
	list    []*checkpoint // in the order of the launch
	spacing int64         // the least work between two of them
	bytes   int
}

const (
	maxCheckpoints = 256
	maxTrail       = 64 << 20
	firstSpacing   = 1 << 22 // milliseconds
)

// find is the position of the first checkpoint at or behind some work.
func (t *trail) find(work int64) int {
	return sort.Search(len(t.list), func(i int) bool { return t.list[i].Work >= work })
}

// at is the checkpoint at some work, and wanted whether there should be one where there is none.
func (t *trail) at(work int64) (c *checkpoint, wanted bool) {
	i := t.find(work)
	if i < len(t.list) && t.list[i].Work == work {
		return t.list[i], false
	}
	before := int64(0)
	if i > 0 {
		before = t.list[i-1].Work
	}
	return nil, work-before >= t.spacing
}

// add adds a checkpoint.
func (t *trail) add(c *checkpoint) {
	i := t.find(c.Work)
	t.list = slices.Insert(t.list, i, c)
	var before *checkpoint
	if i > 0 {
		before = t.list[i-1]
	}
	t.bytes += c.bytes(before)
	for len(t.list) > maxCheckpoints || t.bytes > maxTrail && len(t.list) > 0 {
		t.thin()
	}
}

// thin doubles the spacing.
func (t *trail) thin() {
	t.spacing, t.bytes = 2*t.spacing, 0
	var before *checkpoint
	t.list = slices.DeleteFunc(t.list, func(c *checkpoint) bool {
		if before == nil && c.Work < t.spacing || before != nil && c.Work-before.Work < t.spacing {
			return true
		}
		t.bytes += c.bytes(before)
		before = c
		return false
	})
}

// last is the last checkpoint for which ok holds, as it does for those before it; nil is the beginning of the launch.
func (t *trail) last(ok func(*checkpoint) bool) *checkpoint {
	i := sort.Search(len(t.list), func(i int) bool { return !ok(t.list[i]) })
	if i == 0 {
		return nil
	}
	return t.list[i-1]
}

// after is the checkpoint that follows another one; nil where none does.
func (t *trail) after(c *checkpoint) *checkpoint {
	if i := t.find(c.Work + 1); i < len(t.list) {
		return t.list[i]
	}
	return nil
}

// until is the last checkpoint before some work.
func (t *trail) until(work int64) *checkpoint {
	return t.last(func(c *checkpoint) bool { return c.Work < work })
}

// before is the last checkpoint at which a program, by its number, has made at most so many steps.
func (t *trail) before(program int64, steps int) *checkpoint {
	return t.last(func(c *checkpoint) bool {
		return c.Program < program || c.Program == program && c.steps <= steps
	})
}
