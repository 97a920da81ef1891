package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/newtlab/newt/frontend/packed"
)

// aim is what everything that a first visit needs to edit and run should weigh, compressed. The browser counts the
// parts of the first view and the headers of all answers, too: TestFirstLoad holds the line there.
const aim = 1_640_000

// report lists what a first visit in English downloads, as brotli sends it, and what it has its first picture from.
func (s *site) report(w io.Writer, page *bundle, a assets) error {
	total, picture := int64(0), int64(0)
	for _, name := range s.firstLoad(page, a) {
		size, err := s.sent(name)
		if err != nil {
			return err
		}
		total += size
		if slices.Contains([]string{"index.html", page.script, page.style, a.Stored["en"]}, name) {
			picture += size
		}
		fmt.Fprintf(w, "%10d  %s\n", size, name)
	}
	fmt.Fprintf(w, "%10d  first picture\n", picture)
	fmt.Fprintf(w, "%10d  first load (aim %d)\n", total, aim)
	if !s.dev && total > aim {
		fmt.Fprintf(w, "%10d  over the aim\n", total-aim)
	}
	return nil
}

// firstLoad names the files needed to edit and run: the page, its script with the editor, its
// style, the worker, the WASM, the English content, the first picture and the text fonts.
func (s *site) firstLoad(page *bundle, a assets) []string {
	names := []string{"index.html", page.script, page.style, a.Worker, a.WASM.Name, a.Content["en"], a.Stored["en"]}
	names = append(names, page.eager...)
	for _, f := range page.files {
		if strings.Contains(f.name, "ibm-plex") {
			names = append(names, f.name)
		}
	}
	slices.Sort(names)
	return names
}

// sent is the size of a file as it travels: in compressed form where there is one.
func (s *site) sent(name string) (int64, error) {
	path := filepath.Join(s.out, filepath.FromSlash(name))
	if info, err := os.Stat(path + packed.Ext); err == nil {
		return info.Size(), nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
