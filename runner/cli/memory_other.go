//go:build !linux

package cli

// limitMemory does nothing here, where no limit of the system fits: the heap is kept small by collections alone.
func limitMemory(int64) error { return nil }

func memoryLimit() int64 { return 0 }
