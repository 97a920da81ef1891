package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/newtlab/newt/frontend"
	"github.com/newtlab/newt/frontend/packed"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/fast"
	"github.com/newtlab/newt/runner/recorder"
)

// site is the output folder while it is being written.
type site struct {
	out   string
	dev   bool
	files []file // what this build wrote, in order
}

// assets are the names of the files that the page's script fetches by itself.
type assets struct {
	WASM      wasmProgram `json:"wasm"`
	Documents wasmProgram `json:"documents"` // the program that runs documents, fetched when one is shown
	Worker    string      `json:"worker"`
	PTX       wasmProgram `json:"ptx"` // the compiler to PTX, fetched when it is first wanted
	// Content, Reference and Stored are by language.
	Content   map[string]string `json:"content"`
	Fast      map[string]string `json:"fast"` // the content of the second course, by language
	Ways      map[string]string `json:"ways"` // all solutions of both courses, by language
	Reference map[string]string `json:"reference"`
	Stored    map[string]string `json:"stored"` // what the first example does, as newt said while the page was built
	Mistakes  string            `json:"mistakes"`
	Folders   map[int]string    `json:"folders"` // each puzzle's files as a zip, by its number
}

// wasmProgram is a WASM module; Bytes are those of the file before compression, which the page's progress needs. Rest
// is the second module of a program that is cut in two.
type wasmProgram struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
	Rest  string `json:"rest,omitempty"`
}

// later are the programs that no first visit waits for, which take most of the time that compression takes.
func (a assets) later() []string { return []string{a.WASM.Rest, a.Documents.Name, a.PTX.Name} }

func (a assets) json() string {
	text, err := json.Marshal(a)
	if err != nil {
		panic(err) // strings and a map of strings always marshal
	}
	return string(text)
}

// assets writes the files that the page fetches at run time: WASM, worker and content.
func (s *site) assets(root string) (assets, error) {
	a := assets{Content: map[string]string{}, Fast: map[string]string{}, Ways: map[string]string{},
		Reference: map[string]string{}, Stored: map[string]string{}}
	step("compiling newt to WebAssembly")
	modules, err := buildWASM(root, []string{"./wasm", "./wasm/documents", "./wasm/ptx"})
	if err != nil {
		return a, err
	}
	if modules, err = parallel(modules, vectorized); err != nil {
		return a, err
	}
	if !s.dev { // in development the traces of crashes matter more than the size
		linked := modules[0]
		if modules, err = parallel(modules, slim); err != nil {
			return a, err
		}
		step("making a first visit")
		early, err := visited(modules[0], root)
		if err != nil {
			return a, err
		}
		names, err := functionNames(linked)
		if err != nil {
			return a, err
		}
		if err := addByChance(early, names); err != nil {
			return a, err
		}
		files, err := embeddedFiles(root, "./wasm", names)
		if err != nil {
			return a, err
		}
		first, rest, err := split(modules[0], early, files)
		if err != nil {
			return a, err
		}
		modules[0] = first
		if modules, err = parallel(modules, orderly); err != nil {
			return a, err
		}
		if a.WASM.Rest, err = s.writeHashed("rest.wasm", rest); err != nil {
			return a, err
		}
	}
	for i, p := range []struct {
		file string
		out  *wasmProgram
	}{{"app.wasm", &a.WASM}, {"documents.wasm", &a.Documents}, {"ptx.wasm", &a.PTX}} {
		p.out.Bytes = len(modules[i])
		if p.out.Name, err = s.writeHashed(p.file, modules[i]); err != nil {
			return a, err
		}
	}
	goroot, err := goEnv("GOROOT")
	if err != nil {
		return a, err
	}
	worker, err := bundleWorker(filepath.Join(root, "frontend"), goroot, s.dev)
	if err != nil {
		return a, err
	}
	a.Worker = worker.script
	for _, f := range worker.files {
		if err := s.write(f.name, f.data); err != nil {
			return a, err
		}
	}
	for _, text := range []struct {
		name  string
		names map[string]string
		in    func(lang string) ([]byte, error)
	}{
		{"content", a.Content, func(lang string) ([]byte, error) { return puzzleContent(puzzles.All(), lang) }},
		{"fast", a.Fast, func(lang string) ([]byte, error) { return puzzleContent(fast.All(), lang) }},
		{"ways", a.Ways, waysContent},
		{"stored", a.Stored, func(lang string) ([]byte, error) { return storedAnswers(root, lang) }},
		{"reference", a.Reference, languageReference},
	} {
		for _, lang := range languages {
			data, err := text.in(lang)
			if err != nil {
				return a, err
			}
			if text.names[lang], err = s.writeHashed(text.name+"."+lang+".json", data); err != nil {
				return a, err
			}
		}
	}
	examples, err := mistakes()
	if err != nil {
		return a, err
	}
	if a.Mistakes, err = s.writeHashed("mistakes.json", examples); err != nil {
		return a, err
	}
	// People copy this file to machines of their own: it has its name, and no hash.
	if err := s.write(recorder.Name, []byte(recorder.Source)); err != nil {
		return a, err
	}
	a.Folders, err = s.puzzleFolders(root)
	return a, err
}

// hashedName is NAME-HASH.EXT.
func hashedName(name string, data []byte) string {
	sum := sha256.Sum256(data)
	ext := filepath.Ext(name)
	return strings.TrimSuffix(name, ext) + "-" + strings.ToUpper(hex.EncodeToString(sum[:4])) + ext
}

// writeHashed writes data as assets/NAME-HASH.EXT and returns that name.
func (s *site) writeHashed(name string, data []byte) (string, error) {
	hashed := "assets/" + hashedName(name, data)
	return hashed, s.write(hashed, data)
}

// write puts a file into the output folder, unless it already holds these bytes, compressed or not.
func (s *site) write(name string, data []byte) error {
	s.files = append(s.files, file{name, data})
	path := filepath.Join(s.out, filepath.FromSlash(name))
	read := packed.ReadFile
	if s.dev { // compressed forms go
		read = fs.ReadFile
	}
	if old, err := read(os.DirFS(s.out), name); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.Remove(path + packed.Ext); err != nil && !os.IsNotExist(err) {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// index writes index.html: the template with the hashed names and the policy.
func (s *site) index(home string, page *bundle, preload string, icons iconNames) error {
	tmpl, err := template.ParseFiles(filepath.Join(home, "src", "index.html"))
	if err != nil {
		return err
	}
	var html bytes.Buffer
	err = tmpl.Execute(&html, map[string]any{
		"CSP": frontend.CSP, "Preload": preload, "Script": page.script, "Style": page.style,
		"Eager": page.eager, "Icon": icons.Icon, "TouchIcon": icons.Icon192,
	})
	if err != nil {
		return fmt.Errorf("index.html: %w", err)
	}
	return s.write("index.html", html.Bytes())
}

// prune deletes what earlier builds left behind.
func (s *site) prune() error {
	keep := map[string]bool{"README": true}
	for _, f := range s.files {
		keep[f.name] = true
		keep[f.name+packed.Ext] = !s.dev
	}
	return filepath.WalkDir(s.out, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(s.out, path)
		if err != nil || keep[filepath.ToSlash(name)] {
			return err
		}
		return os.Remove(path)
	})
}
