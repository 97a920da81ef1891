package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/newtlab/newt/compiler/editor"
	"github.com/newtlab/newt/compiler/source"
)

// legend names the types and modifiers of semantic tokens. Those that the protocol does not have, kernel and pointer,
// an editor that does not know them passes over.
var legend = protocol.SemanticTokensLegend{
	TokenTypes: []protocol.SemanticTokenTypes{protocol.SemanticTokenFunction, protocol.SemanticTokenParameter,
		protocol.SemanticTokenType, protocol.SemanticTokenVariable},
	TokenModifiers: []protocol.SemanticTokenModifiers{protocol.SemanticTokenModifierDeclaration,
		protocol.SemanticTokenModifierReadonly, protocol.SemanticTokenModifierDefaultLibrary, "kernel", "pointer"},
}

// The legend by number.
const (
	functionType = iota
	parameterType
	typeType
	variableType
)
const (
	declaration = 1 << iota
	readonly
	defaultLibrary
	kernelModifier
	pointerModifier
)

// tokenTypes are the type and the modifiers of each kind of token.
var tokenTypes = [...][2]uint32{
	editor.KernelToken:    {functionType, kernelModifier},
	editor.ConstexprToken: {parameterType, readonly},
	editor.PointerToken:   {parameterType, pointerModifier},
	editor.FunctionToken:  {functionType, defaultLibrary},
	editor.DTypeToken:     {typeType, defaultLibrary},
	editor.ConstantToken:  {variableType, defaultLibrary | readonly},
}

// semanticTokens are five numbers a token: the lines and the characters from the token before it, its length, type and
// modifiers.
func (s *server) semanticTokens(_ context.Context, p *protocol.SemanticTokensParams) (any, error) {
	s.mu.Lock()
	f, err := s.file(p.TextDocument)
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	data := []uint32{}
	var last protocol.Position
	for _, token := range editor.Tokens(f.text) {
		r := rangeOf(f.text, token.Span)
		character := r.Start.Character
		if r.Start.Line == last.Line {
			character -= last.Character
		}
		of := tokenTypes[token.Kind]
		if token.Declaration {
			of[1] |= declaration
		}
		data = append(data, r.Start.Line-last.Line, character, r.End.Character-r.Start.Character, of[0], of[1])
		last = r.Start
	}
	return &protocol.SemanticTokens{Data: data}, nil
}

// Inlay hints are of 3.17, which the library does not have.
const (
	methodInlayHint        = "textDocument/inlayHint"
	methodInlayHintRefresh = "workspace/inlayHint/refresh"
)

type inlayHintParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
	Range        protocol.Range                  `json:"range"`
}

type inlayHint struct {
	Position    protocol.Position `json:"position"`
	Label       string            `json:"label"`
	Tooltip     string            `json:"tooltip,omitempty"`
	PaddingLeft bool              `json:"paddingLeft"`
}

// inlayHints are the values of a file's lines that are known by now. If it has not run, it does, and the editor is told
// to ask again.
func (s *server) inlayHints(ctx context.Context, p *inlayHintParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := s.file(p.TextDocument)
	if err != nil {
		return nil, err
	}
	if s.Values != nil && f.run.stop == nil {
		s.run(ctx, f)
	}
	hints := []inlayHint{}
	for _, v := range f.values {
		line := uint32(v.Line - 1)
		if v.Line <= f.text.LineCount() && p.Range.Start.Line <= line && line <= p.Range.End.Line {
			hints = append(hints, inlayHint{endOf(f.text, v.Line), v.Text, v.Detail, true})
		}
	}
	return hints, nil
}

// run runs an open file, once it and the others are left alone.
func (s *server) run(ctx context.Context, f *openFile) {
	text := f.text
	f.run.begin(ctx, s, func(ctx context.Context) {
		if !rest(ctx, runPause) {
			return
		}
		s.running.Lock()
		values := s.Values(ctx, text.Name, text.Text, s.open())
		s.running.Unlock()
		s.mu.Lock()
		known := ctx.Err() == nil
		if known {
			f.values = values
		}
		s.mu.Unlock()
		if known && len(values) > 0 {
			s.refresh(ctx)
		}
	})
}

// refresh has the editor ask for inlay hints again. One that refuses does when the text changes.
func (s *server) refresh(ctx context.Context) {
	if s.refreshes {
		s.conn.Call(ctx, methodInlayHintRefresh, nil, nil)
	}
}

// endOf is the end of a line, from 1 on, without the blanks there.
func endOf(file *source.File, line int) protocol.Position {
	span := file.LineSpan(line)
	text := strings.TrimRight(file.Slice(span), " \t\r\n")
	return placeOf(file, span.Start+int32(len(text)))
}
