// Package syntax reads Python source into a tree that keeps to the names of Python's own ast module.
// Whatever the text is, [Parse] returns a tree; what is wrong is in the diagnostics, one for each
// cause. An editor calls it at every keystroke, so most texts that it sees are unfinished.
//
// # Two phases
//
// The scanner (scanner.go, scan_strings.go) makes tokens of the whole file: it joins lines inside
// brackets, turns leading space into indent and dedent, and cuts f-strings into literal text and
// fields. The parser (parser.go, statements.go, compound.go, expressions.go, literals.go) reads
// them by recursive descent with one token of lookahead, a few more where Python needs its own
// grammar's backtracking ("match", brackets after "with"). Binary operators climb precedences.
// Types and scopes are not known here; [Walk], [String] and [Dump] serve the phases that do.
//
// # Recovery
//
// Errors are handled where most is known about them:
//
//   - The scanner keeps brackets balanced. A line that can only begin a statement ("x = 1", "def")
//     inside an open bracket means that the bracket was forgotten: it is reported, and virtual
//     closing tokens are put in. So the parser never runs past the line with the mistake, and the
//     rest of the file parses as if it were mended.
//   - Indentation that fits no open block is reported once and taken as the nearest block, so that
//     only the indentation is wrong and not also every name in it.
//   - The parser recovers in panic mode, at the end of the logical line: after its first error in a
//     statement it is silent (parser.failed), and the statement becomes a BadStmt or holds a BadExpr, which later
//     phases pass over. A compound statement whose header fails still reads its block.
//   - Mistakes with one likely meaning are read as what was meant, with an edit that mends them:
//     "else if", "&&", "=" in a condition, a missing comma or colon, typographic quotes, full-width
//     brackets.
//   - What the scanner has reported excuses the parser (parser.isExcused): a virtual token, or a
//     line that is broken already, gives no second message.
//
// # Limits
//
// The text is anyone's, so that size, nesting, tree height, digits and names are bounded (token.go),
// with Python's own limits where it has some. Beyond them a file gets one diagnostic and no work.
package syntax
