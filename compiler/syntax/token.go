package syntax

import (
	"unicode"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// tokenKind classifies tokens. Brackets are always balanced in the token stream: where the text
// leaves one open, the scanner reports it and puts in a virtual closing token.
type tokenKind uint8

const (
	endOfFile tokenKind = iota
	newline
	indent
	dedent
	identifier
	keyword
	number
	stringToken
	fstringStart  // prefix and opening quotes
	fstringMiddle // literal text, undecoded
	fstringEnd    // closing quotes
	operator
	magic   // a line for IPython, reported
	badChar // a character that Python has no use for, reported
)

type token struct {
	kind    tokenKind
	virtual bool // put in by recovery, or cut short by it; of a newline: errors in its line have been reported
	span    source.Span
	text    string
}

var keywords = wordSet("False", "None", "True", "and", "as", "assert", "async", "await", "break", "class",
	"continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if",
	"import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try",
	"while", "with", "yield")

// statementKeywords begin statements and occur in no expression.
var statementKeywords = wordSet("assert", "break", "class", "continue", "def", "del", "elif", "except",
	"finally", "global", "import", "nonlocal", "pass", "raise", "return", "try", "while", "with")

// expressionKeywords can begin an expression.
var expressionKeywords = wordSet("False", "None", "True", "await", "lambda", "not", "yield")

func wordSet(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

func isIdentifierStart(r rune) bool {
	return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' ||
		r >= 0x80 && (unicode.IsLetter(r) || unicode.Is(unicode.Nl, r))
}

func isIdentifierPart(r rune) bool {
	return isIdentifierStart(r) || isDigit(r) ||
		r >= 0x80 && unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc)
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// endsOperand reports whether an operand can end with t, so that another cannot follow at once.
func (t token) endsOperand() bool {
	switch t.kind {
	case identifier, number, stringToken, fstringEnd:
		return true
	case keyword:
		return t.text == "None" || t.text == "True" || t.text == "False"
	case operator:
		return t.text == ")" || t.text == "]" || t.text == "}" || t.text == "..."
	}
	return false
}

// beginsOperand reports whether t, where an operand has just ended, can only be the start of another.
func (t token) beginsOperand() bool {
	switch t.kind {
	case identifier, number, stringToken, fstringStart:
		return true
	case keyword:
		return t.text != "not" && expressionKeywords[t.text]
	}
	return false
}

// Limits on what is parsed. A file beyond them gets one diagnostic and no work.
const (
	maxSource      = 1 << 20 // bytes in a file
	maxDiagnostics = 50      // in a file
	// brackets, prefix operators and right operands inside each other; Python's own limit for brackets
	maxNesting  = 200
	maxBlocks   = 100  // blocks inside each other; Python's own limit
	maxHeight   = 1000 // levels of one expression's tree, and elif clauses in a row
	maxDigits   = 4300 // of an integer literal; Python's own limit
	maxName     = 200  // bytes of a name: the IR's limit, with room for the items of tuples
	maxFStrings = 100  // f-strings inside each other
)

// reporter collects diagnostics up to the limit.
type reporter struct{ list diag.List }

func (r *reporter) add(d *diag.Diagnostic) {
	if !r.full() {
		r.list.Add(d)
	}
}

func (r *reporter) full() bool { return len(r.list) >= maxDiagnostics }

// suggestReplacement offers to write by in place of old, which is the source at a span.
func suggestReplacement(d *diag.Diagnostic, at source.Span, old, by string) *diag.Diagnostic {
	return d.Suggest(true, diag.Text{Key: "replace", Args: []any{old, by}}, diag.Edit{Span: at, New: by})
}

// suggestInsertion offers to insert text at an empty span.
func suggestInsertion(d *diag.Diagnostic, safe bool, at source.Span, text string) *diag.Diagnostic {
	return d.Suggest(safe, diag.Text{Key: "insert", Args: []any{text}}, diag.Edit{Span: at, New: text})
}
