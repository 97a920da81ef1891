package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

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

// The costs of what grows with a fleet, which infra/capacity multiplies.

// crowd is a gateway that knows 1,000 workers, and the message of one of them.
func crowd(b *testing.B) (*testGateway, *nats.Msg) {
	g := newTestGateway(b, testServer(b, "").ClientURL(), nil)
	var last *nats.Msg
	for i := range 1000 {
		last = &nats.Msg{Subject: workersSubject + openWorker, Data: encodePacket(workerPresence{
			Worker: newID(), Name: fmt.Sprint("gpu", i), State: workerReady, Slots: 1,
			Device: protocol.Device{Name: "CPU", DTypes: []string{"fp16", "fp32", "i32"}}, Labels: []string{"lab=3"},
		}, nil)}
		g.hearWorker(last)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, w := range g.workers {
		w.heardAt = time.Now().Add(time.Hour) // they say nothing more
	}
	if len(g.workers) != 1000 {
		b.Fatalf("the gateway knows %d workers", len(g.workers))
	}
	return g, last
}

// BenchmarkHearWorker takes one of the messages that each worker sends each gateway every times.alive.
func BenchmarkHearWorker(b *testing.B) {
	g, message := crowd(b)
	for b.Loop() {
		g.hearWorker(message)
	}
}

// BenchmarkCapacity asks a pool of 1,000 workers for a gateway's share, as each dispatch of a job does.
func BenchmarkCapacity(b *testing.B) {
	g, _ := crowd(b)
	p := &pool{gateway: g.Gateway, name: "cpu"}
	for b.Loop() {
		p.Capacity()
	}
}

// BenchmarkHearUsage takes a message of another gateway with the device time of as many clients as it may name.
func BenchmarkHearUsage(b *testing.B) {
	g := newTestGateway(b, testServer(b, "").ClientURL(), nil)
	u := usageMessage{newID(), map[string]int64{}}
	for range maxUsage {
		u.Used[newID()] = 1e6
	}
	message := &nats.Msg{Data: encodePacket(u, nil)}
	for b.Loop() {
		g.hearUsage(message)
	}
}

// BenchmarkDeliver has the NATS server pass on a worker's message; most of its time is the server's.
func BenchmarkDeliver(b *testing.B) {
	url := testServer(b, "").ClientURL()
	from, err := connect(Options{URL: url}, false, func() {})
	if err != nil {
		b.Fatal(err)
	}
	defer from.Close()
	to, err := connect(Options{URL: url}, true, func() {})
	if err != nil {
		b.Fatal(err)
	}
	defer to.Close()
	heard, err := to.SubscribeSync(workersSubject)
	if err != nil {
		b.Fatal(err)
	}
	if err := to.FlushTimeout(requestTimeout); err != nil {
		b.Fatal(err)
	}
	message := make([]byte, 400)
	for range b.N {
		if err := from.Publish(workersSubject, message); err != nil {
			b.Fatal(err)
		}
	}
	for range b.N {
		if _, err := heard.NextMsg(requestTimeout); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTicket puts a ticket into the work queue, takes it and acknowledges it.
func BenchmarkTicket(b *testing.B) {
	l, err := connect(Options{URL: testServer(b, "").ClientURL()}, true, func() {})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	ctx := b.Context()
	if err := l.openStream(ctx); err != nil {
		b.Fatal(err)
	}
	if err := l.openConsumer(ctx, "cpu"); err != nil {
		b.Fatal(err)
	}
	consumer, err := l.js.Consumer(ctx, streamName, "cpu")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		text, err := json.Marshal(ticket{newID(), newID()})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := l.js.Publish(ctx, jobSubject+"cpu", text, jetstream.WithMsgID(newID())); err != nil {
			b.Fatal(err)
		}
		m, err := consumer.Next(jetstream.FetchContext(ctx))
		if err != nil {
			b.Fatal(err)
		}
		if err := m.DoubleAck(ctx); err != nil {
			b.Fatal(err)
		}
	}
}
