package fleet

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Options say how to reach the fleet.
type Options struct {
	URL         string // of the NATS servers, with commas between them
	Credentials string // path of a file with the lines name:password, or of NATS's own .creds; may be empty
	CA          string // path of a PEM file with the authority of the servers' certificates; empty: the system's
	// Server is the one to connect to within this process, whatever URL and Credentials say; may be nil.
	Server  *Server
	Name    string // of this machine, for people
	Version string // of newt
	Log     *slog.Logger

	times times // those of a test; zero: defaultTimes
}

// link is a connection to NATS. It reconnects by itself for as long as it is open.
type link struct {
	*nats.Conn
	js   jetstream.JetStream
	user string
	log  *slog.Logger

	times times
}

// The times of a connection.
const (
	reconnectWait   = 250 * time.Millisecond
	reconnectJitter = 250 * time.Millisecond
	requestTimeout  = 2 * time.Second
)

// connect connects to NATS; onReconnect is called after each later connection. It fails if the servers refuse the
// credentials or cannot be reached within times.connect.
func connect(o Options, isGateway bool, onReconnect func()) (*link, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.times = cmp.Or(o.times, defaultTimes)
	user, options, err := authentication(o, isGateway)
	if err != nil {
		return nil, err
	}
	if o.CA != "" {
		options = append(options, nats.RootCAs(o.CA)) // and no connection without TLS
	}
	options = append(options, nats.CustomInboxPrefix(inboxOf(user)),
		nats.Name("newt "+o.Name), nats.Timeout(o.times.connect), nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectWait), nats.ReconnectJitter(reconnectJitter, reconnectJitter),
		nats.PingInterval(o.times.ping), nats.MaxPingsOutstanding(2),
		// What was said before the connection was lost is out of date when it is back: requests are made again.
		nats.ReconnectBufSize(-1),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				o.Log.Warn("the connection to NATS was lost", "err", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			o.Log.Info("the connection to NATS is back")
			onReconnect()
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			o.Log.Warn("NATS reports an error", "err", err)
		}),
	)
	conn, err := nats.Connect(o.URL, options...)
	if isUntrusted(err) {
		return nil, fmt.Errorf("NATS at %s has a certificate of an authority that is not known here: name the file "+
			"with the authority, --nats-ca (%w)", o.URL, err)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot connect to NATS at %s: %w", o.URL, err)
	}
	js, err := jetstream.New(conn)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &link{Conn: conn, js: js, user: user, log: o.Log, times: o.times}, nil
}

// connectPatiently connects as soon as the servers can be reached, unless ctx ends before. Credentials that they refuse
// and certificates of unknown authorities are errors at once.
func connectPatiently(ctx context.Context, o Options, onReconnect func()) (*link, error) {
	for said := false; ; said = true {
		l, err := connect(o, false, onReconnect)
		if err == nil || !isUnreachable(err) {
			return l, err
		}
		if !said && o.Log != nil {
			o.Log.Warn("NATS cannot be reached; it is tried again", "err", err)
		}
		select {
		case <-time.After(reconnectWait + rand.N(reconnectJitter)):
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", ctx.Err(), err)
		}
	}
}

// isUntrusted reports whether a server has a certificate of an unknown authority.
func isUntrusted(err error) bool {
	var unknown x509.UnknownAuthorityError
	return errors.As(err, &unknown)
}

// isUnreachable reports whether an error of a connection may pass by itself.
func isUnreachable(err error) bool {
	var network *net.OpError
	var name *net.DNSError
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, io.EOF) ||
		errors.As(err, &network) || errors.As(err, &name)
}

// request sends a request and reads its reply.
func (l *link) request(ctx context.Context, subject string, head any, body []byte) (reply, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, l.times.request)
	defer cancel()
	m, err := l.RequestWithContext(ctx, subject, encodePacket(head, body))
	if err != nil {
		return reply{}, nil, err
	}
	var r reply
	body, err = decodePacket(m.Data, &r)
	return r, body, err
}

// pieceBytes is the size of a body in a message of this connection's server.
func (l *link) pieceBytes() int64 { return min(512<<10, l.MaxPayload()/2) }

// The limits of the stream of tickets. A ticket that is older than ticketAge is of use to nobody: a gateway puts a new
// one where it still waits.
const (
	maxTickets  = 100_000
	ticketBytes = 1 << 10
	ticketAge   = time.Hour
	duplicates  = 2 * time.Minute
)

// openStream makes the stream of tickets, unless it exists: an administrator may have made it with other limits or
// more replicas.
func (l *link) openStream(ctx context.Context) error {
	if _, err := l.js.Stream(ctx, streamName); !errors.Is(err, jetstream.ErrStreamNotFound) {
		return err
	}
	_, err := l.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: streamName, Description: "jobs of newt that wait for a worker", Subjects: []string{jobSubject + "*"},
		Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew, Storage: jetstream.FileStorage,
		MaxMsgs: maxTickets, MaxMsgSize: ticketBytes, MaxAge: ticketAge, Duplicates: duplicates,
	})
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // made meanwhile
		return nil
	}
	return err
}

// consumerIdle is how long a pool's consumer is kept that no worker asks.
const consumerIdle = 24 * time.Hour

// openConsumer makes the consumer of a pool, unless it exists. Deliveries have no limit: the gateway ends a job that
// loses too many workers, and JetStream would drop a ticket without a word.
func (l *link) openConsumer(ctx context.Context, pool string) error {
	_, err := l.js.CreateConsumer(ctx, streamName, jetstream.ConsumerConfig{
		Durable: pool, FilterSubject: jobSubject + pool, AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: l.times.ackWait, MaxDeliver: -1, MaxAckPending: -1, InactiveThreshold: consumerIdle,
	})
	if errors.Is(err, jetstream.ErrConsumerExists) { // with another configuration, which is the administrator's
		return nil
	}
	return err
}
