//go:build !purego

package kernel

import "golang.org/x/sys/cpu"

var (
	hasFlip = cpu.X86.HasBMI2
	hasBits = cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT
	has256  = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT
	has512  = has256 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL &&
		cpu.X86.HasAVX512VPOPCNTDQ && cpu.X86.HasAVX512VBMI2
	hasFold = has512 && cpu.X86.HasAVX512VPCLMULQDQ
)
