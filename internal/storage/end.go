package storage

import "github.com/libdv/libdv/internal/fault"

// end remembers that a sink is finished, and why.
type end struct{ how string }

func (e *end) over() bool { return e.how != "" }

// finished records the end before whatever brings it about runs, so that no failure in there
// can bring it about twice.
func (e *end) finished(how string) { e.how = how }

// failed records the cause of an end and returns it.
func (e *end) failed(err error) error {
	e.how = "dropped (" + err.Error() + ")"
	return err
}

// ended refuses an action on a finished sink.
func (e *end) ended(action string) error {
	if !e.over() {
		return nil
	}
	return fault.State("%s a sink that was %s", action, e.how)
}
