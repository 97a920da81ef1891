package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Machine is the System that this program runs on.
func Machine() System { return machine{os.DirFS("/").(Files)} }

type machine struct{ Files }

// execTimeout bounds each run of another program and each request.
const execTimeout = 5 * time.Second

// maxOutput bounds the output that is read from another program.
const maxOutput = 64 << 10

func (machine) OS() string     { return runtime.GOOS }
func (machine) Now() time.Time { return time.Now() }

func (machine) Exec(ctx context.Context, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, execTimeout)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.WaitDelay = time.Second
	c.Stdin = strings.NewReader("") // else it would be /dev/null, which a bare container may lack
	output, err := c.CombinedOutput()
	return string(output[:min(len(output), maxOutput)]), err
}

func (machine) Listen(addr string) error {
	l, err := net.Listen("tcp", addr)
	var lookup *net.DNSError
	switch {
	case err == nil:
		return l.Close()
	case slices.ContainsFunc(taken, func(e error) bool { return errors.Is(err, e) }):
		return ErrTaken
	case errors.As(err, &lookup), slices.ContainsFunc(noAddress, func(e error) bool { return errors.Is(err, e) }):
		return ErrNoAddress
	}
	return err
}

func (machine) Get(ctx context.Context, url string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, execTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	answer, err := localClient.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("status %d", answer.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxOutput))
	return string(body), err
}

// localClient makes requests to this machine only: it uses no proxy and follows no redirect.
var localClient = &http.Client{
	Transport:     &http.Transport{DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func (machine) Use(device string) error {
	f, err := os.OpenFile(device, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

func (machine) Write(dir string) error {
	f, err := os.CreateTemp(dir, ".newt-doctor-")
	if err != nil {
		return err
	}
	_, err = f.Write([]byte("newt\n"))
	return errors.Join(err, f.Close(), os.Remove(filepath.Clean(f.Name())))
}
