package sim

type special struct {
	name  string
	bits  int
	value func(w *warp, lane int) uint64
}

const (
	numSpecials = 29
	numClocks   = 4 // the last ones change while the kernel runs
)

// specials are the special registers, with the value of each lane. A block has one dimension of
// threads, so everything in y and z is 0 of 1.
var specials = [numSpecials]special{
	{"%tid.x", 32, func(w *warp, lane int) uint64 { return uint64(w.id*warpSize + lane) }},
	{"%tid.y", 32, zero},
	{"%tid.z", 32, zero},
	{"%ntid.x", 32, func(w *warp, _ int) uint64 { return uint64(w.block.threads) }},
	{"%ntid.y", 32, one},
	{"%ntid.z", 32, one},
	{"%ctaid.x", 32, func(w *warp, _ int) uint64 { return uint64(w.block.id[0]) }},
	{"%ctaid.y", 32, func(w *warp, _ int) uint64 { return uint64(w.block.id[1]) }},
	{"%ctaid.z", 32, func(w *warp, _ int) uint64 { return uint64(w.block.id[2]) }},
	{"%nctaid.x", 32, func(w *warp, _ int) uint64 { return uint64(w.block.machine.cfg.Grid[0]) }},
	{"%nctaid.y", 32, func(w *warp, _ int) uint64 { return uint64(w.block.machine.cfg.Grid[1]) }},
	{"%nctaid.z", 32, func(w *warp, _ int) uint64 { return uint64(w.block.machine.cfg.Grid[2]) }},
	{"%laneid", 32, func(_ *warp, lane int) uint64 { return uint64(lane) }},
	{"%warpid", 32, func(w *warp, _ int) uint64 { return uint64(w.id) }},
	{"%nwarpid", 32, func(w *warp, _ int) uint64 { return uint64(len(w.block.warps)) }},
	{"%smid", 32, zero},
	{"%nsmid", 32, one},
	{"%cluster_ctarank", 32, zero},
	{"%lanemask_eq", 32, func(_ *warp, lane int) uint64 { return 1 << lane }},
	{"%lanemask_lt", 32, func(_ *warp, lane int) uint64 { return maskBits(lane) }},
	{"%lanemask_le", 32, func(_ *warp, lane int) uint64 { return maskBits(lane + 1) }},
	{"%lanemask_gt", 32, func(_ *warp, lane int) uint64 { return maskBits(32) &^ maskBits(lane+1) }},
	{"%lanemask_ge", 32, func(_ *warp, lane int) uint64 { return maskBits(32) &^ maskBits(lane) }},
	{"%dynamic_smem_size", 32, func(w *warp, _ int) uint64 { return uint64(w.block.machine.cfg.Shared) }},
	{"%total_smem_size", 32, func(w *warp, _ int) uint64 { return uint64(len(w.block.shared)) }},
	{"%clock", 32, func(w *warp, _ int) uint64 { return w.block.machine.executed & maskBits(32) }},
	{"%clock64", 64, func(w *warp, _ int) uint64 { return w.block.machine.executed }},
	{"%globaltimer", 64, func(w *warp, _ int) uint64 { return w.block.machine.executed }},
	{"%globaltimer_lo", 32, func(w *warp, _ int) uint64 { return w.block.machine.executed & maskBits(32) }},
}

func zero(*warp, int) uint64 { return 0 }
func one(*warp, int) uint64  { return 1 }

var specialIndex = func() map[string]int32 {
	m := map[string]int32{}
	for i := range specials {
		m[specials[i].name] = int32(i)
	}
	return m
}()

func (w *warp) fillSpecials() {
	for i := range numSpecials - numClocks {
		w.fillSpecial(i)
	}
}

func (w *warp) fillSpecial(i int) {
	for lane := range w.special[i] {
		w.special[i][lane] = specials[i].value(w, lane)
	}
}

func (w *warp) readSpecial(i int32) *lanes {
	if int(i) >= numSpecials-numClocks {
		w.fillSpecial(int(i))
	}
	return &w.special[i]
}
