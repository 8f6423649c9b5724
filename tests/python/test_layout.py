"""The structures of the Python module are those of the header, field by field."""
import ctypes
import os
import shlex
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
if os.environ["RUBATO_SANITIZED"]:
    sys.exit(77)
sys.path.insert(0, os.path.join(ROOT, "src", "python"))
import rubato  # noqa: E402

lines, expected = [], []
for structure in rubato.STRUCTURES:
    name = structure.__name__
    lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
    expected.append(f"{name} {ctypes.sizeof(structure)}")
    for field, _ in structure._fields_:
        lines.append(f'printf("{name}.{field} %zu\\n", offsetof({name}, {field}));')
        expected.append(f"{name}.{field} {getattr(structure, field).offset}")
for number, name in enumerate(("RB_OK RB_END RB_MODEL RB_ARGUMENT RB_TRANSLATE RB_FAILED RB_FILE "
                               "RB_NO_MEMORY RB_STOPPED RB_DEFECT").split()):
    lines.append(f'printf("{name} %d\\n", {name});')
    expected.append(f"{name} {number}")
for number, name in enumerate("CONTINUOUS DISCRETE PARAMETER CONSTANT INPUT DERIVATIVE HIDDEN".split()):
    lines.append(f'printf("{name} %d\\n", RB_{name});')
    expected.append(f"{name} {number}")
tmp = os.environ["TMPDIR"]
source, program = os.path.join(tmp, "layout.c"), os.path.join(tmp, "layout")
with open(source, "w", encoding="utf-8") as f:
    f.write("#include <rubato.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) +
            "\nreturn 0;\n}\n")
subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-I" + os.path.join(ROOT, "include"), "-o", program, source],
               check=True)
found = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
wrong = [f"{a}, in Python {b}" for a, b in zip(found, expected) if a != b]
print("\n".join(wrong))
sys.exit(bool(wrong))
