package operation

import (
	_ "embed"

	"github.com/newtlab/newt/compiler/diag"
)

//go:embed catalog.txt
var catalogText string

func catalog() string { return catalogText }

func init() { diag.Register(catalog, "") }
