package script

import (
	"strconv"
	"strings"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/host"
)

// Describe implements host.Describer.
func (l *Launcher) Describe() host.DeviceInfo {
	if l.Device == nil {
		return host.DeviceInfo{}
	}
	c := l.Device.Capabilities()
	_, here := l.Device.(device.InPlace)
	d := host.DeviceInfo{Name: c.Name, Processors: c.Processors, MemoryBytes: int64(c.MemoryBytes),
		Apart: !here, Compiles: c.Arch != ""}
	// sm_90a is compute capability 9.0, sm_103f is 10.3.
	if arch, err := strconv.Atoi(strings.TrimRight(strings.TrimPrefix(c.Arch, "sm_"), "af")); err == nil {
		d.Major, d.Minor = arch/10, arch%10
	}
	return d
}
