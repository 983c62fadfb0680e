// Colours by a field. Ramps are perceptually even and safe for the colour-blind.
const ramps = {
    viridis: [
        '#440154',
        '#482475',
        '#414487',
        '#355f8d',
        '#2a788e',
        '#21918c',
        '#22a884',
        '#44bf70',
        '#7ad151',
        '#bddf26',
        '#fde725',
    ],
    bluered: ['#2166ac', '#4393c3', '#92c5de', '#d1e5f0', '#f2f0ee', '#fddbc7', '#f4a582', '#d6604d', '#b2182b'],
};
const palette = [
    '#3b7dc4',
    '#e08a2e',
    '#2a9d78',
    '#c8549a',
    '#8a6fd1',
    '#c9b02f',
    '#56b4d3',
    '#b5533c',
    '#7f8b98',
    '#5e9c3f',
];

const bytes = hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));

function tableOf(stops) {
    const table = new Uint8Array(4 * 256),
        colours = stops.map(bytes);
    for (let i = 0; i < 256; i++) {
        const x = (i / 255) * (colours.length - 1),
            k = Math.min(Math.floor(x), colours.length - 2);
        for (let c = 0; c < 3; c++) table[4 * i + c] = colours[k][c] + (x - k) * (colours[k + 1][c] - colours[k][c]);
        table[4 * i + 3] = 255;
    }
    return table;
}
const viridis = tableOf(ramps.viridis),
    bluered = tableOf(ramps.bluered);
const gradient = stops => `linear-gradient(90deg, ${stops.join(', ')})`;

// A colour of its own for each cluster, the same in every frame: hues by the golden ratio.
function clusterColour(id, out, at) {
    const mixed = Math.imul(id + 1, 2654435761) >>> 0;
    const h = ((mixed / 4294967296) * 6) % 6,
        light = 0.5 + 0.14 * (((mixed >>> 8) & 255) / 255 - 0.5),
        s = 0.5;
    const c = (1 - Math.abs(2 * light - 1)) * s,
        x = c * (1 - Math.abs((h % 2) - 1)),
        m = light - c / 2;
    const rgb = [
        [c, x, 0],
        [x, c, 0],
        [0, c, x],
        [0, x, c],
        [x, 0, c],
        [c, 0, x],
    ][Math.floor(h)];
    for (let k = 0; k < 3; k++) out[at + k] = 255 * (rgb[k] + m);
}

export function number(x) {
    if (x === null || !Number.isFinite(x)) return '–';
    if (x === 0) return '0';
    const size = Math.abs(x);
    if (size >= 1e6 || size < 1e-3)
        return x.toExponential(2).replace('e+', 'e').replace('-', '−').replace('e-', 'e−');
    return Number(x.toPrecision(4)).toString().replace('-', '−');
}

export class Colours {
    constructor(hello, things) {
        this.hello = hello;
        this.things = things;
        this.data = new Uint8Array(4 * hello.points).fill(255);
        this.names = hello.species.concat(hello.meshes.map(mesh => mesh.name));
        this.group = this.groups();
        this.fields = this.offer();
        this.rest = this.restLengths();
        this.deepest = 1; // layer that has been seen
    }

    // Species of grains; for shells, which mesh.
    groups() {
        const group = Uint16Array.from(this.things.species);
        let at = this.hello.grains;
        this.hello.meshes.forEach((mesh, k) => {
            group.fill(this.hello.species.length + k, at, at + mesh.vertices);
            at += mesh.vertices;
        });
        const used = new Set(group);
        this.used = [...used].sort((a, b) => a - b);
        return group;
    }

    offer() {
        const {hello, things} = this,
            fields = [];
        const kinds = [hello.grains > 0 && 'species', hello.meshes.length > 0 && 'part'].filter(Boolean).join(' or ');
        if (hello.clusters) fields.push(['cluster', 'cluster']);
        fields.push(['kind', kinds || 'species'], ['speed', 'speed']);
        fields.push(['height', hello.dimension === 3 ? 'height, z' : 'height, y']);
        if (hello.grains > 0 && things.radius.some(r => r !== things.radius[0])) fields.push(['size', 'radius']);
        if (hello.meshes.length > 0) fields.push(['stretch', 'stretch of shells']);
        if (hello.layers) fields.push(['layers', 'layers of contacts']);
        return fields;
    }

    first() {
        if (this.hello.clusters) return 'cluster';
        return this.used.length > 1 ? 'kind' : 'speed';
    }

    // Edges of shells, with their lengths at the start.
    restLengths() {
        const {triangles, rest} = this.things,
            edges = new Map();
        for (let t = 0; t < triangles.length; t += 3)
            for (let k = 0; k < 3; k++) {
                const a = triangles[t + k],
                    b = triangles[t + ((k + 1) % 3)];
                edges.set(Math.min(a, b) * 4294967296 + Math.max(a, b), [a, b]);
            }
        const base = this.hello.grains;
        return [...edges.values()].map(([a, b]) => {
            const i = 3 * (a - base),
                j = 3 * (b - base);
            return {
                a,
                b,
                length: Math.hypot(rest[i] - rest[j], rest[i + 1] - rest[j + 1], rest[i + 2] - rest[j + 2]),
            };
        });
    }

    put(n, table, x) {
        const i = 4 * Math.max(0, Math.min(255, Math.round(255 * x)));
        this.data[4 * n] = table[i];
        this.data[4 * n + 1] = table[i + 1];
        this.data[4 * n + 2] = table[i + 2];
    }

    paint(field, frame) {
        const {data, hello} = this,
            points = hello.points;
        this[`by_${field}`](frame, data, points);
        return data;
    }

    by_kind(frame, data, points) {
        const colours = this.used.map((group, k) => [group, bytes(palette[k % palette.length])]);
        const of = new Map(colours);
        for (let n = 0; n < points; n++) data.set(of.get(this.group[n]), 4 * n);
        this.legend = {
            entries: this.used.map((group, k) => [
                palette[k % palette.length],
                this.names[group] ?? `species ${group}`,
            ]),
        };
    }

    // Up to twice the root mean square, which does not flicker as the fastest does.
    by_speed(frame, data, points) {
        const speeds = frame.speeds,
            unit = frame.fastest / 65535;
        let sum = 0;
        for (let n = 0; n < points; n++) sum += speeds[n] * speeds[n];
        const top = Math.min(2 * Math.sqrt(sum / points) * unit, frame.fastest),
            scale = top > 0 ? unit / top : 0;
        for (let n = 0; n < points; n++) this.put(n, viridis, speeds[n] * scale);
        this.legend = {ramp: gradient(ramps.viridis), low: '0', high: number(top)};
    }

    by_cluster(frame, data, points) {
        for (let n = 0; n < points; n++) clusterColour(frame.cluster[n], data, 4 * n);
        this.legend = {text: `${frame.moment.clusters} clusters, each of its own colour`};
    }

    by_height(frame, data, points) {
        const d = this.hello.dimension,
            axis = d - 1,
            box = this.hello.box[axis];
        const open = this.hello.boundary[axis] === 'open';
        const low = open ? frame.low[axis] : Math.min(0, frame.low[axis]),
            high = open ? frame.high[axis] : Math.max(box, frame.high[axis]);
        const step = (frame.high[axis] - frame.low[axis]) / 65535,
            span = high - low || 1;
        for (let n = 0; n < points; n++)
            this.put(n, viridis, (frame.low[axis] + step * frame.position[d * n + axis] - low) / span);
        this.legend = {ramp: gradient(ramps.viridis), low: number(low), high: number(high)};
    }

    by_size(frame, data, points) {
        const radius = this.things.radius,
            grains = this.hello.grains;
        let low = Infinity,
            high = 0;
        for (let n = 0; n < grains; n++) {
            low = Math.min(low, radius[n]);
            high = Math.max(high, radius[n]);
        }
        for (let n = 0; n < points; n++) this.put(n, viridis, (radius[n] - low) / (high - low || 1));
        this.legend = {ramp: gradient(ramps.viridis), low: number(low), high: number(high)};
    }

    by_layers(frame, data, points) {
        this.deepest = frame.layers.reduce((most, n) => Math.max(most, n), this.deepest);
        for (let n = 0; n < points; n++) this.put(n, viridis, frame.layers[n] / this.deepest);
        this.legend = {ramp: gradient(ramps.viridis), low: '0', high: number(this.deepest)};
    }

    by_stretch(frame, data, points) {
        const sum = new Float32Array(points),
            count = new Uint8Array(points),
            scale = [0, 1, 2].map(k => (frame.high[k] - frame.low[k]) / 65535);
        const p = frame.position;
        let most = 0.01;
        for (const {a, b, length} of this.rest) {
            const now = Math.hypot(
                (p[3 * a] - p[3 * b]) * scale[0],
                (p[3 * a + 1] - p[3 * b + 1]) * scale[1],
                (p[3 * a + 2] - p[3 * b + 2]) * scale[2],
            );
            const strain = now / length - 1;
            ((sum[a] += strain), (sum[b] += strain));
            (count[a]++, count[b]++);
        }
        for (let n = 0; n < points; n++) most = Math.max(most, count[n] > 0 ? Math.abs(sum[n] / count[n]) : 0);
        for (let n = 0; n < points; n++)
            this.put(n, bluered, 0.5 + (0.5 * (count[n] > 0 ? sum[n] / count[n] : 0)) / most);
        this.legend = {
            ramp: gradient(ramps.bluered),
            low: `−${number(100 * most)} %`,
            high: `+${number(100 * most)} %`,
        };
    }
}
