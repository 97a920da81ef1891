package endpoint

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/newtlab/newt/runner/sched"
)

// MetricsPath is the path that Prometheus scrapes.
const MetricsPath = "/metrics"

// metrics are the Prometheus metrics of a runner. It is the collector of its own gauges.
type metrics struct {
	runner   *Runner
	registry *prometheus.Registry

	jobs           *prometheus.CounterVec   // by device and state
	faults         *prometheus.CounterVec   // by code
	refused        *prometheus.CounterVec   // by code
	jobSeconds     *prometheus.HistogramVec // by phase
	personJobs     *prometheus.CounterVec   // by person and state
	personSeconds  *prometheus.CounterVec   // by person
	received, sent prometheus.Counter       // bytes
	wrongTokens    prometheus.Counter
}

// The gauges are read from the scheduler at each scrape.
var (
	queueLength = prometheus.NewDesc("newt_queue_jobs", "Jobs waiting for a device.", []string{"device"}, nil)
	busy        = prometheus.NewDesc("newt_device_busy", "Jobs that a device runs: at most 1, or as many as a fleet has workers for it.", []string{"device"}, nil)
	stuck       = prometheus.NewDesc("newt_device_stuck_jobs", "Jobs that a device did not stop when asked to.", []string{"device"}, nil)
	connections = prometheus.NewDesc("newt_connections", "Connected clients.", nil, nil)
	sessions    = prometheus.NewDesc("newt_sessions", "Clients with jobs or a connection.", nil, nil)
	workers     = prometheus.NewDesc("newt_fleet_workers", "Workers of a fleet.", []string{"device", "state"}, nil)
	fleetEvents = prometheus.NewDesc("newt_fleet_events_total", "What happened to the jobs that this gateway gave to workers.", []string{"event"}, nil)
	jobBytes    = prometheus.NewDesc("newt_job_bytes", "Memory of all jobs in bytes: kernels, tensors, results and messages.", nil, nil)
)

// newMetrics registers the metrics of a runner.
func newMetrics(r *Runner) *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	counters := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &metrics{
		runner: r, registry: prometheus.NewRegistry(),
		jobs:    counters("newt_jobs_total", "Jobs that ended.", "device", "state"),
		faults:  counters("newt_faults_total", "Jobs that ended without completing, by reason.", "code"),
		refused: counters("newt_refusals_total", "Requests of clients that were refused, by reason.", "code"),
		jobSeconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "newt_job_seconds", Help: "Duration of jobs in seconds.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 4, 10), // 0.5 ms … 131 s
		}, []string{"phase"}),
		personJobs:    counters("newt_person_jobs_total", "Jobs that ended, by person.", "person", "state"),
		personSeconds: counters("newt_person_device_seconds_total", "Device time, by person.", "person"),
		received:      counter("newt_received_bytes_total", "Bytes of kernels and tensors received from clients."),
		sent:          counter("newt_sent_bytes_total", "Bytes of results sent to clients."),
		wrongTokens:   counter("newt_wrong_tokens_total", "Connections with a wrong token."),
	}
	m.registry.MustRegister(m.jobs, m.faults, m.refused, m.jobSeconds, m.personJobs, m.personSeconds, m.received,
		m.sent, m.wrongTokens, m, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// countJob counts a job that ended.
func (m *metrics) countJob(s sched.Stats) {
	m.jobs.WithLabelValues(s.Device, s.State).Inc()
	if s.Code != "" {
		m.faults.WithLabelValues(s.Code).Inc()
	}
	if person := sched.PersonOf(s.Owner); person != "" {
		m.personJobs.WithLabelValues(person, s.State).Inc()
		m.personSeconds.WithLabelValues(person).Add(s.DeviceTime.Seconds())
	}
	for phase, took := range map[string]float64{
		"queue": s.Queued.Seconds(),
		"load":  s.Load.Seconds(),
		"run":   s.Run.Seconds(),
	} {
		m.jobSeconds.WithLabelValues(phase).Observe(took)
	}
}

// Describe implements prometheus.Collector.
func (m *metrics) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		queueLength, busy, stuck, connections, sessions, jobBytes, workers, fleetEvents,
	} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (m *metrics) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	devices, _ := m.runner.sched.Status()
	for _, d := range devices {
		gauge(queueLength, float64(d.Queued), d.ID)
		gauge(busy, float64(d.Running), d.ID)
		gauge(stuck, float64(d.Stuck), d.ID)
	}
	clients, bytes := m.runner.sched.Usage()
	gauge(connections, float64(m.runner.connectionCount()))
	gauge(sessions, float64(clients))
	gauge(jobBytes, float64(bytes))
	if m.runner.options.Fleet == nil {
		return
	}
	for device, states := range m.runner.options.Fleet.Workers() {
		for state, n := range states {
			gauge(workers, float64(n), device, state)
		}
	}
	for event, n := range m.runner.options.Fleet.Events() {
		out <- prometheus.MustNewConstMetric(fleetEvents, prometheus.CounterValue, float64(n), event)
	}
}

// Metrics returns the handler of MetricsPath, for an administrator.
func (r *Runner) Metrics() http.Handler {
	return r.forAdmin(promhttp.HandlerFor(r.metrics.registry, promhttp.HandlerOpts{}))
}
