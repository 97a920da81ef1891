package lower

import (
	"fmt"
	"strings"

	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/triton"
)

// binder is what pairs the arguments of a call with parameters in Triton, and says so where they do not fit. The zero
// value is Python, which names the function.
type binder struct {
	name      string // of the function
	signature bool   // inspect.Signature.bind, which names no function
	semantic  bool   // Python, with an argument _semantic behind those of the call
	generated bool   // the __init__ that triton.aggregate makes
	self      int    // positional arguments in front of those of the call
}

// rowBinder is the binder of a row. What Triton writes in the language itself it binds with inspect.getcallargs, which
// has Python's words, and since 3.7 with Signature.bind.
func (l *lowerer) rowBinder(row *tl.Row) binder {
	jit := row.Bind == tl.PreludeFn && row.Where != tl.Libdevice
	return binder{name: row.Name, signature: jit && l.opts.Triton.AtLeast(triton.V37),
		semantic: !jit && (row.Where == tl.Language || row.Where == tl.Descriptor)}
}

// say is a message about the function.
func (b binder) say(text string) string {
	if b.signature {
		return text
	}
	return b.name + "() " + text
}

// missing is what it says of parameters that no argument is for.
func (b binder) missing(names []string) string {
	quoted := "'" + strings.Join(names, "', '") + "'"
	switch n := len(names); {
	case b.signature:
		return fmt.Sprintf("missing a required argument: '%s'", names[0])
	case b.generated:
		return b.say(fmt.Sprintf("missing required argument: '%s'", names[0]))
	case n == 1:
		return b.say("missing 1 required positional argument: " + quoted)
	case n == 2:
		return b.say("missing 2 required positional arguments: " + strings.Replace(quoted, ",", " and", 1))
	default:
		last := strings.LastIndex(quoted, ", ")
		return b.say(fmt.Sprintf("missing %d required positional arguments: %s and%s", n, quoted[:last+1],
			quoted[last+1:]))
	}
}

// tooMany is what it says of more positional arguments than a function of some parameters takes.
func (b binder) tooMany(list []syntax.Param, given int) string {
	most, least, byName := b.self+countPositional(list), b.self, 0
	for _, p := range list {
		switch {
		case p.Kind == syntax.KeywordOnly:
			byName++
		case p.Default == nil && p.Kind != syntax.VarPositional && p.Kind != syntax.VarKeyword:
			least++
		}
	}
	switch {
	case b.signature:
		return "too many positional arguments"
	case b.semantic && byName == 0:
		return b.twice("_semantic")
	}
	takes, were, given := fmt.Sprint(most), "were", given+b.self
	if least < most && !b.generated {
		takes = fmt.Sprintf("from %d to %d", least, most)
	}
	plural := "s"
	if most == 1 && least == most {
		plural = ""
	}
	if given == 1 {
		were = "was"
	}
	counted := fmt.Sprint(given)
	if b.semantic {
		counted += " positional arguments (and 1 keyword-only argument)"
	}
	return b.say(fmt.Sprintf("takes %s positional argument%s but %s %s given", takes, plural, counted, were))
}

// twice is what it says of a parameter that is given by its position and by its name.
func (b binder) twice(name string) string {
	if b.signature {
		return "multiple values for argument '" + name + "'"
	}
	return b.say("got multiple values for argument '" + name + "'")
}

// unknown is what it says of the name of no parameter.
func (b binder) unknown(name string) string {
	return b.say("got an unexpected keyword argument '" + name + "'")
}
