// Package version is the one place that knows which release this is.
package version

// Version is MAJOR.MINOR.PATCH.
const Version = "0.1.0"

// Product is how libdv names itself in the files it writes.
const Product = "libdv " + Version
