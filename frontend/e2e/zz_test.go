package e2e

import (
	"testing"
	"time"
)

func TestZZ(t *testing.T) {
	for range 2 {
	p := firstVisit(t, slowly(t, 1_250_000, 20*time.Millisecond), "")
	p.wait("the first picture", pictured+` && (window.seen ??= performance.now())`)
	t.Log(eval[float64](p, "window.seen"))
	t.Log(eval[string](p, `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map((e) => [e.name.split("/").at(-1), e.startTime|0, e.requestStart|0, e.responseStart|0, e.responseEnd|0].join(" ")).join("\n")`))
	t.Log(eval[string](p, `[...performance.getEntriesByType("paint")].map((e) => e.name + " " + e.startTime).join("\n") + " dcl " + performance.timing.domContentLoadedEventEnd + " " + (performance.timing.domContentLoadedEventEnd - performance.timing.navigationStart)`))
	}
}
