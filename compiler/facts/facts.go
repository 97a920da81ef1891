// Package facts is the analysis of integers: what a kernel's numbers, its pointers' offsets and its conditions are, as
// sums over a few atoms (program ids, lanes, iterations, quotients, arguments), with intervals, conditions and the trip
// counts of loops.
//
// A [Walk] runs over a function once. Its rules (rules.go) make each integer a [Sum] of [Atoms], exact and without
// wrapping: what may wrap is an atom of its own that knows the sum that wraps, and what comes out of memory is one that
// can be anything its dtype holds. Where arguments are symbols for proofs, signed arithmetic is taken not to wrap, and
// the walk says of which values ([Model.Assumed]). A loop's carried value to which each iteration adds the same
// (loop.go) is its first value plus that, times the number of the iteration. A truth value is the conditions, sums that
// are at least 0, that hold where it is true, and where it is false; those of the branches around are the walk's path.
//
// How the elements of a tile follow each other ([Dim]) is read off its sum (runs.go): the index of a lane is
// contiguous, a quotient of it is constant in runs, coefficients and arguments say what is divided. So is how a sum
// grows in a loop, and from program to program (growth.go).
//
// Questions are answered by numbers (bound.go): the largest value of a sum under conditions, found by narrowing the
// intervals of atoms and by adding conditions so that terms cancel, also in each of the two cases of a minimum or a
// choice. Package bounds asks for a launch, with its numbers put in; package prove answers for symbols with a search of
// its own over the same sums.
package facts
