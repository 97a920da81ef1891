package gpu

import (
	"strings"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/bounds"
	"github.com/newtlab/newt/interp/tile"
)

// proof is what is known of a launch before it begins, as a string so that it can be a key: a
// letter for the facts that hold, one for each parameter, then one for each that is Provable.
type proof string

const (
	allFacts    = 'a' // those of axis.Analyze
	signedFacts = 's' // those of axis.AnalyzeSigned alone
	manyFacts   = 'm' // all, of a launch for which persistent thread blocks pay
	unproved    = '-'
	proved      = '+' // needs no check; a pointer to the start of its storage
	boxed       = '#' // a load that is proved, and has a pitch (bounds.Proof.Pitch)
	power       = 'p' // a division or remainder by one power of two (bounds.Proof.PowerOfTwo)
	natural     = 'n' // a division or remainder of natural numbers (bounds.Proof.Natural) of which nothing else is proved
)

// maxUncountedTrips is the most iterations of a loop that may go uncounted.
const maxUncountedTrips = 1 << 20

// prover makes proofs of launches of one function.
type prover struct {
	params   int
	pointers []bool // by parameter
	bounds   *bounds.Prover
	checks   []*ir.Instr // what is Provable, in the order of the code
	indexOf  map[*ir.Instr]int
	tensors  ptx.TensorUse
	// How many thread blocks of a persistent kernel the device runs at a time; 0: none is persistent.
	processors int
}

// newProver makes proofs of launches of code that is compiled with these options.
func newProver(fn *ir.Func, o ptx.Options, processors int) *prover {
	fn.Number()
	p := &prover{tensors: ptx.TensorsOf(fn, o), params: len(fn.Params), bounds: bounds.New(fn, axis.Analyze(fn)),
		indexOf: map[*ir.Instr]int{}, processors: processors}
	for _, v := range fn.Params {
		p.pointers = append(p.pointers, v.Value.Type.Pointer)
	}
	fn.Body.Walk(func(in *ir.Instr) {
		if p.bounds.Provable(in) {
			p.indexOf[in] = len(p.checks)
			p.checks = append(p.checks, in)
		}
	})
	return p
}

// weakest is the proof for facts under which nothing else is proved.
func (p *prover) weakest(facts byte) proof {
	return proof(facts) + proof(strings.Repeat(string(unproved), p.params+len(p.checks)))
}

// withoutTruths is a proof that no comparison is known to be true from: one for launches with other sizes, too.
func (p *prover) withoutTruths(from proof) proof {
	text := []byte(from)
	for i, in := range p.checks {
		if bounds.OrdersTiles(in) {
			text[1+p.params+i] = unproved
		}
	}
	return proof(text)
}

// strongest is the proof of a launch in which all pointers are to the start of their storages and nothing needs a
// check; of comparisons, which masks for the last elements often are, none is known to be true.
func (p *prover) strongest() proof {
	text := []byte(p.weakest(allFacts))
	for i := range text[1:] {
		switch {
		case i >= p.params && p.tensors.Loads[p.checks[i-p.params]]:
			text[1+i] = boxed
		case i >= p.params || p.pointers[i]:
			text[1+i] = proved
		}
	}
	return p.withoutTruths(proof(text))
}

// prove finds which accesses of a launch are in range whatever program makes them, and which loops
// are short.
func (p *prover) prove(b *binding, grid [3]int) (proof, *bounds.Proof) {
	args := bounds.Args{Grid: grid}
	for _, a := range b.args[:p.params] {
		args.Args = append(args.Args, bounds.Arg{Value: a.scalar, First: -a.origin, Count: a.count})
	}
	found := p.bounds.Prove(args)
	if !found.Assumptions() { // what axis.Analyze took for granted does not hold in this launch
		return p.weakest(signedFacts), found
	}
	facts := byte(allFacts)
	if p.tensors.Persistent && p.processors > 0 && grid[0] > p.processors && grid[1] == 1 && grid[2] == 1 {
		facts = manyFacts
	}
	text := []byte(p.weakest(facts))
	for i, a := range b.args[:p.params] {
		if b.given[i].Kind == tile.GivenPointer && a.origin == 0 {
			text[1+i] = proved
		}
	}
	for i, in := range p.checks {
		trips, bounded := found.Bounded(in)
		switch {
		case found.InRange(in), bounded && trips <= maxUncountedTrips:
			text[1+p.params+i] = proved
		case found.PowerOfTwo(in):
			text[1+p.params+i] = power
		case found.Natural(in):
			text[1+p.params+i] = natural
		}
		if _, ok := found.Pitch(in); ok && p.tensors.Loads[in] {
			text[1+p.params+i] = boxed
		}
	}
	return proof(text), found
}

// of is what p says of an instruction.
func (r *prover) of(p proof, in *ir.Instr) byte {
	if i, ok := r.indexOf[in]; ok {
		return p[1+r.params+i]
	}
	return unproved
}

// baseOptions are the options for all launches.
func (k *kernel) baseOptions() ptx.Options {
	return ptx.Options{Target: k.gpu.info.Target, NumWarps: k.options.NumWarps, NumStages: k.options.NumStages,
		PrintBytes: k.gpu.options.PrintBytes, Shared: k.gpu.info.Shared}
}

// compilerOptions are the options for launches of which p is proved.
func (k *kernel) compilerOptions(p proof) ptx.Options {
	known := func(in *ir.Instr) bool { return k.prover.of(p, in) != unproved }
	unchecked := func(in *ir.Instr) bool {
		fact := k.prover.of(p, in)
		return known(in) && fact != natural && fact != power
	}
	o := k.baseOptions()
	o.Signed, o.Persistent = p[0] == signedFacts, p[0] == manyFacts
	o.Proved, o.Bounded, o.Reduced, o.True, o.Scales = unchecked, unchecked, unchecked, unchecked, unchecked
	o.Natural = known
	o.PowerOfTwo = func(in *ir.Instr) bool { return k.prover.of(p, in) == power }
	o.Boxes = func(load *ir.Instr) bool { return k.prover.of(p, load) == boxed }
	o.FirstZero = make([]bool, k.prover.params)
	for i := range o.FirstZero {
		o.FirstZero[i] = p[1+i] == proved
	}
	return o
}
