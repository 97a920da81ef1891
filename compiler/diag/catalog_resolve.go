package diag

// resolveEntries are the diagnostics of name resolution.
var resolveEntries = []Entry{}

var resolvePhrases = []Phrase{}
