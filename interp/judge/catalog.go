package judge

import (
	_ "embed"

	"github.com/newtlab/newt/compiler/diag"
)

//go:embed catalog.txt
var catalogText string

func catalog() string { return catalogText }

//go:embed phrases.txt
var phraseText string

func init() { diag.Register(catalog, phraseText) }
