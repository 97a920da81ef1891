//go:build !linux

package doctor

func (machine) Synced() (bool, error) { return false, errUnseen }
