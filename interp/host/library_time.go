package host

import (
	"math"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
)

// structTime is the class time.struct_time.
func structTime() *Class {
	return namedTupleClass("time", "struct_time", []string{"tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min",
		"tm_sec", "tm_wday", "tm_yday", "tm_isdst"}, nil)
}

// timeParts are the nine numbers of struct_time, in UTC: documents have no place.
func timeParts(t time.Time) Tuple {
	weekday := (int(t.Weekday()) + 6) % 7 // Python's week begins on Monday
	return Tuple{intValue(t.Year()), intValue(int(t.Month())), intValue(t.Day()), intValue(t.Hour()),
		intValue(t.Minute()), intValue(t.Second()), intValue(weekday), intValue(t.YearDay()), intValue(0)}
}

// timeLibrary is what prelude/time.py stands on.
func timeLibrary(*machine) map[string]Value {
	class := structTime()
	layout := class.make
	class.make = laidOut("time", "struct_time(sequence)", func(m *machine, a arguments) Value {
		return layout(m, arguments{positional: m.itemsOf(a.positional[0])})
	})
	members := functions(map[string]method{
		"sleep(seconds, /)": sleep,
		"_parts(secs)": func(m *machine, a arguments) Value {
			seconds := m.floatOf(a.positional[0])
			if math.Abs(seconds) > 1e11 {
				raise("OverflowError", "timestamp out of range for platform time_t")
			}
			return timeParts(time.Unix(int64(math.Floor(seconds)), 0).UTC())
		},
		"_seconds(*parts)": func(m *machine, a arguments) Value {
			var n [6]int
			for i, v := range a.positional[0].(Tuple) {
				n[i] = int(asIndex(v))
			}
			t := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, time.UTC)
			return python.Float(float64(t.Unix()))
		},
		"_lacks(what)": func(m *machine, a arguments) Value {
			lack("ValueError", m.strOf(a.positional[0]), nil)
			return none
		},
	})
	start := time.Now()
	wall := distinct(func() int64 { return time.Now().UnixNano() })
	monotonic := distinct(func() int64 { return int64(time.Since(start)) })
	for name, reading := range map[string]func() int64{
		"time": wall, "perf_counter": monotonic, "monotonic": monotonic,
		"process_time": monotonic, "thread_time": monotonic,
	} {
		members[name] = &Builtin{Name: name, call: func(*machine, arguments) Value {
			return python.Float(float64(reading()) / 1e9)
		}}

		members[name+"_ns"] = &Builtin{Name: name + "_ns", call: func(*machine, arguments) Value {
			return python.NewInt(reading())
		}}
	}
	members["struct_time"] = class
	return members
}

// distinct reads a clock whose readings differ, as in Python: in a browser the clock stands still for some
// microseconds. Each reading is at least one microsecond after the last, which is about what a float holds of the
// seconds since 1970.
func distinct(clock func() int64) func() int64 {
	var last int64
	return func() int64 {
		last = max(clock(), last+1000)
		return last
	}
}

// sleepSteps is what a millisecond of sleep costs of the run's steps, about what other work of a millisecond does.
const sleepSteps = 2000

// sleep is time.sleep. It may be stopped.
func sleep(m *machine, a arguments) Value {
	seconds := m.floatOf(a.positional[0])
	switch {
	case math.IsNaN(seconds):
		raise("ValueError", "Invalid value NaN (not a number)")
	case seconds < 0:
		raise("ValueError", "sleep length must be non-negative")
	}
	const nap = 5 * time.Millisecond
	for end := time.Now().Add(time.Duration(min(seconds, 1e9) * 1e9)); ; {
		rest := min(time.Until(end), nap)
		m.budget.steps += int64(rest * sleepSteps / time.Millisecond)
		m.budget.countStep(m.at)
		if rest <= 0 {
			return none
		}
		if m.options.Stop != nil && m.options.Stop() {
			halt(diag.New("host-stopped", m.at))
		}
		time.Sleep(rest)
	}
}
