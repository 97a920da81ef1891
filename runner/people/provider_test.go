package people

import (
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/runner/people/peopletest"
)

// TestProvider: an ID token is accepted if the provider signed it for the audience, it has not ended, and its person may
// use the runner.
func TestProvider(t *testing.T) {
	i, stranger := peopletest.StartIssuer(t), peopletest.StartIssuer(t)
	path := filepath.Join(t.TempDir(), "people")
	_, hash := NewToken()
	list := []Person{{Name: "ada", OIDC: true, Weight: 2}, {Name: "bob", Hash: hash, Weight: 1}, {Name: "eve@lab.example", OIDC: true, Weight: 1}}
	if err := os.WriteFile(path, Format(list), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := Open(path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	end := time.Now().Add(time.Hour).Truncate(time.Second)
	header := map[string]any{"alg": "RS256", "kid": "one"}
	good := map[string]any{"iss": i.URL, "aud": "newt", "sub": "1", "preferred_username": "ada", "email": "eve@lab.example",
		"email_verified": true, "exp": end.Unix(), "iat": time.Now().Unix()}
	with := func(of map[string]any, key string, value any) map[string]any {
		of = maps.Clone(of)
		of[key] = value
		return of
	}
	ada := Person{Name: "ada", OIDC: true, Weight: 2, Until: end}
	for _, c := range []struct {
		name, claim string
		file        *File
		token       string
		want        Person // without a name: refused
	}{
		{"good", "preferred_username", file, i.Token(t, header, good), ada},
		{"no file", "preferred_username", nil, i.Token(t, header, with(good, "preferred_username", "someone")),
			Person{Name: "someone", OIDC: true, Weight: 1, Until: end}},
		{"verified mail", "email", file, i.Token(t, header, good), Person{Name: "eve@lab.example", OIDC: true, Weight: 1, Until: end}},
		{"mail that is not verified", "email", file, i.Token(t, header, with(good, "email_verified", false)), Person{}},
		{"no such claim", "nickname", file, i.Token(t, header, good), Person{}},
		{"a claim that is no text", "exp", nil, i.Token(t, header, good), Person{}},
		{"a name for terminals", "preferred_username", nil, i.Token(t, header, with(good, "preferred_username", "a\x1b[2J")), Person{}},
		{"who is not in the file", "preferred_username", file, i.Token(t, header, with(good, "preferred_username", "mallory")), Person{}},
		{"who has a token of the file", "preferred_username", file, i.Token(t, header, with(good, "preferred_username", "bob")), Person{}},
		{"another audience", "preferred_username", file, i.Token(t, header, with(good, "aud", "mail")), Person{}},
		{"another provider", "preferred_username", file, stranger.Token(t, header, with(good, "iss", stranger.URL)), Person{}},
		{"another provider's key", "preferred_username", file, stranger.Token(t, header, good), Person{}},
		{"an unknown key", "preferred_username", file, i.Token(t, with(header, "kid", "two"), good), Person{}},
		{"ended", "preferred_username", file, i.Token(t, header, with(good, "exp", time.Now().Add(-time.Minute).Unix())), Person{}},
		{"no signature", "preferred_username", file, strings.Join(strings.Split(i.Token(t, with(header, "alg", "none"), good), ".")[:2], ".") + ".", Person{}},
		{"not a token", "preferred_username", file, "a.b.c", Person{}},
		{"nothing", "preferred_username", file, "", Person{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Discover(t.Context(), ProviderOptions{Issuer: i.URL, Audience: "newt", Claim: c.claim}, c.file)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := p.Lookup(t.Context(), c.token)
			if ok != (c.want.Name != "") || !got.Until.Equal(c.want.Until) {
				t.Fatalf("%+v, %t", got, ok)
			}
			if got.Until = c.want.Until; got != c.want {
				t.Errorf("%+v instead of %+v", got, c.want)
			}
		})
	}
	for name, o := range map[string]ProviderOptions{
		"no audience": {Issuer: i.URL, Claim: "email"}, "no claim": {Issuer: i.URL, Audience: "newt"},
		"no provider": {Issuer: i.URL + "/elsewhere", Audience: "newt", Claim: "email"},
	} {
		if _, err := Discover(t.Context(), o, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
