package proof

import (
	_ "embed"

	"github.com/newtlab/newt/compiler/diag"
)

//go:embed phrases.txt
var phraseText string

func init() { diag.Register(nil, phraseText) }
