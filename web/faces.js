// Adjacency of triangles, as in src/view/render/faces.c: corners with a common normal, and edges drawn as lines.
const CREASE = Math.cos((35 * Math.PI) / 180),
    FLAT = 1 - 1e-4,
    NONE = -1;

const minus = (v, i, j) => [v[3 * i] - v[3 * j], v[3 * i + 1] - v[3 * j + 1], v[3 * i + 2] - v[3 * j + 2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

// Edge 3 t + k is opposite corner k of triangle t.
const end = (triangles, edge, which) => triangles[3 * Math.floor(edge / 3) + (((edge % 3) + 1 + which) % 3)];

// The same edge in the other triangle.
function findTwins(triangles) {
    const open = new Map(),
        shared = new Map(),
        twin = new Int32Array(triangles.length).fill(NONE);
    for (let h = 0; h < triangles.length; h++) {
        const a = end(triangles, h, 0),
            b = end(triangles, h, 1),
            key = Math.min(a, b) * 4294967296 + Math.max(a, b);
        shared.set(key, (shared.get(key) ?? 0) + 1);
        if (shared.get(key) === 1) {
            open.set(key, h);
        } else if (shared.get(key) === 2) {
            twin[h] = open.get(key);
            twin[twin[h]] = h;
        } else if (twin[open.get(key)] !== NONE) {
            const other = open.get(key);
            twin[twin[other]] = twin[other] = NONE;
        }
    }
    return twin;
}

// Adjacent triangles run along their common edge in opposite directions: otherwise the corners of one are reordered.
function orient(triangles, twin) {
    const turned = new Uint8Array(triangles.length / 3),
        seen = new Uint8Array(turned.length);
    for (let start = 0; start < seen.length; start++) {
        if (seen[start]) continue;
        seen[start] = 1;
        const queue = [start];
        while (queue.length > 0) {
            const t = queue.pop();
            for (let h = 3 * t; h < 3 * t + 3; h++) {
                const other = twin[h],
                    u = Math.floor(other / 3);
                if (other === NONE || seen[u]) continue;
                seen[u] = 1;
                const alike = end(triangles, h, 0) === end(triangles, other, 0);
                turned[u] = Number((turned[t] === 1) !== alike);
                queue.push(u);
            }
        }
    }
    return turned;
}

function normals(triangles, turned, rest) {
    return Array.from(turned, (other, t) => {
        const [i, j, k] = triangles.subarray(3 * t, 3 * t + 3),
            n = cross(minus(rest, j, i), minus(rest, k, i));
        return other ? n.map(x => -x) : n;
    });
}

function isLongest(triangles, rest, edge) {
    const length = h => Math.hypot(...minus(rest, end(triangles, h, 0), end(triangles, h, 1))),
        first = 3 * Math.floor(edge / 3);
    return [0, 1, 2].every(k => first + k === edge || length(edge) > 1.1 * length(first + k));
}

// triangles: of vertices from 0; rest: their initial positions; isShell(vertex). Returns `corners`, three per
// triangle, indices of split vertices; `vertex` of each of these; `lines`, pairs of split vertices.
export function findFaces(triangles, rest, isShell) {
    const twin = findTwins(triangles),
        turned = orient(triangles, twin),
        normal = normals(triangles, turned, rest),
        group = Int32Array.from(triangles, (_, corner) => corner);
    const first = corner => {
        while (group[corner] !== corner) corner = group[corner] = group[group[corner]];
        return corner;
    };
    const unite = (a, b) => {
        [a, b] = [first(a), first(b)];
        group[Math.max(a, b)] = Math.min(a, b);
    };
    const corner = (edge, which) => 3 * Math.floor(edge / 3) + (((edge % 3) + 1 + which) % 3),
        lines = [];
    for (let h = 0; h < triangles.length; h++) {
        const other = twin[h];
        if (other !== NONE && other < h) continue;
        const [m, n] = [normal[Math.floor(h / 3)], other === NONE ? null : normal[Math.floor(other / 3)]],
            bend = n === null ? -1 : dot(m, n) / (Math.sqrt(dot(m, m) * dot(n, n)) || 1),
            longest = n !== null && isLongest(triangles, rest, h) && isLongest(triangles, rest, other),
            diagonal = longest && bend > FLAT;
        if (bend >= CREASE) {
            const crossed = end(triangles, h, 0) === end(triangles, other, 0) ? 0 : 1;
            unite(corner(h, 0), corner(other, crossed));
            unite(corner(h, 1), corner(other, 1 - crossed));
        }
        if (isShell(triangles[h]) ? !diagonal : bend < CREASE) lines.push(corner(h, 0), corner(h, 1));
    }
    const split = new Map(),
        vertex = [],
        corners = new Uint32Array(triangles.length);
    for (let c = 0; c < triangles.length; c++) {
        const of = first(c);
        if (!split.has(of)) {
            split.set(of, vertex.length);
            vertex.push(triangles[of]);
        }
        corners[c] = split.get(of);
    }
    const ends = Uint32Array.from(lines, c => corners[c]);
    turned.forEach((other, t) => {
        if (other) [corners[3 * t + 1], corners[3 * t + 2]] = [corners[3 * t + 2], corners[3 * t + 1]];
    });
    return {corners, vertex: Uint32Array.from(vertex), lines: ends};
}
