package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/editor"
	"github.com/newtlab/newt/compiler/source"
)

// session is an editor that is connected to a server: the client of the protocol's library.
type session struct {
	*testing.T
	protocol.Server
	conn      jsonrpc2.Conn
	refreshed chan struct{}
	published chan *protocol.PublishDiagnosticsParams
	ended     chan error
}

const kernelURI = protocol.DocumentURI("file:///src/kernel.py")

var kernelFile = protocol.TextDocumentIdentifier{URI: kernelURI}

func start(t *testing.T, lang diag.Lang) *session {
	ctx := t.Context()
	here, there := net.Pipe()
	s := &session{T: t, published: make(chan *protocol.PublishDiagnosticsParams, 100), ended: make(chan error, 1),
		refreshed: make(chan struct{}, 100)}
	go func() {
		s.ended <- Serve(ctx, there, Options{Version: "test", Lang: lang,
			Check: func(ctx context.Context, path, text string, open map[string]string) (*source.File, diag.List) {
				file := source.NewFile(path, text)
				list := editor.Check(ctx, file, editor.Options{})
				if strings.Contains(open["/src/other.py"], "wrong") {
					list.Add(diag.New("undefined-name", source.Span{Start: file.Base(), End: file.Base() + 1}, "other"))
				}
				return file, list
			},
			Values: func(ctx context.Context, path, text string, open map[string]string) []Value {
				if strings.Contains(text, "while True") {
					<-ctx.Done()
				}
				return []Value{{1, "of " + path, ""}, {7, fmt.Sprint(len(open), " open"), "detail"}}
			}})
	}()
	s.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(here))
	s.conn.Go(ctx, func(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) error {
		if req.Method() == methodInlayHintRefresh {
			s.refreshed <- struct{}{}
			go reply(ctx, nil, nil) // neither side waits for the other to read
			return nil
		}
		p := new(protocol.PublishDiagnosticsParams)
		if err := json.Unmarshal(req.Params(), p); err != nil {
			t.Error(err)
		}
		s.published <- p
		return reply(ctx, nil, nil)
	})
	s.Server = protocol.ServerDispatcher(s.conn, zap.NewNop())
	var answer initialized
	_, err := s.conn.Call(ctx, protocol.MethodInitialize, map[string]any{"capabilities": map[string]any{
		"textDocument": map[string]any{"publishDiagnostics": map[string]any{"relatedInformation": true}},
		"workspace":    map[string]any{"inlayHint": map[string]any{"refreshSupport": true}}}}, &answer)
	if err != nil || !answer.Capabilities.InlayHintProvider || answer.ServerInfo.Name != "newt" || answer.Capabilities.HoverProvider != true {
		t.Fatalf("initialize: %+v, %v", answer, err)
	}
	if err := s.Initialized(ctx, &protocol.InitializedParams{}); err != nil {
		t.Fatal(err)
	}
	return s
}

// open opens a text, and gives what the server says is wrong with it.
func (s *session) open(text string) []protocol.Diagnostic {
	s.Helper()
	if err := s.DidOpen(s.Context(), &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
		URI: kernelURI, LanguageID: "python", Version: 1, Text: text}}); err != nil {
		s.Fatal(err)
	}
	return s.diagnostics(1)
}

func (s *session) diagnostics(version uint32) []protocol.Diagnostic {
	s.Helper()
	for {
		select {
		case p := <-s.published:
			if p.Version == version {
				return p.Diagnostics
			}
		case <-time.After(20 * time.Second):
			s.Fatalf("no diagnostics of version %d", version)
		}
	}
}

func at(line, character uint32) protocol.TextDocumentPositionParams {
	return protocol.TextDocumentPositionParams{TextDocument: kernelFile,
		Position: protocol.Position{Line: line, Character: character}}
}

func codes(list []protocol.Diagnostic) (codes []string) {
	for _, d := range list {
		codes = append(codes, d.Code.(string))
	}
	return codes
}

const faulty = `import triton
import triton.language as tl

# 𝛼 is beyond the basic plane
@triton.jit
def add(x, n, BLOCK: tl.constexpr):
    """𝛼"""; i = tl.arrange(0, BLOCK)
    tl.store(x + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)
`

// TestSession edits a file as a person does: a mistake, its fix, help while a call is written, and the end.
func TestSession(t *testing.T) {
	s, ctx := start(t, diag.English), t.Context()
	list := s.open(faulty)
	if len(list) != 1 || list[0].Severity != protocol.DiagnosticSeverityError || list[0].Source != "newt" {
		t.Fatalf("diagnostics: %+v", list)
	}
	// 20 characters stand before arrange, of which one is two units of UTF-16.
	start, end := protocol.Position{Line: 6, Character: 21}, protocol.Position{Line: 6, Character: 28}
	if want := (protocol.Range{Start: start, End: end}); list[0].Range != want {
		t.Errorf("the mistake is at %+v, want %+v", list[0].Range, want)
	}
	actions, err := s.CodeAction(ctx, &protocol.CodeActionParams{TextDocument: kernelFile,
		Range: list[0].Range, Context: protocol.CodeActionContext{Diagnostics: list}})
	if err != nil || len(actions) == 0 {
		t.Fatalf("code actions: %+v, %v", actions, err)
	}
	fix := actions[0].Edit.Changes[kernelURI]
	if len(fix) != 1 || !strings.Contains(fix[0].NewText, "arange") || actions[0].Kind != protocol.QuickFix {
		t.Fatalf("the fix is %+v", actions[0])
	}

	// The editor applies it, and types a call at the end.
	change := &protocol.DidChangeTextDocumentParams{
		TextDocument:   protocol.VersionedTextDocumentIdentifier{TextDocumentIdentifier: kernelFile, Version: 2},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{{Range: fix[0].Range, Text: fix[0].NewText}}}
	if err := s.DidChange(ctx, change); err != nil {
		t.Fatal(err)
	}
	if list := s.diagnostics(2); len(list) != 0 {
		t.Errorf("after the fix: %+v", list)
	}
	end, after := protocol.Position{Line: 8}, protocol.Position{Line: 8, Character: 9}
	change.TextDocument.Version = 3
	change.ContentChanges = []protocol.TextDocumentContentChangeEvent{
		{Range: protocol.Range{Start: end, End: end}, Text: "    tl.lo"},
		{Range: protocol.Range{Start: after, End: after}, Text: "ad(x, "},
	}
	if err := s.DidChange(ctx, change); err != nil {
		t.Fatal(err)
	}
	help, err := s.SignatureHelp(ctx, &protocol.SignatureHelpParams{TextDocumentPositionParams: at(8, 15)})
	if err != nil || help == nil || help.ActiveParameter != 1 ||
		!strings.HasPrefix(help.Signatures[0].Label, "tl.load(pointer, mask") {
		t.Errorf("signature help: %+v, %v", help, err)
	}
	items, err := s.Completion(ctx, &protocol.CompletionParams{TextDocumentPositionParams: at(8, 8)})
	load := slices.IndexFunc(items.Items, func(c protocol.CompletionItem) bool { return c.Label == "load" })
	if err != nil || load < 0 || items.Items[load].TextEdit.Range.Start.Character != 7 {
		t.Errorf("completion: %+v, %v", items, err)
	}
	hover, err := s.Hover(ctx, &protocol.HoverParams{TextDocumentPositionParams: at(8, 8)})
	if err != nil || hover == nil || !strings.Contains(hover.Contents.Value, "tl.load(pointer, mask=None") ||
		hover.Range.Start.Character != 7 {
		t.Errorf("hover: %+v at %+v, %v", hover, hover.Range, err)
	}

	if err := s.DidClose(ctx, &protocol.DidCloseTextDocumentParams{TextDocument: kernelFile}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Hover(ctx, &protocol.HoverParams{TextDocumentPositionParams: at(8, 8)}); err == nil {
		t.Error("a closed file is hovered over")
	}
	if err := s.Shutdown(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Hover(ctx, &protocol.HoverParams{TextDocumentPositionParams: at(8, 8)}); err == nil {
		t.Error("a request is answered after shutdown")
	}
	s.Exit(ctx)
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
}

// TestMalformed sends what no editor should: each is refused, and the session goes on.
func TestMalformed(t *testing.T) {
	s, ctx := start(t, diag.Chinese), t.Context()
	list := s.open(faulty)
	if len(list) != 1 || !strings.ContainsFunc(list[0].Message, func(r rune) bool { return r > 0x4E00 && r < 0x9FFF }) {
		t.Fatalf("in Chinese: %+v", list)
	}
	for name, params := range map[string]any{
		"textDocument/hover":      map[string]any{"position": "here"},
		"textDocument/completion": map[string]any{"textDocument": map[string]any{"uri": "file:///other.py"}},
		"textDocument/rename":     map[string]any{},
		"textDocument/didChange":  []int{1},
	} {
		if _, err := s.conn.Call(ctx, name, params, nil); err == nil {
			t.Errorf("%s with %v is answered", name, params)
		}
	}
	// Places that the text does not have are its end.
	hover, err := s.Hover(ctx, &protocol.HoverParams{TextDocumentPositionParams: at(1<<31, 1<<31)})
	if hover != nil || err != nil {
		t.Errorf("hover behind the end: %+v, %v", hover, err)
	}
	// A change without a range is the whole text; what comes in between is not checked.
	for version, text := range []string{"", "import triton\n", faulty} {
		if err := s.conn.Notify(ctx, protocol.MethodTextDocumentDidChange, map[string]any{
			"textDocument":   map[string]any{"uri": kernelURI, "version": 2 + version},
			"contentChanges": []any{map[string]any{"text": text}}}); err != nil {
			t.Fatal(err)
		}
	}
	if list := s.diagnostics(4); !slices.Equal(codes(list), []string{"unknown-name"}) {
		t.Errorf("after three changes: %v", codes(list))
	}
	s.conn.Close()
	if err := <-s.ended; err == nil {
		t.Error("an editor that leaves without a shutdown is no error")
	}
}

func (s *session) change(uri protocol.DocumentURI, version int, text string) {
	s.Helper()
	if err := s.conn.Notify(s.Context(), protocol.MethodTextDocumentDidChange, map[string]any{
		"textDocument":   map[string]any{"uri": uri, "version": version},
		"contentChanges": []any{map[string]any{"text": text}}}); err != nil {
		s.Fatal(err)
	}
}

// TestTokens: places are relative to the token before, and count units of UTF-16.
func TestTokens(t *testing.T) {
	s := start(t, diag.English)
	s.open(faulty)
	got, err := s.SemanticTokensFull(t.Context(), &protocol.SemanticTokensParams{TextDocument: kernelFile})
	if err != nil {
		t.Fatal(err)
	}
	want := []uint32{
		4, 8, 3, functionType, defaultLibrary, // jit
		1, 4, 3, functionType, kernelModifier | declaration, // add
		0, 4, 1, parameterType, pointerModifier | declaration, // x
		0, 6, 5, parameterType, readonly | declaration, // BLOCK
		0, 10, 9, functionType, defaultLibrary, // constexpr
		1, 32, 5, parameterType, readonly, // BLOCK, behind a character of two units
		1, 7, 5, functionType, defaultLibrary, // store
		0, 6, 1, parameterType, pointerModifier,
		0, 10, 4, functionType, defaultLibrary, // load
		0, 5, 1, parameterType, pointerModifier,
	}
	if !slices.Equal(got.Data, want) {
		t.Errorf("%v\nwant %v", got.Data, want)
	}
}

// TestInlayHints: a file runs once hints are asked for, and the editor hears of the values. A change ends the run.
func TestInlayHints(t *testing.T) {
	s := start(t, diag.English)
	s.open(faulty + "while True: pass\n")
	ask := func(from, to uint32) (hints []inlayHint) {
		t.Helper()
		_, err := s.conn.Call(t.Context(), methodInlayHint, inlayHintParams{kernelFile, protocol.Range{
			Start: protocol.Position{Line: from}, End: protocol.Position{Line: to}}}, &hints)
		if err != nil {
			t.Fatal(err)
		}
		return hints
	}
	await := func() {
		t.Helper()
		select {
		case <-s.refreshed:
		case <-time.After(20 * time.Second):
			t.Fatal("the editor was not told of values")
		}
	}
	if hints := ask(0, 9); len(hints) != 0 {
		t.Errorf("before the run: %+v", hints)
	}
	s.change(kernelURI, 2, faulty)
	if hints := ask(0, 9); len(hints) != 0 {
		t.Errorf("of the text before: %+v", hints)
	}
	await()
	// The line has a character of two units, and a line's end is behind its last character.
	want := []inlayHint{{protocol.Position{Line: 6, Character: 38}, "1 open", "detail", true}}
	if hints := ask(1, 7); !slices.Equal(hints, want) {
		t.Errorf("%+v, want %+v", hints, want)
	}
	// What changes in another file may change the values of this one.
	if err := s.DidOpen(t.Context(), &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
		URI: "file:///src/other.py", Version: 1, Text: "right"}}); err != nil {
		t.Fatal(err)
	}
	await()
	if hints := ask(0, 9); len(hints) != 0 {
		t.Errorf("after a change elsewhere: %+v", hints)
	}
	await()
	if hints := ask(0, 9); len(hints) != 2 || hints[1].Label != "2 open" {
		t.Errorf("after the second run: %+v", hints)
	}
	s.change(kernelURI, 3, "x = 1\n") // it has fewer lines than the values
	ask(0, 9)
	await()
	if hints := ask(0, 9); len(hints) != 1 {
		t.Errorf("of a text of one line: %+v", hints)
	}
}

// TestOthers: what is typed in one file is seen in those that may import it, before it is saved, and no more once it
// is closed; so is what changes on the disk.
func TestOthers(t *testing.T) {
	s, ctx := start(t, diag.English), t.Context()
	s.open("import other\n")
	const other = protocol.DocumentURI("file:///src/other.py")
	if err := s.DidOpen(ctx, &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
		URI: other, Version: 1, Text: "right"}}); err != nil {
		t.Fatal(err)
	}
	await := func(found int) {
		t.Helper()
		for {
			select {
			case p := <-s.published:
				if p.URI == kernelURI && len(p.Diagnostics) == found {
					return
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("no %d diagnostics", found)
			}
		}
	}
	await(0)
	s.change(other, 2, "wrong")
	await(1)
	if err := s.DidChangeWatchedFiles(ctx, &protocol.DidChangeWatchedFilesParams{}); err != nil {
		t.Fatal(err)
	}
	await(1)
	if err := s.DidClose(ctx, &protocol.DidCloseTextDocumentParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: other}}); err != nil {
		t.Fatal(err)
	}
	await(0)
}

// TestHuge: changes of a file of nearly as many bytes as are read are followed, and a larger one is refused in words.
func TestHuge(t *testing.T) {
	s := start(t, diag.English)
	text := strings.Repeat("# 𝛼 comment\nx = [1, 2, 3]\n", 1<<15) + "y = undefined\n"
	list := s.open(text)
	if !slices.Equal(codes(list), []string{"undefined-name"}) || list[0].Range.Start.Line != 1<<16 {
		t.Fatalf("%v", list)
	}
	at := protocol.Position{Line: 1 << 16, Character: 4}
	for version := range 20 {
		if err := s.DidChange(t.Context(), &protocol.DidChangeTextDocumentParams{
			TextDocument: protocol.VersionedTextDocumentIdentifier{TextDocumentIdentifier: kernelFile,
				Version: int32(2 + version)},
			ContentChanges: []protocol.TextDocumentContentChangeEvent{
				{Range: protocol.Range{Start: at, End: at}, Text: "z"}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	if list := s.diagnostics(21); len(list) != 1 || list[0].Range.End.Character != 4+9+20 {
		t.Errorf("%v", list)
	}
	s.change(kernelURI, 22, text+text)
	if list := s.diagnostics(22); !slices.Equal(codes(list), []string{"source-too-large"}) {
		t.Errorf("%v", list)
	}
}
