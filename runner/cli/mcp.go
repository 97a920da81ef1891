package cli

import (
	"context"
	"os"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/newtlab/newt/runner/mcp"
	"github.com/newtlab/newt/runner/operation"
	"github.com/newtlab/newt/runner/version"
)

var mcpCommand = &command{
	name:  "mcp",
	short: "serve an agent over the Model Context Protocol",
	help: "Offers check, explain, compile, fix, run, test, judge, replay, lens and tune to an agent as tools, on standard\n" +
		"input and output; newt serve offers them over HTTP. A tool takes\n" +
		"the texts of files, runs the command of its name on them in a folder of its own, and returns what newt\n" +
		"COMMAND --json prints. Kernels run on the CPU. The language, what scripts can use, and the explanations of\n" +
		"diagnostics are resources.",
	run: serveAgent,
}

func serveAgent(ctx context.Context, e *Env, c *command, args []string) int {
	set, _ := c.flags(e)
	if _, status, done := c.parse(e, set, args, 0, 0); done {
		return status
	}
	program, err := os.Executable()
	if err != nil {
		return c.fail(e, err)
	}
	processes := operation.NewProcesses(program, os.Environ(), machineBytes())
	defer processes.Close()
	server := mcp.New(mcp.Options{Version: version.Read().String(), Processes: processes})
	if err := server.Run(ctx, &sdk.StdioTransport{}); err != nil && ctx.Err() == nil {
		return c.fail(e, err)
	}
	return exitOK
}
