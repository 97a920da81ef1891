package api

import (
	"slices"
	"time"

	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/interp/tensor"
	"github.com/newtlab/newt/puzzles/judge"
)

// maxKeptBytes bounds the tensors that a session keeps of launches, as they were before and after; the oldest launch
// goes first.
const maxKeptBytes = 128 << 20

// recorder is the host.Launcher of a session: it lists the launches and keeps what they did.
type recorder struct {
	script.Launcher
	session *session
	count   int
	kept    []*keptLaunch
	bytes   int
}

// keptLaunch is a launch with its tensors.
type keptLaunch struct {
	CellLaunch
	tensors []keptTensor
	bytes   int
}

type keptTensor struct {
	after  judge.Array
	before []byte
}

// Launch implements host.Launcher.
func (r *recorder) Launch(of host.Launch) (host.Launched, *host.Failure) {
	kept := &keptLaunch{CellLaunch: CellLaunch{Kernel: of.Kernel.Name, Grid: of.Grid[:]}}
	var tensors []*tensor.Tensor
	for i, v := range of.Args {
		name := of.Kernel.Def.Params.List[i].Name
		kept.Args = append(kept.Args, LaunchArg{Name: name, Text: shortValue(v)})
		if t, ok := host.AsTensor(v); ok && 2*t.Numel()*t.DType().Info().Bytes <= maxKeptBytes-kept.bytes {
			k := keptTensor{before: slices.Clone(t.Bytes())}
			k.after.Name, k.after.DType, k.after.Shape = name, t.DType(), t.Shape()
			kept.tensors, tensors = append(kept.tensors, k), append(tensors, t)
			kept.bytes += 2 * len(k.before)
		}
	}
	start := time.Now()
	done, failure := r.Launcher.Launch(of)
	kept.MS, kept.OK = milliseconds(time.Since(start)), failure == nil
	for i, t := range tensors {
		kept.tensors[i].after.Data = slices.Clone(t.Bytes())
	}
	r.count++
	kept.Number = r.count
	if s := r.session.stream; s != nil {
		kept.Line = s.places.Position(of.Span.Start).Line
		if failure != nil && len(failure.List) > 0 {
			kept.Message = failure.List[len(failure.List)-1].In(s.call.lang).Headline
		}
		s.addLaunch(kept.CellLaunch)
	}
	r.keep(kept)
	return done, failure
}

// keep makes room for a launch and keeps it.
func (r *recorder) keep(l *keptLaunch) {
	r.kept, r.bytes = append(r.kept, l), r.bytes+l.bytes
	for len(r.kept) > 1 && (r.bytes > maxKeptBytes || len(r.kept) > maxCellListed) {
		r.bytes -= r.kept[0].bytes
		r.kept = slices.Delete(r.kept, 0, 1)
	}
}

// look shows what a launch did to its tensors.
func (c *call) look(r *LookRequest) *FreeReply {
	out := &FreeReply{}
	s := c.server.session
	if s == nil || s.name != r.Session {
		return out
	}
	at := slices.IndexFunc(s.launcher.kept, func(l *keptLaunch) bool { return l.Number == r.Number })
	if at < 0 {
		return out
	}
	l := s.launcher.kept[at]
	out.OK, out.Message, out.Grid, out.RunMS = l.OK, l.Message, l.Grid, l.MS
	for _, t := range l.tensors {
		view := *sampleOf(t.after.Shape, nil).view(t.after)
		n := changed(t.after, t.before)
		out.Tensors = append(out.Tensors, FreeTensor{View: view, Text: tensorText(t.after), Changed: n})
	}
	return out
}
