package dv

import (
	"bytes"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/kernel"
)

// SetMask adds the positions start + i whose bit i is set in mask, least significant first: it
// takes what DeleteMask gives. start is a multiple of 65,536, so that every container is made
// straight from its part of the mask; mask is copied.
func (v *Vector) SetMask(start int64, mask []byte) error {
	if start < 0 || start&(containerSpan-1) != 0 {
		return fault.Invalid("mask start %d, expected a multiple of %d", start, containerSpan)
	}
	if room := (MaxPosition + 1 - start + 7) >> 3; int64(len(mask)) > max(room, 0) {
		return fault.Invalid("mask of %d bytes from position %d on, expected at most %d bytes", len(mask), start, max(room, 0))
	}
	if over := start + 8*int64(len(mask)) - (MaxPosition + 1); over > 0 && mask[len(mask)-1]>>(8-over) != 0 {
		return fault.Invalid("mask sets a position beyond %d", MaxPosition)
	}
	var more []container
	add := func(key uint64, part *kernel.Bitmap) {
		if card := kernel.Popcount(part); card > 0 {
			more = append(more, maskContainer(key, part, card))
		}
	}
	key := uint64(start) >> containerBits
	for ; len(mask) >= bitmapBytes; mask = mask[bitmapBytes:] {
		add(key, asBitmap(mask[:bitmapBytes]))
		key++
	}
	if len(mask) > 0 {
		var rest kernel.Bitmap
		copy(rest[:], mask)
		add(key, &rest)
	}
	if len(more) > 0 {
		v.thaw()
		v.merge(more)
	}
	return nil
}

// maskContainer makes a container of the card bits set in a mask, one or more.
func maskContainer(key uint64, mask *kernel.Bitmap, card int) container {
	c := container{key: key, card: uint32(card)}
	switch {
	case card == containerSpan:
		return fullContainer(key)
	case card > arrayMax:
		c.kind, c.data = bitmapKind, bytes.Clone(mask[:])
	default:
		c.kind, c.data = arrayKind, make([]byte, 2*card)
		kernel.Values(c.data, mask)
	}
	return c
}
