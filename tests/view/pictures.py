"""PNG files as arrays, and how far two pictures differ to the eye: by means over blocks of pixels, so that smoothed edges and
other fonts count little, and bodies in other places or colours much."""
import struct
import zlib

import numpy

BLOCK = 4  # pixels


def unfilter(kind, line, before, step):
    """Decodes one row of a PNG in place: each byte is stored as the difference from its neighbours."""
    if kind == 0:
        return
    for i, byte in enumerate(line):
        left, above = line[i - step] if i >= step else 0, before[i]
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = above
        elif kind == 3:
            guess = (left + above) // 2
        else:
            corner = before[i - step] if i >= step else 0
            a, b, c = abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)
            guess = left if a <= b and a <= c else above if b <= c else corner
        line[i] = (byte + guess) & 255


def read(path):
    """[height][width][3], 0 to 255; of 8 bits a channel, as cairo writes them."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, packed = 8, b""
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if name == b"IHDR":
            width, height, depth, kind = struct.unpack(">IIBB", body[:10])
        packed += body if name == b"IDAT" else b""
        at += 12 + length
    assert depth == 8 and kind in (2, 6), (depth, kind)
    step = 3 if kind == 2 else 4
    raw, size = zlib.decompress(packed), 1 + width * step
    rows, before = bytearray(), bytes(size - 1)
    for y in range(height):
        line = bytearray(raw[y * size + 1:(y + 1) * size])
        unfilter(raw[y * size], line, before, step)
        rows += line
        before = line
    return numpy.frombuffer(bytes(rows), dtype=numpy.uint8).reshape(height, width, step)[:, :, :3]


def blocks(picture):
    height, width = (n // BLOCK * BLOCK for n in picture.shape[:2])
    cut = picture[:height, :width].astype(float)
    return cut.reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK, 3).mean(axis=(1, 3))


def difference(a, b):
    """The mean difference of colours over blocks, of 255, and the fraction of visibly different blocks."""
    if a.shape != b.shape:
        return 255.0, 1.0
    apart = numpy.abs(blocks(a) - blocks(b)).max(axis=2)
    return apart.mean(), (apart > 24).mean()
