#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_realtime.py RUBATO WAKE [SECONDS]: the robot of examples/robot in real time.

The robot in partitions runs for SECONDS (20) at the pace of the wall, with a tick every 0.8 ms, on one thread, on one that spins before
each tick, and on two; then for half a second of its time at a pace that no machine keeps up with. Printed are ticks, those at which a
frame was missed (the work of a partition that ended after its next tick was due), why, all frames that were missed, the longest
frame of a partition, the longest tick of all partitions in the rehearsal, and how late a tick began at most. Before that the
program WAKE (bench_wake.c) sleeps as the robot does and works nothing: what it is late by is the machine. The last line before the
overload says what the system granted."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROBOT = os.path.join(HERE, "../examples/robot/Robot.mo")


def run(rubato, folder, stop, pace, threads, *options):
    """Statistics of one run."""
    stats = os.path.join(folder, "s.json")
    subprocess.run([rubato, "simulate", ROBOT, "--model", "Robot.Partitioned", "--stop", str(stop), f"--realtime={pace}",
                    "--threads", str(threads), "--tier", "1", "--variables", "^tip", "--quiet", "--stats", stats, *options,
                    "--output", os.path.join(folder, "r.mat")], check=True, stderr=subprocess.DEVNULL)
    with open(stats, encoding="utf-8") as f:
        return json.load(f)


def show(name, s):
    parts, plan = s["partitions"], s["schedule"]
    print(f"{name:24} {max(p['ticks'] for p in parts):7} {s['ticks_missed']:7} {s['woken_late']:10} {s['interrupted']:11} "
          f"{s['too_long']:8} {s['frames_missed']:7} {1e6*max(p['worst_frame'] for p in parts):12.0f} "
          f"{1e6*plan['need']:12.0f} {1e6*max(p['jitter'] for p in parts):9.0f}")


def main():
    rubato, wake, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 20
    for spin in "0", "200":
        ticks, some, little, whole, worst = subprocess.run([wake, str(seconds), spin], check=True, capture_output=True, text=True).stdout.split()
        print(f"a program that only sleeps, spinning {spin} us: of {ticks} ticks {some} later than 50 us, {little} than 573 us, "
              f"{whole} than 800 us, at most {worst} us")
    print(f"{'pace, threads':24} {'ticks':>7} {'missed':>7} {'woken late':>10} {'interrupted':>11} {'too long':>8} {'frames':>7} {'frame, us':>12} {'tick, us':>12} {'late, us':>9}")
    with tempfile.TemporaryDirectory() as folder:
        run(rubato, folder, 0.01, 1, 1)  # compiled before time counts
        for threads, options in (1, []), (1, ["--spin", "200"]), (2, []):
            s = run(rubato, folder, seconds, 1, threads, *options)
            show(f"wall, {threads}{', spinning' if options else ''}", s)
        plan = s["schedule"]
        print(f"priorities of real time: {'yes' if plan['priorities'] else 'no'}, memory locked: {'yes' if plan['locked'] else 'no'}, "
              f"load of the machine: {os.getloadavg()[0]:.1f}")
        show("1000 times the wall, 1", run(rubato, folder, 0.5, 1000, 1))


main()
