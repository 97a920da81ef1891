package isa

import "testing"

func TestWork(t *testing.T) {
	for op, want := range map[string]Work{
		"add.s32":                   {Class: Integer},
		"setp.lt.and.s32":           {Class: Integer},
		"setp.lt.f32":               {Class: Single},
		"add.rn.f32":                {Class: Single, LaneFLOPs: 1},
		"fma.rn.f16x2":              {Class: Half, LaneFLOPs: 4},
		"fma.rn.f64":                {Class: Double, LaneFLOPs: 2},
		"ex2.approx.ftz.f32":        {Class: Single},
		"cvt.rn.f16.f32":            {Class: Conversion},
		"ld.param.u64":              {Class: Move},
		"ld.global.v4.f32":          {Class: MemoryAccess},
		"cp.async.cg.shared.global": {Class: MemoryAccess},
		"cp.async.wait_group":       {Class: Control},
		"bar.sync":                  {Class: Control},
		"ret":                       {Class: Control},
		"wgmma.fence.sync.aligned":  {Class: Control},
		"red.global.add.f32":        {Class: MemoryAccess},
		"shfl.sync.bfly.b32":        {Class: Move},
		"ldmatrix.sync.aligned.m8n8.x4.shared.b16":              {Class: MemoryAccess},
		"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32":     {Class: Tensor, WarpFLOPs: 2 * 16 * 8 * 16},
		"wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16": {Class: Tensor, WarpFLOPs: 2 * 16 * 128 * 16},
	} {
		if got := Lookup(op).Work; got != want {
			t.Errorf("%s: %+v, want %+v", op, got, want)
		}
	}
}
