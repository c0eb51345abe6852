package kernel

import "encoding/binary"

// ShiftDown writes the bits of src from bit by on, 0 < by < 8; src has one byte more than dst.
func ShiftDown(dst, src []byte, by uint) {
	src = src[:len(dst)+1]
	if blocks := (len(src) - 8) / 64; has512 && blocks > 0 { // a block reads the eight bytes behind it
		shiftDown512(&dst[0], &src[0], blocks, uint64(by))
		dst, src = dst[64*blocks:], src[64*blocks:]
	}
	shiftDownGeneric(dst, src, by)
}

func shiftDownGeneric(dst, src []byte, by uint) {
	for len(dst) >= 8 && len(src) >= 9 {
		binary.LittleEndian.PutUint64(dst, binary.LittleEndian.Uint64(src)>>(by&7)|uint64(src[8])<<(64-by&63))
		dst, src = dst[8:], src[8:]
	}
	for i := range dst {
		dst[i] = src[i]>>by | src[i+1]<<(8-by)
	}
}
