#!/usr/bin/env python3
"""Powers of ten for src/base/real.c: tools/powers.py > src/base/powers.def

The power 10^e, e from -292 to 324, as 128 bits whose highest one is set, rounded up where it is
not exact: g with g 2^(floor(log2(10^e)) - 127) >= 10^e, the high half first.
"""
from fractions import Fraction

LOW, HIGH = -292, 324

print("/* Made by tools/powers.py: 10^e as 128 bits, high half and low half, e from -292 to 324. */")
for e in range(LOW, HIGH + 1):
    value = Fraction(10) ** e
    shift = 127 - (e * 1741647 >> 19)
    scaled = value * Fraction(2) ** shift
    g = -(-scaled.numerator // scaled.denominator)
    assert 2**127 <= g < 2**128, e
    print(f"{{0x{g >> 64:016x}u, 0x{g & (2**64 - 1):016x}u}},")
