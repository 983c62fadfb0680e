#!/usr/bin/env python3
"""The cost of viewing a simulation: CPU time of the thread of the engine per event without viewers, with one, and
with eight, one of which has stopped reading. Linux (it reads /proc).

    tools/view_cost.py [--scene SCENE] [--set K=V]... [--events N] [--rounds N] [--carom build/release/carom]

The rounds are interleaved, and the least of each kind is compared: noise only adds."""
import argparse
import os
import selectors
import statistics
import sys
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "view"))
import viewer  # noqa: E402
from viewer import Server, Viewer, masked  # noqa: E402

STEADY = 0.5  # seconds without work: it has ended


def engine_ns(server):
    """Processor time of the main thread, which is the engine's."""
    pid = server.process.pid
    with open(f"/proc/{pid}/task/{pid}/schedstat", encoding="ascii") as file:
        return int(file.read().split()[0])


class Crowd:
    """Viewers that take what comes and ask for more; the last `stopped` of them read nothing."""

    def __init__(self, server, count, stopped):
        self.selector = selectors.DefaultSelector()
        self.viewers = [Viewer(server) for _ in range(count)]
        self.bytes = self.frames = 0
        for one in self.viewers[:count - stopped]:
            one.socket.setblocking(False)
            one.need, one.head = 0, b""
            self.selector.register(one.socket, selectors.EVENT_READ, one)

    def take(self, one, data):
        """Counts whole messages, and asks for the next after each."""
        while data:
            if one.need > 0:
                used = min(one.need, len(data))
                one.need -= used
                data = data[used:]
                if one.need == 0:
                    self.frames += 1
                    one.socket.send(masked(1, b"next"))
                continue
            one.head += data[:1]
            data = data[1:]
            size = one.head[1] & 127 if len(one.head) > 1 else -1
            length = 2 + (2 if size == 126 else 8 if size == 127 else 0)
            if size >= 0 and len(one.head) == length:
                one.need = int.from_bytes(one.head[2:], "big") if length > 2 else size
                one.head = b""

    def pass_time(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for key, _ in self.selector.select(left) if self.selector.get_map() else [time.sleep(left)] and []:
                data = key.data.left or key.data.socket.recv(1 << 20)
                key.data.left = b""
                self.bytes += len(data)
                self.take(key.data, data)

    def close(self):
        for one in self.viewers:
            one.socket.close()


def measure(scene, sets, events, viewers, stopped):
    """(ns per event, frames per second that each viewer got)"""
    arguments = [word for key in [*sets, f"run.until.events={events}"] for word in ("--set", key)]
    with Server(scene, *arguments) as server:
        began = engine_ns(server)
        first = Viewer(server)
        first.say("speed max")
        crowd = Crowd(server, viewers, stopped)
        first.socket.shutdown(1)
        viewer.read_all(first.socket)
        start, last = time.monotonic(), -1
        while (now := engine_ns(server)) != last:
            last = now
            crowd.pass_time(STEADY)
        wall = time.monotonic() - start - STEADY
        crowd.close()
        reading = viewers - stopped
        return (last - began) / events, crowd.frames / wall / reading if reading else 0, \
            crowd.bytes / crowd.frames if crowd.frames else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scene", default=os.path.join(ROOT, "examples", "hard-sphere-fluid.yaml"))
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--events", type=int, default=4000000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--carom", default=os.path.join(ROOT, "build", "release", "carom"))
    options = parser.parse_args()
    viewer.CAROM = options.carom
    sets = ["observe=[]", "run.until.time=1e9", "output={}"] + options.set
    kinds = {"no viewer": (0, 0), "one viewer": (1, 0), "eight, one stopped": (8, 1)}
    got = {kind: [] for kind in kinds}
    for _ in range(options.rounds):
        for kind, (viewers, stopped) in kinds.items():
            got[kind].append(measure(options.scene, sets, options.events, viewers, stopped))
    least = min(ns for ns, _, _ in got["no viewer"])
    print(f"{'':20}{'ns/event':>10}{'':>9}{'median':>10}{'frames/s':>10}{'kB/frame':>10}")
    for kind, rows in got.items():
        ns = min(row[0] for row in rows)
        median, rate, size = (statistics.median(row[k] for row in rows) for k in range(3))
        print(f"{kind:20}{ns:10.1f}{100 * (ns / least - 1):+8.2f} %{median:10.1f}{rate:10.1f}{size / 1000:10.1f}")


if __name__ == "__main__":
    main()
