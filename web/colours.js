// Colours by a field: those of `carom render`, from the first message.
import {findMolecules} from './molecules.js';

const BINS = 65536;

export const bytes = hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));

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
const gradient = stops => `linear-gradient(90deg, ${stops.join(', ')})`;

// The 99th percentile of the relevant numbers, as in src/view/render/paint.c; numbers have 16 bits.
function almostHighest(values, least) {
    const bins = new Uint32Array(BINS);
    let count = 0;
    for (const x of values)
        if (x >= least) {
            bins[x]++;
            count++;
        }
    let rank = Math.floor(0.99 * (count - 1)),
        x = 0;
    if (count === 0) return 0;
    while (rank >= bins[x]) rank -= bins[x++];
    return x;
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
    constructor(hello, things, dark) {
        this.hello = hello;
        this.things = things;
        this.data = new Uint8Array(4 * hello.points).fill(255);
        this.names = hello.species.concat(hello.meshes.map(mesh => mesh.name));
        this.group = this.groups();
        this.fields = this.offer();
        this.rest = this.restLengths();
        this.map = tableOf(hello.colours.map);
        this.shadeOfId = new Map();
        this.setTheme(dark);
    }

    // Species of grains; for shells, the mesh.
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
        if (hello.clusters) fields.push(['cluster', 'cluster']);
        if (things.segments.length + things.springs.length > 0) fields.push(['molecule', 'molecule']);
        fields.push(['species', 'species'], ['speed', 'speed']);
        fields.push(['height', hello.dimension === 3 ? 'height, z' : 'height, y']);
        if (hello.grains > 0 && things.radius.some(r => r !== things.radius[0])) fields.push(['size', 'radius']);
        if (hello.meshes.length > 0) fields.push(['strain', 'strain']);
        if (hello.layers) fields.push(['layers', 'layers']);
        return fields;
    }

    // The number of colours is fixed; the number of a cluster determines its colour, so that it is constant in time.
    shadeOf(id) {
        let k = this.shadeOfId.get(id);
        if (k === undefined) {
            const mixed = Number(BigInt.asUintN(64, BigInt(id) * 0x9e3779b97f4a7c15n) >> 40n);
            this.shadeOfId.set(id, (k = mixed % this.shade.length));
        }
        return this.shade[k];
    }

    setTheme(dark) {
        this.theme = this.hello.colours[dark ? 'dark' : 'light'];
        this.shade = this.theme.many.map(bytes);
    }

    first() {
        if (this.hello.clusters) return 'cluster';
        return this.used.length > 1 ? 'species' : 'speed';
    }

    // Edges of shells, with their initial lengths and the number of their triangles.
    restLengths() {
        const {triangles, rest} = this.things,
            edges = new Map();
        for (let t = 0; t < triangles.length; t += 3)
            for (let k = 0; k < 3; k++) {
                const a = triangles[t + k],
                    b = triangles[t + ((k + 1) % 3)],
                    key = Math.min(a, b) * 4294967296 + Math.max(a, b);
                if (edges.has(key)) edges.get(key).shared++;
                else edges.set(key, {a, b, shared: 1});
            }
        const base = this.hello.grains;
        for (const edge of edges.values()) {
            const i = 3 * (edge.a - base),
                j = 3 * (edge.b - base);
            edge.length = Math.hypot(rest[i] - rest[j], rest[i + 1] - rest[j + 1], rest[i + 2] - rest[j + 2]);
        }
        return [...edges.values()];
    }

    // Position on the colour map, from 0 to 1.
    put(n, x) {
        const table = this.map;
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

    // Species in their order, then meshes; rigid bodies have the plain colour.
    by_species(frame, data, points) {
        const {series, plain} = this.theme,
            {species, meshes} = this.hello;
        let hues = 0;
        const entries = this.used.map(group => {
            const rigid = meshes[group - species.length]?.rigid;
            return [rigid ? plain : series[hues++ % series.length], this.names[group] ?? `species ${group}`];
        });
        const of = new Map(this.used.map((group, k) => [group, bytes(entries[k][0])]));
        for (let n = 0; n < points; n++) data.set(of.get(this.group[n]), 4 * n);
        this.legend = {entries};
    }

    // The colour map, and the values at its ends.
    from(low, high, name) {
        this.legend = {name, ramp: gradient(this.hello.colours.map), low: number(low), high: number(high)};
    }

    by_speed(frame, data, points) {
        const high = almostHighest(frame.speeds, 0),
            unit = frame.fastest / 65535;
        for (let n = 0; n < points; n++) this.put(n, high > 0 ? frame.speeds[n] / high : 0);
        this.from(0, high > 0 ? high * unit : 1, 'speed');
    }

    // Single particles are not distinguished as clusters; if not all particles are sent, they are unknown.
    by_cluster(frame, data, points) {
        const plain = bytes(this.theme.plain),
            size = new Map();
        for (const id of frame.cluster) size.set(id, (size.get(id) ?? 0) + 1);
        for (let n = 0; n < points; n++) {
            const id = frame.cluster[n],
                alone = this.hello.stride === 1 && size.get(id) === 1;
            data.set(alone ? plain : this.shadeOf(id), 4 * n);
        }
        const all = frame.moment.clusters;
        this.legend = {
            text: `${number(all)} clusters; ${this.shade.length} colours, which repeat; single particles are grey`,
        };
    }

    by_molecule(frame, data, points) {
        const plain = bytes(this.theme.plain),
            size = new Map();
        this.molecule ??= findMolecules(points, this.things).root;
        for (const root of this.molecule) size.set(root, (size.get(root) ?? 0) + 1);
        for (let n = 0; n < points; n++)
            data.set(size.get(this.molecule[n]) === 1 ? plain : this.shadeOf(this.molecule[n]), 4 * n);
        this.legend = {text: `${this.shade.length} colours, which repeat; single particles are grey`};
    }

    by_height(frame, data, points) {
        const d = this.hello.dimension,
            axis = d - 1,
            box = this.hello.box[axis];
        const step = (frame.high[axis] - frame.low[axis]) / 65535,
            open = this.hello.boundary[axis] === 'open';
        let low = open ? Infinity : 0,
            high = open ? -Infinity : box;
        for (let n = 0; n < points; n++) {
            const x = frame.low[axis] + step * frame.position[d * n + axis];
            low = Math.min(low, x);
            high = Math.max(high, x);
        }
        const span = high - low || 1;
        for (let n = 0; n < points; n++)
            this.put(n, (frame.low[axis] + step * frame.position[d * n + axis] - low) / span);
        this.from(low, high, this.hello.dimension === 3 ? 'z' : 'y');
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
        for (let n = 0; n < points; n++) this.put(n, (radius[n] - low) / (high - low || 1));
        this.from(low, high, 'radius');
    }

    // Particles without contacts are not counted.
    by_layers(frame, data, points) {
        const high = almostHighest(frame.layers, 1) || 1;
        for (let n = 0; n < points; n++) this.put(n, frame.layers[n] / high);
        this.from(0, high, 'layers');
    }

    // |l / l_0 - 1|, the mean over the edges of the triangles of a vertex; limited to the precision of positions.
    by_strain(frame, data, points) {
        const {grains} = this.hello,
            sum = new Float32Array(points - grains),
            count = new Uint16Array(points - grains),
            scale = [0, 1, 2].map(k => (frame.high[k] - frame.low[k]) / 65535),
            p = frame.position;
        let coarse = 0;
        for (const {a, b, length, shared} of this.rest) {
            const now = Math.hypot(
                (p[3 * a] - p[3 * b]) * scale[0],
                (p[3 * a + 1] - p[3 * b + 1]) * scale[1],
                (p[3 * a + 2] - p[3 * b + 2]) * scale[2],
            );
            for (const n of [a - grains, b - grains]) {
                sum[n] += shared * Math.abs(now / length - 1);
                count[n] += shared;
            }
            coarse = Math.max(coarse, Math.max(...scale) / length);
        }
        for (let n = 0; n < sum.length; n++) sum[n] /= Math.max(count[n], 1);
        const sorted = Float32Array.from(sum).sort(),
            high = Math.max(sorted[Math.floor(0.99 * (sorted.length - 1))], coarse);
        for (let n = 0; n < grains; n++) data.set(bytes(this.theme.plain), 4 * n);
        for (let n = grains; n < points; n++) this.put(n, sum[n - grains] / high);
        this.from(0, high, 'strain');
    }
}
