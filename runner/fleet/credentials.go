package fleet

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/nats-io/nats.go"
)

// user is a name and a password of a NATS server.
type user struct{ name, password string }

// gatewayUser is the name under which gateways connect; all other names are workers'.
const gatewayUser = "gateway"

// minPassword is the least length of a password.
const minPassword = 16

// userName is the form of a user's name, which is part of subjects.
var userName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,40}$`)

// readUsers reads a credentials file: a line name:password for each user, the rest of a line after # is ignored.
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
				"characters, such as the output of `openssl rand -hex 16`", file, minPassword)
		}
		out = append(out, user{name, password})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s contains no line of the form name:password", file)
	}
	return out, nil
}

// isCredentials reports whether a file is one that NATS's own tools write, with a JWT and a key.
func isCredentials(file string) bool {
	text, err := os.ReadFile(file)
	return err == nil && bytes.Contains(text, []byte("BEGIN NATS USER JWT"))
}

// authentication are the options with which a gateway or a worker connects. A gateway uses the line of gatewayUser, a
// worker the first other one.
func authentication(file string, isGateway bool) ([]nats.Option, error) {
	if file == "" {
		return nil, nil
	}
	if isCredentials(file) {
		return []nats.Option{nats.UserCredentials(file)}, nil
	}
	users, err := readUsers(file)
	if err != nil {
		return nil, err
	}
	for _, u := range users {
		if (u.name == gatewayUser) == isGateway {
			// Replies come to subjects that the server lets no other user read.
			return []nats.Option{nats.UserInfo(u.name, u.password), nats.CustomInboxPrefix(inboxOf(u.name))}, nil
		}
	}
	if isGateway {
		return nil, fmt.Errorf("%s has no line for %s", file, gatewayUser)
	}
	return nil, fmt.Errorf("%s has no line for a worker: a name other than %s", file, gatewayUser)
}

func inboxOf(name string) string { return prefix + "inbox." + name }
