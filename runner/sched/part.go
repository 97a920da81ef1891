package sched

import "github.com/newtlab/newt/interp/device"

// openPart takes a part of the device into use, where that can be divided: the session's for a run that keeps tensors
// there, or that is one of a session which does, since memory of one launch must be on one part; otherwise a part for
// this run. end is to be called when the run has freed its memory, and says whether all went well.
func (r *run) openPart() (end func(well bool), err error) {
	end = func(bool) {}
	own, err := r.useResident()
	divisible, ok := r.device.Device.(device.Divisible)
	if err != nil || !ok {
		return end, err
	}
	part, err := divisible.Part(r.job.session.tenant)
	if err != nil {
		return end, err
	}
	if own == nil {
		r.device.Device = part
		return func(well bool) { r.endPart(part, well) }, nil
	}
	taken := false
	r.updateJob(func(j *job) {
		// The session may have been closed meanwhile.
		if taken = j.session.residents[j.queue] == own; taken {
			own.device, own.owned, r.device.Device = part, true, part
		}
	})
	if !taken {
		part.Close()
		return end, errBufferUnknown
	}
	return end, nil
}

// endPart ends the part of a run. Nothing of one that failed is kept, and closing it may take a while.
func (r *run) endPart(part device.Part, well bool) {
	if well {
		r.logFailure(part.Keep())
		return
	}
	r.sched.workers.Go(func() { r.logFailure(part.Close()) })
}

func (r *run) logFailure(err error) {
	if err != nil {
		r.sched.options.Log.Error("a device failed", "device", r.device.ID, "err", err)
	}
}
