package host

import (
	"cmp"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// refusedModules are modules that scripts import and newt cannot have, with the code of the message that says why. They
// can be imported: many a script that does names them and goes without. Whatever is asked of one is refused there.
var refusedModules = map[string]string{
	"requests": "host-no-network", "socket": "host-no-network", "urllib.error": "host-no-network", "ssl": "host-no-network",
	"http": "host-no-network", "http.client": "host-no-network", "http.server": "host-no-network",
	"huggingface_hub": "host-no-network", "wget": "host-no-network", "gdown": "host-no-network",
	"subprocess": "host-no-processes", "multiprocessing": "host-no-processes", "signal": "host-no-processes",
	"ctypes":    "host-no-native",
	"threading": "host-no-threads", "concurrent": "host-no-threads", "concurrent.futures": "host-no-threads",
	"asyncio": "host-no-threads", "queue": "host-no-threads",
	"pickle": "host-no-pickle", "marshal": "host-no-pickle", "shelve": "host-no-pickle",
}

// refusedClasses are the exceptions of those modules whose callers are prepared for what newt lacks: programs that ask
// another one, such as git or nvidia-smi, for more than they need catch that it is not there.
var refusedClasses = map[string]string{"subprocess": "FileNotFoundError"}

// absentNames are names of such modules that Python has on Windows alone, which programs ask for to learn where they
// are.
var absentNames = map[string]bool{"ctypes.WinDLL": true, "ctypes.OleDLL": true, "ctypes.windll": true, "ctypes.oledll": true,
	"ctypes.WinError": true, "signal.CTRL_C_EVENT": true, "signal.CTRL_BREAK_EVENT": true, "signal.SIGBREAK": true,
	"subprocess.STARTUPINFO": true, "subprocess.CREATE_NO_WINDOW": true}

// refusedLibraries are their makers.
func refusedLibraries() map[string]maker {
	makers := map[string]maker{}
	for name := range refusedModules {
		makers[name] = empty
	}
	return makers
}

// refusal is the diagnostic for a name of a module that newt cannot have, nil if the module is another.
func refusal(module, name string, at source.Span) *diag.Diagnostic {
	code := refusedModules[module]
	if code == "" || strings.HasPrefix(name, "__") || absentNames[module+"."+name] {
		return nil
	}
	return diag.New(code, at, module+"."+name)
}

// refusedMember is a name of such a module: it can be imported, and is refused when it is called or asked for an
// attribute.
type refusedMember struct{ module, name string }

// Type is the class that most of those names are.
func (refusedMember) Type() string { return "function" }

// invoke refuses the call.
func (r refusedMember) invoke(*machine, arguments) Value {
	r.refuse()
	return nil
}

func (r refusedMember) refuse() {
	if d := refusal(r.module, r.name, source.Span{}); d != nil {
		throwOwn(cmp.Or(refusedClasses[r.module], "NotImplementedError"), d)
	}
}

func (r refusedMember) attr(_ *machine, name string) (Value, bool) {
	if !strings.HasPrefix(name, "__") {
		r.refuse()
	}
	return nil, false
}
