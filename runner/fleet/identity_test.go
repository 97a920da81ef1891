package fleet

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// newUsers makes a server's file with a gateway and two workers, and a file for each of them.
func newUsers(t *testing.T) (server, gateway, lab3, lab4 string) {
	t.Helper()
	dir := t.TempDir()
	server = filepath.Join(dir, "server")
	var own [3]string
	for i, name := range []string{gatewayUser, "lab-3", "lab-4"} {
		line, err := AddUser(server, name)
		if err != nil {
			t.Fatal(err)
		}
		own[i] = filepath.Join(dir, name)
		if err := os.WriteFile(own[i], []byte(line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return server, own[0], own[1], own[2]
}

// TestUsersFile: the server's file has no password, and nobody connects with what is in it.
func TestUsersFile(t *testing.T) {
	server, _, lab3, _ := newUsers(t)
	text, err := os.ReadFile(server)
	if err != nil {
		t.Fatal(err)
	}
	line, err := os.ReadFile(lab3)
	if err != nil {
		t.Fatal(err)
	}
	if password := strings.TrimPrefix(strings.TrimSpace(string(line)), "lab-3:"); strings.Contains(string(text), password) {
		t.Errorf("the password is in the server's file: %s", text)
	}
	s := testServer(t, server)
	if _, err := connect(Options{URL: s.ClientURL(), Credentials: server}, false, func() {}); err == nil || !strings.Contains(err.Error(), "newt credentials") {
		t.Errorf("the server's file is a worker's: %v", err)
	}
	for _, name := range []string{"lab-3", "", "a.b", "a>"} {
		if _, err := AddUser(server, name); err == nil {
			t.Errorf("a second %q is added", name)
		}
	}
}

// TestOwnSubjects: a worker's user neither reads what is meant for another one nor speaks in its name.
func TestOwnSubjects(t *testing.T) {
	server, gateway, lab3, lab4 := newUsers(t)
	s := testServer(t, server)
	join := func(file string, isGateway bool) *link {
		l, err := connect(Options{URL: s.ClientURL(), Credentials: file}, isGateway, func() {})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(l.Close)
		return l
	}
	g, victim, thief := join(gateway, true), join(lab3, false), join(lab4, false)
	id := newID()
	for _, subject := range []string{
		workerSubject + ">", workerSubject + workerKey("lab-3", id), inboxOf("lab-3") + ".>", workersSubject + ">",
	} {
		stolen, err := thief.SubscribeSync(subject)
		if err != nil {
			t.Fatal(err)
		}
		thief.Flush() // the server has refused it by now
		g.Publish(strings.TrimSuffix(subject, ">")+"x", nil)
		g.Publish(workerSubject+workerKey("lab-3", id), encodePacket(stopMessage{"a secret"}, nil))
		g.Flush()
		thief.Flush() // what the server had sent before is here
		if m, err := stolen.NextMsg(time.Millisecond); err == nil {
			t.Errorf("lab-4 reads %q on %s", m.Data, m.Subject)
		}
	}
	heard, err := g.SubscribeSync(prefix + ">")
	if err != nil {
		t.Fatal(err)
	}
	g.Flush()
	for _, subject := range []string{
		workersSubject + "lab-3", gatewaySubject + id + "." + claimVerb + ".lab-3", inboxOf("lab-3") + ".x", workerSubject + workerKey("lab-3", id),
	} {
		thief.Publish(subject, []byte("a lie"))
	}
	thief.Flush()
	victim.Publish(workersSubject+"lab-3", []byte("the truth"))
	victim.Flush()
	if m, err := heard.NextMsg(patience); err != nil || string(m.Data) != "the truth" {
		t.Errorf("the gateway hears %+v, %v", m, err)
	}
}

// TestSameIDOfAnotherUser: a worker that takes the ID of another one is another worker, and has no use of its lease.
func TestSameIDOfAnotherUser(t *testing.T) {
	server, gateway, lab3, lab4 := newUsers(t)
	s := testServer(t, server)
	g := newTestGatewayOf(t, Options{URL: s.ClientURL(), Credentials: gateway}, nil)
	f := joinFakeOf(t, g, Options{URL: s.ClientURL(), Credentials: lab3})
	c := g.connect(t, "here")
	job := c.send(t, "cpu", increment, 41, 0)
	of, m, r := f.claim()
	l, err := connect(Options{URL: s.ClientURL(), Credentials: lab4}, false, func() {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	thief := &fakeWorker{l, t, f.id, nil}
	thief.announce(workerReady)
	g.offers(t, "cpu", 2)
	for verb, q := range map[string]request{
		claimVerb: {Job: of.Job}, fetchVerb: {Lease: r.Lease}, aliveVerb: {Lease: r.Lease}, returnVerb: {Lease: r.Lease, Unable: true},
	} {
		if got, _ := thief.ask(of, verb, q); got.State == stateYes {
			t.Errorf("%s: the thief is answered with %+v", verb, got)
		}
	}
	thief.announce(workerStopped)
	g.offers(t, "cpu", 1)
	f.ask(of, returnVerb, request{Lease: r.Lease})
	m.Nak()
	startWorkerOn(t, s.ClientURL(), lab3, cpu.New(cpu.Options{}))
	wantAnswer(t, c.wait(t, job))
}

// TestReplyTo: a request whose reply would go to another user is not answered.
func TestReplyTo(t *testing.T) {
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	conn, err := nats.Connect(s.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	heard, err := conn.SubscribeSync(">")
	if err != nil {
		t.Fatal(err)
	}
	packet := encodePacket(request{Worker: newID(), Job: newID()}, nil)
	subject := gatewaySubject + g.id + "." + claimVerb + ".lab-4"
	for _, to := range []string{workerSubject + "lab-3.x", inboxOf("lab-3") + ".x", inboxOf("lab-4") + ".x"} {
		conn.PublishRequest(subject, to, packet)
	}
	for {
		m, err := heard.NextMsg(patience)
		if err != nil {
			t.Fatal("the request of lab-4 is not answered")
		}
		if m.Subject == inboxOf("lab-4")+".x" {
			break
		}
		if m.Subject == workerSubject+"lab-3.x" || m.Subject == inboxOf("lab-3")+".x" {
			t.Errorf("lab-4 has the gateway write to %s", m.Subject)
		}
	}
}

// TestLateServer: a worker that is there before the NATS server waits for it, and one whose credentials are refused, or
// that is to stop, does not.
func TestLateServer(t *testing.T) {
	server, gateway, lab3, _ := newUsers(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	o := WorkerOptions{
		Options: Options{URL: "nats://" + addr, Credentials: lab3, Log: testLog(t)},
		Device:  sched.Device{ID: "cpu", Device: cpu.New(cpu.Options{})}, Limits: protocol.DefaultLimits(),
	}
	if _, err := NewWorker(stopped, o); !errors.Is(err, context.Canceled) {
		t.Errorf("a worker that is to stop waits for the server: %v", err)
	}
	over := make(chan error, 1)
	ctx, end := context.WithCancel(t.Context())
	go func() {
		w, err := NewWorker(t.Context(), o)
		if err == nil {
			w.Run(ctx)
		}
		over <- err
	}()
	s, err := StartServer(ServerOptions{Addr: addr, Store: t.TempDir(), Credentials: server})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	newTestGatewayOf(t, Options{URL: s.ClientURL(), Credentials: gateway}, nil).offers(t, "cpu", 1)
	end()
	if err := <-over; err != nil {
		t.Error(err)
	}
	wrong := filepath.Join(t.TempDir(), "wrong")
	if err := os.WriteFile(wrong, []byte("lab-3:0000000000000000"), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Credentials = wrong
	if _, err := NewWorker(t.Context(), o); !isUnauthorized(err) {
		t.Errorf("the wrong password: %v", err)
	}
}

// newCertificate is a certificate of its own authority for 127.0.0.1, and its key, as files.
func newCertificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, BasicConstraintsValid: true, IsCA: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: pkcs8}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// TestTLS: a server with a certificate takes connections of other processes with TLS alone, of members that know its
// authority; its own process needs neither.
func TestTLS(t *testing.T) {
	server, _, lab3, _ := newUsers(t)
	cert, key := newCertificate(t)
	s, err := StartServer(ServerOptions{Addr: "127.0.0.1:0", Store: t.TempDir(), Credentials: server, Cert: cert, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	g := newTestGatewayOf(t, Options{Server: s}, nil)
	url := "tls://" + s.Addr().String()
	if l, err := connect(Options{URL: url, Credentials: lab3}, false, func() {}); err == nil {
		l.Close()
		t.Error("a worker trusts a certificate of nobody that it knows")
	} else if isUnreachable(err) || !strings.Contains(err.Error(), "--nats-ca") {
		t.Errorf("a worker with a certificate that it does not trust: %v", err)
	}
	if h := Examine(t.Context(), Options{URL: url, Credentials: lab3}); h.Problem != Untrusted {
		t.Errorf("the doctor finds %+v", h)
	}
	conn, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.Write([]byte("CONNECT {}\r\nPING\r\n"))
	conn.SetReadDeadline(time.Now().Add(patience))
	var said strings.Builder
	buffer := make([]byte, 1<<10)
	for {
		n, err := conn.Read(buffer)
		if said.Write(buffer[:n]); err != nil {
			break
		}
	}
	if strings.Contains(said.String(), "PONG") {
		t.Errorf("without TLS the server says %q", said.String())
	}
	w, err := NewWorker(t.Context(), WorkerOptions{
		Options: Options{URL: url, Credentials: lab3, CA: cert, Log: testLog(t)},
		Device:  sched.Device{ID: "cpu", Device: cpu.New(cpu.Options{})}, Limits: protocol.DefaultLimits(),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() { w.Run(ctx); close(over) }()
	defer func() { stop(); <-over }()
	g.offers(t, "cpu", 1)
	c := g.connect(t, "here")
	wantAnswer(t, c.wait(t, c.send(t, "cpu", increment, 41, 0)))
	if _, err := StartServer(ServerOptions{Addr: "127.0.0.1:0", Store: t.TempDir(), Cert: cert}); err == nil {
		t.Error("a server starts with a certificate and no key")
	}
}
