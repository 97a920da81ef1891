package diag

// SourceEntries are the rows whose examples need nothing but parsing and resolving.
var SourceEntries = readEntries(func() string { return catalogText("text") + catalogText("syntax") + catalogText("resolve") })

// RowNames lists the codes and the keys of all rows, as often as they occur.
func RowNames() []string {
	var names []string
	for _, e := range readEntries(texts...) {
		names = append(names, "code "+e.Code)
	}
	for _, p := range readPhrases() {
		names = append(names, "phrase "+p.Key)
	}
	return names
}
