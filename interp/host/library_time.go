package host

import (
	"fmt"
	"math"
	"strings"
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

// timeOf is the time of struct_time's numbers.
func timeOf(m *machine, v Value) time.Time {
	items := m.itemsOf(v)
	if len(items) < 6 {
		raise("TypeError", "Tuple or struct_time argument required")
	}
	var n [6]int
	for i := range n {
		n[i] = int(asIndex(items[i]))
	}
	return time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, time.UTC)
}

// timeLibrary is time.
func timeLibrary(*machine) map[string]Value {
	class := structTime()
	layout := class.make
	class.make = laidOut("time", "struct_time(sequence)", func(m *machine, a arguments) Value {
		return layout(m, arguments{positional: m.itemsOf(a.positional[0])})
	})
	at := func(m *machine, v Value) time.Time {
		if v == none {
			return time.Now().UTC()
		}
		seconds := m.floatOf(v)
		if math.Abs(seconds) > 1e11 {
			raise("OverflowError", "timestamp out of range for platform time_t")
		}
		return time.Unix(int64(math.Floor(seconds)), 0).UTC()
	}
	parts := func(m *machine, a arguments) Value {
		return newNamedTuple(class, timeParts(at(m, a.positional[0])))
	}
	local := func(m *machine, v Value) time.Time {
		if v == none {
			return time.Now().UTC()
		}
		return timeOf(m, v)
	}
	members := functions(map[string]method{
		"sleep(seconds, /)":    sleep,
		"gmtime(secs=None, /)": parts, "localtime(secs=None, /)": parts,
		"mktime(t, /)": func(m *machine, a arguments) Value {
			return python.Float(float64(timeOf(m, a.positional[0]).Unix()))
		},
		"strftime(format, t=None, /)": func(m *machine, a arguments) Value {
			return python.Str(formatTime(m.strOf(a.positional[0]), local(m, a.positional[1])))
		},
		"asctime(t=None, /)": func(m *machine, a arguments) Value {
			return python.Str(formatTime("%a %b %e %H:%M:%S %Y", local(m, a.positional[0])))
		},
		"ctime(secs=None, /)": func(m *machine, a arguments) Value {
			return python.Str(formatTime("%a %b %e %H:%M:%S %Y", at(m, a.positional[0])))
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
	members["struct_time"], members["timezone"], members["altzone"] = class, intValue(0), intValue(0)
	members["tzname"] = strTuple([]string{"UTC", "UTC"})
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

// timeFields are strftime's conversions.
func timeFields() map[byte]func(t time.Time) string {
	return map[byte]func(t time.Time) string{
		'Y': func(t time.Time) string { return fmt.Sprint(t.Year()) },
		'y': func(t time.Time) string { return fmt.Sprintf("%02d", t.Year()%100) },
		'm': func(t time.Time) string { return fmt.Sprintf("%02d", t.Month()) },
		'd': func(t time.Time) string { return fmt.Sprintf("%02d", t.Day()) },
		'e': func(t time.Time) string { return fmt.Sprintf("%2d", t.Day()) },
		'H': func(t time.Time) string { return fmt.Sprintf("%02d", t.Hour()) },
		'I': func(t time.Time) string { return fmt.Sprintf("%02d", (t.Hour()+11)%12+1) },
		'M': func(t time.Time) string { return fmt.Sprintf("%02d", t.Minute()) },
		'S': func(t time.Time) string { return fmt.Sprintf("%02d", t.Second()) },
		'j': func(t time.Time) string { return fmt.Sprintf("%03d", t.YearDay()) },
		'a': func(t time.Time) string { return t.Weekday().String()[:3] },
		'A': func(t time.Time) string { return t.Weekday().String() },
		'b': func(t time.Time) string { return t.Month().String()[:3] },
		'B': func(t time.Time) string { return t.Month().String() },
		'w': func(t time.Time) string { return fmt.Sprint(int(t.Weekday())) },
		'u': func(t time.Time) string { return fmt.Sprint((int(t.Weekday())+6)%7 + 1) },
		'p': func(t time.Time) string { return t.Format("PM") },
		'F': func(t time.Time) string { return t.Format("2006-01-02") },
		'T': func(t time.Time) string { return t.Format("15:04:05") },
		'R': func(t time.Time) string { return t.Format("15:04") },
		'D': func(t time.Time) string { return t.Format("01/02/06") },
		'x': func(t time.Time) string { return t.Format("01/02/06") },
		'X': func(t time.Time) string { return t.Format("15:04:05") },
		'c': func(t time.Time) string { return t.Format("Mon Jan _2 15:04:05 2006") },
		's': func(t time.Time) string { return fmt.Sprint(t.Unix()) },
		'Z': func(time.Time) string { return "UTC" }, 'z': func(time.Time) string { return "+0000" },
		'%': func(time.Time) string { return "%" }, 'n': func(time.Time) string { return "\n" },
		't': func(time.Time) string { return "\t" },
	}
}

// formatTime is strftime.
func formatTime(format string, t time.Time) string {
	var b strings.Builder
	fields := timeFields()
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		field, ok := fields[format[i]]
		if !ok {
			lack("ValueError", "strftime with %"+format[i:i+1], nil)
		}
		b.WriteString(field(t))
	}
	return b.String()
}
