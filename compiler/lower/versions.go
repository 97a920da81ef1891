package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/triton"
)

// has reports whether the version of Triton that is compiled for has what a change is about.
func (l *lowerer) has(c triton.Change) bool { return l.opts.Triton.Has(c) }

// needs warns of what newt runs, and the version of Triton that is compiled for refuses: what, as a program writes it,
// and what Triton says of it.
func (l *lowerer) needs(c triton.Change, at source.Span, what, said string) {
	if !l.has(c) && !l.frame.fn.module.prelude {
		l.warnSuperset(diag.New("needs-version", at, what, c.Since(), l.opts.Triton, said))
	}
}

// checkVersion reports a call of a name, or with a parameter, that the version of Triton that is compiled for has not,
// or warns of. It says whether to go on. The prelude may use all of the language.
func (l *lowerer) checkVersion(row *tl.Row, args *arguments) bool {
	v := l.opts.Triton
	if l.frame.fn.module.prelude || row.Lifetime.In(v) && !row.Lifetime.Warns(v) && l.takes(row, args) {
		return true
	}
	return l.reportVersion(row, args)
}

// takes reports whether the arguments of a call have parameters in the version that is compiled for, as far as versions
// differ in them.
func (l *lowerer) takes(row *tl.Row, args *arguments) bool {
	if len(row.Changed) == 0 {
		return true
	}
	list := signatureOf(row, l.opts.Triton).params.List
	for _, k := range args.keywords {
		if paramNamed(list, k.name) == nil {
			return false
		}
	}
	return len(args.positional) <= countPositional(list) || list[len(list)-1].Kind == syntax.VarPositional
}

func paramNamed(list []syntax.Param, name string) *syntax.Param {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// reportVersion is checkVersion where something is to be reported.
func (l *lowerer) reportVersion(row *tl.Row, args *arguments) bool {
	v, life := l.opts.Triton, row.Lifetime
	switch {
	case !v.AtLeast(life.Since):
		d := l.nameSince(row, l.calleeSpan(args))
		if args.isMethod() {
			d.Args[4] = "'tensor' object has no attribute '" + row.Name + "'"
		}
		l.fail(d)
		return false
	case !life.In(v):
		said := row.Raises
		if member := tl.Lookup(tl.Language, "make_block_ptr"); args.isMethod() && row.Name == "advance" {
			said = member.Raises // the method is there, and raises
		}
		l.fail(diag.New("name-removed", l.calleeSpan(args), row.Path(), life.Until, v, instead(row.Path()), said))
		return false
	case life.Warns(v):
		l.diags.Add(diag.Warn("name-deprecated", l.calleeSpan(args), row.Path(), life.Deprecated,
			instead(row.Path()), row.Warns))
	}
	if l.takes(row, args) {
		return true
	}
	now := signatureOf(row, v).params.List
	for _, k := range args.keywords {
		if paramNamed(now, k.name) == nil {
			at := source.Span{Start: k.loc.Start, End: min(k.loc.End, k.loc.Start+int32(len(k.name)))}
			return !l.reportParameter(row, at, k.name, args.binder.unknown(k.name))
		}
	}
	return !l.reportPosition(row, args, now)
}

// nameSince says that a name is new in a later version of Triton.
func (l *lowerer) nameSince(row *tl.Row, at source.Span) *diag.Diagnostic {
	holder := "triton.language"
	switch row.Where {
	case tl.Triton:
		holder = "triton"
	case tl.TargetInfo:
		holder = "triton.language.target_info"
	}
	return diag.New("name-since", at, row.Path(), row.Lifetime.Since, l.opts.Triton, instead(row.Path()),
		"module '"+holder+"' has no attribute '"+row.Name+"'")
}

// reportParameter reports a parameter that the row has in another version alone. It is false where no version has it.
func (l *lowerer) reportParameter(row *tl.Row, at source.Span, name, said string) bool {
	v, path := l.opts.Triton, row.Path()+"."+name
	for i := len(row.Changed); i >= 0; i-- { // the newest version that has it
		since := triton.Oldest
		if i > 0 {
			since = row.Changed[i-1].Since
		}
		switch {
		case paramNamed(signatureOf(row, since).params.List, name) == nil:
		case v.AtLeast(since):
			l.fail(diag.New("parameter-removed", at, row.Path(), name, row.Changed[i].Since, v, instead(path), said))
			return true
		default:
			l.fail(diag.New("parameter-since", at, row.Path(), name, since, v, instead(path), said))
			return true
		}
	}
	return false
}

// reportPosition reports an argument that an older version takes by its position. It is false where none does.
func (l *lowerer) reportPosition(row *tl.Row, args *arguments, now []syntax.Param) bool {
	n, old := countPositional(now), signatureOf(row, triton.Oldest).params.List
	if n >= countPositional(old) {
		return false
	}
	v, name, at := l.opts.Triton, old[n].Name, l.spanOf(args.positional[n].expr)
	said := args.binder.tooMany(now, len(args.positional))
	if paramNamed(now, name) == nil {
		return l.reportParameter(row, at, name, said)
	}
	l.fail(diag.New("parameter-by-name", at, row.Path(), name, v, said).
		Suggest(true, diag.Text{Key: "fix-replace", Args: []any{name + "=" + l.userFile().Slice(at)}},
			diag.Edit{Span: source.Span{Start: at.Start, End: at.Start}, New: name + "="}))
	return true
}

// instead is what to write in place of a name or a parameter.
func instead(path string) any {
	if t, ok := tl.Instead(path); ok {
		return inWords(t)
	}
	return diag.Text{Key: "instead-none"}
}

// inWords is a text of the table as the argument of a message.
type inWords tl.Text

// In gives it in a language.
func (t inWords) In(lang diag.Lang) string {
	if lang == diag.Chinese {
		return t.Zh
	}
	return t.En
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
