package fast

import "io/fs"

// words are nil in WASM: the page has them already, as plain files.
var words fs.FS
