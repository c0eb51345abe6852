package delta

import "math"

// Z85 is ZeroMQ RFC 32: four bytes, read as a big-endian number, become five digits in base 85, most significant first.
// Delta spells UUIDs and inline vectors in it.
const z85Digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"

const (
	z85Group = 5 // characters of one group
	z85Bytes = 4 // bytes of one group
)

// notZ85 marks the bytes that are no digit; any value of 85 and more would do.
const notZ85 = 0xFF

var z85Values = func() (values [256]byte) {
	for i := range values {
		values[i] = notZ85
	}
	for i := range len(z85Digits) {
		values[z85Digits[i]] = byte(i)
	}
	return values
}()

// appendZ85 appends the text of src, whose length is a multiple of four, to dst.
func appendZ85(dst, src []byte) []byte {
	for ; len(src) >= z85Bytes; src = src[z85Bytes:] {
		n := uint32(src[0])<<24 | uint32(src[1])<<16 | uint32(src[2])<<8 | uint32(src[3])
		dst = append(dst,
			z85Digits[n/(85*85*85*85)],
			z85Digits[n/(85*85*85)%85],
			z85Digits[n/(85*85)%85],
			z85Digits[n/85%85],
			z85Digits[n%85])
	}
	return dst
}

// z85Fault says where a text stops being Z85: at a byte that is no digit, or at a group whose number needs 33 bits.
type z85Fault struct {
	at       int
	overflow bool
}

// decodeZ85 fills dst, whose length is four fifths of the text's, and reports the first fault or nil. Other decoders take
// a group above 2^32-1 and wrap it, so that two texts mean one vector: here each vector has one text.
func decodeZ85[T string | []byte](dst []byte, text T) *z85Fault {
	for at := 0; at+z85Group <= len(text); at += z85Group {
		a, b, c := z85Values[text[at]], z85Values[text[at+1]], z85Values[text[at+2]]
		d, e := z85Values[text[at+3]], z85Values[text[at+4]]
		// Digits are below 128 and the mark is not: one test serves all five.
		if (a|b|c|d|e)&0x80 != 0 {
			return foreignZ85(text, at)
		}
		n := (((uint64(a)*85+uint64(b))*85+uint64(c))*85+uint64(d))*85 + uint64(e)
		if n > math.MaxUint32 {
			return &z85Fault{at: at, overflow: true}
		}
		dst[0], dst[1], dst[2], dst[3] = byte(n>>24), byte(n>>16), byte(n>>8), byte(n)
		dst = dst[z85Bytes:]
	}
	return nil
}

// foreignZ85 finds the byte from at on that is no digit; the caller knows that there is one.
func foreignZ85[T string | []byte](text T, at int) *z85Fault {
	for z85Values[text[at]] != notZ85 {
		at++
	}
	return &z85Fault{at: at}
}
