package tensor

import (
	"runtime"
	"sync"
)

// partSize is how many elements are worth a goroutine of their own: some hundred microseconds.
const partSize = 1 << 15

// inParallel cuts 0 … n into parts that begin at multiples of unit, and does them on as many processors as there are.
// cost is about how many elements of work each of the n is. What the work panics with, inParallel panics with. Parts
// must not depend on each other: results are the same for any number of processors.
func inParallel(n, unit, cost int, do func(from, to int)) {
	if n <= 0 {
		return
	}
	workers := min(runtime.GOMAXPROCS(0), n*cost/partSize, n/unit)
	if workers < 2 {
		do(0, n)
		return
	}
	part := (n/workers + unit - 1) / unit * unit
	var running sync.WaitGroup
	var lock sync.Mutex
	var raised any
	for from := 0; from < n; from += part {
		running.Go(func() {
			defer func() {
				if e := recover(); e != nil {
					lock.Lock()
					raised = Internal(e)
					lock.Unlock()
				}
			}()
			do(from, min(from+part, n))
		})
	}
	running.Wait()
	if raised != nil {
		panic(raised)
	}
}

// chunksInParallel is inParallel for n elements that are worked on in chunks.
func chunksInParallel(n int, do func(from, to int)) { inParallel(n, chunk, 1, do) }
