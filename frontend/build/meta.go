package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// metafile is the part of esbuild's metafile that the build reads.
type metafile struct {
	Outputs map[string]struct {
		EntryPoint string   `json:"entryPoint"`
		CSSBundle  string   `json:"cssBundle"`
		Exports    []string `json:"exports"`
		Imports    []struct {
			Path string `json:"path"`
			Kind string `json:"kind"`
		} `json:"imports"`
	} `json:"outputs"`
}

func parseMeta(text string) (*metafile, error) {
	var m metafile
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return nil, fmt.Errorf("esbuild's metafile: %w", err)
	}
	return &m, nil
}

// outputOf names the script that was made of an entry point or of a dynamic import.
func (m *metafile) outputOf(entry string) (string, bool) {
	for name, output := range m.Outputs {
		if output.EntryPoint == entry && strings.HasSuffix(name, ".js") {
			return name, true
		}
	}
	return "", false
}

// staticImports lists every script that name imports statically, directly or not.
func (m *metafile) staticImports(name string) []string {
	seen := map[string]bool{name: true}
	var found []string
	for queue := []string{name}; len(queue) > 0; queue = queue[1:] {
		for _, i := range m.Outputs[queue[0]].Imports {
			if i.Kind == "import-statement" && !seen[i.Path] {
				seen[i.Path] = true
				queue = append(queue, i.Path)
				found = append(found, strings.TrimPrefix(i.Path, "dist/"))
			}
		}
	}
	sort.Strings(found)
	return found
}
