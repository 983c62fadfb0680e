"""Plays a scene without an end, a line a piece of simulated time:  play.py BUILD-FOLDER SCENE PIECE"""
import ctypes
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from validate.binding import Carom  # noqa: E402


def collisions(carom, sim):
    words = carom.lib.carom_sim_summary(sim)
    found = json.loads(ctypes.string_at(words))
    carom.lib.carom_free(words)
    return found["events"]["collision"]


def main():
    build, path, piece = sys.argv[1], sys.argv[2], float(sys.argv[3])
    carom, number = Carom(build), 0
    with open(path) as file:
        _, sim = carom.begin(path, file.read(), [])
    while carom.lib.carom_sim_advance(sim, number * piece) == 0:
        print("Simtime: %.9g, Collisions: %d" % (number * piece, collisions(carom, sim)), flush=True)
        number += 1


main()
