package host

// Figure is a plot as data.
type Figure struct{}
