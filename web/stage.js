// The renderer of the page, with WebGL 2.
import {Camera} from './camera.js';
import {moveClusters} from './clusters.js';
import {findFaces} from './faces.js';
import {findMolecules} from './molecules.js';
import {Buffers, shade} from './occlusion.js';
import * as shaders from './shaders.js';

const SIDES = 20; // of a rod in 3D

function compile(gl, {vertex, fragment}) {
    const program = gl.createProgram();
    for (const [type, source] of [
        [gl.VERTEX_SHADER, vertex],
        [gl.FRAGMENT_SHADER, fragment],
    ]) {
        const shader = gl.createShader(type);
        gl.shaderSource(shader, source);
        gl.compileShader(shader);
        if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
            throw new Error(gl.getShaderInfoLog(shader));
        gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    const uniforms = new Map();
    return {
        program,
        uniform: name => {
            if (!uniforms.has(name)) uniforms.set(name, gl.getUniformLocation(program, name));
            return uniforms.get(name);
        },
    };
}

// Number of rows for a number of table entries.
function rows(type, count) {
    return new type(4 * shaders.TEXTURE_WIDTH * Math.max(1, Math.ceil(count / shaders.TEXTURE_WIDTH)));
}

// Software rendering: edges are smoothed when there is time, and pictures are coarser during motion.
function isSoftware() {
    const gl = document.createElement('canvas').getContext('webgl2');
    if (gl === null) return false;
    const names = gl.getExtension('WEBGL_debug_renderer_info');
    const name = names ? gl.getParameter(names.UNMASKED_RENDERER_WEBGL) : '';
    gl.getExtension('WEBGL_lose_context')?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Stage {
    constructor(canvas) {
        this.canvas = canvas;
        this.software = isSoftware();
        this.gl = canvas.getContext('webgl2', {
            antialias: !this.software,
            alpha: false,
            powerPreference: 'high-performance',
        });
        if (this.gl === null) throw new Error('This browser has no WebGL 2, which the page is drawn with.');
        this.camera = new Camera(3);
        this.scale = 1; // pixels drawn per pixel of the screen
        this.whole = false; // molecules and clusters in one piece, beyond the box if they cross its boundary
        this.look = 'solid'; // of meshes; transparent, edges, hidden
        this.programs = {};
        for (const name of ['ball', 'disk', 'egg', 'oval', 'shell', 'rod', 'bar', 'plain'])
            this.programs[name] = compile(this.gl, shaders[name]);
        this.programs.shade = compile(this.gl, shade);
        this.deep = new Buffers(this.gl, this.software ? 0 : Math.min(4, this.gl.getParameter(this.gl.MAX_SAMPLES)));
        this.buffers = {};
        this.tables = {};
    }

    // ---- data

    buffer(name, data, target = this.gl.ARRAY_BUFFER) {
        const gl = this.gl;
        if (!(name in this.buffers)) this.buffers[name] = gl.createBuffer();
        gl.bindBuffer(target, this.buffers[name]);
        if (data !== undefined) gl.bufferData(target, data, gl.DYNAMIC_DRAW);
        return this.buffers[name];
    }

    attribute(location, name, size, type, {normal = false, stride = 0, offset = 0, each = 0} = {}) {
        const gl = this.gl;
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
        gl.enableVertexAttribArray(location);
        gl.vertexAttribPointer(location, size, type, normal, stride, offset);
        gl.vertexAttribDivisor(location, each);
    }

    // A table for shaders: rows of TEXTURE_WIDTH, four numbers per entry. `unit` is its texture unit.
    table(name, unit, data) {
        const gl = this.gl,
            {TEXTURE_WIDTH: width} = shaders,
            floats = data instanceof Float32Array;
        if (!(name in this.tables)) this.tables[name] = gl.createTexture();
        gl.activeTexture(gl.TEXTURE0 + unit);
        gl.bindTexture(gl.TEXTURE_2D, this.tables[name]);
        if (data === undefined) return;
        for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
            gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
        gl.texImage2D(
            gl.TEXTURE_2D,
            0,
            floats ? gl.RGBA32F : gl.RGBA8,
            width,
            data.length / 4 / width,
            0,
            gl.RGBA,
            floats ? gl.FLOAT : gl.UNSIGNED_BYTE,
            data,
        );
    }

    setThings(hello, things) {
        const gl = this.gl;
        this.hello = hello;
        this.things = things;
        this.frame = null;
        this.images = [];
        this.camera = new Camera(hello.dimension, hello.view);
        this.grains = rows(Float32Array, hello.grains);
        for (let n = 0; n < hello.grains; n++) this.grains[4 * n + 3] = things.radius[n];
        this.tints = rows(Uint8Array, hello.grains);
        this.molecules = findMolecules(hello.points, things);
        this.setMeshes();
        const unit = [];
        for (let k = 0; k <= SIDES; k++)
            for (const end of [0, 1])
                unit.push(Math.cos((2 * Math.PI * k) / SIDES), Math.sin((2 * Math.PI * k) / SIDES), end);
        this.buffer('unit', new Float32Array(unit));
        this.makeBox();
    }

    // Vertices are split at creases, so that each has one normal.
    setMeshes() {
        const gl = this.gl,
            {hello, things} = this,
            base = hello.grains,
            shell = new Uint8Array(hello.points - base);
        let at = 0;
        for (const mesh of hello.meshes) {
            shell.fill(mesh.rigid ? 0 : 1, at, at + mesh.vertices);
            at += mesh.vertices;
        }
        this.faces = findFaces(
            things.triangles.map(n => n - base),
            things.rest,
            vertex => shell[vertex] === 1,
        );
        const {vertex, corners, lines} = this.faces;
        this.vertices = new Float32Array(3 * vertex.length);
        this.normals = new Float32Array(3 * vertex.length);
        this.vertexTints = new Uint8Array(4 * vertex.length);
        gl.bindVertexArray(null);
        this.buffer('triangles', corners, gl.ELEMENT_ARRAY_BUFFER);
        this.buffer('edges', lines, gl.ELEMENT_ARRAY_BUFFER);
    }

    makeBox() {
        const {box, boundary, dimension} = this.hello,
            lines = [];
        this.boxed = boundary.some(kind => kind !== 'open');
        const size = [box[0], box[1], dimension === 3 ? box[2] : 0];
        for (let axis = 0; axis < dimension; axis++)
            for (const u of [0, 1])
                for (const v of dimension === 3 ? [0, 1] : [0]) {
                    const [i, j] = [(axis + 1) % 3, (axis + 2) % 3],
                        from = [0, 0, 0];
                    const [first, second] = dimension === 3 || axis === 0 ? [i, j] : [j, i];
                    from[first] = u * size[first];
                    from[second] = v * size[second];
                    const to = [...from];
                    to[axis] = size[axis];
                    lines.push(...from, ...to);
                }
        this.buffer('box', new Float32Array(lines));
        this.boxCount = lines.length / 3;
    }

    setFrame(frame, colours) {
        const first = this.frame === null,
            {grains, dimension} = this.hello,
            gl = this.gl;
        this.frame = frame;
        this.span = frame.high.map((x, k) => x - frame.low[k]);
        const step = this.span.map(x => x / 65535),
            p = frame.position,
            far = 1e4 * Math.max(...frame.high.map(Math.abs), 1); // absent ones are out of sight
        for (let n = 0; n < grains; n++)
            for (let k = 0; k < dimension; k++)
                this.grains[4 * n + k] = frame.absent?.[n] ? far : frame.low[k] + step[k] * p[dimension * n + k];
        if (this.whole) this.unwrap(step);
        this.makeImages();
        this.table('grains', 0, this.grains);
        if (frame.axes) this.table('axes', 2, this.makeAxes());
        this.setColours(colours);
        if (this.hello.points > grains) {
            this.faces.vertex.forEach((vertex, n) => {
                const point = grains + vertex;
                for (let k = 0; k < 3; k++)
                    this.vertices[3 * n + k] = frame.absent?.[point] ? far : frame.low[k] + step[k] * p[3 * point + k];
            });
            this.makeNormals();
            this.buffer('vertices', this.vertices);
            this.buffer('normals', this.normals);
        }
        if (this.things.springs.length > 0) this.buffer('springs', this.springLines());
        if (first) {
            this.findBounds();
            this.camera.fit(this.aspect());
        }
        if (dimension === 3) this.makePlanes();
        else if (this.hasSurfaces()) this.makePlaneLines();
        gl.bindBuffer(gl.ARRAY_BUFFER, null);
    }

    setColours(colours) {
        this.colours = colours;
        this.tints.set(colours.subarray(0, 4 * this.hello.grains));
        this.images.forEach((n, k) => {
            const at = 4 * (this.hello.grains + k);
            this.tints.set(colours.subarray(4 * n, 4 * n + 4), at);
        });
        this.table('tints', 1, this.tints);
        if (this.hello.points > this.hello.grains) this.setVertexTints();
        if (this.things.segments.length > 0) this.makeRods();
    }

    setVertexTints() {
        const from = new Uint32Array(this.colours.buffer, this.colours.byteOffset, this.hello.points),
            to = new Uint32Array(this.vertexTints.buffer);
        this.faces.vertex.forEach((vertex, n) => (to[n] = from[this.hello.grains + vertex]));
        this.buffer('tint', this.vertexTints);
    }

    unwrap(step) {
        const {grains} = this.hello,
            {from, turn} = this.molecules;
        if (this.hello.clusters && this.hello.stride === 1)
            moveClusters(this.grains, this.hello, this.frame.cluster, step);
        for (const n of turn) {
            if (n >= grains || from[n] >= grains) continue;
            const near = this.beside(this.place(from[n]), this.place(n));
            for (let k = 0; k < this.hello.dimension; k++) this.grains[4 * n + k] = near[k];
        }
    }

    // In two dimensions, disks across a periodic boundary are drawn on both sides of it.
    makeImages() {
        const {grains, box, boundary, dimension} = this.hello,
            wraps = [0, 1].map(k => dimension === 2 && boundary[k] === 'periodic' && !this.whole),
            places = [];
        this.images = [];
        for (let n = 0; n < grains && (wraps[0] || wraps[1]); n++) {
            const x = this.grains[4 * n],
                y = this.grains[4 * n + 1],
                r = this.grains[4 * n + 3];
            const across = (at, k) => (!wraps[k] ? 0 : at < r ? box[k] : at > box[k] - r ? -box[k] : 0);
            const dx = across(x, 0),
                dy = across(y, 1);
            if (dx !== 0) places.push(x + dx, y, 0, r);
            if (dy !== 0) places.push(x, y + dy, 0, r);
            if (dx !== 0 && dy !== 0) places.push(x + dx, y + dy, 0, r);
            while (this.images.length < places.length / 4) this.images.push(n);
        }
        const needed = rows(Float32Array, grains + this.images.length);
        if (needed.length > this.grains.length) {
            needed.set(this.grains);
            this.grains = needed;
            this.tints = new Uint8Array(needed.length);
        }
        this.grains.set(places, 4 * grains);
    }

    // Orientations of ellipsoids, and the ratios of their widths to their lengths.
    makeAxes() {
        const {grains} = this.hello,
            table = rows(Float32Array, grains + this.images.length);
        for (let k = 0; k < grains + this.images.length; k++) {
            const n = k < grains ? k : this.images[k - grains];
            for (let c = 0; c < 3; c++) table[4 * k + c] = this.frame.axes[3 * n + c] / 32767;
            table[4 * k + 3] = this.things.width[n];
        }
        return table;
    }

    // ... and cut off there. The part of the picture inside the box, along periodic axes.
    cutToBox() {
        const gl = this.gl,
            {width, height} = this.canvas,
            {view, projection} = this.matrices,
            {box, boundary} = this.hello;
        const [from, to] = [[], []];
        [width, height].forEach((size, k) => {
            const scale = projection[5 * k],
                pixel = x => Math.round(0.5 * size * (1 + scale * (x + view[12 + k])));
            const wraps = boundary[k] === 'periodic' && !this.whole;
            from[k] = wraps ? Math.max(0, pixel(0)) : 0;
            to[k] = wraps ? Math.min(size, pixel(box[k])) : size;
        });
        gl.enable(gl.SCISSOR_TEST);
        gl.scissor(from[0], from[1], Math.max(0, to[0] - from[0]), Math.max(0, to[1] - from[1]));
    }

    place(n) {
        const d = this.hello.dimension,
            {low, position} = this.frame;
        if (n < this.hello.grains) return [...this.grains.subarray(4 * n, 4 * n + 3)];
        return [0, 1, 2].map(k => (k < d ? low[k] + (this.span[k] * position[d * n + k]) / 65535 : 0));
    }

    // b, or its image nearest to a.
    beside(a, b) {
        const {box, boundary} = this.hello;
        return b.map((x, k) => (boundary[k] === 'periodic' ? x - box[k] * Math.round((x - a[k]) / box[k]) : x));
    }

    // Ends of a connection between two points: across a periodic boundary, whole on both sides.
    spans(a, b) {
        const [p, q] = [this.place(a), this.place(b)],
            near = this.beside(p, q);
        return near.every((x, k) => x === q[k]) ? [[p, q]] : [[p, near], [this.beside(q, p), q]];
    }

    springLines() {
        const {springs} = this.things,
            lines = [];
        for (let s = 0; s < springs.length; s += 2)
            for (const [p, q] of this.spans(springs[s], springs[s + 1])) lines.push(...p, ...q);
        this.springCount = lines.length / 3;
        return new Float32Array(lines);
    }

    makeRods() {
        const {segments} = this.things,
            spans = segments.flatMap(({a, b, radius}) => this.spans(a, b).map(ends => ({ends, radius, a})));
        const rods = new Float32Array(8 * spans.length),
            tints = new Uint8Array(rods.buffer),
            ends = rows(Float32Array, 2 * spans.length),
            endTints = rows(Uint8Array, 2 * spans.length);
        spans.forEach(({ends: [from, to], radius, a}, s) => {
            const tint = this.colours.subarray(4 * a, 4 * a + 4);
            rods.set([...from, ...to, radius], 8 * s);
            tints.set(tint, 32 * s + 28);
            ends.set([...from, radius, ...to, radius], 8 * s);
            endTints.set(tint, 8 * s);
            endTints.set(tint, 8 * s + 4);
        });
        this.rodCount = spans.length;
        this.buffer('rods', rods);
        this.table('ends', 0, ends);
        this.table('endTints', 1, endTints);
    }

    makeNormals() {
        const {corners} = this.faces,
            v = this.vertices,
            n = this.normals;
        n.fill(0);
        for (let t = 0; t < corners.length; t += 3) {
            const [i, j, k] = [3 * corners[t], 3 * corners[t + 1], 3 * corners[t + 2]];
            const ax = v[j] - v[i],
                ay = v[j + 1] - v[i + 1],
                az = v[j + 2] - v[i + 2];
            const bx = v[k] - v[i],
                by = v[k + 1] - v[i + 1],
                bz = v[k + 2] - v[i + 2];
            const x = ay * bz - az * by,
                y = az * bx - ax * bz,
                z = ax * by - ay * bx;
            for (const at of [i, j, k]) {
                n[at] += x;
                n[at + 1] += y;
                n[at + 2] += z;
            }
        }
    }

    // The initial region of the first message, with a margin if the scene has no walls and does not set a view.
    findBounds() {
        const {boundary, dimension} = this.hello,
            {low, high, framed} = this.hello.view,
            bounds = this.camera.bounds;
        for (let k = 0; k < dimension; k++) {
            const pad = framed || boundary[k] !== 'open' ? 0 : 0.1 * (high[k] - low[k]);
            bounds[0][k] = low[k] - pad;
            bounds[1][k] = high[k] + pad;
        }
        if (dimension === 2) bounds[0][2] = bounds[1][2] = 0;
        if (framed) return;
        for (const c of this.cylinders())
            for (let k = 0; k < dimension; k++) {
                const reach = c.radius * Math.sqrt(1 - c.axis[k] ** 2);
                if (boundary[k] !== 'open' || c.radius > 2 * Math.hypot(...high.map((x, n) => x - low[n]))) continue;
                bounds[0][k] = Math.min(bounds[0][k], c.through[k] - reach);
                bounds[1][k] = Math.max(bounds[1][k], c.through[k] + reach);
            }
        for (const {points} of this.outlines()) {
            const size = high.map((x, k) => Math.max(...points.map(q => q[k])) - Math.min(...points.map(q => q[k])));
            if (Math.max(...size) > 4 * Math.hypot(...high.map((x, n) => x - low[n]))) continue;
            for (const q of points)
                for (let k = 0; k < dimension; k++) {
                    if (boundary[k] !== 'open') continue;
                    bounds[0][k] = Math.min(bounds[0][k], q[k]);
                    bounds[1][k] = Math.max(bounds[1][k], q[k]);
                }
        }
        for (let p = 0; p < this.frame.planes.length; p += 6)
            // falling bodies come to rest there
            for (let k = 0; k < dimension; k++) {
                const normal = this.frame.planes[p + 3 + k],
                    point = this.frame.planes[p + k];
                if (boundary[k] !== 'open' || Math.abs(normal) < 0.9) continue;
                if (normal > 0 && point > low[k] - (high[k] - low[k]) * 2)
                    bounds[0][k] = Math.min(bounds[0][k], point);
                if (normal < 0 && point < high[k] + (high[k] - low[k]) * 2)
                    bounds[1][k] = Math.max(bounds[1][k], point);
            }
    }

    // Clips a polygon to the free sides of all planes except that at p.
    freeOf(p, polygon) {
        const {planes} = this.frame;
        for (let other = 0; other < planes.length; other += 6) {
            const height = q => q.reduce((sum, x, k) => sum + (x - planes[other + k]) * planes[other + 3 + k], 1e-6);
            const whole = polygon;
            if (other === p) continue;
            polygon = whole.flatMap((a, k) => {
                const b = whole[(k + 1) % whole.length],
                    [ha, hb] = [height(a), height(b)];
                const kept = ha >= 0 ? [a] : [];
                if (ha < 0 !== hb < 0) kept.push(a.map((x, c) => x + ((b[c] - x) * ha) / (ha - hb)));
                return kept;
            });
        }
        return polygon;
    }

    // The part of a plane within the bounds: the polygon of its intersection with the bounding box.
    makePlanes() {
        const {planes} = this.frame,
            {boundary} = this.hello,
            [low, high] = this.camera.bounds,
            fills = [],
            lines = [];
        for (let p = 0; p < planes.length; p += 6) {
            const point = planes.subarray(p, p + 3),
                normal = planes.subarray(p + 3, p + 6),
                cut = [];
            const height = corner => corner.reduce((sum, x, k) => sum + (x - point[k]) * normal[k], 0);
            const pad = low.map((x, k) => (boundary[k] === 'open' ? 0.02 : 1e-4) * (high[k] - x));
            const from = low.map((x, k) => x - pad[k]),
                to = high.map((x, k) => x + pad[k]);
            for (let axis = 0; axis < 3; axis++)
                for (let c = 0; c < 4; c++) {
                    const a = [...from],
                        u = (axis + 1) % 3,
                        v = (axis + 2) % 3;
                    if (c & 1) a[u] = to[u];
                    if (c & 2) a[v] = to[v];
                    const b = [...a];
                    b[axis] = to[axis];
                    const ha = height(a),
                        hb = height(b);
                    if (ha === hb || ha * hb > 0) continue;
                    cut.push(a.map((x, k) => x + ((b[k] - x) * ha) / (ha - hb)));
                }
            if (cut.length < 3) continue;
            const centre = [0, 1, 2].map(k => cut.reduce((s, q) => s + q[k], 0) / cut.length);
            const e = Math.abs(normal[2]) < 0.9 ? [normal[1], -normal[0], 0] : [0, normal[2], -normal[1]];
            const f = [
                normal[1] * e[2] - normal[2] * e[1],
                normal[2] * e[0] - normal[0] * e[2],
                normal[0] * e[1] - normal[1] * e[0],
            ];
            const angle = q => Math.atan2(...[f, e].map(w => w.reduce((s, x, k) => s + x * (q[k] - centre[k]), 0)));
            cut.sort((x, y) => angle(x) - angle(y));
            const shape = this.freeOf(p, cut);
            shape.forEach((q, k) => {
                const next = shape[(k + 1) % shape.length];
                fills.push(...shape[0], ...q, ...next);
                lines.push(...q, ...next);
            });
        }
        this.addCylinders(lines, fills);
        this.addOutlines(lines, fills);
        this.planeCount = fills.length / 3;
        this.planeEdgeCount = lines.length / 3;
        this.buffer('planes', new Float32Array(fills));
        this.buffer('planeEdges', new Float32Array(lines));
    }

    // 2D: the interval of the line q + s t, the plane at p, inside the box and on the free sides of the other planes.
    reachOf(p, q, t, long) {
        const {planes} = this.frame,
            {box, boundary} = this.hello;
        let from = -long,
            to = long;
        const keep = (n, bound) => {
            const height = n[0] * q[0] + n[1] * q[1] - bound + 1e-6 * long,
                slope = n[0] * t[0] + n[1] * t[1];
            if (slope > 0) from = Math.max(from, -height / slope);
            else if (slope < 0) to = Math.min(to, -height / slope);
            else if (height < 0) to = from;
        };
        for (let o = 0; o < planes.length; o += 6) {
            const n = [planes[o + 3], planes[o + 4]];
            if (o !== p) keep(n, n[0] * planes[o] + n[1] * planes[o + 1]);
        }
        for (let k = 0; k < 2; k++) {
            if (boundary[k] === 'open') continue;
            keep([k === 0 ? 1 : 0, k], 0);
            keep([k === 0 ? -1 : 0, -k], -box[k]);
        }
        return [from, to];
    }

    // 2D: a line, with hatching behind it.
    makePlaneLines() {
        const {planes} = this.frame,
            [low, high] = this.camera.bounds,
            lines = [];
        const long = Math.hypot(high[0] - low[0], high[1] - low[1]),
            stroke = long / 60,
            centre = low.map((x, k) => (x + high[k]) / 2);
        for (let p = 0; p < planes.length; p += 6) {
            const n = [planes[p + 3], planes[p + 4]],
                t = [-n[1], n[0]];
            const off = (centre[0] - planes[p]) * t[0] + (centre[1] - planes[p + 1]) * t[1];
            const at = s => [planes[p] + (off + s) * t[0], planes[p + 1] + (off + s) * t[1], 0];
            const [from, to] = this.reachOf(p, at(0), t, long);
            if (from >= to) continue;
            lines.push(...at(from), ...at(to));
            for (let s = from; s < to; s += stroke) {
                const q = at(s),
                    r = at(s - 0.6 * stroke);
                lines.push(...q, r[0] - 0.6 * stroke * n[0], r[1] - 0.6 * stroke * n[1], 0);
            }
        }
        this.addCylinders(lines, []);
        this.addOutlines(lines, []);
        this.planeEdgeCount = lines.length / 3;
        this.buffer('planeEdges', new Float32Array(lines));
    }

    // Each with two unit vectors normal to its axis; in two dimensions those along x and y.
    cylinders() {
        const {cylinders} = this.frame,
            found = [];
        for (let c = 0; c < cylinders.length; c += 8) {
            const through = [...cylinders.subarray(c, c + 3)],
                axis = [...cylinders.subarray(c + 3, c + 6)],
                sizes = axis.map(Math.abs),
                least = sizes.indexOf(Math.min(...sizes));
            let a = axis.map((x, k) => (k === least ? 1 : 0) - axis[least] * x);
            a = a.map(x => x / Math.hypot(...a));
            let b = axis.map((x, k) => axis[(k + 1) % 3] * a[(k + 2) % 3] - axis[(k + 2) % 3] * a[(k + 1) % 3]);
            if (this.hello.dimension === 2) [a, b] = [[1, 0, 0], [0, 1, 0]];
            found.push({through, axis, a, b, radius: cylinders[c + 6]});
        }
        return found;
    }

    // Rings at both ends of the region, with lines along the axis and sides between them; in two dimensions one ring.
    addCylinders(lines, fills) {
        const parts = 96,
            flat = this.hello.dimension === 2,
            bounds = this.camera.bounds;
        for (const {through, axis, a, b, radius} of this.cylinders()) {
            const heights = [0, 1, 2, 3, 4, 5, 6, 7].map(n =>
                axis.reduce((s, x, k) => s + x * (bounds[(n >> k) & 1][k] - through[k]), 0),
            );
            const ends = flat ? [0] : [Math.min(...heights), Math.max(...heights)];
            const at = (part, height) => {
                const c = radius * Math.cos((2 * Math.PI * part) / parts),
                    s = radius * Math.sin((2 * Math.PI * part) / parts);
                return through.map((x, k) => x + height * axis[k] + c * a[k] + s * b[k]);
            };
            for (let part = 0; part < parts; part++) {
                for (const end of ends) lines.push(...at(part, end), ...at(part + 1, end));
                if (flat) continue;
                const side = [at(part, ends[0]), at(part + 1, ends[0]), at(part + 1, ends[1]), at(part, ends[1])];
                for (const k of [0, 1, 2, 0, 2, 3]) fills.push(...side[k]);
                if (part % 12 === 0) lines.push(...side[0], ...side[3]);
            }
        }
    }

    // Other exact surfaces at their present positions: ends of lines, and corners of facets, four each.
    outlines() {
        const {moved} = this.frame;
        return (this.hello.outlines ?? []).map(({lines, facets}, n) => {
            const at = list =>
                Array.from({length: list.length / 3}, (_, p) => [0, 1, 2].map(k => list[3 * p + k] + moved[3 * n + k]));
            const ends = at(lines),
                corners = at(facets);
            return {ends, corners, points: ends.length > 0 ? ends : corners};
        });
    }

    addOutlines(lines, fills) {
        for (const {ends, corners} of this.outlines()) {
            for (const q of ends) lines.push(...q);
            for (let c = 0; c < corners.length; c += 4)
                for (const k of [0, 1, 2, 0, 2, 3]) fills.push(...corners[c + k]);
        }
    }

    hasSurfaces() {
        const {planes, cylinders, moved} = this.frame;
        return planes.length + cylinders.length + moved.length > 0;
    }

    // ---- drawing

    aspect() {
        return this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1);
    }

    use(name) {
        const gl = this.gl,
            {program, uniform} = this.programs[name];
        for (let k = 0; k < 5; k++) {
            gl.disableVertexAttribArray(k);
            gl.vertexAttribDivisor(k, 0);
        }
        gl.useProgram(program);
        gl.uniformMatrix4fv(uniform('view'), false, this.matrices.view);
        gl.uniformMatrix4fv(uniform('projection'), false, this.matrices.projection);
        gl.uniform3fv(uniform('fog'), this.theme.stage);
        gl.uniform2fv(uniform('fogRange'), this.fogRange);
        gl.uniform1f(uniform('pixel'), this.camera.pixel() / this.canvas.height);
        return uniform;
    }

    // Lower limit of the radius, in pixels: a quarter of the mean distance in the picture, so that few small particles
    // are visible and many do not cover the picture.
    dot() {
        const {width, height, clientWidth} = this.canvas,
            [low, high] = this.camera.bounds,
            pixel = this.camera.pixel() / height,
            plane = this.camera.flat ? ((high[0] - low[0]) * (high[1] - low[1])) / pixel ** 2 : Infinity;
        const between = Math.sqrt(Math.min(width * height, plane) / Math.max(this.hello.grains, 1)),
            free = (0.25 * between * clientWidth) / width;
        return (Math.min(2.5, Math.max(0.5, free)) * width) / clientWidth;
    }

    // Whether all particles are smaller than this, at the target of the camera.
    enlarges() {
        const {grains} = this.hello,
            near = this.camera.flat ? 1 : this.camera.reach,
            least = (this.dot() * this.camera.pixel() * near) / this.canvas.height;
        return grains > 0 && this.things.radius.subarray(0, grains).every(r => r < least);
    }

    // `axes`: a table; for ellipsoids.
    drawBalls(count, places, tints, axes) {
        const gl = this.gl,
            [flat, solid] = axes ? ['oval', 'egg'] : ['disk', 'ball'],
            uniform = this.use(this.camera.flat ? flat : solid);
        if (axes) {
            this.table(axes, 2);
            gl.uniform1i(uniform('axes'), 2);
        }
        this.table(places, 0);
        this.table(tints, 1);
        gl.uniform1i(uniform('grains'), 0);
        gl.uniform1i(uniform('tints'), 1);
        gl.uniform1f(uniform('smoothness'), this.software ? 0 : 1);
        gl.uniform1f(uniform('least'), this.dot());
        gl.drawArrays(gl.TRIANGLES, 0, 6 * count);
    }

    drawRods() {
        const gl = this.gl,
            count = this.rodCount,
            flat = this.camera.flat,
            uniform = this.use(flat ? 'bar' : 'rod');
        gl.uniform1f(uniform('alpha'), 1);
        const each = {stride: 32, each: 1};
        this.attribute(0, 'rods', 3, gl.FLOAT, each);
        this.attribute(1, 'rods', 3, gl.FLOAT, {...each, offset: 12});
        this.attribute(2, 'rods', 1, gl.FLOAT, {...each, offset: 24});
        this.attribute(3, 'rods', 4, gl.UNSIGNED_BYTE, {...each, offset: 28, normal: true});
        if (flat) {
            gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
            return;
        }
        this.attribute(4, 'unit', 3, gl.FLOAT);
        gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 2 * (SIDES + 1), count);
        this.drawBalls(2 * count, 'ends', 'endTints'); // round ends
    }

    drawTriangles(alpha) {
        const gl = this.gl,
            uniform = this.use('shell');
        gl.uniform1f(uniform('alpha'), alpha);
        this.attribute(0, 'vertices', 3, gl.FLOAT);
        this.attribute(1, 'normals', 3, gl.FLOAT);
        this.attribute(2, 'tint', 4, gl.UNSIGNED_BYTE, {normal: true});
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffers.triangles);
        gl.drawElements(gl.TRIANGLES, this.faces.corners.length, gl.UNSIGNED_INT, 0);
    }

    // Transparent triangles hide nothing, and are drawn last.
    drawMeshes() {
        const gl = this.gl,
            solid = this.look === 'solid',
            colour = solid ? [...this.theme.edge, this.theme.edgeAlpha] : [...this.theme.soft, 0.9];
        if (this.look === 'hidden') return;
        if (solid) this.drawTriangles(1);
        this.lines('vertices', 0, colour, {elements: this.faces.lines.length, nearer: 1e-3});
        if (this.look !== 'transparent') return;
        gl.depthMask(false);
        gl.enable(gl.CULL_FACE);
        for (const side of [gl.FRONT, gl.BACK]) {
            gl.cullFace(side);
            this.drawTriangles(0.22);
        }
        gl.disable(gl.CULL_FACE);
        gl.depthMask(true);
    }

    lines(name, count, colour, {elements = 0, mode = this.gl.LINES, nearer = 0} = {}) {
        const gl = this.gl,
            uniform = this.use('plain');
        gl.uniform4fv(uniform('colour'), colour);
        gl.uniform1f(uniform('nearer'), nearer);
        this.attribute(0, name, 3, gl.FLOAT);
        if (elements > 0) {
            gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffers.edges);
            gl.drawElements(mode, elements, gl.UNSIGNED_INT, 0);
        } else {
            gl.drawArrays(mode, 0, count);
        }
    }

    drawPlanes() {
        const gl = this.gl;
        if (this.camera.flat) {
            this.lines('planeEdges', this.planeEdgeCount, [...this.theme.soft, 0.8]);
            return;
        }
        gl.depthMask(false);
        this.lines('planes', this.planeCount, [...this.theme.soft, 0.13], {mode: gl.TRIANGLES});
        this.lines('planeEdges', this.planeEdgeCount, [...this.theme.soft, 0.5]);
        gl.depthMask(true);
    }

    // Draws the buffers to the screen, with less light in concave regions.
    drawShaded() {
        const gl = this.gl,
            {program, uniform} = this.programs.shade,
            {radius} = this.things,
            {grains} = this.hello,
            [low, high] = this.camera.bounds,
            size = Math.hypot(...low.map((x, k) => high[k] - x));
        this.deep.end();
        for (let k = 0; k < 5; k++) gl.disableVertexAttribArray(k);
        gl.disable(gl.DEPTH_TEST);
        gl.disable(gl.BLEND);
        gl.useProgram(program);
        gl.uniform1i(uniform('colours'), 6);
        gl.uniform1i(uniform('depths'), 7);
        gl.uniformMatrix4fv(uniform('projection'), false, this.matrices.projection);
        gl.uniform1f(uniform('height'), this.canvas.height);
        gl.uniform1f(uniform('reach'), Math.min(grains > 0 ? 3 * radius[0] : Infinity, 0.08 * size));
        gl.drawArrays(gl.TRIANGLES, 0, 3);
    }

    // Waits for the end of the drawing.
    finish() {
        this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, new Uint8Array(4));
    }

    resize(scale) {
        const ratio = Math.min(window.devicePixelRatio || 1, 2) * scale;
        const width = Math.max(1, Math.round(this.canvas.clientWidth * ratio)),
            height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
        if (this.canvas.width !== width || this.canvas.height !== height) {
            this.canvas.width = width;
            this.canvas.height = height;
        }
    }

    draw(theme, scale = this.scale) {
        const gl = this.gl,
            smooth = !this.software;
        this.theme = theme;
        this.resize(scale);
        const shaded = this.frame && !this.camera.flat && (smooth || scale > 1);
        if (shaded) this.deep.begin(this.canvas.width, this.canvas.height);
        gl.viewport(0, 0, this.canvas.width, this.canvas.height);
        gl.clearColor(...theme.stage, 1);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        if (!this.frame) return;
        this.matrices = this.camera.matrices(this.aspect());
        const [low, high] = this.camera.bounds,
            size = Math.hypot(...low.map((x, k) => high[k] - x));
        this.fogRange = this.camera.flat ? [0, 0] : [this.camera.reach - 0.25 * size, (theme.fog * 0.75) / size];
        const flat = this.camera.flat;
        if (flat) gl.disable(gl.DEPTH_TEST);
        else gl.enable(gl.DEPTH_TEST);
        gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE);
        gl.enable(gl.BLEND);
        if (flat && this.hasSurfaces()) this.drawPlanes();
        if (this.boxed) this.lines('box', this.boxCount, [...theme.soft, 0.75]);
        if (!flat && smooth) {
            // edges of spheres by sample coverage
            gl.disable(gl.BLEND);
            gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
        } else if (!flat) {
            gl.disable(gl.BLEND);
        }
        if (this.hello.springs > 0) this.lines('springs', this.springCount, [...theme.soft, 1]);
        if (this.things.segments.length > 0) this.drawRods();
        if (flat) this.cutToBox();
        if (this.hello.grains > 0) {
            const axes = this.hello.ellipsoids ? 'axes' : null;
            this.drawBalls(this.hello.grains + this.images.length, 'grains', 'tints', axes);
        }
        gl.disable(gl.SCISSOR_TEST);
        gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);
        gl.enable(gl.BLEND);
        if (this.hello.points > this.hello.grains) this.drawMeshes();
        if (!flat && this.planeCount > 0) this.drawPlanes();
        if (shaded) this.drawShaded();
    }
}
