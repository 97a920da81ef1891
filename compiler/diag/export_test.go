package diag

import "slices"

// SourceEntries are the rows whose examples need nothing but parsing and resolving.
var SourceEntries = slices.Concat(textEntries, syntaxEntries, resolveEntries)
