package sched

import (
	"math"
	"time"
)

// halfLife is the time after which device time that was used counts half: who used the devices much gives way to who
// used them little, and is forgiven in a minute or two.
const halfLife = 20 * time.Second

// usage is device time, of which older parts count less. It is kept as a logarithm that does not change while time goes
// by, so that the order of two usages stays the same until one of them is charged: a usage of u seconds at the time of n
// half-lives is log2(u) + n.
type usage struct {
	log float64
	any bool // something was charged
}

// add charges took, at a time after the scheduler's start.
func (u *usage) add(took, at time.Duration) {
	seconds := max(took.Seconds(), 1e-9)
	u.log, u.any = math.Log2(u.seconds(at)+seconds)+halfLives(at), true
}

// seconds is what the usage amounts to at a time after the scheduler's start.
func (u usage) seconds(at time.Duration) float64 {
	if !u.any {
		return 0
	}
	return math.Exp2(u.log - halfLives(at))
}

func halfLives(at time.Duration) float64 { return at.Seconds() / halfLife.Seconds() }

// less reports whether u is the smaller one, at any time.
func (u usage) less(v usage) bool { return v.any && (!u.any || u.log < v.log) }
