"""Stands for a code that is raced: tells a collision for each microsecond of its own CPU time, in the words of EDMD or, with
arguments, of DynamO; `broken` complains and ends."""
import sys
import time

if sys.argv[1:] == ["broken"]:
    print("Too many neighbors")
    sys.exit(3)
print("Placing particles")
line = "ETA 5s, Events %dk, t %g, <MFT> 0.2, T 1, U 0" if sys.argv[1:] else "Simtime: %lf, Collisions: %u, Press: 1.5"
told = 0
while True:
    while int(1e6 * time.process_time()) < told:
        pass
    print(line % ((told // 1000, told / 1e3) if sys.argv[1:] else (told / 1e3, told)), flush=True)
    told += 20000
