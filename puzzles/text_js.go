package puzzles

// ownText is nil in WASM: the page has the words already, as plain files.
var ownText textReader
