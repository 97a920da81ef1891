package syntax

// atMatchStatement reports whether a match statement begins here: "match" is a keyword only there.
func (p *parser) atMatchStatement() bool {
	if p.tok().text != "match" || p.peek(1).kind == newline {
		return false
	}
	i := p.endOfLogicalLine()
	return p.tokens[i-1].is(":") && i+2 < len(p.tokens) && p.tokens[i+1].kind == indent && p.tokens[i+2].text == "case"
}

// parseMatch reads match with its cases. The caller has seen that a case follows.
func (p *parser) parseMatch() Stmt {
	t := p.next()
	s := &Match{Subject: p.limitHeight(p.parseExprList())}
	p.expectColon(t.text)
	for p.tok().kind == newline {
		p.next()
	}
	if p.tok().kind == indent {
		p.next()
	}
	for p.tok().text == "case" && p.tok().kind == identifier {
		s.Cases = append(s.Cases, p.parseCase())
	}
	p.skipToDedent()
	return s
}

// skipToDedent moves past the end of a block. What still stands in it is reported once.
func (p *parser) skipToDedent() {
	if k := p.tok().kind; k != dedent && k != endOfFile {
		p.failed = false
		p.failHere()
	}
	for depth := 1; depth > 0; {
		switch p.next().kind {
		case indent:
			depth++
		case dedent:
			depth--
		case endOfFile:
			return
		}
	}
}

func (p *parser) parseCase() MatchCase {
	start := p.start()
	t := p.next()
	p.failed = false
	c := MatchCase{Pattern: p.parseOpenPattern()}
	if p.accept("if") {
		c.Guard = p.parseCondition()
	}
	c.Body = p.parseBlock(t.text, t.span)
	c.Loc = p.exprFrom(start).Loc
	return c
}

// parseOpenPattern reads the pattern of a case, where a sequence needs no brackets.
func (p *parser) parseOpenPattern() Pattern {
	start := p.start()
	first := p.parseElementPattern()
	_, star := first.(*MatchStar)
	if !star && !p.at(",") {
		return p.limitPattern(first)
	}
	list := []Pattern{first}
	for p.accept(",") && !p.at(":") && !p.at("if") {
		list = append(list, p.parseElementPattern())
	}
	return p.limitPattern(&MatchSequence{p.patternFrom(start), list})
}

// limitPattern is x, or one that matches nothing in place of one whose tree is too high.
func (p *parser) limitPattern(x Pattern) Pattern {
	if p.checkHeight(x) {
		return x
	}
	return p.badPattern()
}

func (p *parser) patternFrom(start int32) patternNode { return patternNode{p.exprFrom(start).node} }

// badPattern is the pattern that could not be read.
func (p *parser) badPattern() Pattern {
	return &MatchValue{patternNode{node{p.afterLast()}}, p.badExpr()}
}

// nestedPattern runs parse one level deeper, as parseNested does for expressions.
func (p *parser) nestedPattern(parse func() Pattern) Pattern { return nested(p, parse, p.badPattern) }

// eachUntil reads items with commas between them, up to the closing bracket and with it.
func (p *parser) eachUntil(closing string, parseItem func()) {
	for !p.at(closing) && !p.failed {
		parseItem()
		if !p.accept(",") {
			break
		}
	}
	p.expect(closing)
}

// parseElementPattern reads an element of a sequence: a pattern, or *rest.
func (p *parser) parseElementPattern() Pattern {
	start := p.start()
	if !p.accept("*") {
		return p.parsePattern()
	}
	name := p.parseCapture()
	return &MatchStar{p.patternFrom(start), name}
}

// parseCapture reads the name that a pattern binds; nil for "_".
func (p *parser) parseCapture() *Name {
	start := p.start()
	id, _ := p.parseName()
	if id == "_" || id == "" {
		return nil
	}
	return &Name{p.exprFrom(start), id}
}

// parsePattern reads alternatives, with the name that takes what they match.
func (p *parser) parsePattern() Pattern { return p.nestedPattern(p.parseAsPattern) }

func (p *parser) parseAsPattern() Pattern {
	start := p.start()
	x := p.parseClosedPattern()
	if p.at("|") {
		list := []Pattern{x}
		for p.accept("|") {
			list = append(list, p.parseClosedPattern())
		}
		x = &MatchOr{p.patternFrom(start), list}
	}
	if !p.accept("as") {
		return x
	}
	name := p.parseCapture()
	return &MatchAs{p.patternFrom(start), x, name}
}

func (p *parser) parseClosedPattern() Pattern {
	start := p.start()
	switch t := p.tok(); {
	case t.is("("):
		return p.parseGroupPattern()
	case t.is("["):
		p.next()
		list := p.parsePatternsUntil("]", nil)
		return &MatchSequence{p.patternFrom(start), list}
	case t.is("{"):
		return p.parseMappingPattern()
	case t.kind == identifier:
		return p.parseNamePattern()
	}
	// A literal, with the sign and the sum of 1 + 2j. What else begins like one is for the interpreter to refuse.
	value := p.parseBinary(precedence["+"])
	if _, bad := value.(*BadExpr); bad { // it lies behind the last token, which may be before this pattern
		return p.badPattern()
	}
	return &MatchValue{p.patternFrom(start), value}
}

// parseGroupPattern reads (pattern) or a sequence in parentheses.
func (p *parser) parseGroupPattern() Pattern {
	start := p.start()
	p.next()
	if p.accept(")") {
		return &MatchSequence{p.patternFrom(start), nil}
	}
	first := p.parseElementPattern()
	if _, star := first.(*MatchStar); !star && p.accept(")") {
		return first
	}
	list := p.parsePatternsUntil(")", first)
	return &MatchSequence{p.patternFrom(start), list}
}

// parsePatternsUntil reads patterns with commas up to the closing bracket. The first may have been read.
func (p *parser) parsePatternsUntil(closing string, first Pattern) (list []Pattern) {
	if first != nil {
		list = append(list, first)
	}
	for more := first == nil || p.accept(","); more && !p.at(closing) && !p.failed; more = p.accept(",") {
		list = append(list, p.parseElementPattern())
	}
	p.expect(closing)
	return list
}

// parseNamePattern reads a capture, a dotted name, or a class with patterns of its attributes.
func (p *parser) parseNamePattern() Pattern {
	start := p.start()
	dotted := p.peek(1).is(".") || p.peek(1).is("(")
	if !dotted {
		name := p.parseCapture()
		return &MatchAs{p.patternFrom(start), nil, name}
	}
	t := p.next()
	var x Expr = &Name{p.exprFrom(start), t.text}
	for p.accept(".") {
		attr, at := p.parseName()
		x = &Attribute{p.exprFrom(start), x, attr, at}
	}
	if !p.accept("(") {
		return &MatchValue{p.patternFrom(start), x}
	}
	c := &MatchClass{Class: x}
	p.eachUntil(")", func() {
		if p.tok().kind == identifier && p.peek(1).is("=") {
			c.Attrs = append(c.Attrs, p.next().text)
			p.next()
			c.AttrPatterns = append(c.AttrPatterns, p.parsePattern())
		} else {
			c.Patterns = append(c.Patterns, p.parsePattern())
		}
	})
	c.patternNode = p.patternFrom(start)
	return c
}

// parseMappingPattern reads {key: pattern, **rest}.
func (p *parser) parseMappingPattern() Pattern {
	start := p.start()
	p.next()
	m := &MatchMapping{}
	p.eachUntil("}", func() {
		if p.accept("**") {
			m.Rest = p.parseCapture()
		} else {
			m.Keys = append(m.Keys, p.parseBinary(precedence["+"]))
			p.expect(":")
			m.Patterns = append(m.Patterns, p.parsePattern())
		}
	})
	m.patternNode = p.patternFrom(start)
	return m
}
