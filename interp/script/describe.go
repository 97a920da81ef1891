package script

import (
	"github.com/newtlab/newt/compiler/ptx/arch"
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
	if t := arch.Find(c.Arch); t != nil {
		d.Major, d.Minor = t.Capability/10, t.Capability%10
	}
	return d
}
