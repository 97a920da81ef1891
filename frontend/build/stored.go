package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/newtlab/newt/wasm/api"
	"github.com/newtlab/newt/wasm/rpc"
)

// stored is what the page shows of a first visit's kernel until it can ask by itself: src/content/stored.ts reads it.
type stored struct {
	Inspect request         `json:"inspect"` // what the page would ask
	Kernels json.RawMessage `json:"kernels"` // the kernels of the text
	Reply   json.RawMessage `json:"reply"`   // what the kernel does
	Buffers []string        `json:"buffers"` // of the reply, in hexadecimal, which brotli makes smaller than base64
}

// storedAnswers asks newt what the page will ask it, in a language.
func storedAnswers(root, lang string) ([]byte, error) {
	free, err := firstCall(root)
	if err != nil {
		return nil, err
	}
	engine := api.Handle()
	kernels, _, err := answer(engine, request{"lang": lang, "kernels": request{"source": free["source"]}}, "kernels")
	if err != nil {
		return nil, err
	}
	out := stored{Inspect: firstLook(free), Kernels: kernels}
	reply, buffers, err := answer(engine, request{"lang": lang, "inspect": out.Inspect}, "inspect")
	if err != nil {
		return nil, err
	}
	out.Reply = reply
	for _, b := range buffers {
		out.Buffers = append(out.Buffers, hex.EncodeToString(b))
	}
	return json.Marshal(out)
}

// answer is the part of newt's reply to a request, with its buffers.
func answer(engine rpc.Handler, r request, part string) (json.RawMessage, [][]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, nil, err
	}
	replies := make(chan rpc.Message)
	engine(rpc.Message{Call: 1, Text: text}, func(m rpc.Message) { replies <- m })
	for {
		m := <-replies
		var reply map[string]json.RawMessage
		if err := json.Unmarshal(m.Text, &reply); err != nil {
			return nil, nil, err
		}
		switch {
		case reply[part] != nil:
			return reply[part], m.Buffers, nil
		case string(reply["done"]) == "true":
			return nil, nil, fmt.Errorf("newt's reply to a first visit has no %s: %.200s", part, m.Text)
		}
	}
}
