#!/usr/bin/env python3
"""Inputs and outputs at ticks, through shared memory and UDP: values, and counts of what was missing. The simulation
goes from tick to tick, so nothing depends on time."""
import json
import os
import socket
import struct
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
if os.environ["RUBATO_SANITIZED"]:
    sys.exit(77)
sys.path.insert(0, os.path.join(ROOT, "src", "python"))
os.environ.setdefault("RUBATO_LIBRARY", os.path.join(os.environ["RUBATO_BUILD"], "librubato.so"))
import rubato  # noqa: E402

WORK = os.environ.get("TMPDIR", "/tmp")
MODEL = """model Echo "At each tick the outputs are twice the first input, and a sum of the second"
  input Real u(start = 1);
  input Real v[2](each start = 0);
  output Real y, z;
  Real s(start = 0);
equation
  when Clock(1, 10) then
    y = 2*sample(u);
    s = previous(s) + sample(v[1]) + 10*sample(v[2]);
    z = s;
  end when;
end Echo;
"""
HEAD = "=4sIQd"


def block(sequence, *values):
    return struct.pack(f"{HEAD}{len(values)}d", b"RBX1", len(values), sequence, 0, *values)


def values(data):
    name, count, sequence, time = struct.unpack_from(HEAD, data)
    assert name == b"RBX1" and len(data) == 24 + 8*count, data
    return sequence, time, struct.unpack_from(f"={count}d", data, 24)


def near(a, b):
    assert len(a) == len(b) and all(abs(x - y) < 1e-12 for x, y in zip(a, b)), (a, b)


path = os.path.join(WORK, "Echo.mo")
with open(path, "w", encoding="utf-8") as f:
    f.write(MODEL)
compiler = rubato.Compiler()
program = compiler.translate(path)

# UDP: packets between ticks, one of them left out, one of another layout, ticks without any.
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.bind(("127.0.0.1", 0))
probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
probe.bind(("127.0.0.1", 0))
port = probe.getsockname()[1]
probe.close()
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sim = rubato.Simulation(program, stop=1, exchange=f"udp:{port}:{receiver.getsockname()[1]}")
sim.step(0.05)  # the tick at 0 had no packet
near(values(receiver.recv(1000))[2], [2, 0])
for sequence, packet in (1, block(1, 3, 1, 0)), (3, block(3, 4, 0, 1)), (None, block(4, 1)), (None, None):
    if packet:
        sender.sendto(packet, ("127.0.0.1", port))
    sim.step(sim.time + 0.1)
found = [values(receiver.recv(1000)) for _ in range(4)]
assert [f[0] for f in found] == [2, 3, 4, 5] and abs(found[3][1] - 0.4) < 1e-12, found
near([x for f in found for x in f[2]], [6, 1, 8, 11, 8, 21, 8, 31])
counts = sim.statistics["exchange"]
assert counts == {"received": 2, "lost": 1, "held": 3, "refused": 1, "sent": 5, "unsent": 0}, counts
sim.close()

# Shared memory: a block is there before the run; a run of the command leaves the outputs of its last tick.
name = f"rubato-test-{os.getpid()}"
memory = os.path.join("/dev/shm", name)
with open(memory, "wb") as f:
    f.write(block(2, 5, 1, 2) + bytes(24 + 16))
stats = os.path.join(WORK, "echo.json")
try:
    subprocess.run([os.path.join(os.environ["RUBATO_BUILD"], "rubato"), "simulate", path, "--stop", "0.95", "--quiet",
                    "--exchange", "shm:" + name, "--output", os.path.join(WORK, "echo.csv"), "--stats", stats],
                   check=True)
    with open(memory, "rb") as f:
        data = f.read()
finally:
    os.remove(memory)
sequence, time, found = values(data[24 + 24:])
assert sequence == 20 and abs(time - 0.9) < 1e-12, (sequence, time)
near(found, [10, 210])
with open(stats, encoding="utf-8") as f:
    counts = json.load(f)["exchange"]
assert counts == {"received": 1, "lost": 0, "held": 9, "refused": 0, "sent": 10, "unsent": 0}, counts

# Places that are none.
for where, words in ("udp:5", "two ports"), ("pipe:x", "neither shm:NAME nor udp:PORT:PORT"):
    p = subprocess.run([os.path.join(os.environ["RUBATO_BUILD"], "rubato"), "simulate", path, "--exchange", where,
                        "--output", os.path.join(WORK, "echo.csv")], capture_output=True, text=True)
    assert p.returncode == 2 and words in p.stderr, (p.returncode, p.stderr)
