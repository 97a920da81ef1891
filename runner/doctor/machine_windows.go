package doctor

import "golang.org/x/sys/windows"

// The operating system's errors for ErrTaken and ErrNoAddress.
var (
	taken     = []error{windows.WSAEADDRINUSE}
	noAddress = []error{windows.WSAEADDRNOTAVAIL}
)

func (machine) Group(string) string { return "" }

func (machine) Space(dir string) (uint64, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	return free, err
}

func (machine) OpenFiles() (uint64, error) { return 0, errUnseen }
