package client

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/pipetest"
	"github.com/newtlab/newt/runner/protocol"
)

// TestConformance: the client does what the conversations of protocol/testdata/conformance.txt say, as every client does.
func TestConformance(t *testing.T) {
	text, err := os.ReadFile("../protocol/testdata/conformance.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "\n\n")[1:] {
		name, lines, _ := strings.Cut(strings.TrimSpace(part), "\n")
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				(&conversation{T: t, lines: strings.Split(lines, "\n"), ended: make(chan string, 1)}).play()
			})
		})
	}
}

// conversation plays the runner's part.
type conversation struct {
	*testing.T
	lines   []string
	accepts chan *websocket.Conn
	conn    *websocket.Conn
	client  *Client
	cancel  context.CancelFunc
	ended   chan string // takes the outcome of the job, or of connecting
}

// stalled bounds the wait for one frame or outcome.
const stalled = 10 * time.Second

func (c *conversation) play() {
	network, connected := c.serve(), make(chan *Client, 1)
	go func() {
		client, err := Connect(c.Context(), "runner", Options{Patience: stalled, Dial: network.Dial})
		if err != nil {
			c.ended <- outcome(nil, err)
		}
		connected <- client
	}()
	for _, line := range c.lines {
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "→":
			c.expect(rest)
		case "←":
			c.say(rest)
		case "=":
			select {
			case got := <-c.ended:
				if got != rest {
					c.Errorf("the outcome is %s, want %s", got, rest)
				}
			case <-time.After(stalled):
				c.Errorf("the job does not end, want %s", rest)
			}
		default:
			if c.client == nil && rest != "lost" {
				c.client = <-connected
				defer c.client.Close()
			}
			c.act(strings.Fields(rest))
		}
	}
}

// serve accepts connections.
func (c *conversation) serve() *pipetest.Network {
	c.accepts = make(chan *websocket.Conn, 1)
	up := websocket.Upgrader{Subprotocols: []string{protocol.Subprotocol}}
	s, network := pipetest.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, err := up.Upgrade(w, r, nil); err == nil {
			c.Cleanup(func() { conn.Close() })
			c.accepts <- conn
		}
	}))
	c.Cleanup(s.Close)
	return network
}

// expect reads what the client says, up to the next frame of a kind that the conversation names.
func (c *conversation) expect(want string) {
	c.Helper()
	if strings.HasPrefix(want, `{"hello"`) {
		c.conn = <-c.accepts
	}
	c.conn.SetReadDeadline(time.Now().Add(stalled))
	for {
		kind, data, err := c.conn.ReadMessage()
		if err != nil {
			c.Fatalf("%v, want %s", err, want)
		}
		got := string(data)
		if kind == websocket.BinaryMessage {
			got = "binary " + hex.EncodeToString(data[:protocol.HeaderBytes]) + "|" + hex.EncodeToString(data[protocol.HeaderBytes:])
		}
		if !c.names(frameKind(got)) {
			continue
		}
		if !holds(got, want) {
			c.Fatalf("the client says %s, want %s", got, want)
		}
		return
	}
}

// names reports whether a line has the client send a frame of a kind.
func (c *conversation) names(kind string) bool {
	return slices.ContainsFunc(c.lines, func(line string) bool {
		frame, ok := strings.CutPrefix(line, "→ ")
		return ok && frameKind(frame) == kind
	})
}

// frameKind is "binary", or the first field of a message.
func frameKind(text string) string {
	return strings.FieldsFunc(text, func(r rune) bool { return !isLetter(r) })[0]
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// holds reports whether a frame has all fields of another.
func holds(got, want string) bool {
	if strings.HasPrefix(want, "binary") {
		return strings.ReplaceAll(got, " ", "") == strings.ReplaceAll(want, " ", "")
	}
	var g, w any
	return json.Unmarshal([]byte(got), &g) == nil && json.Unmarshal([]byte(want), &w) == nil && includes(g, w)
}

func includes(got, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		return ok && !slices.ContainsFunc(slices.Collect(maps.Keys(want)), func(k string) bool { return !includes(got[k], want[k]) })
	case []any:
		got, ok := got.([]any)
		return ok && len(got) == len(want) && slices.EqualFunc(got, want, includes)
	}
	return reflect.DeepEqual(got, want)
}

func (c *conversation) say(frame string) {
	kind, data := websocket.TextMessage, []byte(frame)
	if digits, ok := strings.CutPrefix(frame, "binary "); ok {
		kind = websocket.BinaryMessage
		data, _ = hex.DecodeString(strings.NewReplacer(" ", "", "|", "").Replace(digits))
	}
	c.conn.WriteMessage(kind, data) // a client may have hung up: the outcome says whether it should have
}

func (c *conversation) act(words []string) {
	switch words[0] {
	case "lost":
		c.conn.Close()
	case "cancel":
		c.cancel()
	default:
		var ctx context.Context
		ctx, c.cancel = context.WithCancel(c.Context())
		job := jobOf(words)
		go func() { c.ended <- outcome(c.client.Run(ctx, job)) }()
	}
}

func jobOf(words []string) Job {
	job := Job{IR: []byte{1}, Submit: protocol.Submit{Grid: []int{1, 1, 1}}}
	for _, word := range words[1:] {
		n, _ := strconv.Atoi(word)
		tensor, data := protocol.Tensor{Bytes: n, Return: true}, make([]byte, n)
		for i := range data {
			data[i] = byte(0x10 + i)
		}
		if words[0] == "held" {
			tensor.Buffer, tensor.Held, data = 7, true, nil
		}
		job.Submit.Tensors, job.Tensors = append(job.Submit.Tensors, tensor), append(job.Tensors, data)
	}
	return job
}

// outcome is the code of an error, or the state of a job with its results.
func outcome(out *Outcome, err error) string {
	var why device.Fault
	switch {
	case errors.As(err, &why):
		return why.Diagnostic().Code
	case err != nil:
		return err.Error()
	}
	text := out.Done.State
	for _, result := range out.Results {
		text += fmt.Sprintf(" %x", result)
	}
	return text
}
