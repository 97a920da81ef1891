package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/newtlab/newt/runner/api"
	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/people"
)

var loadTime = flag.Duration("load", 0, "how long TestOperationLoad sends checks; 0: it does not")

// The rate of the checks in TestOperationLoad, per second, from as many clients, and what 99 of 100 have to stay below.
const (
	loadRate    = 200
	loadClients = 8
	loadLatency = 150 * time.Millisecond
)

// TestOperationLoad sends small checks at a fixed rate, whether or not those before are answered, and measures each from
// when it was to be sent. It is for a machine that does nothing else:
//
//	go test ./runner/cli -run TestOperationLoad -load 60s -cpu 2 -v
func TestOperationLoad(t *testing.T) {
	if *loadTime == 0 {
		t.Skip("-load says for how long")
	}
	var list bytes.Buffer
	var tokens []string
	for i := range loadClients {
		token, hash := people.NewToken()
		tokens = append(tokens, token)
		fmt.Fprintf(&list, "person%d sha256:%x\n", i, hash)
	}
	file := filepath.Join(t.TempDir(), "people")
	if err := os.WriteFile(file, list.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	known, err := people.Open(file, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	url := startOperations(t, endpoint.Access{People: known}) + api.Prefix + "check"
	source, err := os.ReadFile("../../puzzles/01_constant_add/solution.py")
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(fieldsOf{"files": oneFile("kernel.py", string(source))})
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: loadRate}}
	took := make([]time.Duration, int(loadTime.Seconds()*loadRate))
	begin := time.Now()
	var requests sync.WaitGroup
	for i := range took {
		due := begin.Add(time.Duration(i) * time.Second / loadRate)
		time.Sleep(time.Until(due))
		requests.Go(func() {
			r, _ := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer "+tokens[i%loadClients])
			answer, err := client.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != 200 {
				t.Errorf("status %d, %v", answer.StatusCode, err)
			}
			took[i] = time.Since(due)
		})
	}
	requests.Wait()
	slices.Sort(took)
	at := func(percent int) time.Duration { return took[(len(took)-1)*percent/100] }
	t.Logf("%d checks in %v: median %v, 99%% below %v, the longest %v", len(took), time.Since(begin), at(50), at(99), at(100))
	if at(99) > loadLatency {
		t.Errorf("99%% stay below %v, want %v", at(99), loadLatency)
	}
}
