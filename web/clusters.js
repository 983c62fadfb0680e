// Clusters in one piece: displacements of particles in box lengths, along the contacts of a cluster (docs/view.md).

const GAP = 1e-6; // in contact distances; as in src/view/render/molecules.c

// A grid over a subset of the points. Along axes that are not periodic it ends with these points.
class Cells {
    constructor({places, dimension, box, periodic}, some, edge) {
        const most = Math.max(1, Math.floor((4 * some.length) ** (1 / dimension)));
        this.wraps = periodic;
        this.low = [0, 0, 0];
        this.size = [1, 1, 1];
        this.count = [1, 1, 1];
        for (let k = 0; k < dimension; k++) {
            let high = box[k];
            if (!periodic[k]) {
                this.low[k] = some.reduce((least, n) => Math.min(least, places[4 * n + k]), Infinity);
                high = some.reduce((greatest, n) => Math.max(greatest, places[4 * n + k]), -Infinity);
            }
            this.count[k] = Math.max(1, Math.min(most, Math.floor((high - this.low[k]) / edge)));
            this.size[k] = (high - this.low[k]) / this.count[k] || 1;
        }
        this.head = new Int32Array(this.count[0] * this.count[1] * this.count[2]).fill(-1);
        this.next = new Int32Array(places.length / 4);
        for (const n of some) {
            const cell = this.number([0, 1, 2].map(k => this.along(k, places[4 * n + k])));
            this.next[n] = this.head[cell];
            this.head[cell] = n;
        }
    }

    along(k, x) {
        return Math.max(0, Math.min(this.count[k] - 1, Math.floor((x - this.low[k]) / this.size[k])));
    }

    number([x, y, z]) {
        return (z * this.count[1] + y) * this.count[0] + x;
    }

    // The cells near a position.
    around(place) {
        const along = place.map((x, k) => {
            const at = this.along(k, x),
                count = this.count[k];
            const all = [at - 1, at, at + 1].map(c => (this.wraps[k] ? (c + count) % count : c));
            return [...new Set(all)].filter(c => c >= 0 && c < count);
        });
        return along[2].flatMap(z => along[1].flatMap(y => along[0].map(x => this.number([x, y, z]))));
    }
}

// Particles of clusters longer than half of a periodic box: all others are in one piece already.
function crossing({places, points, dimension, box, periodic}, cluster) {
    const extent = new Map();
    for (let n = 0; n < points; n++) {
        if (!extent.has(cluster[n])) extent.set(cluster[n], {low: [], high: [], members: []});
        const {low, high, members} = extent.get(cluster[n]);
        members.push(n);
        for (let k = 0; k < dimension; k++) {
            low[k] = Math.min(low[k] ?? Infinity, places[4 * n + k]);
            high[k] = Math.max(high[k] ?? -Infinity, places[4 * n + k]);
        }
    }
    return [...extent.values()]
        .filter(({low, high}) => low.some((x, k) => periodic[k] && 2 * (high[k] - x) > box[k]))
        .map(({members}) => members);
}

// Whether two particles are in contact; boxes: displacement of the other to the image nearest to n.
function boxesBetween({places, dimension, box, periodic, rounding}, n, other, boxes) {
    let square = 0;
    for (let k = 0; k < dimension; k++) {
        const apart = places[4 * other + k] - places[4 * n + k];
        boxes[k] = periodic[k] ? -Math.round(apart / box[k]) : 0;
        square += (apart + boxes[k] * box[k]) ** 2;
    }
    const reach = (1 + GAP) * (places[4 * n + 3] + places[4 * other + 3]) + rounding;
    return square <= reach * reach;
}

// From its first particle along its contacts; false: they do not connect it, or it is connected to its own image.
function follow(system, cells, cluster, members, shift, reached) {
    const boxes = [0, 0, 0],
        queue = [members[0]];
    reached[members[0]] = 1;
    for (let at = 0; at < queue.length; at++) {
        const n = queue[at];
        for (const cell of cells.around([0, 1, 2].map(k => system.places[4 * n + k])))
            for (let other = cells.head[cell]; other >= 0; other = cells.next[other]) {
                if (cluster[other] !== cluster[n] || !boxesBetween(system, n, other, boxes)) continue;
                for (let k = 0; k < 3; k++) {
                    const to = shift[3 * n + k] + boxes[k];
                    if (reached[other] === 0) shift[3 * other + k] = to;
                    else if (shift[3 * other + k] !== to) return false;
                }
                if (reached[other] === 0) queue.push(other);
                reached[other] = 1;
            }
    }
    return queue.length === members.length;
}

// places: x, y, z and radius of each point; rounding: of distances.
// Returns displacements in box lengths, three numbers per point. Clusters connected to their own image are not changed.
export function unwrapClusters(system, cluster) {
    const {places, points} = system,
        shift = new Int32Array(3 * points),
        reached = new Uint8Array(points),
        crossed = crossing(system, cluster),
        some = crossed.flat();
    if (some.length === 0) return shift;
    const widest = some.reduce((most, n) => Math.max(most, 2 * places[4 * n + 3]), 0);
    const cells = new Cells(system, some, (1 + GAP) * widest + system.rounding);
    for (const members of crossed)
        if (!follow(system, cells, cluster, members, shift, reached))
            for (const n of members) shift.fill(0, 3 * n, 3 * n + 3);
    return shift;
}

// The same for the table of grains of the page, whose numbers are multiples of `step` along each axis.
export function moveClusters(grains, hello, cluster, step) {
    const {dimension, box, boundary} = hello,
        periodic = boundary.map(kind => kind === 'periodic'),
        rounding = Math.hypot(...step.slice(0, dimension)),
        places = grains.subarray(0, 4 * hello.grains);
    const shift = unwrapClusters({places, points: hello.grains, dimension, box, periodic, rounding}, cluster);
    for (let n = 0; n < hello.grains; n++)
        for (let k = 0; k < dimension; k++) grains[4 * n + k] += box[k] * shift[3 * n + k];
}
