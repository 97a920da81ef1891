package main

import (
	"regexp"
	"strings"
)

// orderedPart matches the functions that run in every sort of more values than insertion sort is for, in Go 1.26.
var orderedPart = regexp.MustCompile(`^(slices|sort)\.(choosePivot|symMerge)`)

// diagnosticPart matches the functions of the runtime that only execution traces, processor profiles, metrics, cgo,
// synctest and the checks of GODEBUG call, in Go 1.26. Those that print a crash are not among them: a program
// that is out of memory can load nothing.
var diagnosticPart = regexp.MustCompile(`^runtime\.\(?\*?(` + strings.Join([]string{
	`trace[A-Z]`, "startPCForTrace", "goStatusToTrace", "schedtrace", "fmtNSAsMS", "printScavTrace",
	"profBuf", "saveblock", "saveBlock", "blockevent", `\w+RecordGoroutineProfile`,
	"initMetrics", "readMetrics", "metricReader",
	`\w*[cC]go[A-Z]`, "synctest", "getOrSetBubble",
	"dump(Scan|Stacks|Types)", "gcDumpObject", `\w+Checkmark`, "findGoroutineLeaks", "checkFinalizersAndCleanups",
}, "|") + ")")

// addByChance adds to the functions that ran in a first visit those that may run in another one: the runtime's, as
// time and memory would have it, and the other parts of each sort that ran and was given more than insertion sort is
// for. Sorts choose among their parts by the order that values come in, and a map's keys come in any.
func addByChance(early []bool, names []string) error {
	if len(names) < len(early) {
		return errModule
	}
	sorts := map[string]bool{}
	for i, ran := range early {
		if ran && orderedPart.MatchString(names[i]) {
			sorts[sortOf(names[i])] = true
		}
	}
	for i, name := range names[:len(early)] {
		byChance := strings.HasPrefix(name, "runtime.") && !diagnosticPart.MatchString(name)
		early[i] = early[i] || byChance || sorts[sortOf(name)]
	}
	return nil
}

// sortOf tells the sort that a function is a part of: its package and the types that it is instantiated with.
func sortOf(function string) string {
	pkg, name, _ := strings.Cut(function, ".")
	_, types, _ := strings.Cut(name, "[")
	return pkg + "[" + types[:max(0, strings.LastIndexByte(types, ']'))]
}

// functionNames are the names of the functions of a program that Go's linker wrote, in the order of their numbers.
func functionNames(program []byte) ([]string, error) {
	sections, err := readModule(program)
	if err != nil {
		return nil, err
	}
	memory, err := readMemory((&linked{sections: sections}).section(dataSection))
	if err != nil {
		return nil, err
	}
	table, err := findFunctions(memory.bytes)
	if err != nil {
		return nil, err
	}
	names := make([]string, table.count)
	for i := range names {
		if names[i], err = table.name(i); err != nil {
			return nil, err
		}
	}
	return names, nil
}
