package host

import (
	"time"

	"github.com/newtlab/newt/compiler/python"
)

func timeFunctions() map[string]method {
	return map[string]method{
		"time":         func(*machine, arguments) Value { return python.Float(float64(time.Now().UnixNano()) / 1e9) },
		"perf_counter": func(*machine, arguments) Value { return python.Float(float64(time.Now().UnixNano()) / 1e9) },
		"sleep":        ignore,
	}
}
