// Package lsp is a language server: it answers an editor that speaks the Language Server Protocol 3.17 from what
// package compiler/editor knows of a file, and from a run of it.
//
//	open, change ─► check, 150 ms later ─► diagnostics ─► code actions (their fixes)
//	position     ─► hover, completion, signature help
//	file         ─► semantic tokens
//	range        ─► run, once the file is left alone ─► inlay hints: the values of a kernel's first launch
//
// Requests are answered one after the other, in their order; only checks and runs go on beside them, and one ends when
// its file changes.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// How long files are left alone before one is checked that has changed, before the others are, which may import it, and
// before one runs: people type faster than that.
const (
	pause       = 150 * time.Millisecond
	othersPause = time.Second
	runPause    = 500 * time.Millisecond
)

// Options say what a server answers with.
type Options struct {
	Version string // of newt
	Lang    diag.Lang
	// Check says what is wrong with the text of a file, a path of the machine's, and gives the files in which the
	// places of what it says lie. open are the texts of all files that are open, by their paths. ctx is done once
	// nobody wants the answer.
	Check func(ctx context.Context, path, text string, open map[string]string) (*source.File, diag.List)
	// Values runs the text of a file, and says which values it has. nil if none are to be shown.
	Values func(ctx context.Context, path, text string, open map[string]string) []Value
}

// Value is what an editor shows behind a line of a file.
type Value struct {
	Line   int    // from 1 on
	Text   string // offs = 0 1 … 127
	Detail string // more, for who points at it
}

// server is the state of one connection.
type server struct {
	Options
	conn       jsonrpc2.Conn
	ended      bool // shutdown was asked for
	work       sync.WaitGroup
	running    sync.Mutex // one file runs at a time
	publishing sync.Mutex // diagnostics are published in the order in which they are found; taken before mu
	mu         sync.Mutex // guards files, and each one's fields; nothing is written to the editor under it
	files      map[protocol.DocumentURI]*openFile
	markers    bool // the editor takes related places
	refreshes  bool // the editor asks for inlay hints again when it is told that there are new ones
}

// openFile is a file that the editor has open.
type openFile struct {
	text    *source.File
	version int32
	check   task
	checked *source.File // whose places found has
	found   diag.List
	run     task
	values  []Value // of the text, once it has run
}

// task is work on a file that is under way or waits.
type task struct{ stop context.CancelFunc }

// begin stops the task, and does other work in its place.
func (t *task) begin(ctx context.Context, s *server, work func(context.Context)) {
	t.end()
	ctx, t.stop = context.WithCancel(ctx)
	s.work.Go(func() { work(ctx) })
}

func (t *task) end() {
	if t.stop != nil {
		t.stop()
	}
	t.stop = nil
}

// rest waits, and reports whether there is work to be done after that.
func rest(ctx context.Context, pause time.Duration) bool {
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
	return ctx.Err() == nil
}

// Serve answers an editor until it says exit or closes the stream, or ctx is done. The error is nil after a shutdown
// that was asked for.
func Serve(ctx context.Context, stream io.ReadWriteCloser, o Options) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &server{Options: o, conn: jsonrpc2.NewConn(jsonrpc2.NewStream(stream)),
		files: map[protocol.DocumentURI]*openFile{}}
	s.conn.Go(ctx, s.handle)
	select {
	case <-s.conn.Done():
	case <-ctx.Done():
		s.conn.Close()
	}
	stop()
	s.work.Wait()
	if s.ended {
		return nil
	}
	if err := s.conn.Err(); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return errors.New("the editor has gone without a shutdown request")
}

// A method answers a request, whose parameters are JSON; notifications are methods whose answer is dropped.
type method func(s *server, ctx context.Context, params json.RawMessage) (any, error)

// withParams is a method with parameters of a type.
func withParams[P any](f func(s *server, ctx context.Context, p *P) (any, error)) method {
	return func(s *server, ctx context.Context, params json.RawMessage) (any, error) {
		p := new(P)
		if err := json.Unmarshal(params, p); err != nil {
			return nil, fmt.Errorf("%w: %v", jsonrpc2.ErrInvalidParams, err)
		}
		return f(s, ctx, p)
	}
}

var methods = map[string]method{
	protocol.MethodInitialize:  withParams((*server).initialize),
	protocol.MethodInitialized: ignore,
	protocol.MethodShutdown: func(s *server, _ context.Context, _ json.RawMessage) (any, error) {
		s.ended = true
		return nil, nil
	},
	protocol.MethodExit: func(s *server, _ context.Context, _ json.RawMessage) (any, error) {
		return nil, s.conn.Close()
	},
	protocol.MethodCancelRequest:             ignore, // each is answered before the next is read
	protocol.MethodSetTrace:                  ignore,
	protocol.MethodTextDocumentDidOpen:       withParams((*server).didOpen),
	protocol.MethodTextDocumentDidChange:     withParams((*server).didChange),
	protocol.MethodTextDocumentDidSave:       withParams((*server).didSave),
	protocol.MethodTextDocumentDidClose:      withParams((*server).didClose),
	protocol.MethodTextDocumentHover:         withParams((*server).hover),
	protocol.MethodTextDocumentCompletion:    withParams((*server).completion),
	protocol.MethodTextDocumentSignatureHelp: withParams((*server).signatureHelp),
	protocol.MethodTextDocumentCodeAction:    withParams((*server).codeActions),
	protocol.MethodSemanticTokensFull:        withParams((*server).semanticTokens),
	methodInlayHint:                          withParams((*server).inlayHints),

	protocol.MethodWorkspaceDidChangeWatchedFiles: func(s *server, ctx context.Context, _ json.RawMessage) (any, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.checkAll(ctx, "")
		return nil, nil
	},
}

func ignore(*server, context.Context, json.RawMessage) (any, error) { return nil, nil }

// handle answers one request.
func (s *server) handle(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) error {
	m, ok := methods[req.Method()]
	switch {
	case !ok:
		return jsonrpc2.MethodNotFoundHandler(ctx, reply, req)
	case s.ended && req.Method() != protocol.MethodExit:
		return reply(ctx, nil, fmt.Errorf("%w: after shutdown", jsonrpc2.ErrInvalidRequest))
	}
	answer, err := m(s, ctx, req.Params())
	return reply(ctx, answer, err)
}

// abilities are what a client says of itself, as far as it matters here. The library has those of 3.16.
type abilities struct {
	Capabilities struct {
		TextDocument struct {
			PublishDiagnostics struct {
				RelatedInformation bool `json:"relatedInformation"`
			} `json:"publishDiagnostics"`
		} `json:"textDocument"`
		Workspace struct {
			InlayHint struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"inlayHint"`
		} `json:"workspace"`
	} `json:"capabilities"`
}

// initialized is protocol.InitializeResult with what 3.17 adds.
type initialized struct {
	Capabilities struct {
		protocol.ServerCapabilities
		InlayHintProvider bool `json:"inlayHintProvider"`
	} `json:"capabilities"`
	ServerInfo protocol.ServerInfo `json:"serverInfo"`
}

func (s *server) initialize(_ context.Context, p *abilities) (any, error) {
	s.markers = p.Capabilities.TextDocument.PublishDiagnostics.RelatedInformation
	s.refreshes = p.Capabilities.Workspace.InlayHint.RefreshSupport
	answer := initialized{ServerInfo: protocol.ServerInfo{Name: "newt", Version: s.Version}}
	answer.Capabilities.InlayHintProvider = s.Values != nil
	answer.Capabilities.ServerCapabilities = protocol.ServerCapabilities{
		TextDocumentSync: protocol.TextDocumentSyncOptions{
			OpenClose: true, Change: protocol.TextDocumentSyncKindIncremental, Save: &protocol.SaveOptions{},
		},
		HoverProvider:         true,
		CompletionProvider:    &protocol.CompletionOptions{TriggerCharacters: []string{"."}},
		SignatureHelpProvider: &protocol.SignatureHelpOptions{TriggerCharacters: []string{"(", ","}},
		CodeActionProvider: &protocol.CodeActionOptions{
			CodeActionKinds: []protocol.CodeActionKind{protocol.QuickFix},
		},
		SemanticTokensProvider: map[string]any{"legend": legend, "full": true},
	}
	return answer, nil
}
