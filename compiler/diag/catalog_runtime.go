package diag

// runtimeEntries are the diagnostics of interpreted kernels.
var runtimeEntries = []Entry{}

var runtimePhrases = []Phrase{}
