package lsp

import (
	"context"
	"fmt"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/newtlab/newt/compiler/source"
)

func (s *server) didOpen(ctx context.Context, p *protocol.DidOpenTextDocumentParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := &openFile{stop: func() {}}
	if old := s.files[p.TextDocument.URI]; old != nil {
		f = old
	}
	s.files[p.TextDocument.URI] = f
	s.replace(ctx, p.TextDocument.URI, f, p.TextDocument.Text, p.TextDocument.Version)
	return nil, nil
}

// changes are the parameters of textDocument/didChange: the library's cannot tell a change of the whole text, which
// has no range, from one at the start of the file.
type changes struct {
	TextDocument   protocol.VersionedTextDocumentIdentifier `json:"textDocument"`
	ContentChanges []struct {
		Range *protocol.Range `json:"range"`
		Text  string          `json:"text"`
	} `json:"contentChanges"`
}

func (s *server) didChange(ctx context.Context, p *changes) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[p.TextDocument.URI]
	if f == nil {
		return nil, fmt.Errorf("%w: %s is not open", jsonrpc2.ErrInvalidParams, p.TextDocument.URI)
	}
	text := f.text.Text
	for _, change := range p.ContentChanges {
		if change.Range == nil {
			text = change.Text
			continue
		}
		file := source.NewFile(f.text.Name, text)
		from, to := offsetOf(file, change.Range.Start), offsetOf(file, change.Range.End)
		text = text[:from] + change.Text + text[max(from, to):]
	}
	s.replace(ctx, p.TextDocument.URI, f, text, p.TextDocument.Version)
	return nil, nil
}

func (s *server) didSave(ctx context.Context, p *protocol.DidSaveTextDocumentParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// What is saved may be a module of the other files.
	for uri, f := range s.files {
		s.check(ctx, uri, f)
	}
	return nil, nil
}

func (s *server) didClose(ctx context.Context, p *protocol.DidCloseTextDocumentParams) (any, error) {
	s.mu.Lock()
	f := s.files[p.TextDocument.URI]
	delete(s.files, p.TextDocument.URI)
	s.mu.Unlock()
	if f == nil {
		return nil, nil
	}
	f.stop()
	return nil, s.publish(ctx, &protocol.PublishDiagnosticsParams{URI: p.TextDocument.URI})
}

// replace gives an open file a text, and has it checked.
func (s *server) replace(ctx context.Context, uri protocol.DocumentURI, f *openFile, text string, version int32) {
	f.text, f.version = source.NewFile(pathOf(uri), text), version
	s.check(ctx, uri, f)
}

// check checks an open file after a pause, unless it changes in it, and says what was found.
func (s *server) check(ctx context.Context, uri protocol.DocumentURI, f *openFile) {
	f.stop()
	ctx, f.stop = context.WithCancel(ctx)
	text, version := f.text, f.version
	s.checks.Go(func() {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		file, list := s.Check(ctx, text.Name, text.Text)
		if ctx.Err() != nil { // a part of an answer is none
			return
		}
		s.mu.Lock()
		f.checked, f.found = file, list
		s.mu.Unlock()
		p := &protocol.PublishDiagnosticsParams{URI: uri, Version: uint32(version)}
		for _, d := range list {
			if inFile(file, d.Primary.Span) {
				p.Diagnostics = append(p.Diagnostics, s.diagnostic(uri, file, d))
			}
		}
		s.publish(ctx, p)
	})
}

func (s *server) publish(ctx context.Context, p *protocol.PublishDiagnosticsParams) error {
	if p.Diagnostics == nil {
		p.Diagnostics = []protocol.Diagnostic{}
	}
	return s.conn.Notify(ctx, protocol.MethodTextDocumentPublishDiagnostics, p)
}

// fileAt is an open file and the byte offset of a place in it.
func (s *server) fileAt(p protocol.TextDocumentPositionParams) (f *openFile, offset int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f = s.files[p.TextDocument.URI]; f == nil {
		return nil, 0, fmt.Errorf("%w: %s is not open", jsonrpc2.ErrInvalidParams, p.TextDocument.URI)
	}
	return f, offsetOf(f.text, p.Position), nil
}
