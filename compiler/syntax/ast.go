package syntax

import "github.com/newtlab/newt/compiler/source"

// Node is any part of the tree.
type Node interface{ Span() source.Span }

// Expr and Stmt are the two kinds of node that bodies are made of.
type (
	Expr interface {
		Node
		expr()
	}
	Stmt interface {
		Node
		stmt() *stmtNode
	}
)

type node struct{ Loc source.Span }

// Span is the node's place in the file.
func (n *node) Span() source.Span { return n.Loc }

type exprNode struct{ node }

func (*exprNode) expr() {}

type stmtNode struct{ node }

func (n *stmtNode) stmt() *stmtNode { return n }

// Pattern is what a case of a match statement compares its subject with.
type Pattern interface {
	Node
	pattern()
}

type patternNode struct{ node }

func (*patternNode) pattern() {}

// Module is a whole file.
type Module struct {
	File *source.File
	Body []Stmt
}

// Expressions. Names and meanings follow Python's own ast module.
type (
	// BadExpr replaces an expression that could not be read; the parser has reported it.
	BadExpr struct{ exprNode }
	// Name is an identifier.
	Name struct {
		exprNode
		ID string
	}
	// Constant is a literal: Kind says which of the value fields counts.
	Constant struct {
		exprNode
		Kind  ConstKind
		Text  string  // IntConst: decimal digits, any size; StringConst, BytesConst: the decoded value
		Float float64 // FloatConst, ImagConst
	}
	// JoinedStr is an f-string; Values are Constant strings and FormattedValues.
	JoinedStr struct {
		exprNode
		Values []Expr
	}
	// FormattedValue is one {value!conversion:format} of an f-string; Source is the text before "=" in {x=}.
	FormattedValue struct {
		exprNode
		Value      Expr
		Conversion byte // 'r', 's', 'a' or 0
		Format     *JoinedStr
		Debug      string // "x=" for {x=}, else empty
	}
	// Attribute is Value.Attr; AttrSpan is the span of the name.
	Attribute struct {
		exprNode
		Value    Expr
		Attr     string
		AttrSpan source.Span
	}
	// Subscript is Value[Index]; several indices come as a Tuple.
	Subscript struct {
		exprNode
		Value, Index Expr
	}
	// Slice is Lower:Upper:Step inside a subscript; each may be nil.
	Slice struct {
		exprNode
		Lower, Upper, Step Expr
	}
	// Call is Func(Args, Keywords); a Starred argument is *x, a Keyword without a name is **x.
	Call struct {
		exprNode
		Func     Expr
		Args     []Expr
		Keywords []Keyword
	}
	// UnaryOp is one of + - ~ not.
	UnaryOp struct {
		exprNode
		Op      string
		Operand Expr
	}
	// BinOp is an arithmetic or bitwise operation; Op is its Python spelling, OpSpan its place.
	BinOp struct {
		exprNode
		Op          string
		OpSpan      source.Span
		Left, Right Expr
	}
	// BoolOp is a chain of `and` or of `or`.
	BoolOp struct {
		exprNode
		Op     string
		Values []Expr
	}
	// Compare is Left Ops[0] Comparators[0] Ops[1] …; Ops are Python spellings, "not in" and "is not" included.
	Compare struct {
		exprNode
		Left        Expr
		Ops         []string
		Comparators []Expr
	}
	// IfExp is Body if Test else Else.
	IfExp struct {
		exprNode
		Test, Body, Else Expr
	}
	// NamedExpr is (Target := Value).
	NamedExpr struct {
		exprNode
		Target *Name
		Value  Expr
	}
	// Lambda is lambda Params: Body.
	Lambda struct {
		exprNode
		Params *Params
		Body   Expr
	}
	// Tuple, List and Set hold elements, which may be Starred.
	Tuple struct {
		exprNode
		Elts []Expr
	}
	List struct {
		exprNode
		Elts []Expr
	}
	Set struct {
		exprNode
		Elts []Expr
	}
	// Dict has a nil key for each **x.
	Dict struct {
		exprNode
		Keys, Values []Expr
	}
	// Comp is a comprehension or generator; Kind is one of "list", "set", "dict", "generator"; Value is a dict's value.
	Comp struct {
		exprNode
		Kind       string
		Elt, Value Expr
		Clauses    []CompClause
	}
	// Starred is *Value.
	Starred struct {
		exprNode
		Value Expr
	}
	// Yield is yield or yield from; Await is await.
	Yield struct {
		exprNode
		From  bool
		Value Expr
	}
	Await struct {
		exprNode
		Value Expr
	}
)

// ConstKind is the kind of a literal.
type ConstKind uint8

// The kinds of literal.
const (
	NoneConst ConstKind = iota
	TrueConst
	FalseConst
	EllipsisConst
	IntConst
	FloatConst
	ImagConst
	StringConst
	BytesConst
)

// Keyword is one name=value of a call.
type Keyword struct {
	Name  string // empty for **value
	Loc   source.Span
	Value Expr
}

// CompClause is one for … in … if … of a comprehension.
type CompClause struct {
	Target, Iter Expr
	Ifs          []Expr
}

// Param is one parameter.
type Param struct {
	Name       string
	Loc        source.Span
	Kind       ParamKind
	Annotation Expr // or nil
	Default    Expr // or nil
}

// ParamKind says how a parameter takes its argument.
type ParamKind uint8

// The kinds of parameter, as in Python's inspect module.
const (
	Positional    ParamKind = iota // before "/"
	Plain                          // positional or by keyword
	VarPositional                  // *args
	KeywordOnly                    // after "*"
	VarKeyword                     // **kwargs
)

// Params is a parameter list in the order written.
type Params struct{ List []Param }

// Statements. Names and meanings follow Python's own ast module.
type (
	// BadStmt replaces a statement that could not be read; the parser has reported it.
	BadStmt  struct{ stmtNode }
	ExprStmt struct {
		stmtNode
		Value Expr
	}
	// Assign is Targets[0] = Targets[1] = … = Value.
	Assign struct {
		stmtNode
		Targets []Expr
		Value   Expr
	}
	// AnnAssign is Target: Annotation = Value, where Value may be nil.
	AnnAssign struct {
		stmtNode
		Target, Annotation, Value Expr
	}
	// AugAssign is Target Op= Value; Op is without the "=".
	AugAssign struct {
		stmtNode
		Op     string
		Target Expr
		Value  Expr
	}
	Return struct {
		stmtNode
		Value Expr // or nil
	}
	Pass     struct{ stmtNode }
	Break    struct{ stmtNode }
	Continue struct{ stmtNode }
	If       struct {
		stmtNode
		Test       Expr
		Body, Else []Stmt
	}
	For struct {
		stmtNode
		Target, Iter Expr
		Body, Else   []Stmt
	}
	While struct {
		stmtNode
		Test       Expr
		Body, Else []Stmt
	}
	With struct {
		stmtNode
		Items []WithItem
		Body  []Stmt
	}
	Try struct {
		stmtNode
		Body     []Stmt
		Handlers []Handler
		Group    bool // the handlers are except*
		Else     []Stmt
		Finally  []Stmt
	}
	// Match is match Subject: with its cases.
	Match struct {
		stmtNode
		Subject Expr
		Cases   []MatchCase
	}
	Raise struct {
		stmtNode
		Exc, Cause Expr // or nil
	}
	Assert struct {
		stmtNode
		Test, Msg Expr // Msg may be nil
	}
	Delete struct {
		stmtNode
		Targets []Expr
	}
	Global struct {
		stmtNode
		Names []*Name
	}
	Nonlocal struct {
		stmtNode
		Names []*Name
	}
	Import struct {
		stmtNode
		Names []Alias
	}
	// ImportFrom is from Module import Names; Level counts leading dots.
	ImportFrom struct {
		stmtNode
		Module string
		Level  int
		Names  []Alias
	}
	FunctionDef struct {
		stmtNode
		Name       string
		NameSpan   source.Span
		Decorators []Expr
		Params     *Params
		Returns    Expr // or nil
		Body       []Stmt
		Async      bool
		Doc        string
	}
	ClassDef struct {
		stmtNode
		Name       string
		NameSpan   source.Span
		Decorators []Expr
		Bases      []Expr
		Keywords   []Keyword
		Body       []Stmt
	}
)

// Patterns. Names and meanings follow Python's own ast module. A capture whose Name is nil is "_".
type (
	// MatchValue compares with a literal or a dotted name; None, True and False by identity.
	MatchValue struct {
		patternNode
		Value Expr
	}
	// MatchSequence is [a, b, *rest].
	MatchSequence struct {
		patternNode
		Patterns []Pattern
	}
	// MatchStar is *rest, one of a MatchSequence's patterns at most.
	MatchStar struct {
		patternNode
		Name *Name
	}
	// MatchMapping is {key: pattern, **rest}.
	MatchMapping struct {
		patternNode
		Keys     []Expr
		Patterns []Pattern
		Rest     *Name // nil if there is none
	}
	// MatchClass is Class(Patterns, Attrs[i]=AttrPatterns[i]).
	MatchClass struct {
		patternNode
		Class        Expr
		Patterns     []Pattern
		Attrs        []string
		AttrPatterns []Pattern
	}
	// MatchAs is Pattern as Name, a capture where Pattern is nil, and "_" where both are.
	MatchAs struct {
		patternNode
		Pattern Pattern
		Name    *Name
	}
	// MatchOr is a | b.
	MatchOr struct {
		patternNode
		Patterns []Pattern
	}
)

// MatchCase is one case of a match statement; Guard is nil if there is none.
type MatchCase struct {
	Pattern Pattern
	Guard   Expr
	Body    []Stmt
	Loc     source.Span
}

// Alias is one imported name; As is empty if there is no "as". Name "*" imports all.
type Alias struct {
	Name, As string
	Loc      source.Span
}

// WithItem is one context manager of a with statement.
type WithItem struct{ Context, Target Expr }

// Handler is one except clause; Type and Name may be empty.
type Handler struct {
	Type Expr
	Name string
	Loc  source.Span
	Body []Stmt
}
