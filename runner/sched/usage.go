package sched

import (
	"math"
	"time"
)

// halfLife is the time after which device time that was used counts half: a client that used the devices much is
// behind the others for a minute or two, and then no longer.
const halfLife = 20 * time.Second

// usage is device time that decays: in seconds, as of a time after the scheduler's start.
type usage struct {
	sum float64
	at  time.Duration
}

// seconds is what the usage has decayed to.
func (u usage) seconds(at time.Duration) float64 {
	return u.sum * math.Exp2((u.at-at).Seconds()/halfLife.Seconds())
}

// account is the device time of a client or of a session.
type account struct {
	used usage
	turn time.Duration // how long a turn on a device typically takes it
}

// The turns that a rank expects, and the length of a turn that an account begins with.
const (
	expectedTurns = 16
	shortestTurn  = 50 * time.Microsecond
)

// charge adds a turn that took this long and ended at a time after the scheduler's start. The typical turn follows at
// most by a factor of two: one short job that the operating system kept waiting is not a long job.
func (a *account) charge(took, at time.Duration) {
	a.used = usage{a.used.seconds(at) + took.Seconds(), at}
	a.turn = max(min(took, 2*a.turn), a.turn/2, shortestTurn)
}

// rank says whose turn it is: the account's with the least rank, which is the device time that it used and that its
// next turns are expected to take, in seconds. So short jobs overtake long ones as long as their owner is at most a
// quantum ahead of the others: with one more quantum for each, nobody waits forever.
func (a *account) rank(at time.Duration) float64 {
	return a.used.seconds(at) + min(expectedTurns*a.turn, quantum).Seconds()
}
