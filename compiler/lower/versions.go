package lower

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/triton"
)

// has reports whether the version of Triton that is compiled for has what a change is about.
func (l *lowerer) has(c triton.Change) bool { return l.opts.Triton.Has(c) }

// checkVersion reports a call of a name, or with a parameter, that the version of Triton that is compiled for has not,
// or warns of. It says whether to go on. The prelude may use all of the language.
func (l *lowerer) checkVersion(row *tl.Row, args *arguments) bool {
	if l.frame.fn.module.prelude {
		return true
	}
	v, life := l.opts.Triton, row.Lifetime
	switch {
	case !v.AtLeast(life.Since):
		l.fail(diag.New("name-since", l.calleeSpan(args), row.Path(), life.Since, v, instead(row.Path(), life.Since),
			row.Name))
		return false
	case !life.In(v):
		l.fail(diag.New("name-removed", l.calleeSpan(args), row.Path(), life.Until, v, instead(row.Path(), 0),
			row.Raises))
		return false
	case life.Warns(v):
		l.diags.Add(diag.Warn("name-deprecated", l.calleeSpan(args), row.Path(), life.Deprecated,
			instead(row.Path(), 0), row.Warns))
	}
	return len(row.Changed) == 0 || l.checkParameters(row, args)
}

// checkParameters reports a parameter that the row has in another version of Triton alone.
func (l *lowerer) checkParameters(row *tl.Row, args *arguments) bool {
	v := l.opts.Triton
	now := signatureOf(row, v).own.List
	named := func(name string) func(syntax.Param) bool {
		return func(p syntax.Param) bool { return p.Name == name }
	}
	for _, k := range args.keywords {
		if slices.ContainsFunc(now, named(k.name)) {
			continue
		}
		at := source.Span{Start: k.loc.Start, End: min(k.loc.End, k.loc.Start+int32(len(k.name)))}
		for i := len(row.Changed); i >= 0; i-- { // the newest version that has it
			since := triton.Version(0)
			if i > 0 {
				since = row.Changed[i-1].Since
			}
			if !slices.ContainsFunc(signatureOf(row, since.Or(triton.Oldest)).own.List, named(k.name)) {
				continue
			}
			path := row.Path() + "." + k.name
			if v.AtLeast(since) {
				l.fail(diag.New("parameter-removed", at, row.Path(), k.name, row.Changed[i].Since, v,
					instead(path, 0)))
			} else {
				l.fail(diag.New("parameter-since", at, row.Path(), k.name, since, v, instead(path, since)))
			}
			return false
		}
	}
	// What was passed by position once may have to be named.
	n := countPositional(now)
	if len(args.positional) <= n || slices.ContainsFunc(now, func(p syntax.Param) bool {
		return p.Kind == syntax.VarPositional
	}) {
		return true
	}
	old := signatureOf(row, triton.Oldest).own.List
	if n >= len(old) {
		return true
	}
	name, at := old[n].Name, l.spanOf(args.positional[n].expr)
	if !slices.ContainsFunc(now, named(name)) {
		l.fail(diag.New("parameter-removed", at, row.Path(), name, row.Changed[len(row.Changed)-1].Since, v,
			instead(row.Path()+"."+name, 0)))
		return false
	}
	d := diag.New("parameter-by-name", at, row.Path(), name, v, required(now), n, len(args.positional))
	l.fail(d.Suggest(true, diag.Text{Key: "fix-replace", Args: []any{name + "=" + l.userFile().Slice(at)}},
		diag.Edit{Span: source.Span{Start: at.Start, End: at.Start}, New: name + "="}))
	return false
}

// required is how many parameters have no default.
func required(list []syntax.Param) (n int) {
	for _, p := range list {
		if p.Default == nil && p.Kind != syntax.VarPositional && p.Kind != syntax.VarKeyword {
			n++
		}
	}
	return n
}

// instead is what to write in place of a name or a parameter, or of a newer one in a version before since.
func instead(path string, since triton.Version) diag.Text {
	if key := "instead." + path; diag.HasPhrase(key) {
		return diag.Text{Key: key}
	}
	if since != 0 {
		return diag.Text{Key: "instead-newer", Args: []any{since}}
	}
	return diag.Text{Key: "instead-none"}
}

// calleeSpan is where a call names what it calls.
func (l *lowerer) calleeSpan(args *arguments) source.Span {
	c, ok := args.node.(*syntax.Call)
	if !ok {
		return l.spanOf(args.node)
	}
	if a, ok := c.Func.(*syntax.Attribute); ok {
		return l.userSpan(a.AttrSpan)
	}
	return l.spanOf(c.Func)
}
