#!/usr/bin/env python3
# long
"""A study that is killed at random moments, twenty times, and goes on each time: nothing is computed twice, and the
result is the same, byte for byte, as without a kill."""
import os
import random
import signal
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
KILLS, CASES = 20, 300
os.chdir(os.environ["TMPDIR"])
COMMAND = [RUBATO, "sweep", os.path.join(HERE, "Slow.mo"), "--vary", f"w=lin(15,25,{CASES})", "--keep", "a", "--keep", "max(v)",
           "--trajectories", "^v$", "--intervals", "50", "--quiet"]
subprocess.run([*COMMAND, "--output", "whole"], check=True)

chance, size, kills, grown = random.Random(7), 0, 0, 0
while kills < KILLS:
    p = subprocess.Popen([*COMMAND, "--output", "cut", "--resume", "--threads", str(1 + kills % 3)])
    begun = size
    wait = chance.choice((0.0, 0.0, 0.5, 1.0))*chance.random()
    while wait and p.poll() is None:  # counted in what is done, not in seconds: the machine may be busy
        size = os.path.getsize("cut.journal") if os.path.exists("cut.journal") else 0
        if size - begun > wait*40000:
            break
        time.sleep(0.001)
    time.sleep(0.02*chance.random())
    if p.poll() is not None:
        assert p.returncode == 0
        break  # it came to its end before the last kill
    p.send_signal(signal.SIGKILL)
    p.wait()
    kills += 1
    new = os.path.getsize("cut.journal") if os.path.exists("cut.journal") else 0
    grown += new > begun
    size = new
print(f"killed {kills} times, {grown} of them after some cases")
assert kills >= 10 and grown >= 5, (kills, grown)
subprocess.run([*COMMAND, "--output", "cut", "--resume"], check=True)
assert not os.path.exists("cut.journal")
for ending in (".csv", ".mat", "_trajectories.csv"):
    with open("whole" + ending, "rb") as a, open("cut" + ending, "rb") as b:
        assert a.read() == b.read(), ending
