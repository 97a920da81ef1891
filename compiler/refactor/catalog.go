package refactor

import (
	_ "embed"

	"github.com/newtlab/newt/compiler/diag"
)

//go:embed catalog.txt
var catalogText string

//go:embed phrases.txt
var phraseText string

func catalog() string { return catalogText }

func init() { diag.Register(catalog, phraseText) }
