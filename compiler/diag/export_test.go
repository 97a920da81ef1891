package diag

import "slices"

// SourceEntries are the rows whose examples need nothing but parsing and resolving.
var SourceEntries = slices.Concat(readEntries("text"), readEntries("syntax"), readEntries("resolve"))

// RowNames lists the codes and the keys of all rows, as often as they occur.
func RowNames() []string {
	var names []string
	for _, e := range readEntries("*") {
		names = append(names, "code "+e.Code)
	}
	for _, p := range phraseRows {
		names = append(names, "phrase "+p.Key)
	}
	return names
}
