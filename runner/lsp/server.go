// Package lsp is a language server: it answers an editor that speaks the Language Server Protocol 3.16 from what
// package compiler/editor knows of a file.
//
//	open, change ─► check, 150 ms later ─► diagnostics ─► code actions (their fixes)
//	position     ─► hover, completion, signature help
//
// Requests are answered one after the other, in their order; only checks run beside them, and one ends when its file
// changes.
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

// pause is how long a file is left alone before it is checked: people type faster than that.
const pause = 150 * time.Millisecond

// Options say what a server answers with.
type Options struct {
	Version string // of newt
	Lang    diag.Lang
	// Check says what is wrong with the text of a file, a path of the machine's, and gives the files in which the
	// places of what it says lie. ctx is done once nobody wants the answer.
	Check func(ctx context.Context, path, text string) (*source.File, diag.List)
}

// server is the state of one connection.
type server struct {
	Options
	conn    jsonrpc2.Conn
	ended   bool // shutdown was asked for
	checks  sync.WaitGroup
	mu      sync.Mutex // guards files, and each one's fields
	files   map[protocol.DocumentURI]*openFile
	markers bool // the editor takes related places
}

// openFile is a file that the editor has open.
type openFile struct {
	text    *source.File
	version int32
	stop    context.CancelFunc // of the check that is under way or waits
	checked *source.File       // whose places found has
	found   diag.List
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
	s.checks.Wait()
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

func (s *server) initialize(_ context.Context, p *protocol.InitializeParams) (any, error) {
	if d := p.Capabilities.TextDocument; d != nil && d.PublishDiagnostics != nil {
		s.markers = d.PublishDiagnostics.RelatedInformation
	}
	return &protocol.InitializeResult{
		Capabilities: protocol.ServerCapabilities{
			TextDocumentSync: protocol.TextDocumentSyncOptions{
				OpenClose: true, Change: protocol.TextDocumentSyncKindIncremental, Save: &protocol.SaveOptions{},
			},
			HoverProvider:         true,
			CompletionProvider:    &protocol.CompletionOptions{TriggerCharacters: []string{"."}},
			SignatureHelpProvider: &protocol.SignatureHelpOptions{TriggerCharacters: []string{"(", ","}},
			CodeActionProvider: &protocol.CodeActionOptions{
				CodeActionKinds: []protocol.CodeActionKind{protocol.QuickFix},
			},
		},
		ServerInfo: &protocol.ServerInfo{Name: "newt", Version: s.Version},
	}, nil
}
