package cli

import "syscall"

// limitMemory bounds what this process can allocate from now on, what it has included. The Go runtime ends the process
// that asks for more. What it has reserved without using it does not count, as it would for RLIMIT_AS.
func limitMemory(bytes int64) error {
	return syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)})
}

// memoryLimit is what limitMemory, or whoever started this process, has set; 0: nothing.
func memoryLimit() int64 {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_DATA, &l) != nil || l.Cur > 1<<62 {
		return 0
	}
	return int64(l.Cur)
}
