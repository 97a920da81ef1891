package script

import (
	"fmt"

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
	d := host.DeviceInfo{Name: c.Name, Processors: c.Processors, MemoryBytes: int64(c.MemoryBytes), Apart: !here}
	var arch int
	if n, _ := fmt.Sscanf(c.Arch, "sm_%d", &arch); n == 1 { // sm_90a is compute capability 9.0
		d.Major, d.Minor = arch/10, arch%10
	}
	return d
}
