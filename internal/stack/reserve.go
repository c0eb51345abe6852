// Package stack makes room on the stack of a goroutine.
//
// Go code runs on stacks of its own, which begin small and grow when functions ask for more. A signal handler of the host
// asks nobody. Go expects handlers to run on the thread's alternate stack (SA_ONSTACK), and hosts forget that: then the
// handler's frames, the saved registers alone some kilobytes, lie below whatever the Go stack holds, and beyond its end they
// overwrite the heap. With room kept below, they overwrite nothing.
package stack

// Size is the room that Reserve makes: for a frame of saved registers with every vector extension, and a handler that uses
// some buffers, beside what the call itself needs.
const Size = 48 << 10

// Reserve makes the stack of the calling goroutine large enough for another Size bytes, unless it is already. That takes a
// comparison; the first time in a thread, and when the collector has shrunk the stack in between, it copies what is on it.
func Reserve()
