package client

import (
	"context"
	"slices"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/client/codec"
	"github.com/newtlab/newt/runner/protocol"
)

// Device is a device of the runner by its id; the first where it is empty. Memory stays on
// the runner between launches. Closing the device leaves the client open.
func (c *Client) Device(id string) (device.Device, error) {
	devices := c.Devices()
	i := slices.IndexFunc(devices, func(d protocol.Device) bool { return id == "" || d.ID == id })
	if i < 0 {
		var ids []string
		for _, d := range devices {
			ids = append(ids, d.ID)
		}
		return nil, fault("runner-device-unknown", id, ids)
	}
	return codec.NewDevice(runner{c}, devices[i]), nil
}

// Open connects to a runner for the sake of its first device. Closing the device ends the
// connection.
func Open(ctx context.Context, address string, o Options) (device.Device, error) {
	c, err := Connect(ctx, address, o)
	if err != nil {
		return nil, err
	}
	d, err := c.Device("")
	if err != nil {
		c.Close()
		return nil, err
	}
	return owner{d, c}, nil
}

// owner is a device that the connection ends with.
type owner struct {
	device.Device
	client *Client
}

// Close implements device.Device.
func (o owner) Close() error { return o.client.Close() }
