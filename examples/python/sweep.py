"""One translated model, many simulations: the filter of Circuit.mo for five resistors.

    PYTHONPATH=src/python python3 examples/python/sweep.py [Circuit.mo]
"""
import sys

import rubato

target = sys.argv[1] if len(sys.argv) > 1 else "examples/Circuit.mo"
program = rubato.translate(target, "Circuit.Filter")
table = rubato.sweep(program, {"r1.R": [100, 200, 300, 400, 500]}, outputs=["c1.v", "c2.v"])
print(table)
