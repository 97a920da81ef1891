package people

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// ProviderOptions say whose ID tokens are accepted.
type ProviderOptions struct {
	Issuer   string // the provider's address, which serves /.well-known/openid-configuration
	Audience string // the client that tokens must be made for
	// Claim names the claim that is a person's name, such as preferred_username. Of email, email_verified must be true.
	Claim string
	// Timeout bounds a request to the provider, for its configuration or its keys; 5 seconds if it is 0.
	Timeout time.Duration
}

// Provider is an OpenID Connect provider whose ID tokens are accepted.
type Provider struct {
	options  ProviderOptions
	verifier *oidc.IDTokenVerifier
	file     *File // who may use the runner, of those whom the provider knows; nil: all
}

// Discover reads a provider's configuration. Where there is a file, a person needs a line `NAME oidc` in it.
func Discover(ctx context.Context, o ProviderOptions, file *File) (*Provider, error) {
	if o.Audience == "" || o.Claim == "" {
		return nil, errors.New("an OpenID Connect provider needs an audience, which is the client that its tokens " +
			"are made for, and a claim")
	}
	o.Timeout = cmp.Or(o.Timeout, 5*time.Second)
	client := &http.Client{Timeout: o.Timeout}
	p, err := oidc.NewProvider(oidc.ClientContext(ctx, client), o.Issuer)
	if err != nil {
		return nil, fmt.Errorf("the OpenID Connect provider %s: %w", o.Issuer, err)
	}
	return &Provider{o, p.Verifier(&oidc.Config{ClientID: o.Audience}), file}, nil
}

// Lookup is the person with an ID token, which is signed by the provider, made for the audience, and has not ended.
func (p *Provider) Lookup(ctx context.Context, token string) (Person, bool) {
	if strings.Count(token, ".") != 2 {
		return Person{}, false
	}
	ctx, cancel := context.WithTimeout(ctx, p.options.Timeout)
	defer cancel()
	id, err := p.verifier.Verify(ctx, token)
	if err != nil {
		return Person{}, false
	}
	var claims map[string]any
	if id.Claims(&claims) != nil {
		return Person{}, false
	}
	name, _ := claims[p.options.Claim].(string)
	if verified, _ := claims["email_verified"].(bool); p.options.Claim == "email" && !verified {
		return Person{}, false
	}
	person := Person{Name: name, OIDC: true, Weight: 1}
	if person.Check() != nil {
		return Person{}, false
	}
	if p.file != nil {
		known, ok := p.file.find(person)
		if !ok {
			return Person{}, false
		}
		person = known
	}
	person.Until = id.Expiry
	return person, true
}
