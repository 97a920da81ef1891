package diag

// syntaxEntries are the diagnostics of scanning and parsing.
var syntaxEntries = []Entry{}

var syntaxPhrases = []Phrase{}
