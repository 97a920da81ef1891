package cli

import (
	"crypto/x509"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// TestRoots: where the system has no authorities, as in the image that holds nothing but newt, those of the public are
// known. Otherwise neither an OpenID Connect provider nor a NATS server with TLS could be reached there.
func TestRoots(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system's authorities are those of files on Linux")
	}
	const without = "NEWT_TEST_WITHOUT_ROOTS"
	if os.Getenv(without) == "" {
		alone := exec.Command(os.Args[0], "-test.run", "^TestRoots$")
		alone.Env = append(os.Environ(), without+"=1", "SSL_CERT_FILE=/nonexistent", "SSL_CERT_DIR=/nonexistent")
		if text, err := alone.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		return
	}
	known := 0
	for root := range bundle.Roots() {
		cert, err := x509.ParseCertificate(root.Certificate)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cert.Verify(x509.VerifyOptions{KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}}); err == nil {
			known++
		}
	}
	if known < 50 {
		t.Errorf("%d authorities are known", known)
	}
}
