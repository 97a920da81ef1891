package fleet

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// ServerOptions configure an embedded NATS server.
type ServerOptions struct {
	Addr        string // HOST:PORT; port 0 is any free one
	Store       string // folder of its streams
	Credentials string // path of a file with the lines name:password or name:hash; may be empty on a loopback address
	Cert, Key   string // paths of PEM files: with them, connections of other processes need TLS
	Log         *slog.Logger
}

// startTimeout is how long the embedded server may take to listen.
const startTimeout = 10 * time.Second

// Server is an embedded NATS server.
type Server struct {
	*server.Server
	self user // as whom this process connects; who it is, nobody else learns
}

// StartServer starts a NATS server with JetStream in this process.
func StartServer(o ServerOptions) (*Server, error) {
	host, port, err := splitAddr(o.Addr)
	if err != nil {
		return nil, err
	}
	self := user{"process-" + newID()[:8], newID()}
	var users []*server.User
	if o.Credentials != "" {
		list, err := readUsers(o.Credentials)
		if err != nil {
			return nil, err
		}
		hash, err := hashOf(self.password)
		if err != nil {
			return nil, err
		}
		users = append(serverUsers(list), &server.User{Username: self.name, Password: hash})
	} else if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf(
			"a NATS server at %s lets everybody in: add --nats-credentials, or listen on 127.0.0.1", o.Addr)
	}
	options := &server.Options{
		ServerName: "newt-" + newID()[:8], Host: host, Port: port, Users: users, JetStream: true, StoreDir: o.Store,
		NoSigs: true,
	}
	if o.Cert != "" || o.Key != "" {
		pair, err := tls.LoadX509KeyPair(o.Cert, o.Key)
		if err != nil {
			return nil, fmt.Errorf("the certificate of the NATS server: %w", err)
		}
		options.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	s, err := server.NewServer(options)
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	log := &serverLog{Logger: o.Log}
	s.SetLoggerV2(log, false, false, false)
	s.Start()
	if !s.ReadyForConnections(startTimeout) {
		s.Shutdown()
		return nil, fmt.Errorf("the NATS server cannot listen on %s or store its streams in %s: %w",
			o.Addr, o.Store, errors.New(log.last()))
	}
	return &Server{s, self}, nil
}

// Stop ends the server and waits for it.
func (s *Server) Stop() {
	s.Shutdown()
	s.WaitForShutdown()
}

func splitAddr(addr string) (host string, port int, err error) {
	host, digits, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, fmt.Errorf("%q is not an address of the form HOST:PORT", addr)
	}
	if port, err = strconv.Atoi(digits); err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q has no port from 0 to 65535", addr)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return host, port, nil
}

// WorkerPermissions are the subjects that a worker's user needs: it takes tickets, asks gateways and announces itself
// in its own name alone, and reads neither what is meant for other users nor what gateways say to each other.
func WorkerPermissions(name string) (publish, subscribe []string) {
	return []string{
		gatewaySubject + "*.*." + name, workersSubject + name, "$JS.API.STREAM.INFO." + streamName,
		"$JS.API.CONSUMER.INFO." + streamName + ".>", "$JS.API.CONSUMER.MSG.NEXT." + streamName + ".>",
		"$JS.ACK." + streamName + ".>",
	}, []string{inboxOf(name) + ".>", workerSubject + name + ".*"}
}

// serverUsers are the users of the embedded server: a gateway may do everything.
func serverUsers(list []user) []*server.User {
	var out []*server.User
	for _, u := range list {
		one := &server.User{Username: u.name, Password: u.password}
		if u.name != gatewayUser {
			publish, subscribe := WorkerPermissions(u.name)
			one.Permissions = &server.Permissions{
				Publish:   &server.SubjectPermission{Allow: publish},
				Subscribe: &server.SubjectPermission{Allow: subscribe},
			}
		}
		out = append(out, one)
	}
	return out
}

// serverLog is the log of the embedded server: warnings and errors go to the process's own.
type serverLog struct {
	*slog.Logger
	failure string // of the start
}

func (l *serverLog) last() string {
	return cmp.Or(l.failure, "it does not say why")
}

func (l *serverLog) Noticef(string, ...any) {}
func (l *serverLog) Debugf(string, ...any)  {}
func (l *serverLog) Tracef(string, ...any)  {}

func (l *serverLog) Warnf(format string, args ...any) {
	l.Warn("NATS server", "err", fmt.Sprintf(format, args...))
}

func (l *serverLog) Errorf(format string, args ...any) {
	l.failure = fmt.Sprintf(format, args...)
	l.Error("NATS server", "err", l.failure)
}

// Fatalf does not end the process, which serves a page as well: StartServer reports it.
func (l *serverLog) Fatalf(format string, args ...any) { l.Errorf(format, args...) }
