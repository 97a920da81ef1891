package cli

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/runner/fleet/census"
	"github.com/newtlab/newt/runner/sched"
)

// TestCensusCountsOmitted: the table of people says how many are left out of it.
func TestCensusCountsOmitted(t *testing.T) {
	var out strings.Builder
	people := []sched.Usage{{Person: "ada", Jobs: 1}}
	err := printCensus(&out, &census.Report{Gateways: []census.Gateway{
		{ID: "all"}, {ID: "crowded", People: people, MorePeople: 7},
	}})
	if err != nil || strings.Count(out.String(), "more") != 1 || !strings.Contains(out.String(), "7 more  crowded") {
		t.Errorf("%v\n%s", err, &out)
	}
}
