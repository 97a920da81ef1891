package fleet

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats.go"
	"golang.org/x/crypto/bcrypt"
)

// user is a name and a password of a NATS server, or the hash of one.
type user struct{ name, password string }

// gatewayUser is the name under which gateways connect; all other names are workers'.
const gatewayUser = "gateway"

// minPassword is the least length of a password.
const minPassword = 16

// userName is the form of a user's name, which is part of subjects.
var userName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,40}$`)

var errNoUser = errors.New("no line has the form name:password")

// readUsers reads a credentials file: a line name:password or name:hash for each user, the rest of a line after # is
// ignored.
func readUsers(file string) ([]user, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var out []user
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, password, _ := strings.Cut(line, ":")
		if !userName.MatchString(name) || len(password) < minPassword || strings.ContainsAny(password, " \t") {
			return nil, fmt.Errorf("%s: each line has the form name:password, with a password of at least %d "+
				"characters; `newt credentials` makes such lines", file, minPassword)
		}
		out = append(out, user{name, password})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: %w", file, errNoUser)
	}
	return out, nil
}

// AddUser adds a user to a server's file, which gets the hash of a new password, and returns the line of credentials
// with which the user connects: it is nowhere else.
func AddUser(file, name string) (line string, err error) {
	if !userName.MatchString(name) {
		return "", fmt.Errorf("%q is not a name: write 1 to 40 letters, digits, - and _", name)
	}
	users, err := readUsers(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNoUser) {
		return "", err
	}
	if slices.ContainsFunc(users, func(u user) bool { return u.name == name }) {
		return "", fmt.Errorf("%s is in %s already: remove the line first", name, file)
	}
	password := newID()
	hash, err := hashOf(password)
	if err != nil {
		return "", err
	}
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(out, "%s:%s\n", name, hash); err != nil {
		out.Close()
		return "", err
	}
	return name + ":" + password, out.Close()
}

// hashOf is the hash of a password that newID has made. Nobody guesses 128 random bits, however fast the hash is, and
// each connection takes its time.
func hashOf(password string) (string, error) {
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	return string(hash), err
}

// isHashed reports whether what stands for a password is a hash of it, as NATS servers read one.
func (u user) isHashed() bool { return strings.HasPrefix(u.password, "$2") }

// The users of members without credentials, whom a server lets in only where it lets everybody in.
const (
	openGateway = gatewayUser
	openWorker  = "worker"
)

// authentication is the user as whom a gateway or a worker connects, and the options for that. Of a file with names and
// passwords a gateway uses the line of gatewayUser, a worker the first other one.
func authentication(o Options, isGateway bool) (name string, options []nats.Option, err error) {
	if o.Server != nil {
		return o.Server.self.name, []nats.Option{
			nats.InProcessServer(o.Server), nats.UserInfo(o.Server.self.name, o.Server.self.password),
		}, nil
	}
	if o.Credentials == "" {
		return map[bool]string{true: openGateway, false: openWorker}[isGateway], nil, nil
	}
	text, err := os.ReadFile(o.Credentials)
	if err != nil {
		return "", nil, err
	}
	if bytes.Contains(text, []byte("BEGIN NATS USER JWT")) {
		name, err := nameInJWT(text)
		if err != nil {
			return "", nil, fmt.Errorf("%s: %w", o.Credentials, err)
		}
		return name, []nats.Option{nats.UserCredentials(o.Credentials)}, nil
	}
	u, err := ownUser(o.Credentials, isGateway)
	return u.name, []nats.Option{nats.UserInfo(u.name, u.password)}, err
}

// nameInJWT is the user's name in a file that NATS's own tools write, with a JWT and a key.
func nameInJWT(file []byte) (string, error) {
	text, err := jwt.ParseDecoratedJWT(file)
	if err != nil {
		return "", err
	}
	claims, err := jwt.DecodeUserClaims(text)
	if err != nil {
		return "", err
	}
	if !userName.MatchString(claims.Name) {
		return "", fmt.Errorf("the user %q cannot be a part of subjects: name it with letters, digits, - and _",
			claims.Name)
	}
	return claims.Name, nil
}

// ownUser is the line of a file as which a gateway or a worker connects.
func ownUser(file string, isGateway bool) (user, error) {
	users, err := readUsers(file)
	if err != nil {
		return user{}, err
	}
	i := slices.IndexFunc(users, func(u user) bool { return (u.name == gatewayUser) == isGateway })
	switch {
	case i < 0 && isGateway:
		return user{}, fmt.Errorf("%s has no line for %s", file, gatewayUser)
	case i < 0:
		return user{}, fmt.Errorf("%s has no line for a worker: a name other than %s", file, gatewayUser)
	case users[i].isHashed():
		return user{}, fmt.Errorf("%s has the hash of the password of %s, which is the server's: use the line that "+
			"`newt credentials` printed", file, users[i].name)
	}
	return users[i], nil
}

// inboxOf is the beginning of the subjects of replies to a user, which the server lets no other user read.
func inboxOf(name string) string { return prefix + "inbox." + name }
