package bounds

import "github.com/newtlab/newt/compiler/facts"

// Walk is the walk of a launch.
func (p *Prover) Walk(args Args) *facts.Walk {
	s := p.newState()
	s.prove(args, p.newProof())
	return s.Walk
}
