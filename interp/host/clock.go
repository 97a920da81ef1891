package host

import "time"

// clock tells the device's time: that of the session in which each launch counts as long as it took on its device, and
// not as long as compiling it and carrying its tensors there took in addition. Timing a function by it is what Triton
// does with events on a stream. It must not be read while a launch is under way.
type clock struct {
	elapsed  func() time.Duration // of this process's time since the first reading; nil before it
	launches time.Duration        // of this process's time, what launches took here
	device   time.Duration        // what they took on their device
	work     int64                // what they did, in the interpreter's units
	compiled Compiled             // what the last of them was compiled to
	record   *[]Launch            // where launches are noted while something measures them; nil to note none
	profile  *profile             // of torch.profiler; nil where none runs
}

// now is the device's time since the session began.
func (c *clock) now() time.Duration {
	if c.elapsed == nil {
		start := time.Now()
		// A function: the linker keeps all methods of a field's type, and those of time.Time read and write dates.
		c.elapsed = func() time.Duration { return time.Since(start) }
	}
	return c.elapsed() - c.launches + c.device
}

// pause leaves this process's time out of account until the function that it returns is called.
func (c *clock) pause() func() {
	began := time.Now()
	return func() { c.launches += time.Since(began) }
}

// add counts a launch that began at a time of this clock.
func (c *clock) add(l Launch, began time.Duration, done Launched) {
	c.profile.add(profiledEvent{name: l.Kernel.Name, onDevice: true, began: began, took: done.Elapsed})
	c.device += done.Elapsed
	c.work += done.Work
	c.compiled = done.Compiled
	if c.record != nil {
		*c.record = append(*c.record, l)
	}
}
