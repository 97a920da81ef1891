package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// script is an expression in the page, such as one for an element. A probe gets it as a function.
type script string

// probe is a call of a function of probes/, with values and scripts, as an expression.
func probe(name string, args ...any) string {
	list := make([]string, len(args))
	for i, arg := range args {
		if s, ok := arg.(script); ok {
			list[i] = "() => (" + string(s) + ")"
			continue
		}
		text, err := json.Marshal(arg)
		if err != nil {
			panic(err) // a test gives strings, numbers and booleans
		}
		list[i] = string(text)
	}
	return fmt.Sprintf("probe.%s(%s)", name, strings.Join(list, ", "))
}

// bundleProbes makes one script of probes/, to run in each page before its own.
func bundleProbes() (string, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{"probes/index.ts"}, Bundle: true, Format: api.FormatIIFE, GlobalName: "probe",
		Target: api.ES2022, MinifyWhitespace: true, LogLevel: api.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		return "", errors.New("esbuild refused the probes (see above)")
	}
	return string(result.OutputFiles[0].Contents), nil
}
