package puzzles

import "io/fs"

// text is nil in WASM: the page has the words already, as plain files.
var text fs.FS
