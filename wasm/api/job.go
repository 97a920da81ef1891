package api

import (
	"context"
	"encoding/base64"
	"encoding/json"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/runner/client/codec"
	"github.com/newtlab/newt/runner/protocol"
)

// job sends a launch of a puzzle or of a free run as it travels to a device.
func (c *call) job(r *JobRequest) {
	unknown := emptyInspection()
	of := c.unjudged(&r.Of, unknown)
	if of == nil {
		c.finish(Reply{Job: &JobReply{Message: unknown.Message}})
		return
	}
	c.sendJob(of, of.kernel.Func)
}

// job sends a launch of the session.
func (d *documents) job(c *call, r *LookRequest) {
	of := d.inspected(r)
	if of == nil {
		c.finish(Reply{Job: &JobReply{Message: c.text("inspect.gone")}})
		return
	}
	fn, err := d.inText(of.kernel.Func, r.Text)
	if err != nil {
		c.finish(Reply{Error: err.Error()})
		return
	}
	c.sendJob(of, fn)
}

// sendJob sends the launch that an inspected one makes; fn is its kernel, with places in the page's text.
func (c *call) sendJob(of *inspected, fn *ir.Func) {
	job, tensors, fault := c.packed(of, fn)
	if fault != nil {
		job = &JobReply{Message: fault.In(c.lang).Headline}
	}
	c.finish(Reply{Job: job}, tensors...)
}

// packed is the launch that an inspected one makes, with its tensors; fn is its kernel. The fault says why there is
// none.
func (c *call) packed(of *inspected, fn *ir.Func) (job *JobReply, tensors [][]byte, fault *diag.Diagnostic) {
	args, err := of.kernel.OwnMemory(of.args)
	if err != nil {
		return nil, nil, launch.Diagnostic(err)
	}
	on := launch.Target{Device: &c.packer, Options: of.options}
	if _, fault := of.kernel.Run(context.Background(), on, args, of.with); fault != nil {
		return nil, nil, fault
	}
	j := c.packer.job
	c.packer.job = nil
	wire := ir.Encode(fn)
	j.Submit.Job, j.Submit.IRBytes = 1, len(wire)
	text, err := json.Marshal(protocol.ClientMessage{Submit: &j.Submit})
	if err != nil {
		return nil, nil, launch.Diagnostic(err)
	}
	return &JobReply{Launch: string(text), Kernel: IRReply{
		IR: base64.StdEncoding.EncodeToString(wire), Kernel: of.kernel.Kernel, Signature: of.kernel.Signature,
		NumWarps: of.options.NumWarps, NumStages: of.options.NumStages,
	}}, tensorBuffers(j), nil
}

// packer is a device that keeps a launch in place of making it. It has one at a time: calls are served one after
// another.
type packer struct {
	pageMemory
	job *codec.Job
}

func (p *packer) Capabilities() device.Capabilities { return device.Capabilities{} }

func (p *packer) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	return &packed{p, codec.Load(fn, o)}, nil
}

// packed is a function whose launches a packer keeps.
type packed struct {
	packer *packer
	code   *codec.Function
}

func (k *packed) Launch(_ context.Context, l device.Launch) (*device.Report, error) {
	k.packer.job = k.code.Job(l, contents)
	return &device.Report{}, nil
}
