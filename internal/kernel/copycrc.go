package kernel

import "hash/crc32"

// CopyCRC32 copies src to dst, which has as many bytes, and returns the CRC-32 (IEEE) of what came
// before and of them; sum is the one of what came before.
func CopyCRC32(dst, src []byte, sum uint32) uint32 {
	dst = dst[:len(src)]
	if hasFold && len(src) >= 16 {
		return ^copyCRC512(^sum, &dst[0], &src[0], len(src))
	}
	const block = 16 << 10 // stays in the first-level cache between both
	for len(src) > 0 {
		n := copy(dst, src[:min(len(src), block)])
		sum = crc32.Update(sum, crc32.IEEETable, dst[:n])
		dst, src = dst[n:], src[n:]
	}
	return sum
}
