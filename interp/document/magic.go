package document

import (
	"slices"
	"strings"
)

// PythonCode is a cell's source as Python: the lines that are IPython's own are comments, so that every line keeps its
// number.
type PythonCode struct {
	Text  string
	Notes []Note // in the order of their lines

	File    string // %%writefile: the file that the cell's text is, instead of code
	Content string
	Append  bool     // -a: to the end of the file
	Quiet   bool     // %%capture: what it prints is not shown
	Shows   []Output // %%html, %%markdown and such: what the cell displays, instead of code
}

// Note is a diagnostic about a line of a cell, counted from 1.
type Note struct {
	Line int
	Code string // of the catalogue
	Arg  string // what the line says
}

var (
	lineMagic   = pattern{text: `^%\s*([A-Za-z_]\w*)\s*(.*)$`}
	cellMagic   = pattern{text: `^%%\s*([A-Za-z_]\w*)[ \t]*(.*)$`}
	assigned    = pattern{text: `^[\w.,\[\] \t]+=[ \t]*(!|%[A-Za-z_])`}
	helpLine    = pattern{text: `^(?:\?{1,2}\s*[\w.*]+|%{0,2}[\w.*\[\]]+\s*\?{1,2})$`}
	programLine = pattern{text: `^!\s*(?:\w+=\S*\s+)*python3?\s[^{}$|&;<>]*$`}
	timeOptions = pattern{text: `^(?:-[a-z](?: ?\d+)?\s+)*`}
)

// runners are the magics that run what follows them, and what there is to note: those that time it run it once.
var runners = map[string]string{
	"time": "", "timeit": "document-magic-once", "prun": "document-magic-once", "memit": "document-magic-once",
	"capture": "", "python": "", "python3": "", "ipytest": "",
}

// settings are the magics that ask for nothing that a run would lack.
var settings = strings.Fields(`matplotlib pylab load_ext reload_ext autoreload config reset colors precision xmode pdb
	autocall automagic logstart logstop logoff logon history hist who whos who_ls pwd ls pinfo pinfo2 pdoc psource
	lsmagic magic quickref tensorboard`)

// displays are the cell magics whose text is shown, and its type.
var displays = map[string]string{
	"html": "text/html", "HTML": "text/html", "markdown": "text/markdown", "svg": "image/svg+xml", "SVG": "image/svg+xml",
	"latex": "text/latex",
}

// CodeOf is a cell's source without what is IPython's own: %magics, !commands and help?. Such a line runs nothing, but
// for %time and its kind, which run what they time, %%writefile, which makes a file, and %run and !python, which run
// one.
func CodeOf(text string) (c PythonCode) {
	lines := strings.Split(text, "\n")
	first := 0
	for first < len(lines) && strings.TrimSpace(lines[first]) == "" {
		first++
	}
	if first < len(lines) {
		if m := cellMagic.re().FindStringSubmatch(strings.TrimRight(lines[first], " \t\r")); m != nil {
			if !c.cell(m[1], m[2], lines, first) {
				return c
			}
		}
	}
	s := scanner{}
	for i, l := range lines {
		if s.inside() || !c.line(lines, i) {
			s.line(l)
		}
	}
	c.Text = strings.Join(lines, "\n")
	return c
}

// cell handles a %%magic on line i, makes a comment of that line, and reports whether the lines after it are code.
func (c *PythonCode) cell(name, rest string, lines []string, i int) bool {
	whole := strings.TrimSpace(lines[i])
	lines[i] = "#" + lines[i]
	note, runs := runners[name]
	switch {
	case name == "writefile" || name == "file":
		c.write(rest, strings.Join(lines[i+1:], "\n"))
	case displays[name] != "":
		c.Shows = []Output{Shown("display_data", MIME{displays[name], strings.Join(lines[i+1:], "\n")})}
	case !runs && !slices.Contains(settings, name):
		c.note(i, "document-magic", whole)
	default:
		c.Quiet = name == "capture"
		if note != "" {
			c.note(i, note, "%%"+name)
		}
		return true
	}
	return false
}

// write handles %%writefile [-a] FILE.
func (c *PythonCode) write(arguments, text string) {
	for _, word := range strings.Fields(arguments) {
		if word == "-a" || word == "--append" {
			c.Append = true
		} else {
			c.File = strings.Trim(word, `"'`)
		}
	}
	c.Content = strings.TrimRight(text, "\n") + "\n"
}

func (c *PythonCode) note(i int, code, arg string) { c.Notes = append(c.Notes, Note{i + 1, code, arg}) }

// line handles line i, which begins a statement, if it is IPython's own.
func (c *PythonCode) line(lines []string, i int) bool {
	text := strings.TrimSpace(lines[i])
	if text == "" || text[0] == '#' {
		return false
	}
	indent := lines[i][:strings.Index(lines[i], text[:1])]
	code := ""
	switch m := lineMagic.re().FindStringSubmatch(text); {
	case m != nil:
		note, runs := runners[m[1]]
		if rest := m[2][len(timeOptions.re().FindString(m[2])):]; runs && rest != "" {
			if note != "" {
				c.note(i, note, "%"+m[1])
			}
			lines[i] = indent + rest
			return false // the scanner has still to read it
		}
		if m[1] == "run" {
			lines[i] = indent + "get_ipython().run_line_magic('run', " + pythonString(m[2]) + ")"
			return false
		}
		if !runs && !slices.Contains(settings, m[1]) {
			code = "document-magic"
		}
	case text[0] == '!':
		if programLine.re().MatchString(text) {
			lines[i] = indent + "get_ipython().system(" + pythonString(strings.TrimSpace(text[1:])) + ")"
			return false // the scanner has still to read it
		}
		code = "document-shell"
	case helpLine.re().MatchString(text):
	case assigned.re().MatchString(text):
		code = "document-magic"
	default:
		return false
	}
	if code != "" {
		c.note(i, code, text)
	}
	// A block may have no other statement.
	if indent != "" {
		lines[i] = indent + "pass  # " + text
	} else {
		lines[i] = "#" + lines[i]
	}
	return true
}

// pythonString is a text as a literal of Python.
func pythonString(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}

// scanner follows Python's strings and brackets from line to line.
type scanner struct {
	quote     string // of the string that the next line is in, "" if none
	depth     int    // of open brackets
	continues bool   // a backslash ends the line
}

// inside reports whether the next line continues a statement.
func (s *scanner) inside() bool { return s.quote != "" || s.depth > 0 || s.continues }

func (s *scanner) line(l string) {
	s.continues = false
	for i := 0; i < len(l); {
		switch c := l[i]; {
		case s.quote != "" && c == '\\':
			i++
		case s.quote != "" && strings.HasPrefix(l[i:], s.quote):
			i += len(s.quote) - 1
			s.quote = ""
		case s.quote != "":
		case c == '#':
			return
		case c == '"' || c == '\'':
			s.quote = string(c)
			if triple := strings.Repeat(s.quote, 3); strings.HasPrefix(l[i:], triple) {
				s.quote = triple
				i += 2
			}
		case c == '(' || c == '[' || c == '{':
			s.depth++
		case (c == ')' || c == ']' || c == '}') && s.depth > 0:
			s.depth--
		case c == '\\' && strings.TrimRight(l[i+1:], "\r") == "":
			s.continues = true
		}
		i++
	}
	if len(s.quote) == 1 && !strings.HasSuffix(strings.TrimRight(l, "\r"), `\`) {
		s.quote = "" // not closed: a syntax error of that line alone
	}
}
