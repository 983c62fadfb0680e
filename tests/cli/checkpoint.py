"""Changes a checkpoint and makes its checksum right again: checkpoint.py FILE (format N | version TEXT | commit TEXT)."""
import struct
import sys

MASK = (1 << 64) - 1
HEAD = 16 + 4 + 4 + 8  # magic, byte order, format, bytes in all


def rotate(x, bits):
    return (x << bits | x >> (64 - bits)) & MASK


def mix(h, value):
    value = rotate(value * 0x87C37B91114253D5 & MASK, 31) * 0x4CF5AD432745937F & MASK
    return (rotate(h ^ value, 27) * 5 + 0x52DCE729) & MASK


def checksum(data, block=1 << 20):
    h = START
    for at in range(0, len(data), block):
        part = data[at : at + block]
        whole = len(part) // 8 * 8
        for (word,) in struct.iter_unpack("<Q", part[:whole]):
            h = mix(h, word)
        for byte in part[whole:]:
            h = mix(h, byte)
    h ^= h >> 33
    h = h * 0xFF51AFD7ED558CCD & MASK
    h ^= h >> 33
    h = h * 0xC4CEB9FE1A85EC53 & MASK
    return h ^ h >> 33


def text_at(data, at):
    (length,) = struct.unpack_from("<Q", data, at)
    return at + 8 + length


START = 0xCBF29CE484222325
path, what, value = sys.argv[1:]
data = bytearray(open(path, "rb").read())
assert struct.unpack_from("<Q", data, len(data) - 8)[0] == checksum(data[:-8]), "this is not how checkpoints are summed"
body = data[:-8]
if what == "format":
    struct.pack_into("<I", body, 20, int(value))
else:
    start = HEAD if what == "version" else text_at(body, HEAD)
    body[start : text_at(body, start)] = struct.pack("<Q", len(value)) + value.encode()
    struct.pack_into("<Q", body, 24, len(body) + 8)
open(path, "wb").write(body + struct.pack("<Q", checksum(body)))
