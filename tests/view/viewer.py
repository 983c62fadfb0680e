"""A viewer of `carom view` made of sockets: the handshake and the frames of a WebSocket, by hand (docs/view.md)."""
import base64
import hashlib
import json
import os
import signal
import socket
import struct
import subprocess
import tempfile
import urllib.parse

CAROM = os.environ.get("CAROM", "build/release/carom")
SOURCE = os.environ.get("CAROM_SOURCE", ".")
PATIENCE = 60  # seconds: what has not happened by then never will
MOMENT = ("time", "kinetic", "potential", "stored", "total", "events", "clusters")
STATES = ("waiting", "running", "paused", "ended")


class Killed(subprocess.Popen):
    """A process that is killed at the end of its block, also after a failure."""

    def __exit__(self, *about):
        if self.poll() is None:
            self.kill()
        return super().__exit__(*about)


class Server:
    """`carom view`, from the output of its address to the end of the block."""

    def __init__(self, *arguments, browser=False, **options):
        command = [CAROM, "view", *arguments, "--quiet"] + ([] if browser else ["--no-browser"])
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise RuntimeError(f"{' '.join(command)}: {self.process.communicate()[1]}")
        parts = urllib.parse.urlsplit(self.url)
        self.host, self.port, self.query = parts.hostname, parts.port, parts.query

    def __enter__(self):
        return self

    def __exit__(self, fault, *_):
        if self.process.poll() is None and fault is None:
            self.process.kill()
        try:
            _, said = self.process.communicate(timeout=1)
            if fault is not None:
                print(f"the server has ended with {self.process.returncode}: {said}", flush=True)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()

    def stop(self, number=signal.SIGINT):
        """The exit code."""
        self.process.send_signal(number)
        _, self.errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode

    def connect(self):
        made = socket.create_connection((self.host, self.port), timeout=PATIENCE)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made

    def ask(self, data):
        """The answer of the server to these bytes, until it closes the connection."""
        with self.connect() as made:
            made.sendall(data)
            return read_all(made)

    def get(self, path="/", headers=()):
        """(status, headers, body)"""
        lines = [f"GET {path} HTTP/1.1", *headers]
        if not any(line.lower().startswith("host:") for line in headers):
            lines.insert(1, f"Host: {self.host}:{self.port}")
        answer = self.ask("\r\n".join(lines + ["", ""]).encode())
        head, _, body = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), head.decode(), body


def read_all(made):
    """The data until the other side closes the connection in any way."""
    got = b""
    try:
        while part := made.recv(65536):
            got += part
    except ConnectionResetError:
        pass
    return got


def masked(opcode, data, final=True, mask=b"\x12\x34\x56\x78"):
    """A frame in the format of clients."""
    size = len(data)
    length = bytes([size]) if size < 126 else b"\x7e" + struct.pack(">H", size) if size < 65536 else \
        b"\x7f" + struct.pack(">Q", size)
    head = bytes([(0x80 if final else 0) | opcode, 0x80 | length[0]]) + length[1:] + mask
    return head + bytes(b ^ mask[k % 4] for k, b in enumerate(data))


class Viewer:
    """The WebSocket of a page."""

    def __init__(self, server, headers=None, path=None):
        self.server = server
        self.socket = server.connect()
        self.left = b""
        self.charts = None
        key = base64.b64encode(b"sixteen bytes of").decode()
        if path is None:
            path = "/live" + (f"?{server.query}" if server.query else "")
        if headers is None:
            headers = [f"Host: {server.host}:{server.port}", f"Origin: http://{server.host}:{server.port}"]
        lines = [f"GET {path} HTTP/1.1", *headers, "Upgrade: websocket", "Connection: keep-alive, Upgrade",
                 f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
        self.socket.sendall("\r\n".join(lines).encode())
        head = b""
        while b"\r\n\r\n" not in head:
            part = self.socket.recv(4096)
            if not part:
                raise ConnectionError("no answer")
            head += part
        head, _, self.left = head.partition(b"\r\n\r\n")
        self.status = int(head.split()[1])
        if self.status != 101:
            raise PermissionError(self.status)
        guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1((key + guid).encode()).digest()).decode()
        assert f"Sec-WebSocket-Accept: {accept}".encode() in head, head

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def read(self, count):
        while len(self.left) < count:
            part = self.socket.recv(65536)
            if not part:
                raise ConnectionError("hung up")
            self.left += part
        got, self.left = self.left[:count], self.left[count:]
        return got

    def message(self):
        """(opcode, data) of the next message; pings are answered, charts kept."""
        opcode, data = self.any_message()
        while self.keep_charts(opcode, data):
            opcode, data = self.any_message()
        return opcode, data

    def keep_charts(self, opcode, data):
        said = json.loads(data) if opcode == 1 else {}
        found = said.get("kind") == "charts"
        self.charts = said["charts"] if found else self.charts
        return found

    def until_charts(self, condition):
        """The first charts that satisfy the condition."""
        while not (self.charts and condition(self.charts)):
            self.keep_charts(*self.any_message())
        return self.charts

    def any_message(self):
        first, second = self.read(2)
        assert first & 0x80 and not second & 0x80, "the server's frames are whole and without a mask"
        size = second & 127
        if size == 126:
            size = struct.unpack(">H", self.read(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self.read(8))[0]
        data = self.read(size)
        if first & 15 == 9:
            self.socket.sendall(masked(10, data))
            return self.any_message()
        return first & 15, data

    def say(self, text):
        self.socket.sendall(masked(1, text.encode()))

    def greeting(self):
        """The hello message, the objects of the scene, and the history."""
        opcode, data = self.message()
        assert opcode == 1
        self.hello = json.loads(data)
        self.things = decode_things(self.message()[1], self.hello)
        self.history = decode_history(self.message()[1])
        return self.hello

    def frame(self):
        """Returns the next frame, and requests another one."""
        opcode, data = self.message()
        if opcode == 8:
            raise ConnectionError(f"closed: {struct.unpack('>H', data[:2])[0]}")
        assert opcode == 2, opcode
        self.say("next")
        return decode_frame(data, self.hello)

    def until(self, condition):
        """The first frame that satisfies the condition."""
        while True:
            frame = self.frame()
            if condition(frame):
                return frame

    def close_code(self):
        """The close code of the server."""
        while True:
            opcode, data = self.message()
            if opcode == 8:
                return struct.unpack(">H", data[:2])[0]


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, code, count=1):
        values = struct.unpack_from(f"<{count}{code}", self.data, self.at)
        self.at += struct.calcsize(f"<{count}{code}")
        return values

    def align(self):
        self.at += self.at % 4

    def end(self):
        assert self.at == len(self.data), (self.at, len(self.data))


def decode_things(data, hello):
    r = Reader(data)
    points, vertices = hello["points"], hello["points"] - hello["grains"]
    assert r.take("I") == (2,)
    things = {"radius": r.take("f", points), "species": r.take("H", points)}
    r.align()
    triangles = sum(mesh["triangles"] for mesh in hello["meshes"])
    things["triangles"] = r.take("I", 3 * triangles)
    things["rest"] = r.take("f", 3 * vertices)
    things["segments"] = [r.take("I", 2) + r.take("f") for _ in range(hello["segments"])]
    things["springs"] = [r.take("I", 2) for _ in range(hello["springs"])]
    r.end()
    return things


def decode_history(data):
    r = Reader(data)
    kind, count = r.take("I", 2)
    assert kind == 3
    rows = [dict(zip(MOMENT, r.take("d", len(MOMENT)))) for _ in range(count)]
    r.end()
    return rows


def decode_frame(data, hello):
    r = Reader(data)
    assert r.take("I") == (1,)
    state, stop = r.take("H", 2)
    points, index = r.take("I", 2)
    frame = {"state": STATES[state], "stop": hello["stops"][stop], "points": points, "index": index,
             "bytes": len(data)}
    frame.update(zip(MOMENT, r.take("d", len(MOMENT))))
    frame["rate"], frame["speed"] = r.take("d", 2)
    low, high = r.take("d", 3), r.take("d", 3)
    frame["fastest"], = r.take("d")
    frame["frames"], frame["unfinished"] = r.take("I", 2)
    frame["last"] = dict(zip(MOMENT, r.take("d", len(MOMENT))))
    frame["planes"] = [r.take("f", 6) for _ in range(hello["planes"])]
    frame["cylinders"] = [r.take("f", 8) for _ in range(hello["cylinders"])]
    frame["moved"] = [r.take("f", 3) for _ in hello.get("outlines", [])]
    d = hello["dimension"]
    raw = r.take("H", d * points)
    r.align()
    frame["position"] = [tuple(low[k] + (high[k] - low[k]) * raw[d * n + k] / 65535 for k in range(d))
                         for n in range(points)]
    frame["speeds"] = [q * frame["fastest"] / 65535 for q in r.take("H", points)]
    r.align()
    frame["cluster"] = r.take("I", points) if hello["clusters"] else None
    frame["layers"] = r.take("H", points) if hello["layers"] else None
    r.align()
    r.end()
    frame["resolution"] = max((b - a) / 65535 for a, b in zip(low, high))
    return frame


def run(*arguments):
    """Runs `carom` with these arguments; returns its standard output."""
    done = subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"carom {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def about(result):
    """The output of `carom info` for a file."""
    return json.loads(run("info", result, "--json"))


class Folder:
    """A folder for the files of a test, deleted at its end."""

    def __enter__(self):
        self.made = tempfile.TemporaryDirectory()
        return self

    def __exit__(self, *_):
        self.made.cleanup()

    def path(self, name, text=None):
        path = os.path.join(self.made.name, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path
