package cli

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/launch/proof"
)

// proofs are what is proved of the kernels that a sanitizer looks at, each by its first launch.
type proofs struct {
	list    []*proof.Report
	seen    map[*launch.Kernel]bool
	allowed iter.Seq[*proof.Launch] // of a puzzle
}

// sanitize is a launch.Sanitizer.
func (p *proofs) sanitize(k *launch.Kernel, ctx context.Context, args []launch.Arg, l device.Launch) diag.List {
	var wraps diag.List
	if !p.seen[k] {
		if p.seen == nil {
			p.seen = map[*launch.Kernel]bool{}
		}
		p.seen[k] = true
		found := proof.Of(k, args, l.Grid, p.allowed)
		p.list, wraps = append(p.list, found), found.Warnings()
	}
	return append(wraps, k.Sanitize(ctx, args, l)...)
}

func (p *proofs) text(w io.Writer, lang diag.Lang) {
	for _, r := range p.list {
		fmt.Fprint(w, r.Text(lang))
	}
}
