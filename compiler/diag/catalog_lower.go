package diag

// lowerEntries are the diagnostics of lowering.
var lowerEntries = []Entry{}

var lowerPhrases = []Phrase{}
