package lsp

import (
	"context"
	"encoding/json"
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
	published chan *protocol.PublishDiagnosticsParams
	ended     chan error
}

const kernelURI = protocol.DocumentURI("file:///src/kernel.py")

var kernelFile = protocol.TextDocumentIdentifier{URI: kernelURI}

func start(t *testing.T, lang diag.Lang) *session {
	ctx := t.Context()
	here, there := net.Pipe()
	s := &session{T: t, published: make(chan *protocol.PublishDiagnosticsParams, 100), ended: make(chan error, 1)}
	go func() {
		s.ended <- Serve(ctx, there, Options{Version: "test", Lang: lang,
			Check: func(ctx context.Context, path, text string) (*source.File, diag.List) {
				file := source.NewFile(path, text)
				return file, editor.Check(ctx, file, editor.Options{})
			}})
	}()
	s.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(here))
	s.conn.Go(ctx, func(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) error {
		p := new(protocol.PublishDiagnosticsParams)
		if err := json.Unmarshal(req.Params(), p); err != nil {
			t.Error(err)
		}
		s.published <- p
		return reply(ctx, nil, nil)
	})
	s.Server = protocol.ServerDispatcher(s.conn, zap.NewNop())
	answer, err := s.Initialize(ctx, &protocol.InitializeParams{Capabilities: protocol.ClientCapabilities{
		TextDocument: &protocol.TextDocumentClientCapabilities{
			PublishDiagnostics: &protocol.PublishDiagnosticsClientCapabilities{RelatedInformation: true}}}})
	if err != nil || answer.ServerInfo.Name != "newt" || answer.Capabilities.HoverProvider != true {
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
