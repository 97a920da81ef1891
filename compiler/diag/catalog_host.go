package diag

// hostEntries are the diagnostics of host scripts.
var hostEntries = []Entry{}

var hostPhrases = []Phrase{}
