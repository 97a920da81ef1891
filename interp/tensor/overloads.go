package tensor

import (
	"slices"
	"strings"
)

// factoryWords is the tail of a creation function's forms in torch's messages.
const factoryWords = "torch.dtype dtype = None, torch.layout layout = None, torch.device device = None, " +
	"bool pin_memory = False, bool requires_grad = False"

// overloads are the forms that torch lists where a call fits none of them, for the operations with several.
var overloads = map[string][]string{
	"torch.zeros": sizedForms("tuple of ints size, *, "),
	"torch.ones":  sizedForms("tuple of ints size, *, "),
	"torch.full":  sizedForms("tuple of ints size, Number fill_value, *, "),
	"torch.linspace": {
		"Tensor start, Tensor end, int steps, *, Tensor out = None, " + factoryWords,
		"Number start, Tensor end, int steps, *, Tensor out = None, " + factoryWords,
		"Tensor start, Number end, int steps, *, Tensor out = None, " + factoryWords,
		"Number start, Number end, int steps, *, Tensor out = None, " + factoryWords,
	},
	"torch.cumsum":  scanForms,
	"torch.cumprod": scanForms,
	"torch.sum": {
		"Tensor input, *, torch.dtype dtype = None",
		"Tensor input, tuple of ints dim, bool keepdim = False, *, torch.dtype dtype = None, Tensor out = None",
		"Tensor input, tuple of names dim, bool keepdim = False, *, torch.dtype dtype = None, Tensor out = None",
	},
	"Tensor.to": {
		"torch.device device = None, torch.dtype dtype = None, bool non_blocking = False, bool copy = False, *, " +
			"torch.memory_format memory_format = None",
		"torch.dtype dtype, bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format = None",
		"Tensor tensor, bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format = None",
	},
}

var scanForms = []string{
	"Tensor input, int dim, *, torch.dtype dtype = None, Tensor out = None",
	"Tensor input, name dim, *, torch.dtype dtype = None, Tensor out = None",
}

func sizedForms(head string) []string {
	return []string{head + "tuple of names names, " + factoryWords, head + "Tensor out = None, " + factoryWords}
}

// call is what a script passes to an operation.
type call struct {
	op         *Op
	positional []any
	keywords   map[string]any
}

// refuse raises torch's error for a call that none of an operation's forms takes; it returns where one form alone takes
// as many arguments, so that its error says more.
func (c call) refuse() {
	forms := overloads[c.op.path()]
	positional := c.positional
	if c.op.method { // which torch does not count
		positional = positional[1:]
	}
	plausible := 0
	for _, form := range forms {
		if least, most := countParameters(form); least <= len(positional)+len(c.keywords) &&
			len(positional)+len(c.keywords) <= most {
			plausible++
		}
	}
	if forms == nil || plausible == 1 {
		return
	}
	var got []string
	for _, v := range positional {
		got = append(got, pythonType(v))
	}
	for _, name := range sortedKeys(c.keywords) {
		got = append(got, name+"="+pythonType(c.keywords[name]))
	}
	text := strings.Join(got, ", ")
	if len(positional) == 0 && len(got) > 0 { // torch's own separator behind keywords alone
		text += ", "
	}
	typeError("%s() received an invalid combination of arguments - got (%s), but expected one of:\n * (%s)\n",
		c.op.Name, text, strings.Join(forms, ")\n * ("))
}

// countParameters counts a form's parameters: those without a default, and all.
func countParameters(form string) (least, most int) {
	for _, p := range strings.Split(form, ", ") {
		if p == "*" {
			continue
		}
		if most++; !strings.Contains(p, " = ") {
			least++
		}
	}
	return least, most
}

// knows reports whether a form of the operation has a parameter of a name.
func (c call) knows(name string) bool {
	return slices.ContainsFunc(overloads[c.op.path()], func(form string) bool {
		return strings.Contains(form+",", " "+name+" =") || strings.Contains(form+",", " "+name+",")
	})
}
