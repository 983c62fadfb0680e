// Messages to the page (docs/view.md), and the connection to `carom view`. A page in a file has them in recording.js.
const FRAME = 1,
    THINGS = 2,
    HISTORY = 3;
const states = ['waiting', 'running', 'paused', 'ended'];
const MOMENT = 7; // numbers

class Reader {
    constructor(buffer) {
        this.buffer = buffer;
        this.view = new DataView(buffer);
        this.at = 0;
    }
    u32() {
        this.at += 4;
        return this.view.getUint32(this.at - 4, true);
    }
    u16() {
        this.at += 2;
        return this.view.getUint16(this.at - 2, true);
    }
    f64() {
        this.at += 8;
        return this.view.getFloat64(this.at - 8, true);
    }
    array(type, count) {
        // aligned: the messages have the necessary padding
        const made = new type(this.buffer, this.at, count);
        this.at += made.byteLength + ((4 - (made.byteLength % 4)) % 4);
        return made;
    }
}

function readMoment(r) {
    const [time, kinetic, potential, stored, total, events, clusters] = Array.from({length: MOMENT}, () => r.f64());
    return {time, kinetic, potential, stored, total, events, clusters};
}

function readThings(r, hello) {
    const triangles = hello.meshes.reduce((sum, mesh) => sum + mesh.triangles, 0);
    const things = {
        radius: r.array(Float32Array, hello.points),
        species: r.array(Uint16Array, hello.points),
        triangles: r.array(Uint32Array, 3 * triangles),
        rest: r.array(Float32Array, 3 * (hello.points - hello.grains)),
    };
    const segments = new DataView(r.buffer, r.at, 12 * hello.segments);
    things.segments = Array.from({length: hello.segments}, (_, k) => ({
        a: segments.getUint32(12 * k, true),
        b: segments.getUint32(12 * k + 4, true),
        radius: segments.getFloat32(12 * k + 8, true),
    }));
    r.at += 12 * hello.segments;
    things.springs = r.array(Uint32Array, 2 * hello.springs);
    things.width = hello.ellipsoids ? r.array(Float32Array, hello.points) : null;
    return things;
}

function readFrame(r, hello) {
    const frame = {state: states[r.u16()], stop: hello.stops[r.u16()], points: r.u32(), index: r.u32()};
    frame.moment = readMoment(r);
    frame.rate = r.f64();
    frame.speed = r.f64();
    frame.low = [r.f64(), r.f64(), r.f64()];
    frame.high = [r.f64(), r.f64(), r.f64()];
    frame.fastest = r.f64();
    frame.frames = r.u32();
    frame.unfinished = r.u32() === 1;
    frame.last = readMoment(r);
    frame.planes = r.array(Float32Array, 6 * hello.planes);
    frame.cylinders = r.array(Float32Array, 8 * hello.cylinders);
    frame.moved = r.array(Float32Array, 3 * (hello.outlines ?? []).length);
    frame.position = r.array(Uint16Array, hello.dimension * frame.points);
    frame.speeds = r.array(Uint16Array, frame.points);
    frame.cluster = hello.clusters ? r.array(Uint32Array, frame.points) : null;
    frame.layers = hello.layers ? r.array(Uint16Array, frame.points) : null;
    frame.absent = hello.flows ? r.array(Uint16Array, frame.points) : null;
    frame.axes = hello.ellipsoids ? r.array(Int16Array, 3 * frame.points) : null;
    return frame;
}

// A source of messages. It calls on.hello(hello), on.things, on.history(moments), on.charts(list), on.frame, and on.lost
// at the end; say(words) is for the commands of the user.
export class Source {
    constructor(on) {
        this.on = on;
    }

    greet(hello) {
        this.hello = hello;
        this.on.hello(hello);
    }

    takeText(text) {
        const said = JSON.parse(text);
        if (said.kind === 'charts') this.on.charts(said.charts);
        else this.greet(said);
    }

    takeBytes(buffer) {
        const r = new Reader(buffer);
        const kind = r.u32();
        if (kind === THINGS) this.on.things(readThings(r, this.hello));
        if (kind === HISTORY) this.on.history(Array.from({length: r.u32()}, () => readMoment(r)));
        if (kind === FRAME) this.show(readFrame(r, this.hello));
    }

    show(frame) {
        this.on.frame(frame);
    }
}

export class Link extends Source {
    constructor(on) {
        super(on);
        this.open();
    }

    open() {
        const url = new URL('live', location.href);
        url.protocol = url.protocol.replace('http', 'ws');
        url.search = location.search;
        this.socket = new WebSocket(url);
        this.socket.binaryType = 'arraybuffer';
        this.socket.onmessage = ({data}) => (typeof data === 'string' ? this.takeText(data) : this.takeBytes(data));
        this.socket.onclose = () => {
            this.on.lost();
            setTimeout(() => this.open(), 1500);
        };
    }

    say(words) {
        if (this.socket.readyState === WebSocket.OPEN) this.socket.send(words);
    }
}
