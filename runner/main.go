// Command newt is the playground's native side: it serves the page, and does on the command line
// what the page does.
package main

import (
	"os"

	"github.com/newtlab/newt/runner/cli"
)

func main() { os.Exit(cli.Main(cli.System(), os.Args[1:])) }
