// Package peopletest has an OpenID Connect provider for tests.
package peopletest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Issuer is an OpenID Connect provider on this machine.
type Issuer struct {
	*httptest.Server
	key *rsa.PrivateKey
}

// StartIssuer starts a provider, which has one key, named one.
func StartIssuer(t *testing.T) *Issuer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i := &Issuer{key: key}
	mux := http.NewServeMux()
	answer := func(path string, what func() any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(what())
		})
	}
	answer("/.well-known/openid-configuration", func() any {
		return map[string]any{"issuer": i.URL, "jwks_uri": i.URL + "/keys", "authorization_endpoint": i.URL + "/login",
			"token_endpoint": i.URL + "/token", "id_token_signing_alg_values_supported": []string{"RS256"}}
	})
	answer("/keys", func() any {
		e := binary.BigEndian.AppendUint32(nil, uint32(key.E))
		return map[string]any{"keys": []any{map[string]any{"kty": "RSA", "kid": "one", "use": "sig", "alg": "RS256",
			"n": encode(key.N.Bytes()), "e": encode(e[1:])}}}
	})
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// Token signs claims.
func (i *Issuer) Token(t *testing.T, header, claims map[string]any) string {
	t.Helper()
	parts := make([]string, 2)
	for k, part := range []map[string]any{header, claims} {
		text, err := json.Marshal(part)
		if err != nil {
			t.Fatal(err)
		}
		parts[k] = encode(text)
	}
	signed := strings.Join(parts, ".")
	hash := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(rand.Reader, i.key, crypto.SHA256, hash[:])
	if err != nil {
		t.Fatal(err)
	}
	return signed + "." + encode(signature)
}
