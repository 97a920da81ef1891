// Package people knows who may use a runner: a file has a line for each person, with the hash of a token and what the
// person may use. The file can be changed while a runner uses it.
package people

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Person is somebody who may use a runner.
type Person struct {
	Name   string
	Hash   [sha256.Size]byte // of the token
	OIDC   bool              // the person has no token here, but ID tokens of an OpenID Connect provider
	Since  string            // the date on which the token was made, as YYYY-MM-DD; may be empty
	Weight float64           // of the person's share of the devices; 1 is everybody's
	Jobs   int               // that may be unfinished; 0: no limit but the runner's
	Bytes  int64             // of memory for the person's jobs; 0: no limit but the runner's
	Until  time.Time         // when an ID token ends; zero: the person's token has no end
}

// name is the form of a person's name, which labels metrics and logs; it may be an address of mail.
var name = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+@-]{0,63}$`)

// The bounds of a weight.
const (
	MinWeight = 0.01
	MaxWeight = 100
)

// What follows a name says how the person is known: hashPrefix and the hash of a token, which is random, so that a hash
// without a salt is enough; or oidcWord.
const (
	hashPrefix = "sha256:"
	oidcWord   = "oidc"
)

// knownBy is what follows the name in the file.
func (p Person) knownBy() string {
	if p.OIDC {
		return oidcWord
	}
	return hashPrefix + hex.EncodeToString(p.Hash[:])
}

// credential is what is unique to a person: the hash of the token, or the name at the provider.
func (p Person) credential() string {
	if p.OIDC {
		return oidcWord + " " + p.Name
	}
	return p.knownBy()
}

// tokenBytes is the size of a token's random part.
const tokenBytes = 20

// NewToken returns a random token and its hash.
func NewToken() (token string, hash [sha256.Size]byte) {
	b := make([]byte, tokenBytes)
	rand.Read(b)
	token = hex.EncodeToString(b)
	return token, sha256.Sum256([]byte(token))
}

// Check returns an error if a person's fields are out of range.
func (p Person) Check() error {
	switch {
	case !name.MatchString(p.Name):
		return fmt.Errorf("%q is not a name: up to 64 letters, digits, and . - _ + @", p.Name)
	case !(p.Weight >= MinWeight && p.Weight <= MaxWeight): // NaN is neither
		return fmt.Errorf("the weight of %s is %v: it must be from %v to %v", p.Name, p.Weight, MinWeight, MaxWeight)
	case p.Jobs < 0 || p.Bytes < 0:
		return fmt.Errorf("the limits of %s must not be negative", p.Name)
	}
	return nil
}

// field is an optional field of a line.
type field struct {
	name  string
	read  func(p *Person, value string) error
	write func(p Person) string // "": left out
}

var fields = []field{
	{"since", func(p *Person, v string) error { p.Since = v; return nil }, func(p Person) string { return p.Since }},
	{"weight", func(p *Person, v string) (err error) {
		p.Weight, err = strconv.ParseFloat(v, 64)
		return err
	}, func(p Person) string { return strconv.FormatFloat(p.Weight, 'g', -1, 64) }},
	{"jobs", func(p *Person, v string) (err error) {
		p.Jobs, err = strconv.Atoi(v)
		return err
	}, func(p Person) string { return nonZero(int64(p.Jobs)) }},
	{"bytes", func(p *Person, v string) (err error) {
		p.Bytes, err = strconv.ParseInt(v, 10, 64)
		return err
	}, func(p Person) string { return nonZero(p.Bytes) }},
}

func nonZero(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// Parse reads the text of a file: a line `NAME sha256:HASH [since=DATE] [weight=N] [jobs=N] [bytes=N]` for each person,
// or `NAME oidc …`; what follows # is left out.
func Parse(text []byte) (list []Person, err error) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	for number := 1; lines.Scan(); number++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		p, err := parseLine(words)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		for _, other := range list {
			if other.Name == p.Name || other.credential() == p.credential() {
				return nil, fmt.Errorf("line %d: %s has the name or the token of %s", number, p.Name, other.Name)
			}
		}
		list = append(list, p)
	}
	return list, lines.Err()
}

func parseLine(words []string) (Person, error) {
	p := Person{Name: words[0], Weight: 1}
	if len(words) < 2 {
		return p, fmt.Errorf("%q has no %sHASH or %s after the name", words[0], hashPrefix, oidcWord)
	}
	if p.OIDC = words[1] == oidcWord; !p.OIDC {
		digits, ok := strings.CutPrefix(words[1], hashPrefix)
		hash, err := hex.DecodeString(digits)
		if !ok || err != nil || len(hash) != sha256.Size {
			return p, fmt.Errorf("what follows %s is not %s, or %s and 64 hexadecimal digits",
				p.Name, oidcWord, hashPrefix)
		}
		copy(p.Hash[:], hash)
	}
	for _, w := range words[2:] {
		key, value, _ := strings.Cut(w, "=")
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == key })
		if i < 0 || fields[i].read(&p, value) != nil {
			return p, fmt.Errorf("%q is not since=DATE, weight=N, jobs=N or bytes=N", w)
		}
	}
	return p, p.Check()
}

// Format writes the text of a file, sorted by name.
func Format(list []Person) []byte {
	list = slices.SortedFunc(slices.Values(list), func(a, b Person) int { return cmp.Compare(a.Name, b.Name) })
	var out bytes.Buffer
	for _, p := range list {
		fmt.Fprintf(&out, "%s %s", p.Name, p.knownBy())
		for _, f := range fields {
			if value := f.write(p); value != "" {
				fmt.Fprintf(&out, " %s=%s", f.name, value)
			}
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}
