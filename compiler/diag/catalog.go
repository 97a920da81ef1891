package diag

// Message is what one diagnostic says in one language. {0}, {1}, … stand for its arguments.
// Headline: lower case, no full stop, names in backquotes, able to stand alone.
// Label: a few words beside the span. Why: the rule. Help: what to do next.
type Message struct{ Headline, Label, Why, Help string }

// Entry is one row of the catalogue.
type Entry struct {
	Code   string
	En, Zh Message
	Triton string // what Triton's GPU compiler itself says, where newt quotes it
	Bad    string // a kernel that yields this code, checked by a test
	Good   string // the same kernel put right
}

// Phrase is a short text used for labels and fix titles.
type Phrase struct{ Key, En, Zh string }
