package fleet

import (
	"context"
	"testing"

	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// BenchmarkJob sends one small job after another: to a scheduler with a device, and to a gateway with one worker. The
// difference is what the fleet costs a job.
func BenchmarkJob(b *testing.B) {
	b.Run("alone", func(b *testing.B) {
		s := sched.New(sched.Options{
			Devices: []sched.Device{{ID: "cpu", Device: cpu.New(cpu.Options{})}}, Limits: protocol.DefaultLimits(),
		})
		b.Cleanup(func() { s.Stop(context.Background(), 0); s.Close(context.Background()) })
		sendMany(b, &testGateway{sched: s})
	})
	b.Run("fleet", func(b *testing.B) {
		s := testServer(b, "")
		g := newTestGateway(b, s.ClientURL(), nil)
		startWorker(b, s.ClientURL())
		g.offers(b, "cpu", 1)
		sendMany(b, g)
	})
}

func sendMany(b *testing.B, g *testGateway) {
	c := g.connect(b, "here")
	for b.Loop() {
		if a := c.wait(b, c.send(b, "cpu", increment, 41, 0)); a.done.State != protocol.StateDone {
			b.Fatalf("%+v", a.done)
		}
	}
}
