package tile

import (
	"context"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// Executor runs the operations of a launch one by one, on values that its caller has: an engine that keeps them in
// other ways, as the threads of a GPU do, takes from here what operations do to them and to the launch's arguments.
// It is no use to several goroutines at a time.
type Executor struct {
	first    *machine // has the parameters
	kernel   *Kernel
	machines []*machine // of the operations
}

// NewExecutor checks a launch of fn, whose Observer, Workers and Progress it has no use for.
func NewExecutor(ctx context.Context, fn *ir.Func, l Launch) (*Executor, *Fault) {
	entry := &ir.Block{Args: fn.Body.Args, Instrs: []*ir.Instr{{Op: ops.Return}}}
	k, err := PlanContext(ctx, &ir.Func{Name: fn.Name, Params: fn.Params, Body: entry})
	if err != nil {
		return nil, asFault(err)
	}
	l.Observer = nil
	if f := k.check(&l); f != nil {
		return nil, f
	}
	r := k.newRun(ctx, &l)
	first, f := k.prepare(r, &l)
	return &Executor{first: first, kernel: k, machines: []*machine{first}}, f
}

// Param is the value of the i-th parameter.
func (x *Executor) Param(i int) num.Vec { return x.first.v[x.kernel.params[i]] }

// Begin makes a program, by its number in program order, the one that operations run for.
func (x *Executor) Begin(program int64) {
	for _, m := range x.machines {
		x.begin(m, program)
	}
	x.first.program = program
}

func (x *Executor) begin(m *machine, program int64) {
	id := m.run.programAt(program)
	m.program, m.pid = program, [3]int32{int32(id[0]), int32(id[1]), int32(id[2])}
}

// Report is what the operations found in all programs until now, of which so many ran to their end.
func (x *Executor) Report(programs int64) *Report {
	report := x.first.run.collect(x.machines)
	report.Programs = programs
	return report
}

// Operation is one operation made ready to run.
type Operation struct {
	// Operands is the values that Run takes: those of the instruction, each once, and what its regions use.
	Operands []*ir.Value
	m        *machine
	code     []step
	in, out  []int // slots
}

// Operation makes an instruction ready to run, one that has no regions or is a reduction or a scan; it panics with a
// *Fault if that is refused. Its findings are not reported if it is silent.
func (x *Executor) Operation(in *ir.Instr, silent bool) *Operation {
	o := &Operation{Operands: usedBy(in)}
	fn := &ir.Func{Name: x.kernel.fn.Name, Body: &ir.Block{Args: o.Operands, Instrs: []*ir.Instr{in, {Op: ops.Return}}}}
	p := newPlanner(context.Background(), fn, func(*ir.Instr) bool { return true })
	p.slots.noReuse = true // operands are the caller's
	for _, v := range o.Operands {
		s := p.slots.add(slot{class: v.Type.Class(), n: v.Type.Numel()})
		p.slotOf[v], o.in = s, append(o.in, s)
	}
	if p.live.alias(in) {
		from, to := p.slot(in.Operands[0]), p.resultSlot(in.Results[0])
		p.emitStep(0, func(m *machine) { copyVec(m.v[to], m.v[from]) })
		o.out = []int{to}
	} else {
		p.planBlock(fn.Body)
		for _, r := range in.Results {
			o.out = append(o.out, p.slotOf[r])
		}
	}
	o.code, o.m = p.code, newMachine(p.slots.slots)
	o.m.run, o.m.args, o.m.poison, o.m.exact = x.first.run, x.first.args, x.first.poison, x.first.exact
	o.m.left = math.MaxInt64 // the caller bounds what repeats
	x.begin(o.m, x.first.program)
	if !silent {
		x.machines = append(x.machines, o.m)
	}
	return o
}

// usedBy is the values that an instruction and its regions use from outside, each once.
func usedBy(in *ir.Instr) (used []*ir.Value) {
	inside := map[*ir.Value]bool{}
	use := func(values []*ir.Value) {
		for _, v := range values {
			if v != nil && !inside[v] && !slices.Contains(used, v) {
				used = append(used, v)
			}
		}
	}
	use(in.Operands)
	for _, r := range in.Regions {
		for _, a := range r.Args {
			inside[a] = true
		}
		r.Walk(func(in *ir.Instr) {
			use(in.Operands)
			for _, v := range in.Results {
				inside[v] = true
			}
		})
	}
	return used
}

// Run runs the operation on values, in the order of Operands, and writes its results.
func (o *Operation) Run(values, results []num.Vec) *Fault {
	m := o.m
	for i, v := range values {
		m.v[o.in[i]] = v
	}
	for i, v := range results {
		m.v[o.out[i]] = v
	}
	m.exec(o.code)
	f := m.fault
	m.fault, m.halted = nil, false
	return f
}
