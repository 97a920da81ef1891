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
	f := &openFile{}
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
	f, err := s.file(p.TextDocument.TextDocumentIdentifier)
	if err != nil {
		return nil, err
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
	s.checkAll(ctx, "")
	return nil, nil
}

func (s *server) didClose(ctx context.Context, p *protocol.DidCloseTextDocumentParams) (any, error) {
	s.mu.Lock()
	if f := s.files[p.TextDocument.URI]; f != nil {
		delete(s.files, p.TextDocument.URI)
		f.check.end()
		f.run.end()
		s.checkAll(ctx, "") // for the others it is what the disk has
	}
	s.mu.Unlock()
	s.publishing.Lock()
	defer s.publishing.Unlock()
	return nil, s.publish(ctx, &protocol.PublishDiagnosticsParams{URI: p.TextDocument.URI})
}

// replace gives an open file a text, and has it and the others checked.
func (s *server) replace(ctx context.Context, uri protocol.DocumentURI, f *openFile, text string, version int32) {
	f.text, f.version = source.NewFile(pathOf(uri), text), version
	s.checkAll(ctx, uri)
}

// checkAll checks the open files, soon the one that has changed, if it is one. The others may import it.
func (s *server) checkAll(ctx context.Context, changed protocol.DocumentURI) {
	stale := false
	for uri, f := range s.files {
		stale = stale || uri != changed && f.values != nil
		f.run.end()
		f.values = nil
		if uri == changed || changed == "" {
			s.check(ctx, uri, f, pause)
		} else {
			s.check(ctx, uri, f, othersPause)
		}
	}
	if stale {
		s.work.Go(func() { s.refresh(ctx) })
	}
}

// open are the texts of the open files by their paths.
func (s *server) open() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	texts := make(map[string]string, len(s.files))
	for _, f := range s.files {
		texts[f.text.Name] = f.text.Text
	}
	return texts
}

// check checks an open file after a pause, unless it changes in it, and says what was found.
func (s *server) check(ctx context.Context, uri protocol.DocumentURI, f *openFile, pause time.Duration) {
	text, version := f.text, f.version
	f.check.begin(ctx, s, func(ctx context.Context) {
		if !rest(ctx, pause) {
			return
		}
		file, list := s.Check(ctx, text.Name, text.Text, s.open())
		s.publishing.Lock()
		defer s.publishing.Unlock()
		s.mu.Lock()
		known := ctx.Err() == nil // a part of an answer is none
		if known {
			f.checked, f.found = file, list
		}
		s.mu.Unlock()
		if !known {
			return
		}
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
	if f, err = s.file(p.TextDocument); err != nil {
		return nil, 0, err
	}
	return f, offsetOf(f.text, p.Position), nil
}

func (s *server) file(of protocol.TextDocumentIdentifier) (*openFile, error) {
	if f := s.files[of.URI]; f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("%w: %s is not open", jsonrpc2.ErrInvalidParams, of.URI)
}
