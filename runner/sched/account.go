package sched

import (
	"math"
	"time"
)

// halfLife is the half-life of charged device time: a client that used the devices a lot ranks behind the others for a
// minute or two.
const halfLife = 20 * time.Second

// usage is exponentially decaying device time: sum seconds as of a time since the scheduler's start.
type usage struct {
	sum float64
	at  time.Duration
}

// seconds returns the usage as decayed at a time since the scheduler's start.
func (u usage) seconds(at time.Duration) float64 {
	return u.sum * math.Exp2((u.at-at).Seconds()/halfLife.Seconds())
}

// account is the device time charged to a client or to a session.
type account struct {
	used        usage
	typicalTurn time.Duration // estimated length of its next turn on a device
}

// The number of turns that a rank looks ahead, and the least estimate of a turn.
const (
	expectedTurns = 16
	shortestTurn  = 50 * time.Microsecond
)

// charge adds a turn that took this long and ended at a time since the scheduler's start. The estimate changes by a
// factor of two at most: a short job that the operating system preempted for long does not make the next ones long.
func (a *account) charge(took, at time.Duration) {
	a.add(took, at)
	a.typicalTurn = max(min(took, 2*a.typicalTurn), a.typicalTurn/2, shortestTurn)
}

// add adds time that is not a turn, such as verification: it does not change the estimate of a turn.
func (a *account) add(took, at time.Duration) {
	a.used = usage{a.used.seconds(at) + took.Seconds(), at}
}

// rank orders accounts for scheduling; the lowest runs first. It is the device time that was used plus what the next
// turns are expected to use, in seconds. So short jobs overtake long ones, but since the second term is at most a
// quantum, an account can get at most a quantum ahead of another that way, and no job starves.
func (a *account) rank(at time.Duration) float64 {
	return a.used.seconds(at) + min(expectedTurns*a.typicalTurn, quantum).Seconds()
}
