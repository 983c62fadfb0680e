"""Detects access that `carom view` should refuse, and network input that changes the simulation."""
import os
import random
import socket
import struct

from viewer import PATIENCE, Folder, Server, Viewer, about, masked, read_all, run

SCENE = """
carom: 1
engine: hard
dimension: 2
seed: 3
box: {packing_fraction: 0.4, boundary: periodic}
species: {disk: {diameter: 1, mass: 1}}
particles: [{species: disk, count: 400, place: square, velocity: {maxwell: 1}}]
run: {until: {events: 2000000}}
output: {frames: {every: 1000}}
"""
ATTEMPTS = int(os.environ.get("CAROM_VIEW_FUZZ", "400"))  # more of them by hand
WS = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: c2l4dGVlbiBieXRlcyBvZg=="]


def status(server, path="/", *headers):
    return server.get(path, headers)[0]


def refusal(server, headers, path=None):
    try:
        Viewer(server, headers, path).socket.close()
    except PermissionError as refused:
        return refused.args[0]
    return 101


def set_going(viewer):
    """Whatever others have asked for."""
    viewer.say("speed 5")
    viewer.say("play")
    viewer.until(lambda f: f["state"] == "running" and f["speed"] == 5)


def test_the_page(server):
    code, head, page = server.get("/")
    assert code == 200 and b"<canvas" in page and "text/html" in head
    assert "frame-ancestors 'none'" in head and "default-src 'none'" in head and "no-store" in head
    for path, kind in (("/main.js", "text/javascript"), ("/style.css", "text/css"), ("/icon.svg", "image/svg+xml")):
        code, head, body = server.get(path)
        assert code == 200 and kind in head and f"Content-Length: {len(body)}" in head, (path, code)
    for path in ("/nothing", "/../etc/passwd", "/%2e%2e/", "//", "/index.html/", "/live"):
        assert status(server, path) in (404, 426), path
    assert b"http://" not in page.replace(b"http://www.w3.org", b"") and b"https://" not in page


def test_hosts_and_origins(server):
    port, here = server.port, f"Host: 127.0.0.1:{server.port}"
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"LocalHost:{port}", f"[::1]:{port}"):
        assert status(server, "/", f"Host: {host}") == 200, host
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}",
                 f"127.0.0.1.evil.example:{port}"):
        assert status(server, "/", f"Host: {host}") == 403, host  # a name that was made to point here
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port}",
                   f"http://127.0.0.1:{port}0", "http://localhost:1"):
        assert refusal(server, [here, f"Origin: {origin}"]) == 403, origin
        assert status(server, "/main.js", here, f"Origin: {origin}") == 403, origin
    assert refusal(server, [here, f"Origin: http://127.0.0.1:{port}"]) == 101
    assert refusal(server, [here]) == 101  # no browser


def test_token(path):
    with Server(path, "--bind", "127.0.0.1") as server:
        token = server.query.removeprefix("token=")
        assert len(token) == 32 and int(token, 16) >= 0, token
        right = [f"Host: 127.0.0.1:{server.port}", f"Origin: http://127.0.0.1:{server.port}"]
        for bad in ("", "?token=", f"?token={token[:-1]}", f"?token={token}0", f"?token={'0' * 32}", f"?t={token}"):
            assert status(server, f"/{bad}") == 403, bad
            assert refusal(server, right, f"/live{bad}") == 403, bad
        assert status(server, f"/?token={token}") == 200
        assert refusal(server, right, f"/live?token={token}") == 101
        assert refusal(server, [right[0], "Origin: http://evil.example"], f"/live?token={token}") == 403
        with Server(path, "--bind", "127.0.0.1") as other:
            assert other.query != server.query


def test_bad_requests(server):
    host = f"Host: 127.0.0.1:{server.port}\r\n".encode()
    for data, code in ((b"GET / HTTP/1.0\r\n" + host + b"\r\n", 400), (b"POST / HTTP/1.1\r\n" + host + b"\r\n", 405),
                       (b"GET / HTTP/1.1\r\n\r\n", 400), (b"\r\n\r\n", 400), (b"GET\r\n\r\n", 400),
                       (b"\0" * 64 + b"\r\n\r\n", 400),
                       (b"GET / HTTP/1.1\r\n" + host + host + b"\r\n", 400),
                       (b"GET / HTTP/1.1\r\n" + host + b" x: y\r\n\r\n", 400),
                       (b"GET /" + b"a" * 300 + b" HTTP/1.1\r\n" + host + b"\r\n", 400),
                       (b"GET / HTTP/1.1\r\n" + host + b"Cookie: " + b"c" * 20000 + b"\r\n\r\n", 431)):
        answer = server.ask(data)
        assert answer.startswith(f"HTTP/1.1 {code} ".encode()), (data[:60], answer[:60])
    here = f"Host: 127.0.0.1:{server.port}"
    for bad in (WS[:2] + WS[3:], WS[:3], ["Upgrade: websocket"] + WS[2:], WS[:2] + ["Sec-WebSocket-Version: 8", WS[3]],
                WS[:3] + ["Sec-WebSocket-Key: short"]):
        assert status(server, "/live", here, *bad) == 426, bad


def test_bad_messages(server):
    for data, code in ((masked(2, b"next"), 1003), (masked(1, b"quit"), 1008), (masked(1, b"step -1"), 1008),
                       (masked(1, b"speed nan"), 1008), (masked(1, b"next\0"), 1008), (masked(1, b"\xff\xfe"), 1008),
                       (masked(1, b"a" * 300), 1009), (masked(1, b"a" * 70000), 1009),
                       (b"\x81\xff" + b"\x7f" + b"\xff" * 11, 1009),
                       (b"\x81\x04next", 1002), (masked(3, b""), 1002), (masked(0, b"next"), 1002),
                       (masked(9, b"", final=False), 1002),
                       (masked(9, b"a" * 126), 1002), (b"\xc1" + masked(1, b"next")[1:], 1002),
                       (masked(1, b"ne", final=False) + masked(1, b"xt"), 1002),
                       (b"".join(masked(0 if k else 1, b"a" * 100, final=False) for k in range(4)), 1009),
                       (masked(8, b""), 1000)):
        with Viewer(server) as viewer:
            viewer.greeting()
            viewer.socket.sendall(data)
            got = viewer.close_code()
            assert got == code, (data[:20], code, got)
    with Viewer(server) as viewer:  # in fragments, and with a ping between them, is as good
        viewer.greeting()
        frames = masked(1, b"pau", final=False) + masked(9, b"ping") + masked(0, b"se")
        for k in range(len(frames)):
            viewer.socket.sendall(frames[k:k + 1])
        pong = next(data for opcode, data in iter(viewer.message, None) if opcode == 10)
        assert pong == b"ping"
        viewer.say("next")
        viewer.until(lambda f: f["state"] == "paused")


def test_fuzz(server):
    """Malformed requests and frames, the same in each run."""
    dice = random.Random(20261122)
    request = (f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n" + "\r\n".join(WS) + "\r\n\r\n").encode()
    whole = request + masked(1, b"next") + masked(1, b"step 2") + masked(9, b"x") + masked(1, b"speed 1e-3")
    for _ in range(ATTEMPTS):
        data = bytearray(whole)
        begin = 0 if dice.random() < 0.5 else len(request)
        for _ in range(dice.randint(1, 6)):
            at, what = dice.randrange(begin, len(data)), dice.random()
            if what < 0.5:
                data[at] = dice.randrange(256)
            elif what < 0.75:
                del data[at:at + dice.randint(1, 20)]
            else:
                data[at:at] = bytes(dice.randrange(256) for _ in range(dice.randint(1, 40)))
            begin = min(begin, len(data) - 1)
        with server.connect() as made:
            made.sendall(data)
            if dice.random() < 0.5:
                made.shutdown(socket.SHUT_WR)
                read_all(made)
            elif dice.random() < 0.5:  # hang up with a reset
                made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    print(f"{ATTEMPTS} malformed conversations")


def test_crowd(server):
    """A thousand connections with no request or half a request; and viewers that do not read."""
    crowd = []
    with Viewer(server) as watching:
        watching.greeting()
        set_going(watching)
        seen = watching.frame()
        for k in range(1000):
            made = socket.create_connection((server.host, server.port), timeout=PATIENCE)
            crowd.append(made)
            try:
                if k % 3 == 1:
                    made.sendall(b"GET / HT")
                elif k % 3 == 2:
                    made.sendall(b"GET / HTTP/1.1\r\nHost: ")
            except OSError:
                pass  # it had to make room already
        watching.until(lambda f: f["events"] > seen["events"])  # nothing of it is felt
        assert server.get("/")[0] == 200  # and there is still room for a page
        for made in crowd:
            made.close()
    stuck = [Viewer(server) for _ in range(16)]
    for viewer in stuck:
        viewer.say("next")
        viewer.say("next")
    assert refusal(server, None) == 503
    for viewer in stuck:
        viewer.socket.close()
    while refusal(server, None) == 503:  # until it has noticed
        pass
    print("1000 connections, 16 viewers that do not read")


def test_flood(server):
    """More commands and pings than a server can process, from a viewer that does not read."""
    with Viewer(server) as viewer, Viewer(server) as watching:
        watching.greeting()
        set_going(watching)
        viewer.socket.settimeout(1)
        try:
            for _ in range(200):
                viewer.socket.sendall(b"".join(masked(9, b"p" * 100) + masked(1, b"speed max") for _ in range(500)))
        except (TimeoutError, ConnectionError):
            pass
        seen = watching.frame()
        watching.until(lambda f: f["events"] > seen["events"] or f["state"] == "ended")


def main():
    with Folder() as folder:
        path, alone, seen = folder.path("scene.yaml", SCENE), folder.path("alone.h5"), folder.path("seen.h5")
        test_token(path)
        with Server(path, "-o", seen) as server:
            for name, test in list(globals().items()):
                if name.startswith("test_") and test is not test_token:
                    print(name, flush=True)
                    test(server)
            with Viewer(server) as viewer:
                viewer.greeting()
                viewer.say("speed max")
                viewer.say("play")
                viewer.until(lambda f: f["state"] == "ended")
            assert server.stop() == 0, server.errors
            assert server.errors == "", server.errors
        run("run", path, "-o", alone, "--quiet")
        hashes = [about(result)["state_hash"] for result in (alone, seen)]
        assert hashes[0] == hashes[1], hashes
        print(f"after all that, the same state: {hashes[0]}")


if __name__ == "__main__":
    main()
