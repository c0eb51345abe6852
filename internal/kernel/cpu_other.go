//go:build !amd64 || purego

package kernel

// No assembly here: the pure Go twins do it all.
const has256, has512, hasFlip, hasBits, hasFold = false, false, false, false, false

func ascending512(*byte, int) bool                                { panic("no assembly") }
func ascending256(*byte, int) bool                                { panic("no assembly") }
func popcount512(*byte) int                                       { panic("no assembly") }
func popcount256(*byte) int                                       { panic("no assembly") }
func runsArray512(*byte, int) int                                 { panic("no assembly") }
func runsBits512(*byte, int, uint64) int                          { panic("no assembly") }
func or512(_, _, _ *byte) int                                     { panic("no assembly") }
func andnot512(_, _, _ *byte) int                                 { panic("no assembly") }
func xor512(_, _ *byte, _ int, _ uint64)                          { panic("no assembly") }
func xor256(_, _ *byte, _ int, _ uint64)                          { panic("no assembly") }
func xorCount512(_, _ *byte, _ uint64) int                        { panic("no assembly") }
func fill512(*byte, int, uint64)                                  { panic("no assembly") }
func widen512(*int64, *byte, int, int64, bool) bool               { panic("no assembly") }
func positions512(*int64, int, *byte, int, int64, int) (int, int) { panic("no assembly") }
func keepBytes512(_, _ *byte, _ int)                              { panic("no assembly") }
func fill256(*byte, int, uint64)                                  { panic("no assembly") }
func widen256(*int64, *byte, int, int64)                          { panic("no assembly") }
func count256(*int64, int, int64)                                 { panic("no assembly") }
func positionsBMI(*int64, int, *byte, int, int64, int) (int, int) { panic("no assembly") }
func union128(_, _ *byte, _ int, _ *byte, _ int) (int, int)       { panic("no assembly") }
func or256(_, _, _ *byte)                                         { panic("no assembly") }
func andnot256(_, _, _ *byte)                                     { panic("no assembly") }
func indices512(*uint32, int, *byte, int, uint32, int) (int, int) { panic("no assembly") }
func shiftDown512(_, _ *byte, _ int, _ uint64)                    { panic("no assembly") }
func fence()                                                      { panic("no assembly") }
func setRuns256(_, _ *byte, _ int, _ uint64)                      { panic("no assembly") }
func flip8(_, _ *byte, _ int)                                     { panic("no assembly") }
func set8(_, _ *byte, _ int)                                      { panic("no assembly") }
func count512(*int64, int, int64, bool)                           { panic("no assembly") }
func values512(*byte, int, *byte, int) (int, int)                 { panic("no assembly") }
func crc512(uint32, *byte, int) uint32                            { panic("no assembly") }
func positionsOfRuns512(*int64, int, *byte, int, int64, bool) int { panic("no assembly") }
func union512(_, _ *byte, _ int, _ *byte, _ int) (int, int)       { panic("no assembly") }
func flip4(*byte, int, *byte, int)                                { panic("no assembly") }
func survey512(*int64, int) (largest uint64, falls, repeats int)  { panic("no assembly") }
func copyCRC512(uint32, *byte, *byte, int) uint32                 { panic("no assembly") }
func pack512(*byte, *int64, int) (bool, int)                      { panic("no assembly") }
func sort512(*byte, int)                                          { panic("no assembly") }
